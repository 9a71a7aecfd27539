"""The writer: durable when it says so, grouped, and with counts that always agree with the samples."""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import modex.core.store.writer
from modex.core.foundation.errors import StoreError
from modex.core.store.connection import Database
from modex.core.store.database import open_database
from modex.core.store.manager import DBDataManager
from modex.core.store.reader import Reader
from modex.core.store.sample import EvaluationSample, SampleStatus
from modex.core.store.writer import Spent, Writer
from tests.core.store.stores import CONFIG, FINISHED, finished, sample, store_finished, with_writer

HOSTILE = "\x00 \ud800 \ufdd0modex-escaped: \\ \U0001f600 ü"


def rows_on_disk(manager: DBDataManager, sql: str) -> list[tuple[object, ...]]:
    """What another program reads in the file now."""
    connection = sqlite3.connect(f"file:{manager.path}?mode=ro", uri=True)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def test_a_save_is_on_disk_when_its_future_is_done(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a")])
    (item,) = manager.reader.samples(run_id)

    def work(writer: Writer) -> None:
        writer.save(finished(item, response="stored"), FINISHED, before="pending").result()
        assert rows_on_disk(manager, "SELECT status, response FROM individual_test_results") == [("passed", "stored")]

    with_writer(manager, run_id, work)


def test_every_field_comes_back_exactly(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a", prompt=HOSTILE, system_prompt=HOSTILE, definition={"metadata": {"k": HOSTILE}})])
    (item,) = manager.reader.samples(run_id)
    done = finished(
        item,
        response=HOSTILE,
        reasoning=HOSTILE,
        transcript=[{"role": "assistant", "content": HOSTILE}],
        details={"got": HOSTILE, "nested": [1, None, {"x": 0.5}]},
        extracted_answer=HOSTILE,
        error_message=HOSTILE,
        pass2_used=True,
        flags=["empty_answer"],
        cost_usd=None,
    )
    with_writer(manager, run_id, lambda writer: writer.save(done, FINISHED, before="pending"))
    (stored,) = manager.reader.samples(run_id)
    done.seq = stored.seq
    assert stored == done


def test_a_group_is_one_change_for_readers(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample(f"t{number}") for number in range(300)])
    items = list(manager.reader.samples(run_id))
    connection = sqlite3.connect(f"file:{manager.path}?mode=ro", uri=True)
    versions = Counter[int]()

    def work(writer: Writer) -> None:
        futures = [writer.save(finished(item), FINISHED, before="pending") for item in items]
        for future in futures:
            future.result()
            versions[connection.execute("PRAGMA data_version").fetchone()[0]] += 1

    with_writer(manager, run_id, work)
    connection.close()
    assert len(versions) < 50


def test_sequence_numbers_only_grow_and_name_what_changed(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a"), sample("b")])
    seen = manager.reader.run_by_id(run_id).seq
    one, two = manager.reader.samples(run_id)
    with_writer(manager, run_id, lambda writer: writer.save(finished(two), FINISHED, before="pending"))
    changed = manager.reader.changes(run_id, seen)
    assert [head.test_id for head in changed] == ["b"]
    assert manager.reader.run_by_id(run_id).seq >= changed[0].seq > max(seen, one.seq)


def test_many_threads_lose_nothing(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample(f"t{number}") for number in range(200)])
    items = list(manager.reader.samples(run_id))

    def work(writer: Writer) -> None:
        def hand_in(part: list[EvaluationSample]) -> None:
            for item in part:
                writer.mark_running(item.id or 0)
                writer.save(finished(item), FINISHED, before="pending", spent=Spent(1, 2, 0.5)).result()

        threads = [threading.Thread(target=hand_in, args=(items[start::8],)) for start in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    with_writer(manager, run_id, work)
    run = manager.reader.run_by_id(run_id)
    assert (run.passed_tests, run.prompt_tokens, run.completion_tokens, run.cost_usd) == (200, 200, 400, 100.0)
    assert len({head.seq for head in manager.reader.heads(run_id)}) == 200


STATUS = st.sampled_from(["pending", "running", "passed", "failed", "error", "skipped"])


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 2), STATUS), max_size=12))
def test_counts_always_agree_with_the_samples(manager: DBDataManager, changes: list[tuple[int, SampleStatus]]) -> None:
    run_id = manager.create_run(f"e{len(manager.reader.runs())}", CONFIG)
    manager.plan(run_id, [sample(str(number)) for number in range(3)])
    items = list(manager.reader.samples(run_id))

    def work(writer: Writer) -> None:
        for index, status in changes:
            before = items[index].status
            items[index].status = status
            writer.save(items[index], ("status",), before=before)

    with_writer(manager, run_id, work)
    run = manager.reader.run_by_id(run_id)
    found = Counter(head.status for head in manager.reader.heads(run_id))
    assert (run.passed_tests, run.failed_tests, run.error_tests, run.skipped_tests) == (
        found["passed"],
        found["failed"],
        found["error"],
        found["skipped"],
    )


