"""Planning: the samples stored, those with work to do found and told, and what the plan was made of kept with the run."""

from __future__ import annotations

from collections.abc import Callable

from modex.core.engine.listening import Listening
from modex.core.foundation.errors import StoreError
from modex.core.pipeline.assembly import Assembly
from modex.core.pipeline.benchmark import Judging
from modex.core.pipeline.unchanged import KeptPlan
from modex.core.store.manager import ChosenSamples, DBDataManager, Plan
from modex.core.store.rows import RunRow


class Planning:
    """The plan of one run."""

    def __init__(
        self, manager: DBDataManager, run: RunRow, *, listening: Listening, narrate: Callable[[str], None]
    ) -> None:
        self._manager = manager
        self._run = run
        self._listening = listening
        self._narrate = narrate

    def plan(self, assembly: Assembly, judging: Judging | None, chosen: ChosenSamples | None) -> Plan:
        """Store the samples; what the plan was made of is kept with the run, where a resume may go by it.

        Raises:
            Stopped: the session is to stop.
            ModexError: a test cannot be read, or nothing can be stored.
        """
        stored, made_of = self._run.plan, assembly.checked.unchanged
        again = judging is not None or chosen is not None
        unchanged = 0 if again or not made_of or stored.get("inputs") != made_of else int(stored["samples"])
        kept = None if unchanged or again else KeptPlan(assembly)
        if unchanged:
            self._narrate("nothing has changed since it was planned, so its tests are not read again")
        if stored and not unchanged:
            # Before anything is stored: a plan that is not finished is not one to go by.
            self._manager.update_run(self._run.id, plan={})
        try:
            plan = assembly.benchmark.preprocess(
                self._listening.until_stopped(assembly.tests()),
                judging=judging,
                chosen=chosen,
                unchanged=unchanged or None,
                progress=self._listening.planning(),
                wait=self._listening.wait_for_room,
            )
        except StoreError:
            self._listening.check_stop()
            raise
        if kept is not None and (found := kept.after(plan)):
            self._manager.update_run(self._run.id, plan=found)
        return plan

    def say(self, plan: Plan) -> None:
        """Tell how much there is to do."""
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
