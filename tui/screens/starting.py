"""A run on its way: shown from the first moment until it is stored and can be watched."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.widget import Widget

from modex.tui.look.note import note
from modex.tui.look.paint import Part
from modex.tui.screens.base import ModexScreen
from modex.tui.start.fork import Starting
from modex.tui.widgets.lines import Lines

_LOOK_S = 0.02


class StartingScreen(ModexScreen[None]):
    """Gives way to the live screen; where nothing can be started, the application ends and the command line says why."""

    SCOPES: ClassVar[tuple[str, ...]] = ("everywhere",)
    DEFAULT_CSS = """
    StartingScreen #what { margin: 1 4; height: 1fr; }
    """

    def __init__(self, starting: Starting) -> None:
        super().__init__()
        self._starting = starting

    @property
    def reading(self) -> bool:
        """Whether the run is not there yet: keys are meant for it."""
        return not self._starting.outcome.done()

    def say_reading(self) -> None:
        """Tell that keys wait."""
        self.say("still starting; keys wait, esc lets go of them")

    def body(self) -> Iterable[Widget]:
        """What goes on."""
        yield Lines(id="what")

    def on_mount(self) -> None:
        """Say who is started, and wait for the outcome."""
        super().on_mount()
        models = self._starting.models
        who: list[Part] = [(self._starting.exp_id or "new run", "title"), ("  ", "text"), (", ".join(models), "muted")]
        if any(model.partition("/")[0] == "demo" for model in models):
            who.append(("  scripted model", "accent"))
        self.identity(who, [("starting", "running")])
        self.query_one("#what", Lines).show(
            [
                [("checking the tests and keys; then it begins", "muted")],
                (),
                [
                    ("ctrl+c", "key"),
                    ("  give up        ", "muted"),
                    ("esc", "key"),
                    ("  look at other runs meanwhile", "muted"),
                ],
            ]
        )
        # On the application: the outcome counts also when the person went on to the list.
        self._waiting = self.app.set_interval(_LOOK_S, self._look_for_outcome)

    def _look_for_outcome(self) -> None:
        stays = self in self.app.screen_stack
        if not self._starting.outcome.done() or (stays and self.app.screen is not self):
            return
        self._waiting.stop()
        started = self._starting.outcome.result()
        if started.exp_ids and stays:
            from modex.tui.screens.live import LiveScreen

            self.app.switch_screen(LiveScreen(started.exp_ids))
        elif stays:
            self.app.exit(started.code)
        elif not started.exp_ids:
            note(self.app, started.message.strip(), severity="error")

    def ask_to_leave(self) -> None:
        """Ctrl+c: give up what has not begun."""
        self._starting.cancel()
