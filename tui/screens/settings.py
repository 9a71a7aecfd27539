"""Settings of the screen: theme, signs, refresh rate, mouse; written to the user's file as they are changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from textual import on
from textual.widget import Widget

from modex.core.config.settings import save_setting, settings_path
from modex.tui.look import glyphs, theme
from modex.tui.look.paint import Line
from modex.tui.screens.base import ModexScreen
from modex.tui.widgets.columns import Cell, ListColumn
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.listing import Listing

COLUMNS = (ListColumn("setting", 9), ListColumn("value", 16), ListColumn("", 20, grow=1))


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: the values it goes through, and what it is for."""

    name: str
    title: str
    values: tuple[object, ...]
    help: str


SETTINGS = (
    Setting("theme", "theme", (None, "light", "dark", "ansi-dark"), "ansi-dark: the terminal's own colours"),
    Setting("glyphs", "signs", ("auto", "unicode", "ascii"), "ascii where others are drawn wide"),
    Setting("refresh_hz", "refresh", (0.5, 1.0, 2.0, 4.0, 8.0), "while a run moves; 4/s by default"),
    Setting("mouse", "mouse", (True, False), "off: the terminal selects; at next start"),
)


class SettingsScreen(ModexScreen[None]):
    """Enter goes to the next value; each change is seen at once and kept."""

    SCOPES = ("lists",)
    ASIDE = True
    DEFAULT_CSS = """
    SettingsScreen Listing { margin: 1 1 0 1; height: 8; }
    SettingsScreen #file { margin: 0 2; height: 1fr; }
    """

    def body(self) -> Iterable[Widget]:
        """The settings, and where they are kept."""
        yield Listing(COLUMNS, self._cells, id="settings")
        yield Lines(id="file")

    def on_mount(self) -> None:
        """Show them."""
        super().on_mount()
        self.identity([("modex", "title"), ("  settings", "muted")])
        listing = self.query_one("#settings", Listing)
        listing.set_count(len(SETTINGS))
        listing.put(0, SETTINGS)
        self.set_focus(listing)
        self.query_one("#file", Lines).show(self._about())

    def _about(self) -> Sequence[Line]:
        keys = self.frame.preferences.keys
        lines: list[Line] = [
            [("kept in ", "muted"), (str(settings_path()), "text")],
            (),
            [("Keys are changed there; docs/screens.md names them:", "muted")],
            [('   [keys]   pause = "space"   "live.stop" = "ctrl+x"', "text")],
        ]
        lines += [[(f"   {name} = {value}", "text")] for name, value in keys.items()]
        return lines

    def _value(self, setting: Setting) -> object:
        return getattr(self.frame.preferences, setting.name)

    def _cells(self, setting: Setting) -> list[Cell]:
        value = self._value(setting)
        if value in (None, "auto"):
            shown = f"auto: {self._became(setting.name)}"
        elif isinstance(value, bool):
            shown = "on" if value else "off"
        else:
            shown = f"{value:g}/s" if isinstance(value, float) else str(value)
        return [(setting.title, "text"), (shown, "accent"), (setting.help, "muted")]

    def _became(self, name: str) -> str:
        """What `auto` is on this terminal."""
        if name == "glyphs":
            return "ascii" if self.frame.glyphs is glyphs.ASCII else "unicode"
        return self.app.theme.removeprefix("modex-")

    @on(Listing.Opened)
    def _next(self, event: Listing.Opened) -> None:
        setting = event.listing.current
        if not isinstance(setting, Setting):
            return
        value = self._value(setting)
        place = setting.values.index(value) if value in setting.values else -1
        wanted = setting.values[(place + 1) % len(setting.values)]
        self._apply(setting.name, wanted)
        event.listing.repaint()
        self.do(lambda: save_setting(setting.name, wanted))

    def _apply(self, name: str, value: Any) -> None:
        frame = self.frame
        frame.preferences = replace(frame.preferences, **{name: value})
        if name == "theme":
            self.app.theme = theme.choose(value)
        elif name == "glyphs":
            frame.glyphs = glyphs.choose(frame.preferences.glyphs)
            plain = frame.glyphs is glyphs.ASCII
            frame.palette = theme.palette(self.app.theme, self.app.theme_variables, ascii_only=plain)
            self.app.refresh()
