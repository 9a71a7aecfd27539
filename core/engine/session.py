"""Working on one run in this process: the lock, the plan, the workers, the commands, and an orderly end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from core.engine.executors.address import cluster_of
from core.engine.executors.seam import Executor, Threads
from core.engine.needed import Needed
from core.engine.pulse import PERIOD_S, Pulse
from core.engine.window import Window, sweep
from core.engine.workers import SampleFeed, Workers
from core.errors import AbortError, ErrorType, ModelCallError, ModexError, StoreError
from core.llm.gate import GateState, Interrupted
from core.llm.underway import UnderWay
from core.options import FIRST_AT_ONCE
from core.pipeline.assembly import Assembly, CheckedTests, assemble
from core.pipeline.benchmark import BaseBenchmark, Judging
from core.pipeline.so_far import SoFar
from core.pipeline.stat import stat
from core.pipeline.unchanged import KeptPlan, still_checked
from core.runconfig import RunConfig, Selection
from core.safety import redact
from core.settings import load_settings
from core.store.clock import now
from core.store.commands import Command, take_commands
from core.store.lock import RunLock
from core.store.manager import Chosen, DBDataManager, Plan
from core.store.sample import EvaluationSample
from core.store.search.step import IndexInStep
from core.store.tallies import most_tries, standing
from core.store.words import is_full, is_locked
from core.store.writer import Writer
from core.suite.definitions import TestCase

Tried = TypeVar("Tried")
SIGINT_GRACE_S = 8.0
SIGTERM_GRACE_S = 2.5
_COMMAND_PERIOD_S = 0.25
_ROOM_PERIOD_S = 0.5
_ABANDON_S = 0.5
"""How long workers get to come back once their calls were ended; what they do then, nobody waits for."""
_SAY_EVERY_S = 10.0
"""Seconds between two lines about waiting: who is held back may be held back often."""
_WORTH_SAYING_S = 2.0
_STOPPED = "stopped by hand; the same command or `modex resume` continues it"
_ABORTS = {
    ErrorType.AUTHENTICATION,
    ErrorType.PERMISSION,
    ErrorType.MODEL_NOT_FOUND,
    ErrorType.QUOTA,
    ErrorType.BAD_REQUEST,
    ErrorType.CONNECTION,
}


class _Stopped(Exception):  # noqa: N818
    """The session was stopped while it was still planning, or while it summed up."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a session ended."""

    status: str
    reason: str | None = None


