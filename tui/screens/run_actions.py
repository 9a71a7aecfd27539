"""What the list of runs does to a run: resume, judge again, compare, export, delete."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from core.errors import ModexError
from core.store.rows import RunRow
from tui.actions import Action
from tui.screens.ask import Answer, AskScreen
from tui.screens.base import READ_ONLY, ModexScreen
from tui.screens.live_actions import can_go_on, resume_refusal

if TYPE_CHECKING:
    _Base = ModexScreen[None]
else:
    _Base = object


class RunActions(_Base):
    """The actions of the scope `runs`; the screen gives `selected` and `marks`."""

    marks: dict[int, RunRow]

    @property
    def selected(self) -> RunRow | None:
        """The selected run."""
        raise NotImplementedError

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Offer what the selected run allows."""
        run = self.selected if self.is_mounted else None
        if action in ("new", "resume", "rejudge", "delete") and not self.frame.store.writable:
            return False
        if action in ("rejudge", "export", "delete", "mark"):
            return run is not None and not (run.going and action in ("rejudge", "delete"))
        if action == "resume":
            return run is not None and can_go_on(run)
        if action == "compare":
            return len(self.marks) == 2
        return True

    def why_not(self, action: Action) -> str:
        """By the selected run's state."""
        run = self.selected
        if action.name in ("new", "resume", "rejudge", "delete") and not self.frame.store.writable:
            return READ_ONLY
        if action.name == "compare":
            return "mark two runs with space; c compares them"
        if run is None:
            return "no run is selected"
        return resume_refusal(run) if action.name == "resume" else "the run is going on: stop it first"

    def _do(self, job: Callable[[], object], done: str, after: Callable[[], None] | None = None) -> None:
        """Run a job off the UI thread; say how it ended."""
        self.run_worker(self._doing(job, done, after), group="do")

    async def _doing(self, job: Callable[[], object], done: str, after: Callable[[], None] | None) -> None:
        try:
            await self.frame.store.work(job)
        except ModexError as error:
            self.say(str(error), severity="error")
            return
        if done:
            self.say(done)
        if after:
            after()
        self.look_now()

    def action_new(self) -> None:
        """Plan a new run."""
        from tui.screens.new_run import NewRunScreen

        self.app.push_screen(NewRunScreen(self.frame.database))

    def action_suite(self) -> None:
        """Look at the suite."""
        from tui.screens.suite import SuiteScreen

        self.app.push_screen(SuiteScreen(self.frame.database, None))

    def action_compare(self) -> None:
        """Compare the two marked runs."""
        from tui.screens.compare import CompareScreen

        first, second = self.marks.values()
        self.app.push_screen(CompareScreen(self.frame.database, first.exp_id, second.exp_id))

    def action_resume(self) -> None:
        """Start the run's runner again and watch."""
        if (run := self.selected) is None:
            return
        database = self.frame.database

        def start() -> None:
            from core.engine.control import launch_runner

            launch_runner(database, run.exp_id)

        def watch() -> None:
            from tui.screens.live import LiveScreen

            self.app.push_screen(LiveScreen((run.exp_id,)))

        self._do(start, "", watch)

    def action_rejudge(self) -> None:
        """Ask, then judge the stored answers again."""
        if (run := self.selected) is None:
            return
        database = self.frame.database

        def again(answer: str | None) -> None:
            def start() -> None:
                from core.engine.control import launch_runner, rejudge

                rejudge(database, run.exp_id)
                launch_runner(database, run.exp_id, judging="all")

            if answer:
                self._do(start, "")

        self.app.push_screen(
            AskScreen(
                f"Judge {run.exp_id} again?",
                [Answer("j", "judge", "judge the stored answers again; earlier verdicts are kept")],
                "The model under test is not asked again.",
            ),
            again,
        )

    def action_export(self) -> None:
        """Ask for a format, then write the run to a file in the current folder."""
        if (run := self.selected) is None:
            return
        from tui.screens.export import ask_and_export

        ask_and_export(self, run)

    def action_delete(self) -> None:
        """Ask, then delete the marked runs, or this one."""
        runs = list(self.marks.values()) or ([self.selected] if self.selected else [])
        if not runs:
            return
        database = self.frame.database
        named = runs[0].exp_id if len(runs) == 1 else f"{len(runs)} marked runs"
        tests = sum(run.total_tests for run in runs)

        def delete(answer: str | None) -> None:
            def job() -> None:
                from core.engine.control import delete_run

                for run in runs:
                    delete_run(database, run.id)

            if answer:
                self.marks.clear()
                self._do(job, f"deleted {named}")

        self.app.push_screen(
            AskScreen(
                f"Delete {named}?",
                [Answer("d", "delete", f"delete for good, with {tests:,} tests and their transcripts")],
                "There is no way back; export first what you want to keep.",
            ),
            delete,
        )
