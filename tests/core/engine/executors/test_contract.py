"""What every executor must hold, each tried on a server that misbehaves."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modex.core.config.runconfig import ModelSpec, RunConfig, Selection
from modex.core.engine.commands import send_command
from modex.core.engine.executors import child, processes
from modex.core.engine.executors.child import Child
from modex.core.engine.session import Session
from modex.core.engine.start import allow_stored, prepare_run
from modex.core.engine.stopping import SessionOutcome
from modex.core.foundation.errors import ConfigurationError, ModexError
from tests.cli import keyword_tests, reading
from tests.core.engine.conftest import Bench
from tests.core.engine.executors.conftest import forked
from tests.core.engine.test_window import PHRASE, SLOWLY, Visitor
from tests.faults.harness import VERDICT, Modex, alive, descendants, finish, is_extraction, wait_until
from tests.faults.harness import keyword_tests as fault_tests
from tests.faults.harness import write_suite as fault_suite
from tests.server import Reply, Request, replies, serve

pytestmark = pytest.mark.process

WITH_WORKERS = pytest.mark.parametrize("how", ["processes", "cluster"])
ON_DEMAND = pytest.mark.skipif(not os.environ.get("TEST_CLUSTER"), reason="takes its time: make test-cluster runs it")
"""What a cluster adds little to, once its workers are known to move samples as processes do."""
CLUSTER = pytest.param("cluster", marks=ON_DEMAND)
EXECUTORS = pytest.mark.parametrize("how", ["threads", "processes", CLUSTER])
WORKERS = "modex.core.engine.executors.worker"
PLUGIN = """
import os, signal
from modex import BaseEvaluator, EvaluationResult, register_evaluator


@register_evaluator
class Own(BaseEvaluator):
    id = "{own}"

    def evaluate(self, sample, context):
        if "poison" in sample.prompt:
            os.kill(os.getpid(), signal.SIGKILL)
        return EvaluationResult(1.0 if "ok" in sample.response else 0.0)
"""


Moved = Callable[[str], dict[str, Any]]
"""The configuration by which an executor of this name moves the samples."""


@pytest.fixture
def moved_by(request: pytest.FixtureRequest) -> Moved:
    """Two worker processes, or two workers of a Dask cluster, which is started for the first test that asks for it."""
    known: dict[str, dict[str, Any]] = {"threads": {}, "processes": {"processes": 2}}
    return lambda how: (
        known.get(how) or {} if how in known else {"cluster": request.getfixturevalue("dask_cluster").address}
    )


class Work:
    """A session of the run `e` on a thread of its own."""

    def __init__(self, bench: Bench) -> None:
        self.session = Session(bench.database, "e")
        self.outcome: SessionOutcome | None = None
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.outcome = self.session.run()
        except ModexError as error:
            self.error = error

    def ended(self) -> SessionOutcome:
        """How it ended."""
        self._thread.join(100)
        assert not self._thread.is_alive()
        self.session.close()
        return self.outcome or SessionOutcome("error", str(self.error))

    @property
    def at_work(self) -> bool:
        return self._thread.is_alive()


def workers() -> list[int]:
    """The worker processes of this test's own process."""
    return forked() + [pid for pid in descendants(os.getpid()) if alive(pid) and WORKERS in _words(pid)]


