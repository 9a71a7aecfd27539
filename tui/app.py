"""The application: a stack of screens over one store. It holds no state of a run."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from rich.console import RenderableType
from textual import events
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.app import App, SystemCommand
from textual.binding import BindingType
from textual.screen import Screen

from modex.core.store.location import draft_file
from modex.core.store.rows import RunRow
from modex.tui.actions import bindings, bound_to, keymap
from modex.tui.frame import Draft, Frame, local_now
from modex.tui.look import glyphs, theme
from modex.tui.look.note import note
from modex.tui.look.preferences import Preferences
from modex.tui.reading.store import StoreView
from modex.tui.start.fork import Starting
from modex.tui.terminal.crash import Crash
from modex.tui.terminal.driver import TerminalDriver
from modex.tui.terminal.typed import TypedKeys


def _kept_plan(database: Path) -> Draft | None:
    if not draft_file(database).is_file():
        return None
    from modex.tui.planning.drafts import kept  # planning is not imported for the first frame

    return kept(database)


@dataclass(frozen=True, slots=True)
class Home:
    """Begin with the list of runs."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Begin with the live screen of these runs; several are several models side by side."""

    exp_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class At:
    """Begin with the screen that `make` gives: a feature's own."""

    make: Callable[[], Screen[Any]]


@dataclass(frozen=True, slots=True)
class Launch:
    """Begin with runs that are on their way, and watch them when they are there."""

    starting: Starting


StartScreen = Home | Watch | At | Launch
HOME = Home()


class StoreNotices(logging.Handler):
    """What the store has to say, as notes: that a file was brought up to date, and where its backup is.

    It says so amid an act of the person's (archive, resume), whose own note comes a moment later and would take its place.
    """

    after_s = 4.5
    """Seconds until it is said: longer than a note stays."""

    def __init__(self, app: App[int]) -> None:
        super().__init__()
        self._app = app

    def emit(self, record: logging.LogRecord) -> None:
        """Show it; the message may come from any thread."""
        self._app.call_later(self._say_later, record.getMessage())

    def _say_later(self, words: str) -> None:
        self._app.set_timer(self.after_s, partial(note, self._app, words, severity="warning"))


