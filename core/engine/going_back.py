"""A run whose judging, or whose asking again, fails is as it was: status, configuration, verdicts and scores.

- A judge that cannot be reached, a missing key, a spent budget: every verdict that was replaced stands again. What was judged
  until then is kept among the earlier verdicts. So it is where the judges were asked to the end and gave not one verdict.
- Stopped by hand in the middle: what was judged stays, the run is `stopped` and says how many verdicts are new; going on judges
  the rest. Before the first new verdict the run is as it was.
- Asking again (`resume`, one test) that fails: what was answered stays, what failed without being the model's doing is as it
  was; a run that was complete is complete again.
"""

from __future__ import annotations

from collections.abc import Callable

from modex.core.engine.stopping import SessionOutcome
from modex.core.pipeline.stat import stat
from modex.core.store.manager import ChosenSamples, DBDataManager
from modex.core.store.putting_back import ToPutBack, came_to_nothing, put_back, replaced, standing
from modex.core.store.rows import RunRow

_MOST = 5_000
"""Chosen samples that are kept whole while they are asked again."""


class GoingBack:
    """How one run stood when a session began with it."""

    def __init__(self, manager: DBDataManager, run: RunRow, *, judging: bool, chosen: ChosenSamples | None,
                 going: Callable[[], None] = lambda: None) -> None:  # fmt: skip
        """Look at the run before anything of it is changed; `going` is told before verdicts are put back.

        Raises:
            StoreError: the store cannot be read.
        """
        before = run.live.get("before")
        known = before if isinstance(before, dict) else {}
        names = ("status", "reason", "completed_at", "config", "model")
        self._before = {name: known.get(name, getattr(run, name)) for name in names} | {"judged_by": run.judged_by}
        self._manager, self._run, self._judging, self._going = manager, run, judging, going
        kept = sorted(chosen.ids)[:_MOST] if chosen is not None and chosen.redo == "ask" else []
        ended = self._before["status"] in ("completed", "stopped")
        self._standing: ToPutBack | None = None
        if judging or (ended and run.done_tests):
            self._standing = standing(manager.database, run.id, manager.load(kept))

    def after(self, outcome: SessionOutcome) -> SessionOutcome:
        """Put back what has to be after a session that ended so; the outcome, with what was put back in its words.

        Raises:
            StoreError: the store cannot be written.
        """
        if self._standing is None:
            return outcome
        if outcome.status == "completed":
            if not self._judging or not came_to_nothing(self._manager.database, self._run.id, self._standing):
                return outcome
            outcome = SessionOutcome(
                "stopped", "the judges gave not one verdict; name another with --judge-model MODEL"
            )
        if outcome.status == "stopped" and not self._of_a_provider(outcome):
            return self._stopped(outcome)
        if self._judging:
            self._going()
        number = put_back(self._manager.database, self._run.id, self._standing, judging=self._judging)
        self._manager.recount(self._run.id)
        if not self._judging and (self._before["status"] != "completed" or self._waiting()):
            self._sum_up()
            return outcome
        self._restore()
        verdicts = "1 earlier verdict stands again; " if number == 1 else f"{number:,} earlier verdicts stand again; "
        again = verdicts if number else ""
        return SessionOutcome(outcome.status, f"{outcome.reason or outcome.status}; {again}the run is as it was")

    def _stopped(self, outcome: SessionOutcome) -> SessionOutcome:
        """Stopped by hand."""
        assert self._standing is not None
        if not self._judging:
            return outcome
        number = replaced(self._manager.database, self._run.id, self._standing)
        if not number:
            put_back(self._manager.database, self._run.id, self._standing, judging=True)
            self._manager.recount(self._run.id)
            self._restore()
            return SessionOutcome("stopped", "stopped before a verdict was replaced; the run is as it was")
        scored = self._run.passed_tests + self._run.failed_tests
        words = (
            f"stopped while it was judged again: {number:,} of {scored:,} verdicts are new, the others as they were; "
            "`modex judge` goes on with the rest"
        )
        self._manager.update_run(self._run.id, reason=words)
        return SessionOutcome("stopped", words)

    def _of_a_provider(self, outcome: SessionOutcome) -> bool:
        """Whether the session ended itself, since nothing answered; a person who stops it says so in other words."""
        return outcome.reason is not None and not outcome.reason.startswith("stopped by hand")

    def _waiting(self) -> bool:
        run = self._manager.reader.run_by_id(self._run.id)
        return run.done_tests < run.total_tests

    def _restore(self) -> None:
        """The run's own columns, and its scores from the verdicts that stand."""
        self._manager.update_run(self._run.id, **self._before)
        if self._run.overall_score is not None:
            self._sum_up()

    def _sum_up(self) -> None:
        stat(self._manager, self._run.id)