def _words(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return ""


def rows(bench: Bench) -> list[dict[str, Any]]:
    """Every sample but for times, order of storing, and which run it is of."""
    with reading(bench.database) as reader:
        run = reader.run("e")
        samples = sorted(reader.samples(run.id), key=lambda sample: sample.key)
        found = []
        for sample in samples:
            row = {name: getattr(sample, name) for name in sample.__slots__ if name not in _OF_THE_MOMENT}
            row["transcript"] = [{k: v for k, v in turn.items() if k not in _TIMES} for turn in sample.transcript]
            plain = _DELIMITER.sub("DATA", json.dumps(sample.details))
            row["details"] = json.loads(plain, object_hook=_timeless)
            found.append(row)
        totals = ("status", "passed_tests", "failed_tests", "error_tests", "prompt_tokens", "completion_tokens")
        return [*found, {name: getattr(run, name) for name in (*totals, "cost_usd", "overall_score")}]


_OF_THE_MOMENT = {
    "run_id", "id", "seq", "started_at", "completed_at", "duration_ms", "judge_duration_ms", "host", "ttft_ms",
    "output_tokens_per_s", "thinking_ms",
}  # fmt: skip
_DELIMITER = re.compile("DATA-[0-9a-f]{16}")
_TIMES = {"duration_ms", "ttft_ms", "timing", "started_at", "output_tokens_per_s", "thinking_ms", "usage"}


def _timeless(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if name not in _TIMES}


def own_tests(own: str, count: int) -> list[dict[str, Any]]:
    """Tests that the plugin judges."""
    return [{"id": f"o{n}", "prompt": f"own {n}", "expected": "ok", "evaluator_id": own} for n in range(count)]


def mixed_tests(own: str) -> list[dict[str, Any]]:
    """Tests with and without PASS 2, judged by a plugin too, of which some meet a fault."""
    plain = keyword_tests(12)
    asked = [{"id": f"n{n}", "prompt": f"number {n}", "expected": 18, "evaluator_id": "two_pass"} for n in range(8)]
    return [*plain, *asked, *own_tests(own, 4)]


class Misbehaving:
    """Each fault once, by its prompt, so that it does not matter who comes first."""

    def __init__(self) -> None:
        self._met: Counter[str] = Counter()
        self._faults = {
            "question 1": replies.server_error(), "question 2": replies.RESET, "question 3": replies.INVALID_JSON,
            "question 4": replies.rate_limited(0.05), "number 1": replies.TRUNCATED, "own 1": replies.EMPTY_CHOICES,
        }  # fmt: skip
        self._always = {
            "question 5": replies.CUT_OFF,
            "question 6": replies.FILTERED,
            "number 2": replies.context_exceeded(),
        }

    def __call__(self, request: Request) -> Reply:
        if is_extraction(request):
            return Reply(content="ANSWER: 18", latency=0.01)
        self._met[request.prompt] += 1
        if request.prompt in self._always:
            return self._always[request.prompt]
        if self._met[request.prompt] == 1 and (fault := self._faults.get(request.prompt)) is not None:
            return fault
        return Reply(content="ok, so the answer is 18", latency=0.01)


def prepare(bench: Bench, tests: list[dict[str, Any]], *, own: str = "", **config: Any) -> int:
    """Store a run over these tests; `own` is the id of a plugin's evaluator, which a process knows once."""
    suite = bench.root / "suite"
    if own:
        (suite / "plugins").mkdir(parents=True, exist_ok=True)
        (suite / "plugins" / "own.py").write_text(PLUGIN.replace("{own}", own))
    domain = suite / "test_definitions" / "d"
    (domain / "level_1").mkdir(parents=True, exist_ok=True)
    (domain / "domain.json").write_text(json.dumps({"id": "d", "name": "d", "evaluator_id": "keyword"}))
    (domain / "level_1" / "tests.jsonl").write_text("".join(json.dumps(test) + "\n" for test in tests))
    model = ModelSpec(model="openai/test-model", api_base=bench.server.url)
    selection = Selection(suite=str(suite), allow_plugins=True)
    whole = RunConfig(**{"model": model, "selection": selection, **config})
    if whole.selection.allow_plugins:
        allow_stored(whole)
    prepared = prepare_run(bench.database, whole, "e")
    prepared.lock.release()
    return prepared.run_id


@pytest.mark.long
@WITH_WORKERS
def test_the_rows_of_workers_are_those_of_threads_even_where_every_word_is_heard_twice(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moved_by: Moved, how: str
) -> None:
    def moved(name: str) -> list[dict[str, Any]]:
        own = Bench(bench.server, bench.root, tmp_path / f"{name}.db")
        bench.server.behave(Misbehaving())
        prepare(own, mixed_tests(f"own_{how}"), own=f"own_{how}", concurrency=6, **moved_by(name))
        assert Work(own).ended() == SessionOutcome("completed")
        return rows(own)

    by_threads = moved("threads")
    assert Counter(row["status"] for row in by_threads[:-1]) == {"passed": 21, "error": 3}
    hear = Child._hear

    def twice(self: Child, message: Any) -> None:
        hear(self, message)
        hear(self, message)

    monkeypatch.setattr(Child, "_hear", twice)
    by_workers = moved(how)
    for one, other in zip(by_threads, by_workers, strict=True):
        assert {name: (one[name], other[name]) for name in one if one[name] != other[name]} == {}
    wait_until(lambda: workers() == [], "the workers' end")


@pytest.mark.parametrize("how", ["processes", CLUSTER])
def test_lost_processes_lose_no_finished_call_and_repeat_none(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, moved_by: Moved, how: str
) -> None:
    monkeypatch.setattr(processes, "LEASE_S", 3)
    count, at_once = 120, 8
    tests = [{"id": f"n{n}", "prompt": f"number {n}", "expected": 18, "evaluator_id": "two_pass"} for n in range(count)]
    prepare(bench, tests, concurrency=at_once, **moved_by(how))
    bench.server.behave(lambda request: Reply(fault="hang") if is_extraction(request) else Reply("18"))
    work = Work(bench)
    lost: list[int] = []
    before: list[bool] = []
    after: list[bool] = []
    told = processes.Processes._lose

    def counted(self: processes.Processes, child: Child) -> None:
        before.append(child.load > 0)
        told(self, child)
        after.append(child.load > 0)

    monkeypatch.setattr(processes.Processes, "_lose", counted)

    def lose(by: signal.Signals) -> None:
        lost.append(wait_until(lambda: next((pid for pid in workers() if pid not in lost), 0), "a process"))
        os.kill(lost[-1], by)

    bench.until(lambda _: bench.server.hits == 2 * at_once, "every sample judged")
    judged = {request.prompt for request in bench.server.requests if not is_extraction(request)}
    bench.server.behave(lambda request: Reply("ANSWER: 18" if is_extraction(request) else "18", latency=0.05))
    for _ in range(2):
        lose(signal.SIGKILL)
    for hits, by in ((60, signal.SIGSTOP), (140, signal.SIGKILL)):
        bench.until(lambda _, least=hits: bench.server.hits > least, f"{hits} calls")  # type: ignore[misc]
        lose(by)
    assert work.ended() == SessionOutcome("completed")
    assert set(bench.statuses()) == {"passed"}
    wait_until(lambda: not any(alive(pid) for pid in lost), "one that was stopped is ended")
    run = bench.run()
    assert (run.passed_tests, run.error_tests, run.status) == (count, 0, "completed")
    with reading(bench.database) as reader:
        losses = sum(re.search("go(es)? to others", event.message) is not None for event in reader.events(run.id))
    # A sample whose last word was heard may be let go of meanwhile.
    assert max(1, sum(after)) <= losses <= sum(before), "each that had samples is said in the run's log, and no other"
    asked = Counter(request.prompt for request in bench.server.requests if not is_extraction(request))
    assert len(asked) == count
    assert {asked[prompt] for prompt in judged} == {1}, (
        "what is stored is judged by another process, and not asked again"
    )
    # What had ended was not asked again: at each loss at most what was in flight there.
    assert bench.server.hits <= 2 * count + losses * at_once


@pytest.mark.parametrize("how", ["processes", CLUSTER])
def test_a_sample_that_ends_its_process_every_time_becomes_an_error_and_its_answer_is_kept(
    bench: Bench, moved_by: Moved, how: str
) -> None:
    tests = own_tests(f"poisoned_{how}", 12)
    tests[3]["prompt"] = "poison"
    prepare(bench, tests, own=f"poisoned_{how}", concurrency=4, **moved_by(how))
    bench.server.behave(Reply("ok", latency=0.02))
    assert Work(bench).ended() == SessionOutcome("completed")
    assert Counter(bench.statuses()) == {"passed": 11, "error": 1}
    with reading(bench.database) as reader:
        (poison,) = [sample for sample in reader.samples(reader.run("e").id) if sample.prompt == "poison"]
    assert (poison.stage, poison.error_type, poison.response) == ("rollout", "internal_error", "ok")
    # The process that was lost first had not stored the answer; each one after it is careful to.
    assert Counter(request.prompt for request in bench.server.requests)["poison"] <= 2
    assert "ends the process that works on it" in (poison.error_message or "")


@EXECUTORS
def test_an_outage_is_waited_for_and_a_wish_to_wait_that_one_call_meets_holds_every_other_back(
    bench: Bench, moved_by: Moved, how: str
) -> None:
    at_once = 6
    run_id = prepare(bench, keyword_tests(300), concurrency=at_once, **moved_by(how))
    bench.server.behave(replies.server_error())
    work = Work(bench)
    bench.until(lambda reader: "does not answer" in (reader.run("e").reason or ""), "an outage")
    since, limited = bench.server.hits, threading.Event()

    def behave(request: Request) -> Reply:
        if request.index >= since + 40 and not limited.is_set():
            limited.set()
            return replies.rate_limited(4)
        return Reply("ok", latency=0.02)

    bench.server.behave(behave)
    bench.until(lambda reader: reader.run_by_id(run_id).live.get("holds") and limited.is_set(), "everyone held back")
    bench.until(lambda _: bench.server.in_flight == 0, "what was in flight has ended")
    before = bench.server.hits
    seen: set[str] = set()

    def beats(reader: Any) -> bool:
        live = reader.run_by_id(run_id).live
        if live.get("holds"):
            seen.add(live["at"])
        return len(seen) >= 5 or not live.get("holds")

    bench.until(beats, "a second of waiting")
    # Who had passed the gate a moment before may still have arrived; 20 ms a call would be hundreds.
    assert bench.server.hits - before <= at_once
    assert bench.run().passed_tests > 0
    # Who comes first meets the failures alone for a moment, and may have used up a call's attempts before it is an outage.
    assert bench.run().error_tests <= at_once
    work.session.stop(0.0)
    assert work.ended() == SessionOutcome("stopped", "stopped by hand; the same command or `modex resume` continues it")
    wait_until(lambda: workers() == [], "the workers' end")


@EXECUTORS
def test_the_budget_is_the_whole_run_s(bench: Bench, moved_by: Moved, how: str) -> None:
    priced = ModelSpec(model="openai/test-model", api_base=bench.server.url, input_price=0.01, output_price=0.01)
    at_once = 4
    prepare(bench, keyword_tests(30), concurrency=at_once, model=priced, max_cost_usd=0.9, **moved_by(how))
    bench.server.behave(Reply("ok", latency=0.01))
    outcome = Work(bench).ended()
    assert (outcome.status, "--max-cost" in (outcome.reason or "")) == ("aborted", True)
    assert 6 <= bench.run().passed_tests <= 6 + at_once
    assert bench.server.peak <= at_once


@EXECUTORS
def test_commands_reach_what_is_in_flight_and_what_is_written_can_be_watched(
    bench: Bench, moved_by: Moved, how: str
) -> None:
    run_id = prepare(bench, keyword_tests(40), concurrency=2, runaway=False, **moved_by(how))
    endless = Reply(content=PHRASE, stream=SLOWLY)
    bench.server.behave(lambda request: endless if request.prompt == "question 0" else Reply("ok", latency=0.06))
    work = Work(bench)
    bench.until(lambda reader: bench.server.hits > 4 and reader.run_by_id(run_id).live.get("window"), "the first calls")
    with reading(bench.database) as reader:
        first = reader.head_ids(run_id)[0]
        visitor = Visitor(reader.run_by_id(run_id).live["window"], first)
    assert PHRASE in visitor.sees_text(200)["parts"][0][1]
    visitor.close()
    send_command(bench.database, run_id, "pause")
    bench.until(lambda reader: reader.run("e").status == "paused", "paused")
    bench.until(lambda _: bench.server.in_flight == 1, "only the endless one is in flight")
    before = bench.server.hits
    send_command(bench.database, run_id, "skip", [first])
    bench.until(lambda _: bench.statuses()[0] == "skipped", "skipped")
    assert bench.server.hits == before
    bench.server.forget()
    send_command(bench.database, run_id, "concurrency", 5)
    send_command(bench.database, run_id, "resume")
    assert work.ended() == SessionOutcome("completed")
    assert Counter(bench.statuses()) == {"passed": 39, "skipped": 1}
    assert 2 < bench.server.peak <= 6


@pytest.mark.parametrize("how", ["threads", "processes", "cluster"])
def test_what_cannot_work_is_said_before_any_work(
    bench: Bench, moved_by: Moved, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(bench, keyword_tests(4), model=ModelSpec(model="openai/gpt-4o-mini"), **moved_by(how))
    work = Work(bench)
    assert work.ended().status == "error"
    assert isinstance(work.error, ConfigurationError) or how == "cluster"
    assert "export OPENAI_API_KEY" in str(work.error)
    if how == "cluster":
        assert f"on {socket.gethostname()}: openai/gpt-4o-mini" in str(work.error), "the machine that lacks it is named"
    bench = Bench(bench.server, bench.root, bench.root / "other.db")
    prepare(bench, keyword_tests(4), **moved_by(how))
    if how != "threads":
        monkeypatch.setattr(child, "version", lambda: "0.0.9")
        work = Work(bench)
        assert work.ended().status == "error"
        assert "on Python" in str(work.error)
        assert "driven by modex 0.0.9" in str(work.error)
    assert bench.server.hits == 0
    wait_until(lambda: workers() == [], "the workers' end")


@EXECUTORS
def test_a_driver_that_is_killed_takes_its_processes_along_and_any_executor_goes_on_with_the_run(
    modex: Modex, tmp_path: Path, request: pytest.FixtureRequest, how: str
) -> None:
    suite = fault_suite(tmp_path / "suite", fault_tests(60))
    address = request.getfixturevalue("dask_cluster").address if how == "cluster" else ""
    more = {"threads": (), "processes": ("--processes", "2"), "cluster": ("--cluster", address)}[how]
    with serve(Reply("ok", latency=0.05)) as server:
        arguments = modex.headless(server.url, suite, "--concurrency", "6")
        process = modex.start(*arguments, *more)
        wait_until(lambda: server.hits > 20, "calls")
        below = workers() if how == "cluster" else [pid for pid in descendants(process.pid) if WORKERS in _words(pid)]
        assert len(below) == (0 if how == "threads" else 2)
        process.kill()
        finish(process)
        wait_until(lambda: not any(alive(pid) for pid in below), "the processes' end")
        last = modex.run("resume", "r", "--headless", "--processes", "1" if how == "processes" else "2")
        assert last.code == 0, last.err
        assert len(modex.rows(VERDICT)) == modex.count("status = 'passed'") == 60
        assert server.hits <= 60 + 6, "only what was in flight at the kill is asked again"
    modex.assert_sound()