class ModexApp(App[int]):
    """Every screen is a viewer of the store; leaving never ends a run."""

    TITLE = "modex"
    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("everywhere")]
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    AUTO_FOCUS = "*"

    def __init__(
        self,
        database: Path,
        *,
        start: StartScreen = HOME,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], datetime] = local_now,
        mouse: bool = True,
        preferences: Preferences | None = None,
    ) -> None:
        super().__init__(driver_class=TerminalDriver)
        preferences = preferences or Preferences()
        self.uses_mouse = mouse and preferences.mouse
        self._start = start
        self._notices = StoreNotices(self)
        for designed in theme.themes():
            self.register_theme(designed)
        chosen = theme.choose(preferences.theme)
        self.theme = chosen if chosen in self.available_themes else theme.choose(None)
        if self.no_color:
            self._colourless()
        signs = glyphs.choose(preferences.glyphs)
        self.frame = Frame(
            database,
            StoreView(database),
            preferences,
            signs,
            theme.palette(self.theme, self.theme_variables, ascii_only=signs is glyphs.ASCII),
            clock,
            wall,
            draft=_kept_plan(database),
        )
        self.animation_level = "none"
        self.typed = TypedKeys(
            self, super().on_event, free=lambda key: bound_to(key, ("everywhere",), preferences.keys) is not None
        )

    async def on_event(self, event: events.Event) -> None:
        """What was typed goes out key by key (`modex.tui.terminal.typed`); all else as Textual does."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            await self.typed.typed(event)
        else:
            await super().on_event(event)

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        """Show what was painted; on a terminal when it has read what came before, and only what differs from that."""
        driver = self._driver
        if (
            isinstance(driver, TerminalDriver)
            and isinstance(renderable, LayoutUpdate | ChopsUpdate)
            and not self._batch_count
            and self._running
            and not self._closed
        ):
            cursor = self.screen.outer_size.clamp_offset(self.cursor_position)
            driver.show(renderable, (cursor.x, cursor.y), synchronized=self._sync_available)
            self.post_display_hook()
        else:
            super()._display(screen, renderable)

    def _colourless(self) -> None:
        """Emit no colour at all: Textual's own NO_COLOR would still send shades of grey."""
        from textual.filter import Monochrome, NoColor

        self._filters = [filter_ for filter_ in self._filters if not isinstance(filter_, Monochrome)]
        self._filters.append(NoColor())

    def _repaint(self, _: object) -> None:
        plain = self.frame.glyphs is glyphs.ASCII
        self.frame.palette = theme.palette(self.theme, self.theme_variables, ascii_only=plain)
        self.refresh_css(animate=False)

    def get_default_screen(self) -> Screen[Any]:
        """The list of runs lies under everything."""
        from modex.tui.screens.runs import RunsScreen

        return RunsScreen()

    def on_mount(self) -> None:
        """Take the user's keys and open the first screen."""
        self.theme_changed_signal.subscribe(self, self._repaint)
        # After ctrl+z and `fg`, or in a terminal attached anew, nothing that was painted before is there any more.
        self.app_resume_signal.subscribe(self, lambda _: self.action_redraw())
        logging.getLogger("modex.store").addHandler(self._notices)
        self.set_keymap(keymap(self.frame.preferences.keys))
        match self._start:
            case Watch(exp_ids):
                from modex.tui.screens.live import LiveScreen

                self.push_screen(LiveScreen(exp_ids))
            case At(make):
                self.push_screen(make())
            case Launch(starting):
                from modex.tui.screens.starting import StartingScreen

                self.push_screen(StartingScreen(starting))
            case Home():
                pass

    def on_unmount(self) -> None:
        """Let go of the database."""
        logging.getLogger("modex.store").removeHandler(self._notices)
        self.frame.store.close()

    # what every screen can do

    def action_help(self) -> None:
        """Show the keys of the screen on top."""
        from modex.tui.screens.help import HelpScreen

        self.push_screen(HelpScreen(self.screen))

    def action_settings(self) -> None:
        """Show the settings."""
        from modex.tui.screens.settings import SettingsScreen

        self.push_screen(SettingsScreen())

    def action_palette(self) -> None:
        """Find a command, a run, a test or a screen by a few letters."""
        from modex.tui.screens.palette import ActionEntry, Destination, PaletteScreen

        def chosen(entry: ActionEntry | Destination | None) -> None:
            if isinstance(entry, Destination):
                self.push_screen(entry.go())
            elif entry is not None:
                self.call_next(self.run_action, entry.action.name, entry.node)

        self.push_screen(PaletteScreen(self.screen), chosen)

    def action_search_all(self) -> None:
        """Search everything stored."""
        from modex.tui.lazy import SearchScreen

        self.push_screen(SearchScreen())

    async def action_history(self) -> None:
        """Show what the screen on top is about over all runs: its test, else its cell, else its suite."""
        from modex.tui.lazy import HistoryScreen
        from modex.tui.screens.scores import ScoresScreen

        screen = self.screen
        run_id = getattr(screen, "about_run", None)
        if (sample_id := getattr(screen, "about_sample", None)) is not None:
            self.push_screen(HistoryScreen(sample_id))
        elif (cell := getattr(screen, "about_cell", None)) is not None:
            self.push_screen(ScoresScreen(cell=cell))
        elif run_id is not None:
            run = await self.frame.store.ask(lambda reader: reader.run_by_id(run_id))
            self.push_screen(ScoresScreen(suite=run.suite))
        elif (seen := getattr(screen, "seen", None)) is not None:
            self.push_screen(ScoresScreen(suite=None if seen.bundled else str(seen.suite.root)))

    def action_labels(self) -> None:
        """Count what people said of the run of the screen on top, else of every run."""
        from modex.tui.lazy import LabelsScreen

        self.push_screen(LabelsScreen(getattr(self.screen, "about_run", None)))

    async def action_try_rules(self) -> None:
        """Try the suite as it is on the run of the screen on top; of a suite's screen, on its newest run."""
        from modex.tui.lazy import DryRunScreen
        from modex.tui.reading.suite import newest_of_suite

        run_id = getattr(self.screen, "about_run", None)
        if run_id is None and hasattr(self.screen, "seen"):
            suite = getattr(self.screen, "path", None)
            run_id = await self.frame.store.ask(lambda reader: newest_of_suite(reader, suite))
        if run_id is None:
            note(self, "no run of this suite is stored")
        else:
            self.push_screen(DryRunScreen(run_id))

    @property
    def _run_to_review(self) -> int | None:
        """The run that the screen on top is about, or the one that is selected in it."""
        run_id: int | None = getattr(self.screen, "about_run", None)
        if (
            run_id is None
            and self.screen.is_mounted
            and isinstance(run := getattr(self.screen, "selected", None), RunRow)
        ):
            return run.id
        return run_id

    def action_review(self) -> None:
        """Review the run of the screen on top, beginning with the sample that it shows."""
        from modex.tui.lazy import review_screen

        run_id = self._run_to_review
        if run_id is not None:
            self.push_screen(review_screen(run_id, getattr(self.screen, "about_sample", None)))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """The first screen has nothing to go back to; help, settings and the palette do not open on each other."""
        if action == "back":
            return len(self.screen_stack) > 1
        if action in ("help", "settings", "palette", "labels"):
            return not getattr(self.screen, "ASIDE", False)
        if action == "history":
            about = ("about_sample", "about_run", "seen")
            return any(getattr(self.screen, name, None) is not None for name in about)
        if action == "try_rules":
            return getattr(self.screen, "about_run", None) is not None or hasattr(self.screen, "seen")
        if action == "review":
            return self._run_to_review is not None
        return True

    def action_redraw(self) -> None:
        """Paint everything, whatever stands on the terminal and whichever modes it lost."""
        if isinstance(self._driver, TerminalDriver):
            self._driver.retake()
        self.refresh(layout=True)

    def _leave_for_good(self) -> None:
        """End; ask first where a plan was not started, or where something is still being written."""
        from modex.tui.screens.ask import Answer, AskScreen

        if isinstance(self.screen, AskScreen):  # asked already, and pressed again
            self.exit(0)
            return
        self._keep_drafts()
        planned = any(getattr(one, "draft", None) is not None for one in self.screen_stack)
        if self.frame.store.working:
            question = "Leave modex while something is still being written?"
            answer, detail = "leave when it is written", "An export or a change that you asked for is under way."
        elif planned and self.frame.draft_is_safe:
            question = "Leave modex with a plan that was not started?"
            answer, detail = "leave; the plan is kept", "n in the list of runs shows it, the next time too."
        elif self.frame.draft is not None and not self.frame.draft_is_safe:
            question = "Leave modex with a plan that was not started?"
            answer, detail = (
                "leave; the plan is lost",
                "It cannot be written beside the database: only the open modex keeps it.",
            )
        else:
            self.exit(0)
            return
        self.push_screen(
            AskScreen(question, [Answer("l", "leave", answer)], detail), lambda said: self.exit(0) if said else None
        )

    def _keep_drafts(self) -> None:
        drafts = [draft for one in self.screen_stack if (draft := getattr(one, "draft", None)) is not None]
        if drafts:
            from modex.tui.planning.drafts import remember  # planning is not imported for the first frame

            for draft in drafts:
                remember(self.frame, draft)

    def exit(self, result: int | None = None, return_code: int = 0, message: RenderableType | None = None) -> None:
        """As Textual does; a plan on the screen is kept however it is left, by a signal too."""
        self._keep_drafts()
        super().exit(result, return_code, message)

    async def action_quit(self) -> None:
        """Ctrl+q."""
        self._leave_for_good()

    async def action_back(self) -> None:
        """Close the screen on top, unless it is the first."""
        if len(self.screen_stack) > 1:
            self._close_top()

    def action_leave(self) -> None:
        """Go back; from the first screen leave the application."""
        if len(self.screen_stack) > 1:
            self._close_top()
        else:
            self._leave_for_good()

    def _close_top(self) -> None:
        """Close the screen on top; what was planned there is kept."""
        keep = getattr(self.screen, "keep_draft", None)
        if callable(keep):
            keep()
        self.pop_screen()

    def _handle_exception(self, error: Exception) -> None:
        """End with a report of our own: Textual's would print local variables, and they may hold keys."""
        self._return_code = 1
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        self.panic(Crash(error))

    def action_interrupt(self) -> None:
        """Ctrl+c: the screen on top decides what it asks."""
        asks = getattr(self.screen, "ask_to_leave", None)
        if callable(asks):
            asks()
        else:
            self._leave_for_good()

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:  # noqa: ARG002
        """None: commands come from the registry (see `modex.tui.screens.palette`)."""
        return ()
