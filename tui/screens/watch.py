"""Over a worker's shoulder: an answer as it is written, from any terminal that watches the run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from textual.binding import BindingType
from textual.widget import Widget

from modex.core.engine.commands import send_command
from modex.core.store.rows import RunRow
from modex.tui.actions import Action, bindings
from modex.tui.look.paint import Part
from modex.tui.reading.window import Watcher
from modex.tui.screens.ask import Answer, AskScreen
from modex.tui.screens.base import ModexScreen
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.written import Written

_CELLS_A_SECOND = 16_000
"""Cells that may be repainted in a second: with their colours about 30 kB."""


class WatchScreen(ModexScreen[None]):
    """Shows what stands in the runner's memory; nothing of it is kept, here or there."""

    SCOPES = ("watch",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("watch")]
    REFRESHES = True
    DEFAULT_CSS = """
    WatchScreen #who { height: 1; margin: 0 1 1 1; }
    """

    def __init__(self, run: RunRow, sample_id: int | None = None) -> None:
        super().__init__()
        self._run = run
        self._watcher = Watcher(str(run.live.get("window") or ""))
        self._sample_id = sample_id or next((worker["sample_id"] for worker in workers_of(run)), 0)
        self._who: dict[int, str] = {}
        self._view: dict[str, Any] = {}
        self._shown_at = float("-inf")

    def body(self) -> Iterable[Widget]:
        """Whose answer, and the answer."""
        yield Lines(id="who")
        yield Written()

    @property
    def about_run(self) -> int | None:
        """The run."""
        return self._run.id

    @property
    def about_sample(self) -> int | None:
        """The sample that is looked at."""
        return self._sample_id or None

    def on_mount(self) -> None:
        """Begin to look."""
        super().on_mount()
        self._show()
        self.run_worker(self._look(), group="window")

    async def _look(self) -> None:
        try:
            async for view in self._watcher.views(self._sample_id):
                self._view = view
                self._paint()
        except OSError:
            pass
        if self.is_running:
            self._view = {**self._view, "over": True}
            self._show()

    def _paint(self) -> None:
        """Show the newest view, as often as the size of the screen allows over a slow line."""
        width, height = self.size
        wait = max(0.25, width * height / _CELLS_A_SECOND) - (self.frame.clock() - self._shown_at)
        if wait <= 0:
            self._show()
        elif not self._due:
            self._due = True
            self.set_timer(wait, self._show)

    _due = False
    _over = False
    """Whether the keys that are shown are those of an answer that is over."""

    def _show(self) -> None:
        self._due = False
        self._shown_at = self.frame.clock()
        view = self._view
        state: list[Part] = [("over", "muted")] if view.get("over") else [("being written", "running")]
        self.identity([(self._run.exp_id, "title"), (f"  {self._run.model}", "muted")], state)
        name = self._who.get(self._sample_id) or self._name_of(self._sample_id)
        line: list[Part] = [(name or "nobody is at work", "text")]
        if view.get("over"):
            line.append(("   finished; enter opens it", "muted") if name else ("", "muted"))
        else:
            line.append((f"   {view.get('phase', '')}", "muted"))
            if speed := view.get("speed"):
                rate = f", ~{speed['per_s']:.0f} tokens/s" if speed["per_s"] is not None else ""
                line.append((f"   first token {speed['first_s']:.2f} s{rate}", "muted"))
        self.query_one("#who", Lines).show([line])
        if view.get("parts") is not None:
            self.query_one(Written).tell(view)
        if self._over is not bool(view.get("over")):
            self._over = bool(view.get("over"))
            self.keys_changed()

    def _name_of(self, sample_id: int) -> str:
        for worker in workers_of(self._run):
            if worker.get("sample_id") == sample_id:
                self._who[sample_id] = f"{worker.get('domain')}/{worker.get('level')}/{worker.get('test_id')}"
        return self._who.get(sample_id, "")

    async def refresh_data(self) -> bool:
        """Who is at work now."""
        run_id = self._run.id
        self._run = await self.frame.store.ask(lambda reader: reader.run_by_id(run_id), lane="poll")
        if not self._sample_id and (workers := workers_of(self._run)):
            self._turn_to(workers[0]["sample_id"])
        return self._run.alive

    # keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What is over cannot be skipped, and what is not cannot be opened."""
        if action == "open":
            return bool(self._view.get("over")) and bool(self._sample_id)
        if action == "skip":
            return not self._view.get("over") and self.frame.store.writable and bool(self._sample_id)
        return super().check_action(action, parameters)

    def why_not(self, action: Action) -> str:
        """Why a key does nothing now."""
        return {"open": "it is still being written", "skip": "it is over"}.get(action.name, "")

    def action_worker(self, step: int) -> None:
        """Go to another worker's answer, in the order of their tests."""
        ids = [worker["sample_id"] for worker in sorted(workers_of(self._run), key=lambda one: int(one["sample_id"]))]
        if not ids:
            self.say("nobody is at work")
            return
        here = ids.index(self._sample_id) if self._sample_id in ids else -1 if step > 0 else 0
        self._turn_to(ids[(here + step) % len(ids)])

    def _turn_to(self, sample_id: int) -> None:
        self._sample_id = sample_id
        self._view = {"parts": []}
        self._name_of(sample_id)
        self.query_one(Written).follow()
        self._watcher.ask(sample_id)
        self._show()
        self.keys_changed()

    def action_scroll(self, lines: int) -> None:
        """Up or down by lines."""
        self.query_one(Written).scroll_by_lines(lines)

    def action_follow(self) -> None:
        """To the end."""
        self.query_one(Written).follow()

    def action_open(self) -> None:
        """Open the transcript that was stored."""
        from modex.tui.screens.transcript import TranscriptScreen

        self.app.switch_screen(TranscriptScreen(self.frame.database, self._run.id, [self._sample_id], 0))

    def action_skip(self) -> None:
        """Ask, then end this answer."""
        sample_id, database = self._sample_id, self.frame.database

        def decided(answer: str | None) -> None:
            if answer:
                send_command(database, self._run.id, "skip", [sample_id])
                self.say("skipped: its stream is closed")

        self.app.push_screen(
            AskScreen(
                "End this answer and skip its test?",
                [Answer("k", "skip", "skip it; it counts as skipped, not as wrong, and a resume asks it again")],
            ),
            decided,
        )


def workers_of(run: RunRow) -> list[dict[str, Any]]:
    """The workers of the run's last pulse that have a sample, the longest at work first."""
    return [item for item in run.live.get("workers") or () if isinstance(item, dict) and item.get("sample_id")]