class Session:
    """One run being worked on by this process, from taking its lock to giving it back.

    `run` blocks until the run is over and returns how it ended; it starts the threads (feed, workers, writer) and ends them.
    `stop` may be called from any thread or signal handler, and more than once: the shortest grace counts.
    """

    def __init__(
        self,
        database: Path,
        exp_id: str,
        *,
        narrate: Callable[[str], None] = lambda _: None,
        checked: CheckedTests | None = None,
        lock: RunLock | None = None,
    ) -> None:
        """Take the run's lock, where it was not prepared with one.

        `checked` spares reading tests again that this process has just read.

        Raises:
            StoreError: no such run, or the database cannot be written.
            RunBusyError: another process works on it.
        """
        self._narrate = narrate
        self._checked = checked
        self.manager = DBDataManager(database)
        try:
            self.run_row = self.manager.reader.run(exp_id)
            self._lock = lock or RunLock(database, self.run_row.id, exp_id)
            self.config: RunConfig = self.manager.configuration(self.run_row.id)
            if lock is None:
                self.manager.begin(self.run_row.id)
        except BaseException:
            self.manager.close()
            raise
        self._stop_asked = threading.Event()
        self._deadline: float | None = None
        self._interrupt = threading.Event()
        self._waiting: list[Command] = []
        self._place = self.manager.database.place()
        self._outcome: Outcome | None = None
        self._skip: set[int] = set()
        self._store_error: str | None = None
        self._waits = False
        self._outage: str | None = None
        self._paused_by_user = False
        self._said_at = -_SAY_EVERY_S
        self._workers: Workers | None = None
        self._gates: Callable[[], list[GateState]] | None = None
        self._told = False
        """Whether somebody said while it runs how many samples at once."""
        self._writer: Writer | None = None

    # what others may ask

    def stop(self, grace_s: float = SIGINT_GRACE_S) -> None:
        """Hand out no more work; calls in flight get `grace_s` seconds to finish."""
        # No lock: this runs in signal handlers, where the interrupted thread may hold any lock; each step is atomic.
        deadline = time.monotonic() + grace_s
        self._deadline = deadline if self._deadline is None else min(self._deadline, deadline)
        self._stop_asked.set()

    # the work

    def run(self, *, judging: Judging | None = None, only_stat: bool = False, chosen: Chosen | None = None) -> Outcome:
        """Do what the run's configuration still wants done; `judging` asks the model under test nothing.

        `chosen` does these samples again and leaves the run otherwise as it was, its status included.

        Raises:
            ModexError: it could not be begun (suite, configuration, store); the run's status says so too.
        """
        run_id = self.run_row.id
        if only_stat:
            try:
                stat(self.manager, run_id, self._summing())
            except _Stopped:
                return Outcome("stopped", _STOPPED)
            finally:
                self.manager.restore(run_id)
            return Outcome(
                self.run_row.state if self.run_row.state not in ("interrupted", "starting") else "stopped",
                self.run_row.reason,
            )
        if chosen is not None:
            judging = "all" if chosen.redo == "judge" else None
            self.config = _narrowed(self.config, self.manager, chosen)
        try:
            assembly = self._assembled(judging, anew=chosen is not None)
        except ModexError as error:
            if not self.manager.restore(run_id):
                self._end(Outcome("error", redact(str(error))))
            raise
        try:
            self.manager.settle(run_id)
            self.manager.update_run(run_id, status="running", reason=None, completed_at=None, live={})
            outcome = self._work(assembly, judging, chosen)
            if chosen is not None and outcome.status == "completed":
                outcome = self._as_before()
        except _Stopped:
            outcome = self._outcome or Outcome("stopped", _STOPPED)
        except AbortError as error:
            outcome = Outcome("aborted", redact(str(error)))
        except ModexError as error:
            self._end(Outcome("error", redact(str(error))))
            raise
        except BaseException as error:
            # KeyboardInterrupt too: whatever ends this process, the row must not say "running" for ever.
            self._end(Outcome("error", f"{type(error).__name__}: {redact(str(error))}"))
            raise
        self._end(outcome)
        return outcome

    def _as_before(self) -> Outcome:
        """How the run stood before some of its samples were done again."""
        before = self.run_row.live.get("before")  # there where a starter had prepared the run
        known = before if isinstance(before, dict) else {"status": self.run_row.status, "reason": self.run_row.reason}
        status, reason = known.get("status"), known.get("reason")
        return Outcome("stopped", _STOPPED) if status in ("running", "paused") else Outcome(str(status), reason)

    def try_out(self, work: Callable[[BaseBenchmark], Tried]) -> Tried:
        """What `work` makes of the run's benchmark, judges and all; the run itself stays as it was.

        Raises:
            ModexError: the suite, the selection or a key does not allow it.
        """
        try:
            assembly = self._assembled("changed")
            try:
                return work(assembly.benchmark)
            finally:
                assembly.close()
        finally:
            self.manager.restore(self.run_row.id)

    def close(self) -> None:
        """Release the run."""
        self._lock.release()
        self.manager.close()

    def _assembled(self, judging: Judging | None, *, anew: bool = False) -> Assembly:
        """Everything that the run needs, found before anything of it is stored; `anew` whatever the last plan was made of.

        Raises:
            ModexError: the suite, the selection or a key does not allow it.
        """
        cluster_of(self.config)
        if self._checked is None and judging is None and not anew:
            self._checked = still_checked(self.config, self.manager.path, self.run_row.plan)
        assembly = assemble(
            self.config,
            self.manager,
            self.run_row.id,
            narrate=self._narrate,
            on_phase=self._phase,
            listener=self,
            stop=self._interrupt,
            judging_only=judging is not None,
            checked=self._checked,
        )
        self._checked = None
        return assembly

    def _work(self, assembly: Assembly, judging: Judging | None, chosen: Chosen | None) -> Outcome:
        config = self.config
        try:
            plan = self._plan(assembly, judging, chosen)
            if self._waits:
                self._waits = False
                self._narrate("going on")
            if (judges := assembly.benchmark.judges()) and config.until in ("judge", "stat"):
                known = self.manager.reader.run_by_id(self.run_row.id).judged_by
                self.manager.update_run(self.run_row.id, judged_by={**known, **judges})
            self._say_plan(plan)
            if self._stop_asked.is_set():
                raise _Stopped
            if config.until != "preprocess":
                self._move_samples(assembly, plan, judging)
        finally:
            assembly.close()
        if config.until != "stat":
            return self._outcome or Outcome("completed", _UNTIL_WORDS[config.until])
        self._sum_up()
        return self._outcome or Outcome("completed")

    def _plan(self, assembly: Assembly, judging: Judging | None, chosen: Chosen | None) -> Plan:
        """Store the samples; what the plan was made of is kept with the run, where a resume may go by it."""
        stored, made_of = self.run_row.plan, assembly.checked.unchanged
        unchanged = bool(made_of) and stored.get("inputs") == made_of
        kept = None if unchanged or judging is not None or chosen is not None else KeptPlan(assembly)
        if unchanged:
            self._narrate("nothing has changed since it was planned, so its tests are not read again")
        if stored and not unchanged:
            # Before anything is stored: a plan that is not finished is not one to go by.
            self.manager.update_run(self.run_row.id, plan={})
        so_far = SoFar("planning: {} samples so far", self._narrate)

        def told(count: int) -> None:
            so_far.now(count)
            self._hear()
            if self._stop_asked.is_set():
                raise _Stopped

        try:
            plan = assembly.benchmark.preprocess(
                self._until_stopped(assembly.tests()),
                judging=judging,
                chosen=chosen,
                unchanged=stored["samples"] if unchanged else None,
                progress=told,
                wait=self._wait_for_room,
            )
        except StoreError:
            if self._stop_asked.is_set():
                raise _Stopped from None
            raise
        if kept is not None and (found := kept.after(plan)):
            self.manager.update_run(self.run_row.id, plan=found)
        return plan

    def _until_stopped(self, tests: Iterator[TestCase]) -> Iterator[TestCase]:
        """The tests, until the session is to stop: planning a million takes longer than anyone waits for Ctrl-C."""
        looked = time.monotonic()
        for test in tests:
            if time.monotonic() - looked >= _COMMAND_PERIOD_S:
                looked = time.monotonic()
                self._hear()
                self._check_place()
            if self._stop_asked.is_set():
                raise _Stopped
            yield test
        self._hear()

    def _hear(self) -> None:
        """Take commands: a stop stops at once, the others wait for the workers they are meant for."""
        try:
            commands = take_commands(self.manager.database, self.run_row.id)
        except StoreError:
            return  # a full or locked disk: the commands stay in their rows until they can be taken
        self._waiting += commands
        if any(command.name == "stop" for command in commands):
            self.stop()

    def _sum_up(self) -> None:
        """The scores; a full or locked disk is waited for, unless the session is to stop."""
        while True:
            try:
                stat(self.manager, self.run_row.id, self._summing())
            except StoreError as error:
                if self._wait_for_room(error):
                    continue
                if not self._stop_asked.is_set():
                    raise
            return

    def _summing(self) -> Callable[[int], None]:
        """What `stat` tells how far it is; a stop that comes meanwhile ends it."""
        so_far = SoFar("summing up: {} samples so far", self._narrate)
        stopping = self._stop_asked.is_set()  # a run that was stopped before is summed up nevertheless

        def told(count: int) -> None:
            so_far.now(count)
            if self._stop_asked.is_set() and not stopping:
                raise _Stopped

        return told

    def _wait_for_room(self, error: StoreError) -> bool:
        """Whether to try again, after a while, what a full or locked disk kept from being stored."""
        cause = error.__cause__
        if cause is None or not (is_full(cause) or is_locked(cause)) or self._stop_asked.is_set():
            return False
        if not self._waits:
            self._waits = True
            self._narrate(f"paused: {error}")
        self._hear()
        self._stop_asked.wait(_ROOM_PERIOD_S)
        return not self._stop_asked.is_set()

    def _say_plan(self, plan: Plan) -> None:
        parts = [
            f"{count} {word}"
            for count, word in (
                (plan.new, "to ask"),
                (plan.ask_again, "changed, to ask again"),
                (plan.judge_again, "to judge again"),
                (plan.retry, "errors to retry"),
                (plan.unchanged, "unchanged"),
                (plan.skipped, "skipped"),
                (plan.not_selected, "of an earlier selection, kept as they are"),
            )
            if count
        ]
        self._narrate("plan: " + (", ".join(parts) or "nothing to do"))

    def _move_samples(self, assembly: Assembly, plan: Plan, judging: Judging | None) -> None:
        run = self.manager.reader.run_by_id(self.run_row.id)
        pulse = Pulse(len(plan.to_do), run.duration_ms / 1000, run.cost_usd)
        writer = Writer(assembly.writer_database(), self.run_row.id, on_store_error=self._on_store_error)
        feed = SampleFeed(assembly.feed_manager(), plan.to_do, self._needed())
        executor = self._executor(assembly, len(plan.to_do), judging_only=judging is not None)
        under_way = assembly.pool.under_way

        def move(sample: EvaluationSample) -> bool:
            try:
                return self._one(executor, under_way, writer, pulse, sample, spared=feed.spared(sample))
            finally:
                feed.done(sample)

        workers = Workers(feed, move, self.config.at_once)
        self._writer, self._workers, self._gates = writer, workers, assembly.gates
        sweep()
        window = Window(lambda: workers.activities, executor.look)
        pulse.window = str(window.path) if window.path is not None else None
        index = IndexInStep(self.manager.path, self.run_row.id) if plan.to_do and load_settings().search else None
        try:
            if plan.to_do:
                workers.start()
                self._watch(assembly, executor, pulse, workers, writer)
                self._keep_found(assembly.gates())
            if workers.failure is not None and not self._gave_up(workers.failure):
                raise workers.failure
        finally:
            if index is not None:
                index.close()
            # In this order: the feed must not offer samples to a closing writer, and the last pulse is the writer's.
            window.close()
            feed.close()
            executor.close()
            writer.update_run(live={})
            writer.close(give_up=self._interrupt.is_set())
            self._writer = self._workers = self._gates = None

    def _executor(self, assembly: Assembly, count: int, *, judging_only: bool) -> Executor:
        """What moves the `count` samples of this session."""
        if self.config.moves_here or count == 0:
            return Threads(assembly)
        from core.engine.executors.places import Here, Places, processes_of
        from core.engine.executors.processes import Processes

        places: Places
        if (cluster := cluster_of(self.config)) is not None:
            from core.engine.executors.cluster import Cluster

            places = Cluster(cluster, insecure=self.config.insecure_cluster, log=self._log)
        else:
            # One sample is in one process, so that more of them would only be started and ended.
            processes = min(processes_of(self.config.processes), count)
            if processes == 1:
                return Threads(assembly)
            places = Here(processes)
        try:
            return Processes(
                assembly, places, phase=self._phase, log=self._log, listener=self, judging_only=judging_only
            )
        except BaseException:
            places.close()
            raise

    def _needed(self) -> Needed | None:
        """What holds back the tries of tests with k of n; None where the run has none, or judges none as they come."""
        if self.config.until in ("preprocess", "rollout") or most_tries(self.manager.reader, self.run_row.id) == 1:
            return None
        return Needed(standing(self.manager.database, self.run_row.id))

    def _one(
        self,
        executor: Executor,
        under_way: UnderWay,
        writer: Writer,
        pulse: Pulse,
        sample: EvaluationSample,
        *,
        spared: str = "",
    ) -> bool:
        """Move one sample, or note why it is `spared`; whether to go on."""
        assert sample.id is not None
        # Workers only read the set, and the watching thread only adds: no lock is needed for either.
        if spared or sample.id in self._skip:
            return self._skipped(sample, writer, spared)
        writer.mark_running(sample.id)
        rolled_out = sample.stage == "init"
        try:
            # Blocks on the writer's future: with a full disk every worker stands here, and no new call is made.
            fatal = executor.process(sample, writer, self.config.until)
        except Interrupted:
            if sample.id in self._skip:
                return self._skipped(sample, writer)
            if not under_way.cancelled():
                return False
            # What was to be skipped was finished a moment before, and the thread had gone on to this one.
            under_way.forget()
            return self._one(executor, under_way, writer, pulse, sample)
        finally:
            under_way.forget()
        if fatal is not None:
            self._end_by(fatal, writer)
            return False
        pulse.count(sample, rolled_out=rolled_out)
        limit = self.config.max_cost_usd
        if limit is not None and pulse.spent_usd >= limit:
            self._outcome = Outcome(
                "aborted", f"the budget of ${limit:g} is spent (${pulse.spent_usd:.4f}); raise --max-cost"
            )
            return False
        return True

    def _skipped(self, sample: EvaluationSample, writer: Writer, spared: str = "") -> bool:
        before, sample.status = sample.status, "skipped"
        sample.error_message = spared or "skipped by hand; a resume asks it again"
        writer.save(sample, ("status", "error_message"), before=before).result()
        return True

    def _end_by(self, failure: ModelCallError, writer: Writer) -> None:
        reason = redact(str(failure))
        aborts = failure.error_type in _ABORTS
        # The first failure names the reason; the workers behind it fail with the same.
        self._outcome = self._outcome or Outcome("aborted" if aborts else "stopped", reason)
        writer.event("error", reason)

    def _watch(self, assembly: Assembly, executor: Executor, pulse: Pulse, workers: Workers, writer: Writer) -> None:
        """Until the workers are done: commands, pulse, pauses, deadlines."""
        next_commands = 0.0
        # This thread does nothing that can block for long, so that a stop is heard whatever the workers wait for.
        while not workers.finished.wait(PERIOD_S):
            moment = time.monotonic()
            if moment >= next_commands:
                next_commands = moment + _COMMAND_PERIOD_S
                self._obey(workers, assembly, executor)
                self._check_place()
            if self._stop_asked.is_set():
                workers.stop()
                if self._outcome is None:
                    self._outcome = Outcome("stopped", _STOPPED)
                    self._narrate("stopping: what is in flight is finished; a second signal ends it at once")
            if self._deadline is not None and moment >= self._deadline:
                executor.end_calls()
                writer.give_up()
                if moment >= self._deadline + _ABANDON_S:
                    break  # the threads are daemons: one that hangs in C code does not keep the process
            self._show_pause(writer, workers)
            pulse.rest(self._shown_pause[0] == "paused")
            if (live := pulse.beat(workers, assembly.gates(), executor.host)) is not None:
                writer.update_run(live=live, duration_ms=round(pulse.elapsed_s * 1000))
        writer.update_run(duration_ms=round(pulse.elapsed_s * 1000))

    def _check_place(self) -> None:
        """Spend nothing more once the file that this run writes to is no longer where its name says."""
        if self._outcome is None and self.manager.database.place() not in (self._place, None):
            self._outcome = Outcome(
                "aborted",
                f"{self.manager.path}: the database was moved, removed or replaced while this run was going on; what was "
                "stored until then is in that file: put it back, with its -wal file, and `modex resume` continues",
            )
            self._narrate(f"stopping: {self._outcome.reason}")
            self.stop(grace_s=0.0)

    def _gave_up(self, failure: BaseException) -> bool:
        """Whether a worker failed only because a stopping session does not wait for the disk."""
        return self._interrupt.is_set() and isinstance(failure, StoreError)

    def _obey(self, workers: Workers, assembly: Assembly, executor: Executor) -> None:
        self._hear()
        commands, self._waiting = self._waiting, []
        for command in commands:
            if command.name == "pause":
                self._paused_by_user = True
                workers.pause()
            elif command.name == "resume":
                self._paused_by_user = False
                workers.resume()
            elif command.name == "concurrency" and isinstance(command.argument, int):
                self._told = True
                workers.set_concurrency(command.argument)
                assembly.pool.resize(workers.concurrency)
            elif command.name == "skip" and isinstance(command.argument, list):
                self._skip.update(command.argument)
                for activity in workers.activities:
                    if activity.sample.id in self._skip:
                        executor.cancel(activity.thread)

    _shown_pause: tuple[str, str | None] = ("running", None)

    def _show_pause(self, writer: Writer, workers: Workers) -> None:
        """Keep the run's status in step with why it is not moving."""
        if self._store_error:
            shown: tuple[str, str | None] = ("paused", self._store_error)
        elif self._outage:
            shown = ("paused", self._outage)
        elif self._paused_by_user and workers.paused:
            shown = ("paused", "paused by hand")
        else:
            shown = ("running", None)
        if shown != self._shown_pause:
            before = self._shown_pause[0]
            self._shown_pause = shown
            writer.update_run(status=shown[0], reason=shown[1])
            if shown[0] == before == "paused" and shown[1]:
                self._say_sometimes(f"paused: {shown[1]}")
            elif shown[1]:
                self._narrate(f"paused: {shown[1]}")
            else:
                self._narrate("going on")

    def _end(self, outcome: Outcome) -> None:
        """Leave the store as a resume wants to find it."""
        run_id = self.run_row.id
        deadline = time.monotonic() + (_ABANDON_S if self._stop_asked.is_set() else SIGTERM_GRACE_S)
        while True:
            try:
                self.manager.settle(run_id)
                self.manager.recount(run_id)
                self.manager.update_run(
                    run_id, status=outcome.status, reason=outcome.reason, completed_at=now(), live={}
                )
                return
            except StoreError:
                if time.monotonic() > deadline:
                    return  # the disk is still full: the lock's release shows the run as interrupted
                time.sleep(0.2)

    # what the parts report

    def _phase(self, sample: EvaluationSample, phase: str) -> None:
        # Read once: the watching thread sets it to None at the end, while a worker may still report.
        if (workers := self._workers) is not None:
            workers.phase(sample, phase)

    def _on_store_error(self, words: str | None) -> None:
        self._store_error = words

    def on_retry(self, model: str, why: str, attempt: int, wait_s: float) -> None:
        """A call is tried again (see `GateListener`)."""
        self._log("warning", f"{model}: {why}; attempt {attempt}, again in {wait_s:.1f} s")

    def on_hold(self, model: str, seconds: float, why: str) -> None:
        """The provider asked every caller to wait (see `GateListener`)."""
        self._log("warning", f"{model}: asked to wait {seconds:.1f} s: {why}")
        if seconds >= _WORTH_SAYING_S:
            until = datetime.fromtimestamp(time.time() + seconds).strftime("%H:%M:%S")
            self._say_sometimes(f"{model} waits until {until} ({seconds:.0f} s): {why}")

    def on_outage(self, model: str, since: float, why: str) -> None:
        """The provider is down (see `GateListener`)."""
        del since
        self._outage = redact(f"{model} does not answer: {why}; trying it again now and then")
        self._log("error", self._outage)

    def on_note(self, words: str) -> None:
        """Something a reader of the scores should know (see `GateListener`)."""
        self._log("warning", words)
        self._narrate(redact(words))

    def _say_sometimes(self, words: str) -> None:
        """Narrate, unless something was said of waiting a moment ago."""
        moment = time.monotonic()
        if moment - self._said_at >= _SAY_EVERY_S:
            self._said_at = moment
            self._narrate(redact(words))

    def on_limit(self, model: str, limit: int, words: str) -> None:
        """A model's gate found how many calls at once are worth making (see `GateListener`)."""
        del limit  # the gates say it themselves below: another worker may have brought a newer one meanwhile
        if words:
            self._log("info", f"{model}: {words}")
            self._narrate(redact(f"{model}: {words}"))
        workers, gates = self._workers, self._gates
        if workers is not None and gates is not None and self.config.concurrency is None and not self._told:
            # Never below the first number: samples that compute wait at no gate.
            workers.set_concurrency(max(FIRST_AT_ONCE, *(gate.ceiling for gate in gates())))

    def _keep_found(self, gates: list[GateState]) -> None:
        """Keep what was found of each model's limit where `show` looks for it."""
        if found := "; ".join(f"{gate.model}: {gate.found}" for gate in gates if gate.found):
            self._log("limit", found)

    def on_recovered(self, model: str) -> None:
        """The provider is back (see `GateListener`)."""
        self._outage = None
        self._log("info", f"{model} answers again")

    def _log(self, kind: str, message: str) -> None:
        if (writer := self._writer) is not None:
            writer.event(kind, redact(message))


_UNTIL_WORDS: dict[str, str] = {
    "preprocess": "planned only; `modex resume` asks",
    "rollout": "rollouts are stored; `modex judge` scores them",
    "judge": "judged; `modex stat` sums up",
}


def _narrowed(config: RunConfig, manager: DBDataManager, chosen: Chosen) -> RunConfig:
    """`config` for the tests of these samples alone, so that nothing that other tests need can refuse them."""
    named = {f"{sample.domain}/{sample.level}/{sample.test_id}" for sample in manager.load(sorted(chosen.ids))}
    if not named:
        raise StoreError("the chosen tests are not there any more; choose again")
    selection = Selection(
        suite=config.selection.suite,
        tests=tuple(sorted(named)),
        datasets=config.selection.datasets,
        variant=config.selection.variant,
        skip_invalid=config.selection.skip_invalid,
        allow_plugins=config.selection.allow_plugins,
        gold=config.selection.gold,
    )
    until = "stat" if chosen.redo == "judge" else config.until
    return config.model_copy(update={"selection": selection, "until": until})
