"""One run worked on in this process."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace

import pytest

from modex.core.config.runconfig import ModelSpec
from modex.core.engine.commands import send_command
from modex.core.engine.session import Session
from modex.core.engine.stopping import STOPPED_WORDS, SessionOutcome
from modex.core.engine.workers import Workers
from modex.core.foundation.errors import ConfigurationError, ModexError, RunBusyError, StoreError
from modex.core.store.lock import RunLock, is_held
from modex.core.store.manager import ChosenSamples, DBDataManager, Redo
from modex.tui.plain.summary import summary_text
from tests.cli import reading
from tests.core.engine.conftest import Bench
from tests.server import Reply, Request
from tests.server.replies import unauthorized, unknown_model


def work(bench: Bench, lock: RunLock | None = None) -> SessionOutcome:
    """Work on the run to its end."""
    session = Session(bench.database, "e", lock=lock)
    try:
        return session.run()
    finally:
        session.close()


def in_background(bench: Bench) -> tuple[Session, threading.Thread, list[SessionOutcome]]:
    """A session at work on a thread."""
    session = Session(bench.database, "e")
    outcomes: list[SessionOutcome] = []
    thread = threading.Thread(target=lambda: outcomes.append(session.run()))
    thread.start()
    return session, thread, outcomes


class Gatekeeper:
    """A model that answers nothing until it is told to."""

    def __init__(self) -> None:
        self.open = False
        self.arrived = threading.Event()

    def __call__(self, request: Request) -> Reply:
        self.arrived.set()
        return Reply("ok", latency=0.0 if self.open else 0.2)


def test_every_sample_is_finished_and_the_run_is_free_again(bench: Bench) -> None:
    run_id = bench.prepare(20)
    bench.server.behave(Reply("ok"))
    assert work(bench) == SessionOutcome("completed")
    run = bench.run()
    assert (run.status, run.passed_tests, run.overall_score) == ("completed", 20, 1.0)
    assert (run.live, run.completed_at is not None) == ({}, True)
    assert not is_held(bench.database, run_id)


def test_never_more_calls_than_the_concurrency_are_in_flight(bench: Bench) -> None:
    bench.prepare(20, concurrency=3)
    bench.server.behave(Reply("ok", latency=0.02))
    work(bench)
    assert 1 < bench.server.peak <= 3


def test_samples_of_one_run_do_not_wait_for_one_another(bench: Bench) -> None:
    bench.prepare(12)
    bench.server.behave(lambda request: Reply(fault="hang" if request.prompt == "question 0" else None))
    session, thread, _ = in_background(bench)
    bench.until(lambda reader: reader.run("e").passed_tests == 11, "eleven finished while one hangs")
    assert bench.server.in_flight == 1
    session.stop(grace_s=0.0)
    thread.join()
    assert (bench.run().status, bench.run().passed_tests) == ("stopped", 11)


def test_a_fatal_refusal_ends_the_run_after_what_was_in_flight(bench: Bench) -> None:
    bench.prepare(40)
    bench.server.behave(unauthorized)
    outcome = work(bench)
    assert outcome.status == "aborted"
    assert bench.server.hits <= 2
    run = bench.run()
    assert (run.status, run.passed_tests, run.failed_tests, run.overall_score) == ("aborted", 0, 0, None)
    assert "openai/test-model" in (run.reason or "")
    assert set(bench.statuses()) == {"pending"}


def test_what_is_judged_is_not_judged_again(bench: Bench) -> None:
    bench.prepare(3)
    bench.server.behave(Reply("ok"))
    work(bench)
    said: list[str] = []
    session = Session(bench.database, "e", narrate=said.append)
    session.run()
    session.close()
    assert "plan: 3 unchanged" in said
    assert bench.server.hits == 3


def test_of_several_fatal_failures_the_first_names_the_reason(bench: Bench) -> None:
    bench.prepare(2)

    def behave(request: Request) -> Reply:
        first = request.prompt == "question 0"
        return replace(unauthorized(request) if first else unknown_model(request), latency=0.3 if first else 1.0)

    bench.server.behave(behave)
    outcome = work(bench)
    assert bench.server.hits == 2
    assert "401" in (outcome.reason or "") or "key" in (outcome.reason or "")
    assert "does not exist" not in (outcome.reason or "")


def test_a_store_that_fails_ends_a_run_that_nobody_stops_as_an_error(bench: Bench) -> None:
    bench.prepare(4)
    with closing(sqlite3.connect(bench.database)) as other:
        other.execute(
            "CREATE TRIGGER broken BEFORE UPDATE ON individual_test_results WHEN NEW.stage = 'judged'"
            " BEGIN SELECT RAISE(ABORT, 'no verdict fits'); END"
        )
    with pytest.raises(StoreError, match="no verdict fits"):
        work(bench)
    assert bench.run().status == "error"


def test_an_unknown_model_ends_the_run_and_another_attempt_goes_on(bench: Bench) -> None:
    bench.prepare(4)
    bench.server.behave(unknown_model)
    assert work(bench).status == "aborted"
    bench.server.behave(Reply("ok"))
    assert work(bench).status == "completed"
    assert bench.run().passed_tests == 4


def test_a_spent_budget_aborts_and_a_higher_one_goes_on(bench: Bench) -> None:
    priced = ModelSpec(model="openai/test-model", api_base=bench.server.url, input_price=0.01, output_price=0.01)
    bench.prepare(10, model=priced, max_cost_usd=0.4, concurrency=1)
    bench.server.behave(Reply("ok"))
    outcome = work(bench)
    assert outcome.status == "aborted"
    assert "--max-cost" in (outcome.reason or "")
    run = bench.run()
    assert run.cost_usd == pytest.approx(0.45)
    assert run.passed_tests == 3
    bench.prepare(10, model=priced, max_cost_usd=9.0, concurrency=1)
    assert work(bench).status == "completed"
    assert bench.server.hits == 10


def test_a_budget_is_spent_once_all_of_it_is(bench: Bench) -> None:
    priced = ModelSpec(model="openai/test-model", api_base=bench.server.url, input_price=0.025, output_price=0.05)
    bench.prepare(4, model=priced, max_cost_usd=1.0, concurrency=1)  # two answers of 10 × 0.025 + 5 × 0.05, to the bit
    bench.server.behave(Reply("ok"))
    assert work(bench).status == "aborted"
    assert (bench.server.hits, bench.run().cost_usd) == (2, 1.0)


@pytest.mark.parametrize(("until", "stage"), [("preprocess", "init"), ("rollout", "rollout"), ("judge", "judged")])
def test_a_run_ends_after_the_stage_asked_for(bench: Bench, until: str, stage: str) -> None:
    run_id = bench.prepare(3, until=until)
    bench.server.behave(Reply("ok"))
    assert work(bench).status == "completed"
    session = Session(bench.database, "e")
    assert {sample.stage for sample in session.manager.reader.samples(run_id)} == {stage}
    session.close()
    assert bench.run().overall_score is None


def test_stopping_finishes_what_is_in_flight_and_keeps_the_rest_for_later(bench: Bench) -> None:
    bench.prepare(30)
    gate = Gatekeeper()
    bench.server.behave(gate)
    session, thread, outcomes = in_background(bench)
    assert gate.arrived.wait(10)
    session.stop()
    thread.join(20)
    session.close()
    assert outcomes[0].status == "stopped"
    counts = bench.statuses()
    assert 1 <= counts.count("passed") <= 6
    assert counts.count("pending") == 30 - counts.count("passed")
    gate.open = True
    bench.server.forget()
    assert work(bench).status == "completed"
    assert bench.server.hits == counts.count("pending")


def test_a_stop_between_start_and_beginning_is_kept_for_the_runner(bench: Bench) -> None:
    prepared = bench.prepared(30)
    bench.server.behave(Reply("ok", latency=0.3))
    assert (bench.run().state, bench.run().going) == ("starting", True)
    send_command(bench.database, prepared.run_id, "stop")
    assert work(bench, prepared.lock).status == "stopped"
    assert bench.server.hits == 0


def test_commands_for_an_earlier_runner_are_dropped(bench: Bench) -> None:
    prepared = bench.prepared(3)
    send_command(bench.database, prepared.run_id, "stop")
    prepared.lock.release()
    bench.server.behave(Reply("ok"))
    assert work(bench).status == "completed"
    with pytest.raises(StoreError, match="nobody works on this run"):
        send_command(bench.database, prepared.run_id, "stop")


def test_a_call_that_hangs_is_ended_at_the_end_of_the_grace(bench: Bench) -> None:
    bench.prepare(4)
    bench.server.behave(Reply(fault="hang"))
    session, thread, outcomes = in_background(bench)
    bench.until(lambda _: bench.server.in_flight, "a call in flight")
    session.stop(grace_s=0.0)
    thread.join(20)
    assert not thread.is_alive()
    session.close()
    assert outcomes[0].status == "stopped"
    assert set(bench.statuses()) == {"pending"}


def test_a_paused_run_takes_nothing_until_it_is_resumed(bench: Bench) -> None:
    run_id = bench.prepare(40)
    bench.server.behave(Reply("ok", latency=0.03))
    session, thread, outcomes = in_background(bench)
    bench.until(lambda _: bench.server.hits > 2, "the first calls")
    send_command(bench.database, run_id, "pause")
    bench.until(lambda reader: reader.run("e").status == "paused", "paused")
    bench.until(lambda _: not bench.server.in_flight, "nothing in flight")
    before = bench.server.hits
    assert before < 40
    assert bench.run().reason == "paused by hand"
    pulses = [bench.run().live]
    for _ in range(3):
        bench.until(lambda reader: reader.run("e").live["at"] != pulses[-1]["at"], "another pulse")
        pulses.append(bench.run().live)
    send_command(bench.database, run_id, "resume")
    bench.until(lambda reader: reader.run("e").status != "paused", "going on")
    thread.join(20)
    session.close()
    assert outcomes == [SessionOutcome("completed")]
    assert bench.server.hits == 40
    assert pulses[-1]["elapsed_s"] == pulses[-2]["elapsed_s"], "a pause is no working time"


def test_a_run_is_paused_while_nobody_answers_and_goes_on_by_itself(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODEX_RETRY_WAIT", "0.01")
    bench.prepare(30, concurrency=4)
    bench.server.behave(Reply(status=503, body={"error": {"message": "down for a moment"}}))
    session, thread, outcomes = in_background(bench)
    try:
        bench.until(lambda reader: reader.run("e").status == "paused", "paused")
        assert "does not answer" in str(bench.run().reason)
    finally:  # or the session would wait for the server for ever
        bench.server.behave(Reply("ok"))
        thread.join(60)
        session.close()
    assert outcomes == [SessionOutcome("completed")]
    assert (bench.run().passed_tests, bench.run().reason) == (30, None)


def test_concurrency_changes_while_it_runs(bench: Bench) -> None:
    run_id = bench.prepare(60, concurrency=1)
    bench.server.behave(Reply("ok", latency=0.03))
    session, thread, _ = in_background(bench)
    bench.until(lambda _: bench.server.hits > 1, "the first calls")
    send_command(bench.database, run_id, "concurrency", 6)
    thread.join(30)
    session.close()
    assert bench.run().passed_tests == 60
    assert 2 <= bench.server.peak <= 6


@pytest.mark.long
@pytest.mark.parametrize("processes", [1, 2])
def test_a_run_that_was_not_told_finds_how_many_calls_at_once_are_worth_making(
    bench: Bench, processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Every measurement counts and shows a rise, or a busy machine would decide what is found.
    monkeypatch.setattr("modex.core.llm.knee._FILLED", 0.0)
    monkeypatch.setattr("modex.core.llm.knee._RISES", -1000.0)
    asked: list[int] = []
    change = Workers.set_concurrency

    def noted(workers: Workers, limit: int) -> None:
        asked.append(limit)
        change(workers, limit)

    monkeypatch.setattr(Workers, "set_concurrency", noted)
    run_id = bench.prepare(400, concurrency=None, processes=processes)
    bench.server.behave(Reply("ok"))
    said: list[str] = []
    session = Session(bench.database, "e", narrate=said.append)
    assert session.run().status == "completed"
    session.close()
    assert bench.run().passed_tests == bench.server.hits == 400
    found = "openai/test-model: 64 calls at once: --concurrency allows more"
    assert found in said
    assert (asked[0], max(asked)) == (16, 64)
    with reading(bench.database) as reader:
        assert found in [event.message for event in reader.events(run_id) if event.kind == "info"]
        assert reader.found_limits(run_id) == found
        assert found in summary_text(reader, bench.run())


def test_a_run_that_was_told_asks_as_many_at_once_and_looks_for_nothing(bench: Bench) -> None:
    run_id = bench.prepare(60, concurrency=16)
    bench.server.behave(Reply("ok", latency=0.03))
    said: list[str] = []
    session = Session(bench.database, "e", narrate=said.append)
    assert session.run().status == "completed"
    session.close()
    assert bench.server.peak <= 16
    assert not any("calls at once" in words for words in said)
    with reading(bench.database) as reader:
        assert reader.found_limits(run_id) == ""


def test_a_skipped_sample_is_not_asked_and_a_resume_asks_it(bench: Bench) -> None:
    run_id = bench.prepare(30, concurrency=1)
    bench.server.behave(Reply("ok", latency=0.03))
    session, thread, _ = in_background(bench)
    bench.until(lambda reader: reader.count(run_id) == 30, "planned")
    last = session.manager.reader.head_ids(run_id)[-1]
    send_command(bench.database, run_id, "skip", [last])
    thread.join(30)
    session.close()
    assert bench.statuses()[-1] == "skipped"
    assert work(bench).status == "completed"
    assert set(bench.statuses()) == {"passed"}


def test_a_second_session_on_one_run_is_refused(bench: Bench) -> None:
    bench.prepare(1)
    session = Session(bench.database, "e")
    with pytest.raises(RunBusyError):
        Session(bench.database, "e")
    session.close()


def test_a_run_that_is_not_there_is_named(bench: Bench) -> None:
    bench.prepare(1)
    with pytest.raises(StoreError, match="no run named 'nope'"):
        Session(bench.database, "nope")


@pytest.mark.parametrize("new", [True, False], ids=["a new run", "a resume"])
def test_what_cannot_be_begun_leaves_a_known_run_as_it_was(bench: Bench, new: bool) -> None:
    prepared = bench.prepared(1)
    if not new:
        bench.server.behave(Reply("ok"))
        work(bench, prepared.lock)
    before = replace(bench.run(), seq=0)
    definition = bench.root / "suite/test_definitions/d/level_1/tests.jsonl"
    definition.write_text('{"id": "t0", "promt": "x"}\n')
    with pytest.raises(ModexError, match="did you mean 'prompt'"):
        work(bench, prepared.lock if new else None)
    if new:
        assert (bench.run().status, bench.run().state) == ("error", "error")
        assert "did you mean" in (bench.run().reason or "")
    else:
        assert replace(bench.run(), seq=0) == before


def test_a_missing_key_is_said_before_the_first_call(bench: Bench) -> None:
    bench.prepare(1, model=ModelSpec(model="openai/gpt-5-mini"))
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY"):
        work(bench)


def test_epochs_ask_each_test_so_often(bench: Bench) -> None:
    bench.prepare(3, epochs=4)
    bench.server.behave(Reply("ok"))
    work(bench)
    assert bench.server.hits == 12
    assert bench.run().total_tests == 12


def test_retries_are_in_the_log(bench: Bench) -> None:
    from tests.server.replies import script, server_error

    run_id = bench.prepare(1)
    bench.server.behave(script([server_error(), server_error()], then=Reply("ok")))
    work(bench)
    session = Session(bench.database, "e")
    events = session.manager.reader.events(run_id)
    session.close()
    assert len([event for event in events if "attempt" in event.message]) == 2
    assert bench.run().passed_tests == 1


def redo(bench: Bench, which: Sequence[int], kind: Redo) -> SessionOutcome:
    """Do the samples at these places again."""
    with reading(bench.database) as reader:
        ids = reader.head_ids(reader.run("e").id)
    session = Session(bench.database, "e")
    try:
        return session.run(chosen=ChosenSamples(frozenset(ids[place] for place in which), kind))
    finally:
        session.close()


def test_chosen_samples_are_asked_again_and_no_other(bench: Bench) -> None:
    bench.prepare(6)
    bench.server.behave(lambda request: Reply("ok" if request.prompt != "question 2" else "no"))
    work(bench)
    assert bench.statuses() == ["passed", "passed", "failed", "passed", "passed", "passed"]
    asked = bench.server.hits
    bench.server.behave(lambda request: Reply("ok" if request.prompt == "question 2" else "no"))
    assert redo(bench, [2], "ask") == SessionOutcome("completed")
    assert bench.statuses() == ["passed"] * 6
    assert bench.server.hits == asked + 1
    assert (bench.run().passed_tests, bench.run().total_tests, bench.run().overall_score) == (6, 6, 1.0)


def test_chosen_samples_are_judged_again_without_asking_the_model(bench: Bench) -> None:
    run_id = bench.prepare(4)
    bench.server.behave(Reply("ok"))
    work(bench)
    asked = bench.server.hits
    assert redo(bench, [1, 3], "judge").status == "completed"
    assert bench.server.hits == asked
    with reading(bench.database) as reader:
        assert [len(reader.earlier_verdicts(id_)) for id_ in reader.head_ids(run_id)] == [0, 1, 0, 1]


def test_of_an_edited_suite_only_what_was_chosen_is_done(bench: Bench) -> None:
    bench.prepare(4)
    bench.server.behave(Reply("ok"))
    work(bench)
    asked = bench.server.hits
    for path in (bench.root / "suite").rglob("*.jsonl"):
        path.write_text(path.read_text().replace("question ", "other question "))
    assert redo(bench, [1], "changed").status == "completed"
    assert bench.server.hits == asked + 1
    assert redo(bench, [1], "changed").status == "completed"
    assert bench.server.hits == asked + 1


def test_a_stopped_run_stays_stopped_when_one_of_its_tests_is_done_again(bench: Bench) -> None:
    bench.prepare(10, concurrency=1)
    bench.server.behave(lambda request: unauthorized(request) if request.prompt == "question 5" else Reply("ok"))
    assert work(bench).status == "aborted"
    waiting = bench.statuses().count("pending")
    assert waiting > 0
    bench.server.behave(Reply("ok"))
    assert redo(bench, [0], "ask").status == "aborted"
    assert bench.run().status == "aborted"
    assert bench.statuses().count("pending") == waiting


def test_a_test_that_left_the_suite_is_named(bench: Bench) -> None:
    bench.prepare(3)
    bench.server.behave(Reply("ok"))
    work(bench)
    bench.prepare(2)
    with pytest.raises(ConfigurationError, match="t2"):
        redo(bench, [2], "ask")
    assert bench.run().status == "completed"


def test_a_stop_amid_the_summing_up_leaves_the_run_stopped_with_its_answers(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.prepare(2)
    bench.server.behave(Reply("ok"))
    session = Session(bench.database, "e")

    def summed(manager: DBDataManager, run_id: int, told: Callable[[int], None]) -> None:
        session.stop()
        told(1)
        raise AssertionError("summed up after a stop")

    with monkeypatch.context() as patch:
        patch.setattr("modex.core.engine.session.stat", summed)
        assert session.run() == SessionOutcome("stopped", STOPPED_WORDS)
    session.close()
    run = bench.run()
    assert (run.status, run.passed_tests, run.overall_score) == ("stopped", 2, None)
    work(bench)
    assert (bench.run().status, bench.run().overall_score, bench.server.hits) == ("completed", 1.0, 2)