def test_calls_without_a_price_are_counted_beside_the_cost(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a"), sample("b")])
    one, two = manager.reader.samples(run_id)

    def work(writer: Writer) -> None:
        writer.save(finished(one), FINISHED, before="pending", spent=Spent(1, 1, None))
        writer.save(finished(two), FINISHED, before="pending", spent=Spent(1, 1, 0.25))

    with_writer(manager, run_id, work)
    run = manager.reader.run_by_id(run_id)
    assert (run.cost_usd, run.unpriced_calls) == (0.25, 1)


def test_a_running_mark_does_not_overwrite_a_result(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a"), sample("b")])
    one, two = manager.reader.samples(run_id)

    def work(writer: Writer) -> None:
        writer.mark_running(one.id or 0)
        writer.save(finished(one), FINISHED, before="pending")
        writer.mark_running(two.id or 0)
        writer.flush()

    with_writer(manager, run_id, work)
    assert [head.status for head in manager.reader.heads(run_id)] == ["passed", "running"]


def test_only_a_sample_that_takes_a_while_is_marked_as_running(
    manager: DBDataManager, run_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager.plan(run_id, [sample("a"), sample("b")])
    one, two = manager.reader.samples(run_id)
    monkeypatch.setattr(modex.core.store.writer, "_FLUSH_S", 3600.0)
    writer = Writer(open_database(manager.path), run_id)
    writer.mark_running(one.id or 0)
    writer.save(finished(two), FINISHED, before="pending").result(60)
    assert [head.status for head in manager.reader.heads(run_id)] == ["pending", "passed"]
    monkeypatch.setattr(modex.core.store.writer, "_FLUSH_S", 0.001)
    writer.save(finished(two), FINISHED, before="passed").result(60)
    assert [head.status for head in manager.reader.heads(run_id)] == ["running", "passed"]
    writer.close()


def test_an_earlier_verdict_is_kept_with_what_it_said(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a")])
    store_finished(manager, run_id, score=1.0, details={"why": "first"}, judge_fingerprint="j1")
    (item,) = manager.reader.samples(run_id)
    with_writer(
        manager,
        run_id,
        lambda writer: writer.save(finished(item, score=0.2), FINISHED, before="passed", keep_earlier=True),
    )
    (stored,) = manager.reader.samples(run_id)
    assert (stored.status, stored.score) == ("failed", 0.2)
    (earlier,) = manager.reader.earlier_verdicts(stored.id or 0)
    assert (earlier["status"], earlier["score"], earlier["details"]) == ("passed", 1.0, {"why": "first"})
    run = manager.reader.run_by_id(run_id)
    assert (run.passed_tests, run.failed_tests) == (0, 1)


def test_a_rollout_that_was_never_judged_leaves_no_earlier_verdict(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a", stage="rollout")])
    (item,) = manager.reader.samples(run_id)
    with_writer(
        manager, run_id, lambda writer: writer.save(finished(item), FINISHED, before="pending", keep_earlier=True)
    )
    assert manager.reader.earlier_verdicts(item.id or 0) == []


def test_events_come_back_in_order_with_the_newest_last(manager: DBDataManager, run_id: int) -> None:
    def work(writer: Writer) -> None:
        for number in range(5):
            writer.event("warning", f"retry {number}")

    with_writer(manager, run_id, work)
    events = manager.reader.events(run_id)
    assert [event.message for event in events] == [f"retry {number}" for number in range(5)]
    assert [event.message for event in manager.reader.events(run_id, since=events[2].seq)] == ["retry 3", "retry 4"]
    assert [event.message for event in manager.reader.events(run_id, limit=2)] == ["retry 3", "retry 4"]


def test_events_with_characters_that_sqlite_cannot_hold_come_back(manager: DBDataManager, run_id: int) -> None:
    with_writer(manager, run_id, lambda writer: writer.event("error", HOSTILE))
    assert [event.message for event in manager.reader.events(run_id)] == [HOSTILE]


def test_a_failing_operation_fails_its_group_and_the_writer_goes_on(manager: DBDataManager, run_id: int) -> None:
    def broken(database: Database) -> None:
        database.run("INSERT INTO nowhere VALUES (1)")

    def work(writer: Writer) -> None:
        with pytest.raises(StoreError, match="nowhere"):
            writer.call(broken).result()
        writer.event("info", "still here")
        writer.flush()

    with_writer(manager, run_id, work)
    assert [event.message for event in manager.reader.events(run_id)] == ["still here"]


@pytest.mark.parametrize("error", [StoreError("nowhere to go"), sqlite3.OperationalError("nowhere to go")], ids=type)
def test_what_could_not_be_stored_uses_up_no_sequence_number(
    manager: DBDataManager, run_id: int, error: Exception
) -> None:
    manager.plan(run_id, [sample("a")])
    (item,) = manager.reader.samples(run_id)
    begun, both = threading.Event(), threading.Event()

    def waiting(_database: object) -> None:
        begun.set()
        both.wait(20)

    def broken(_database: object) -> None:
        raise error

    def work(writer: Writer) -> None:
        held = writer.call(waiting)  # what is handed in meanwhile becomes one group
        assert begun.wait(20)
        saved, failed = writer.save(finished(item), FINISHED, before="pending"), writer.call(broken)
        both.set()
        held.result()
        for future in (saved, failed):
            with pytest.raises(StoreError, match="nowhere"):
                future.result()
        seen = manager.reader.run_by_id(run_id).seq
        writer.event("info", "next")
        writer.flush()
        assert [event.seq for event in manager.reader.events(run_id)] == [seen + 1]

    with_writer(manager, run_id, work)


def test_a_lock_held_by_another_program_is_waited_out_and_told(manager: DBDataManager, run_id: int) -> None:
    told: list[str | None] = []
    heard = threading.Event()

    def hear(words: str | None) -> None:
        told.append(words)
        heard.set()

    manager.plan(run_id, [sample("a")])
    (item,) = manager.reader.samples(run_id)
    writer = Writer(open_database(manager.path), run_id, on_store_error=hear)
    other = sqlite3.connect(manager.path, isolation_level=None)
    writer.call(_impatient).result()
    other.execute("BEGIN IMMEDIATE")
    future = writer.save(finished(item), FINISHED, before="pending")
    assert heard.wait(20)
    assert not future.done()
    other.execute("COMMIT")
    other.close()
    future.result(20)
    writer.close()
    assert [words is None for words in told] == [False, True]
    assert "locked" in str(told[0])


def test_a_closed_writer_refuses_work(manager: DBDataManager, run_id: int) -> None:
    writer = Writer(open_database(manager.path), run_id)
    writer.close()
    with pytest.raises(StoreError, match="closed"):
        writer.flush()


def test_closing_stores_what_was_handed_in(manager: DBDataManager, run_id: int) -> None:
    writer = Writer(open_database(manager.path), run_id)
    writer.event("info", "last words")
    writer.update_run(reason="because", live={"a": 1})
    writer.close()
    reader = Reader(manager.path)
    run = reader.run_by_id(run_id)
    assert (run.reason, run.live) == ("because", {"a": 1})
    assert [event.message for event in reader.events(run_id)] == ["last words"]
    reader.close()


def _impatient(database: Database) -> None:
    database.rows("PRAGMA busy_timeout = 50")


def test_what_fails_with_nobody_waiting_for_it_is_said(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a")])
    (item,) = manager.reader.samples(run_id)
    assert item.id is not None
    manager.database.run(
        "CREATE TRIGGER broken BEFORE UPDATE ON individual_test_results BEGIN SELECT RAISE(ABORT, 'no mark fits'); END"
    )
    said: list[str | None] = []
    heard = threading.Event()

    def on_store_error(words: str | None) -> None:
        said.append(words)
        heard.set()

    writer = Writer(open_database(manager.path), run_id, on_store_error=on_store_error)
    writer.mark_running(item.id)
    assert heard.wait(20)
    writer.close()
    assert "no mark fits" in (said[0] or "")


def test_what_others_change_of_the_run_meanwhile_takes_numbers_that_no_sample_gets_again(
    manager: DBDataManager, run_id: int
) -> None:
    manager.plan(run_id, [sample("a"), sample("b")])
    first, second = manager.reader.samples(run_id)

    def work(writer: Writer) -> None:
        writer.save(finished(first), FINISHED, before="pending").result()
        manager.update_run(run_id, note="written by a viewer")
        seen = manager.reader.run_by_id(run_id).seq
        writer.save(finished(second), FINISHED, before="pending").result()
        assert [head.test_id for head in manager.reader.changes(run_id, seen)] == ["b"]

    with_writer(manager, run_id, work)


def test_a_writer_that_cannot_open_the_file_says_so_to_who_waits_and_tries_again(
    manager: DBDataManager, run_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager.plan(run_id, [sample("a")])
    (item,) = manager.reader.samples(run_id)
    connect = sqlite3.connect
    failures = [sqlite3.OperationalError("unable to open database file"), OSError(24, "Too many open files")]

    def fails(*arguments: object, **named: object) -> object:
        if failures and threading.current_thread().name == "writer":
            raise failures.pop()
        return connect(*arguments, **named)  # type: ignore[call-overload]

    monkeypatch.setattr(sqlite3, "connect", fails)

    def work(writer: Writer) -> None:
        with pytest.raises(OSError, match="Too many"):
            writer.save(finished(item), FINISHED, before="pending").result(20)
        with pytest.raises(StoreError, match="cannot be opened"):
            writer.save(finished(item), FINISHED, before="pending").result(20)
        writer.save(finished(item), FINISHED, before="pending").result(20)

    with_writer(manager, run_id, work)
    assert [one.status for one in manager.reader.samples(run_id)] == ["passed"]


def test_marks_are_due_after_a_moment_the_oldest_first_and_at_once_where_the_clock_was_set_back(
    manager: DBDataManager, run_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = Writer(open_database(manager.path), run_id)
    writer.close()

    def due(moment: float, *, every: bool = False) -> list[int]:
        writer._marks = {1: 100.0, 2: 100.125, 3: 100.1875}
        monkeypatch.setattr("modex.core.store.writer.time.time", lambda: moment)
        found = writer._due_marks(every=every)
        assert list(writer._marks) == [id_ for id_ in (1, 2, 3) if id_ not in found]
        return list(found)

    assert due(100.1875) == []
    assert due(100.25) == [1]
    assert due(100.3125) == [1]
    assert due(100.375) == [1, 2]
    assert due(99.9) == [1, 2, 3]
    assert due(100.1875, every=True) == [1, 2, 3]


def test_a_verdict_that_is_kept_says_passed_from_the_pass_score_on_and_error_without_one(
    manager: DBDataManager, run_id: int
) -> None:
    manager.plan(run_id, [sample(name) for name in "abcd"])
    items = list(manager.reader.samples(run_id))
    for item, (score, stage) in zip(
        items, ((0.7, "judged"), (0.69, "judged"), (None, "judged"), (1.0, "rollout")), strict=True
    ):
        manager.database.run(
            "UPDATE individual_test_results SET score = ?, stage = ? WHERE id = ?", [score, stage, item.id]
        )
    with_writer(
        manager, run_id,
        lambda writer: [writer.save(finished(item), FINISHED, before="pending", keep_earlier=True) for item in items],
    )  # fmt: skip
    kept = manager.database.rows("SELECT result_id, status, run_id FROM earlier_verdicts ORDER BY id")
    ids = [item.id for item in items]
    assert kept == [(ids[0], "passed", run_id), (ids[1], "failed", run_id), (ids[2], "error", run_id)]


def test_neighbours_that_write_other_fields_are_stored_each_with_its_own(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample(name) for name in "abc"])
    items = list(manager.reader.samples(run_id))
    for item in items:
        item.response, item.reason, item.status = f"r {item.test_id}", f"why {item.test_id}", "failed"

    def work(writer: Writer) -> None:
        writer.call(lambda _: None)
        for item, fields in zip(items, (("response", "status"), ("reason",), ("response", "reason")), strict=True):
            writer.save(item, fields, before="pending", spent=Spent(1, 20, 0.5))

    with_writer(manager, run_id, work)
    found = [(one.response, one.reason, one.status) for one in manager.reader.samples(run_id)]
    assert found == [("r a", None, "failed"), (None, "why b", "pending"), ("r c", "why c", "pending")]
    run = manager.reader.run_by_id(run_id)
    assert (run.prompt_tokens, run.completion_tokens, run.cost_usd, run.failed_tests) == (3, 60, 1.5, 3)


def test_no_more_than_a_group_is_stored_at_once_however_much_waits(
    manager: DBDataManager, run_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(modex.core.store.writer, "_GROUP", 2)
    manager.plan(run_id, [sample(name) for name in "abcde"])
    items, sizes = list(manager.reader.samples(run_id)), list[int]()
    begun, go_on = threading.Event(), threading.Event()
    writer = Writer(open_database(manager.path), run_id)
    write = writer._write

    def counted(group: Sequence[Any], *rest: Any) -> None:
        sizes.append(len(group))
        write(group, *rest)

    def hold(_: object) -> None:
        begun.set()
        assert go_on.wait(60)

    monkeypatch.setattr(writer, "_write", counted)
    writer.call(hold)
    assert begun.wait(60)
    saves = [writer.save(finished(item), FINISHED, before="pending") for item in items]
    go_on.set()
    writer.close()
    assert all(save.result(0) is None for save in saves)
    assert sizes == [1, 2, 2, 1]
    assert manager.reader.run_by_id(run_id).passed_tests == 5
