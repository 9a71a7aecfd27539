"""What the live screen does to a run: commands to its runner, and the ways down to its tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from core.errors import ModexError
from core.store.reader import SampleQuery
from core.store.rows import RunRow
from tui.actions import Action
from tui.screens.ask import Answer, AskScreen
from tui.screens.base import READ_ONLY, ModexScreen

if TYPE_CHECKING:
    from tui.widgets.run_panel import RunPanel

    _Base = ModexScreen[None]
else:
    _Base = object

Command = Literal["pause", "resume", "stop", "concurrency", "skip"]
FAILURES = ("failed", "error")


class LiveActions(_Base):
    """The actions of the scope `live`; the screen gives `panel` and `panels`."""

    panels: list[RunPanel]

    @property
    def panel(self) -> RunPanel:
        """The run that has the keys."""
        raise NotImplementedError

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Offer what the run's state allows."""
        run = self.panel.run
        if self.panel.gone:
            return action == "switch" and len(self.panels) > 1
        if action in ("pause", "stop", "concurrency", "skip", "resume") and not self.frame.store.writable:
            return False
        if action in ("pause", "stop", "concurrency", "skip"):
            return run is not None and run.going and not (action == "pause" and run.status == "paused")
        if action == "resume":
            return run is not None and (run.state == "paused" or can_go_on(run))
        if action == "toggle_workers":
            return (run is not None and run.alive) or self.has_class("-workers")
        if action == "switch":
            return len(self.panels) > 1
        return True

    def why_not(self, action: Action) -> str:
        """By the run's state."""
        run = self.panel.run
        if self.panel.gone:
            return "this run is not there any more"
        if run is None:
            return "the run is still being read"
        if action.key_id in ("next_run", "previous_run"):
            return "only this run is open"
        if action.key_id != "toggle_workers" and not self.frame.store.writable:
            return READ_ONLY
        if action.key_id == "resume":
            return resume_refusal(run)
        words = {
            "pause": "nothing to pause",
            "stop": "nothing to stop",
            "skip": "nothing waits",
            "toggle_workers": "nobody is at work",
        }
        return f"the run has ended: {words.get(action.key_id, 'nothing is asked')}"

    # commands

    def _send(self, run: RunRow, command: Command, argument: object = None, said: str = "") -> None:
        database = self.frame.database

        def job() -> None:
            from core.engine.commands import send_command

            send_command(database, run.id, command, argument)

        self._do(job, said)

    def _do(self, job: Callable[[], object], said: str) -> None:
        self.run_worker(self._doing(job, said), group="do")

    async def _doing(self, job: Callable[[], object], said: str) -> None:
        try:
            await self.frame.store.work(job)
        except ModexError as error:
            self.say(str(error), severity="error")
            return
        if said:
            self.say(said)
        self.look_now()

    def action_pause(self) -> None:
        """Let calls in flight end and begin no new ones."""
        if run := self.panel.run:
            self._send(run, "pause", said="pausing: calls in flight end first")

    def action_resume(self) -> None:
        """Go on: after a pause at once, else by starting the runner again."""
        run = self.panel.run
        if run is None:
            return
        if run.alive:
            self._send(run, "resume")
            return
        database = self.frame.database

        def job() -> None:
            from core.engine.control import launch_runner

            launch_runner(database, run.exp_id)

        self._do(job, "")

    def action_stop(self) -> None:
        """Ask, then stop the run."""
        if run := self.panel.run:
            self.app.push_screen(
                AskScreen(
                    f"Stop {run.exp_id}?",
                    [Answer("s", "stop", "stop: calls in flight end, the rest waits")],
                    "What is done is kept; resume goes on from there.",
                ),
                lambda answer: self._send(run, "stop", said="stopping: calls in flight end first") if answer else None,
            )

    def action_concurrency(self, step: int) -> None:
        """More or fewer calls at once: by one up to 8, by an eighth beyond."""
        run = self.panel.run
        if run is None:
            return
        now = int(run.live.get("concurrency") or run.config.get("concurrency") or 1)
        wanted = max(1, min(1024, now + step * max(1, now // 8)))
        if wanted == now:
            self.say(f"{now:,} call{'s' if now > 1 else ''} at once is the {'most' if step > 0 else 'least'}")
        else:
            self._send(run, "concurrency", wanted, said=f"up to {wanted} calls at once")

    def action_skip(self) -> None:
        """Ask, then skip what still waits in the selected cell."""
        run = self.panel.run
        if run is None:
            return
        domain, level = self.panel.view.selection
        query = SampleQuery(
            domains=(domain,) if domain is not None else (),
            levels=(level,) if level is not None else (),
            statuses=("pending",),
        )
        self.run_worker(
            self._ask_skip(run, query, f"{domain or 'every domain'}, {f'level {level}' if level else 'all levels'}")
        )

    async def _ask_skip(self, run: RunRow, query: SampleQuery, where: str) -> None:
        ids = await self.frame.store.ask(lambda reader: reader.head_ids(run.id, query))
        if not ids:
            self.say(f"nothing waits in {where}")
            return
        self.app.push_screen(
            AskScreen(
                f"Skip {len(ids):,} waiting test{'s' if len(ids) > 1 else ''} of {where}?",
                [Answer("k", "skip", "skip them; they count as skipped, not as wrong")],
            ),
            lambda answer: self._send(run, "skip", ids, said=f"{len(ids):,} skipped") if answer else None,
        )

    def ask_to_leave(self) -> None:
        """Ctrl+c: leave what runs running, or stop it."""
        running = [panel.run for panel in self.panels if panel.run and panel.run.going]
        if not running:
            self.app.exit(0)
            return
        named = running[0].exp_id if len(running) == 1 else f"{len(running)} runs"

        def decided(answer: str | None) -> None:
            if answer == "leave":
                self.app.exit(0)
            elif answer == "stop":
                for run in running:
                    self._send(run, "stop", said="stopping: calls in flight end first")

        again = f"modex attach {' '.join(run.exp_id for run in running)}"
        self.app.push_screen(
            AskScreen(
                f"{named} {'is' if len(running) == 1 else 'are'} still going",
                [Answer("l", "leave", "leave, and let it go on"), Answer("s", "stop", "stop it; it can be resumed")],
                f"To watch it again: {again}",
            ),
            decided,
        )

    # ways down

    def open_samples(self, run: RunRow, query: SampleQuery) -> None:
        """List the samples that match."""
        from tui.screens.samples import SamplesScreen

        self.app.push_screen(SamplesScreen(run, query))

    def action_tests(self) -> None:
        """List every test of the run."""
        if run := self.panel.run:
            self.open_samples(run, SampleQuery())

    def action_next_failure(self) -> None:
        """Open the first failure of the run."""
        if run := self.panel.run:
            self.run_worker(self._open_failure(run), group="open", exclusive=True)

    async def _open_failure(self, run: RunRow) -> None:
        ids = await self.frame.store.ask(lambda reader: reader.head_ids(run.id, SampleQuery(statuses=FAILURES)))
        if not ids:
            self.say("no failure so far" if run.alive else "no failures")
            return
        from tui.screens.transcript import TranscriptScreen

        self.app.push_screen(TranscriptScreen(self.frame.database, run.id, ids, 0))


def can_go_on(run: RunRow) -> bool:
    """Whether a new runner would find something to do."""
    ended_early = run.state in ("interrupted", "stopped", "aborted", "error")
    return not run.going and (ended_early or run.error_tests > 0)


def resume_refusal(run: RunRow) -> str:
    """Why `run` cannot be resumed."""
    return "the run is going on already" if run.going else "nothing to resume: every test is done, none with an error"
