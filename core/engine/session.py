"""Working on one run in this process: the lock, the context, the plan, the samples moved and summed up, and an orderly end."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from modex.core.config.runconfig import RunConfig, Selection
from modex.core.engine.execution import Execution
from modex.core.engine.executors.address import cluster_of
from modex.core.engine.going_back import GoingBack
from modex.core.engine.likelihoods import with_way
from modex.core.engine.listening import Listening
from modex.core.engine.news import News
from modex.core.engine.planning import Planning
from modex.core.engine.served import begin_servers, serving_of
from modex.core.engine.stopping import (
    ABANDON_S,
    SIGINT_GRACE_S,
    SIGTERM_GRACE_S,
    STOPPED_WORDS,
    SessionOutcome,
    Stopped,
    Stopping,
)
from modex.core.engine.workers import Activities
from modex.core.foundation.errors import AbortError, ModexError, StoreError
from modex.core.llm.gate import Interrupted
from modex.core.pipeline.assembly import Assembly, CheckedTests, assemble
from modex.core.pipeline.benchmark import BaseBenchmark, Judging
from modex.core.pipeline.stat import stat
from modex.core.pipeline.unchanged import still_checked
from modex.core.safety import redact
from modex.core.store.clock import now
from modex.core.store.lock import RunLock
from modex.core.store.manager import ChosenSamples, DBDataManager

Tried = TypeVar("Tried")


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
        self._checked = checked and replace(checked, config=checked.config.as_stored())
        self.manager = DBDataManager(database)
        try:
            self.run_row = self.manager.reader.run(exp_id)
            self._lock = lock or RunLock(database, self.run_row.id, exp_id)
            self.config: RunConfig = self.manager.configuration(self.run_row.id).as_stored()
            if lock is None:
                self.manager.begin(self.run_row.id)
        except BaseException:
            self.manager.close()
            raise
        self._stopping = Stopping()
        self._news = News(narrate, follows=self.config.concurrency is None)
        self._listening = Listening(self.manager, self.run_row.id, self._stopping, narrate)
        self._activities = Activities()
        self.planned_seq: int | None = None
        """The run's sequence number when all was planned and nothing moved yet; None before."""
        self.went_back = False
        """Whether judging again came to nothing and the earlier verdicts stand again: nothing of the run is new."""

    # what others may ask

    def stop(self, grace_s: float = SIGINT_GRACE_S) -> None:
        """Hand out no more work; calls in flight get `grace_s` seconds to finish."""
        self._stopping.ask(grace_s)

    # the work

    def run(
        self, *, judging: Judging | None = None, only_stat: bool = False, chosen: ChosenSamples | None = None
    ) -> SessionOutcome:
        """Do what the run's configuration still wants done; `judging` asks the model under test nothing.

        `chosen` does these samples again and leaves the run otherwise as it was, its status included.

        Raises:
            ModexError: it could not be begun (suite, configuration, store); the run's status says so too.
        """
        run_id = self.run_row.id
        if only_stat:
            try:
                with self._listening.summing() as told:
                    stat(self.manager, run_id, told)
            except Stopped:
                return SessionOutcome("stopped", STOPPED_WORDS)
            finally:
                self.manager.restore(run_id)
            return SessionOutcome(
                self.run_row.state if self.run_row.state not in ("interrupted", "starting") else "stopped",
                self.run_row.reason,
            )
        if chosen is not None:
            judging = "all" if chosen.redo == "judge" else None
            self.config = _narrowed(self.config, self.manager, chosen)
        try:
            assembly = self._assembled(judging, again=chosen is not None)
        except ModexError as error:
            if not self.manager.restore(run_id):
                self._end(SessionOutcome("error", redact(str(error))))
            raise
        except Interrupted:
            outcome = SessionOutcome("stopped", STOPPED_WORDS)
            if not self.manager.restore(run_id):
                self._end(outcome)
            return outcome
        going_back = GoingBack(
            self.manager, self.run_row, judging=judging is not None, chosen=chosen, going=self._goes_back
        )
        try:
            self.manager.settle(run_id)
            self.manager.update_run(run_id, status="running", reason=None, completed_at=None, live={})
            outcome = self._work(assembly, judging, chosen)
            if chosen is not None and outcome.status == "completed":
                outcome = self._as_before()
        except Stopped:
            outcome = self._stopping.outcome or SessionOutcome("stopped", STOPPED_WORDS)
        except AbortError as error:
            outcome = SessionOutcome("aborted", redact(str(error)))
        except ModexError as error:
            outcome = SessionOutcome("error", redact(str(error)))
            self._end(outcome)
            going_back.after(outcome)
            raise
        except BaseException as error:
            # KeyboardInterrupt too: whatever ends this process, the row must not say "running" for ever.
            self._end(SessionOutcome("error", f"{type(error).__name__}: {redact(str(error))}"))
            raise
        self._end(outcome)
        return going_back.after(outcome)

    def _goes_back(self) -> None:
        self.went_back, self.planned_seq = True, None

    def _as_before(self) -> SessionOutcome:
        """How the run stood before some of its samples were done again."""
        before = self.run_row.live.get("before")  # there where a starter had prepared the run
        known = before if isinstance(before, dict) else {"status": self.run_row.status, "reason": self.run_row.reason}
        status, reason = known.get("status"), known.get("reason")
        return (
            SessionOutcome("stopped", STOPPED_WORDS)
            if status in ("running", "paused")
            else SessionOutcome(str(status), reason)
        )

    def try_out(self, work: Callable[[BaseBenchmark], Tried]) -> Tried:
        """What `work` makes of the run's benchmark, judges and all; the run itself stays as it was.

        Raises:
            ModexError: the suite, the selection or a key does not allow it.
        """
        try:
            with closing(self._assembled("changed")) as assembly:
                return work(assembly.benchmark)
        finally:
            self.manager.restore(self.run_row.id)

    def close(self) -> None:
        """Release the run."""
        self._lock.release()
        self.manager.close()

    def _assembled(self, judging: Judging | None, *, again: bool = False) -> Assembly:
        """Everything that the run needs, found before anything of it is stored; `anew` whatever the last plan was made of.

        Raises:
            ModexError: the suite, the selection or a key does not allow it.
        """
        cluster_of(self.config)
        if self._checked is None and judging is None and not again:
            self._checked = still_checked(self.config, self.manager.path, self.run_row.plan)
        assembly = assemble(
            self.config,
            self.manager,
            self.run_row.id,
            narrate=self._narrate,
            on_phase=self._activities.phase,
            listener=self._news,
            stop=self._stopping.calls_ended,
            count=self._news.on_count,
            tell=self._tell,
            judging_only=judging is not None,
            checked=self._checked,
        )
        self._checked = None
        if judging is None:
            try:
                self._find_way(assembly)
            except BaseException:
                assembly.close()
                raise
        return assembly

    def _find_way(self, assembly: Assembly) -> None:
        """Which way options are compared by likelihood, found out before anything is planned: it decides what is asked."""
        found = with_way(self.config, assembly, self._tell)
        if found is not self.config:
            self.config = assembly.benchmark.context.config = found
            assembly.checked = replace(assembly.checked, config=found)
            self.manager.update_run(self.run_row.id, config=found.model_dump(mode="json"))

    def _tell(self, words: str) -> None:
        """Say what takes long, and keep it in the run's log: while samples move it is the writer's."""
        self._narrate(words)
        if self._news.at_work is not None:
            self._news.log("info", words)
        else:
            self.manager.add_event(self.run_row.id, "info", words)

    def _work(self, assembly: Assembly, judging: Judging | None, chosen: ChosenSamples | None) -> SessionOutcome:
        config = self.config
        try:
            planning = Planning(self.manager, self.run_row, listening=self._listening, narrate=self._narrate)
            plan = planning.plan(assembly, judging, chosen)
            self._listening.found_room()
            if (judges := assembly.benchmark.judges()) and config.until in ("judge", "stat"):
                known = self.manager.reader.run_by_id(self.run_row.id).judged_by
                self.manager.update_run(self.run_row.id, judged_by={**known, **judges})
            planning.say(plan)
            self.planned_seq = self.manager.reader.run_by_id(self.run_row.id).seq
            self._listening.check_stop()
            if config.until != "preprocess":
                execution = Execution(
                    self.manager, self.run_row.id, config,
                    activities=self._activities, stopping=self._stopping, listening=self._listening, news=self._news,
                )  # fmt: skip
                if plan.to_do:
                    begin_servers(assembly.pool, assembly.asked)
                execution.run(assembly, plan, judging_only=judging is not None)
                if served := serving_of(assembly.pool):
                    self.manager.update_run(self.run_row.id, served=served)
        finally:
            assembly.close()
        if config.until != "stat":
            return self._stopping.outcome or SessionOutcome("completed", _UNTIL_WORDS[config.until])
        self._sum_up()
        return self._stopping.outcome or SessionOutcome("completed")

    def _sum_up(self) -> None:
        """The scores; a full or locked disk is waited for, unless the session is to stop."""
        while True:
            try:
                with self._listening.summing() as told:
                    stat(self.manager, self.run_row.id, told)
            except StoreError as error:
                if self._listening.wait_for_room(error):
                    continue
                if not self._stopping.asked.is_set():
                    raise
            return

    def _end(self, outcome: SessionOutcome) -> None:
        """Leave the store as a resume wants to find it."""
        run_id = self.run_row.id
        deadline = time.monotonic() + (ABANDON_S if self._stopping.asked.is_set() else SIGTERM_GRACE_S)
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


_UNTIL_WORDS: dict[str, str] = {
    "preprocess": "planned only; `modex resume` asks",
    "rollout": "rollouts are stored; `modex judge` scores them",
    "judge": "judged; `modex stat` sums up",
}


def _narrowed(config: RunConfig, manager: DBDataManager, chosen: ChosenSamples) -> RunConfig:
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
