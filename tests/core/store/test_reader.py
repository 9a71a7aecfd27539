"""What viewers ask of the store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.errors import StoreError
from core.runconfig import ModelSpec, RunConfig
from core.store.lock import RunLock
from core.store.manager import DBDataManager
from core.store.reader import Reader, SampleQuery, expected_text
from tests.core.store.stores import CONFIG, sample, store_finished


@pytest.fixture
def reader(manager: DBDataManager) -> Iterator[Reader]:
    opened = Reader(manager.path)
    yield opened
    opened.close()


def names(reader: Reader, **wanted: Any) -> list[str]:
    """The runs that match, by name."""
    return [run.exp_id for run in reader.runs(**wanted)]


@pytest.fixture
def runs(manager: DBDataManager) -> dict[str, int]:
    """Three finished runs with different figures."""
    ids = {}
    for number, (name, model) in enumerate([("alpha", "openai/gpt"), ("beta", "demo"), ("alpine", "OpenAI/GPT-b")]):
        ids[name] = manager.create_run(name, RunConfig(model=ModelSpec(model=model)))
        manager.update_run(
            ids[name],
            status="completed",
            started_at=f"2026-01-0{number + 1}T00:00:00.000Z",
            overall_score=[0.5, None, 0.9][number],
            cost_usd=float(number),
            error_tests=2 - number,
            duration_ms=[5, 9, 7][number],
        )
    return ids


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("started", ["alpine", "beta", "alpha"]),
        ("exp_id", ["alpha", "alpine", "beta"]),
        ("score", ["alpine", "alpha", "beta"]),
        ("cost", ["alpine", "beta", "alpha"]),
        ("duration", ["beta", "alpine", "alpha"]),
        ("errors", ["alpha", "beta", "alpine"]),
    ],
)
def test_runs_come_in_the_order_asked_for(
    reader: Reader, runs: dict[str, int], order: str, expected: list[str]
) -> None:
    assert names(reader, order=order) == expected


def test_unfinished_runs_stand_on_top(reader: Reader, runs: dict[str, int], manager: DBDataManager) -> None:
    manager.update_run(runs["alpha"], status="running")
    assert names(reader)[0] == "alpha"


def test_runs_are_found_by_part_of_name_or_model_in_any_case(reader: Reader, runs: dict[str, int]) -> None:
    assert names(reader, text="ALP") == ["alpine", "alpha"]
    assert names(reader, model="gpt") == ["alpine", "alpha"]
    assert names(reader, status="completed", text="b") == ["alpine", "beta"]
    assert reader.count_runs(text="%") == 0


def test_a_page_of_runs_is_a_page(reader: Reader, runs: dict[str, int]) -> None:
    assert names(reader, order="exp_id", limit=1, offset=1) == ["alpine"]


def test_a_run_is_found_by_the_only_name_that_begins_so(reader: Reader, runs: dict[str, int]) -> None:
    assert reader.run("be").exp_id == "beta"
    assert reader.run("alpha").exp_id == "alpha"


@pytest.mark.parametrize(("given", "said"), [("alp", "alpine, alpha"), ("betta", "beta"), ("", "`modex runs`")])
def test_an_unclear_name_is_answered_with_near_ones(
    reader: Reader, runs: dict[str, int], given: str, said: str
) -> None:
    with pytest.raises(StoreError, match=said):
        reader.run(given)


def test_a_run_that_nobody_holds_is_interrupted_not_running(
    reader: Reader, manager: DBDataManager, run_id: int
) -> None:
    assert (reader.run("e").state, reader.run("e").alive) == ("interrupted", False)
    with RunLock(manager.path, run_id, "e"):
        assert (reader.run("e").state, reader.run("e").alive) == ("running", True)
    assert reader.run("e").state == "interrupted"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (SampleQuery(), "abcd"),
        (SampleQuery(domains=("d",)), "acd"),
        (SampleQuery(levels=(2, 3)), "cd"),
        (SampleQuery(domains=("d",), levels=(1,)), "a"),
        (SampleQuery(test_ids=("b", "c")), "bc"),
        (SampleQuery(sources=("other",)), "d"),
        (SampleQuery(statuses=("skipped",)), "b"),
        (SampleQuery(text="NAME_"), "c"),
        (SampleQuery(text="100%"), "a"),
        (SampleQuery(text="\\"), "d"),
    ],
)
def test_samples_are_chosen_by_every_field(
    reader: Reader, manager: DBDataManager, run_id: int, query: SampleQuery, expected: str
) -> None:
    manager.plan(
        run_id,
        [
            sample("a", name="100%"),
            sample("b", domain="e", status="skipped"),
            sample("c", level=2, name="name_x"),
            sample("d", level=3, source="other", name="back\\slash"),
        ],
    )
    assert "".join(head.test_id for head in reader.heads(run_id, query)) == expected
    assert reader.count(run_id, query) == len(expected)
    assert "".join(item.test_id for item in reader.samples(run_id, query)) == expected
    ids = reader.head_ids(run_id, query)
    assert "".join(head.test_id for head in reader.heads_by_id(ids)) == expected


def test_a_head_holds_the_beginning_of_long_texts(reader: Reader, manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a", expected="x" * 5000)])
    store_finished(manager, run_id, response="y" * 5000)
    (head,) = reader.heads(run_id)
    assert head.extracted_answer == "y" * 200
    assert len(head.expected or "") == 200
    assert expected_text(head).startswith('"xxx')


@pytest.mark.parametrize(
    ("expected", "shown"),
    [(4, "4"), ("Paris", "Paris"), ({"type": "numeric", "value": 18}, "18"), (None, ""), (["a"], '["a"]')],
)
def test_an_expected_answer_is_shown_short(
    reader: Reader, manager: DBDataManager, run_id: int, expected: object, shown: str
) -> None:
    manager.plan(run_id, [sample("a", expected=expected)])
    assert expected_text(reader.heads(run_id)[0]) == shown


def test_changes_are_found_by_the_last_number_seen(reader: Reader, manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample(str(number)) for number in range(5)])
    everything = reader.changes(run_id, 0)
    assert [head.test_id for head in everything] == list("01234")
    assert [head.test_id for head in reader.changes(run_id, everything[2].seq)] == ["3", "4"]
    assert [head.test_id for head in reader.changes(run_id, 0, limit=2)] == ["0", "1"]


def test_what_finished_is_told_once_and_what_was_only_planned_is_passed_over(
    reader: Reader, manager: DBDataManager, run_id: int
) -> None:
    manager.plan(run_id, [sample(str(number)) for number in range(5)])
    heads, seen = reader.finished(run_id, 0)
    assert (heads, seen) == ([], reader.run_by_id(run_id).seq)
    store_finished(manager, run_id)
    told: list[str] = []
    while (found := reader.finished(run_id, seen, limit=2))[1] != seen:
        told += [head.test_id for head in found[0]]
        seen = found[1]
    assert sorted(told) == list("01234")
    assert reader.finished(run_id, seen) == ([], seen)


def test_more_samples_than_a_page_come_once_each(reader: Reader, manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample(str(number)) for number in range(1201)])
    assert [item.test_id for item in reader.samples(run_id)] == [str(number) for number in range(1201)]


def test_what_is_gone_is_said_to_be_gone(reader: Reader, manager: DBDataManager, run_id: int) -> None:
    with pytest.raises(StoreError, match="deleted"):
        reader.run_by_id(99)
    with pytest.raises(StoreError, match="gone"):
        reader.sample(99)
    assert reader.heads_by_id([99]) == []


def test_two_readers_in_two_threads_do_not_disturb_each_other(manager: DBDataManager, run_id: int) -> None:
    from concurrent.futures import ThreadPoolExecutor

    manager.plan(run_id, [sample(str(number)) for number in range(50)])
    reader = Reader(manager.path)

    def count(_: int) -> int:
        found = reader.count(run_id)
        reader.close()
        return found

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(count, range(20))) == {50}
    reader.close()


def test_configurations_of_lists_hold_no_secret_field(manager: DBDataManager) -> None:
    run_id = manager.create_run("k", CONFIG)
    assert not any("key" in name for name in manager.reader.run_by_id(run_id).config["model"])


def test_the_path_is_kept_for_messages(reader: Reader, manager: DBDataManager) -> None:
    assert reader.path == Path(manager.path)


def test_no_name_at_all_names_no_run(manager: DBDataManager, run_id: int) -> None:
    assert manager.reader.run("e").id == run_id
    with pytest.raises(StoreError, match="no run named ''"):
        manager.reader.run("")


def test_heads_come_in_the_order_in_which_they_are_asked_for(manager: DBDataManager, run_id: int) -> None:
    ids = manager.plan(run_id, [sample(name) for name in "abc"]).to_do
    wanted = [ids[2], 10**6, ids[0], ids[1]]
    assert [head.id for head in manager.reader.heads_by_id(wanted)] == [ids[2], ids[0], ids[1]]
