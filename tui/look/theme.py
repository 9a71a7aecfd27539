"""Two designed themes and one made of the terminal's own sixteen colours, as roles that mean something.

Five states have a colour each (passed green, failed red, error magenta, running cyan, waiting grey); one accent is
for what can be pressed and what is selected. A matrix has a background by score; nothing else is coloured.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rich.style import Style
from textual.style import Style as ContentStyle
from textual.theme import Theme

DARK = "modex-dark"
LIGHT = "modex-light"
TERMINAL = "modex-terminal"
THEMES = (DARK, LIGHT, TERMINAL)


@dataclass(frozen=True, slots=True)
class _Colours:
    background: str
    panel: str
    selection: str
    text: str
    muted: str
    faint: str
    accent: str
    passed: str
    failed: str
    error: str
    running: str
    heat: tuple[str, ...]
    """Backgrounds by score, weakest first."""
    word: str
    """Of code: keywords, and what is named; values; remarks are faint."""
    name: str
    value: str


_DARK = _Colours(
    background="#15181d", panel="#1d2128", selection="#2a303b", text="#d6dae1", muted="#8c95a3", faint="#5d6674",
    accent="#e3b341", passed="#7cc576", failed="#f0716b", error="#d58be8", running="#5fc4d6",
    heat=("#7a1c22", "#5a2616", "#4c2f0e", "#2c3d1a", "#1b3626"),
    word="#82aede", name="#a5c3cf", value="#cfae8c",
)  # fmt: skip
_LIGHT = _Colours(
    background="#fcfcfa", panel="#f0f1ee", selection="#e2e6ea", text="#22272e", muted="#5f6875", faint="#98a0ab",
    accent="#8f5a00", passed="#1a7431", failed="#c4242b", error="#9c2fa0", running="#0a6f86",
    heat=("#ffaea6", "#ffd0a8", "#fdebb0", "#e6f2c4", "#cdeed6"),
    word="#1f5a9c", name="#35606f", value="#7d4f16",
)  # fmt: skip


def _theme(name: str, colours: _Colours, *, dark: bool) -> Theme:
    return Theme(
        name=name,
        primary=colours.accent,
        secondary=colours.running,
        warning=colours.accent,
        error=colours.failed,
        success=colours.passed,
        accent=colours.accent,
        foreground=colours.text,
        background=colours.background,
        surface=colours.panel,
        panel=colours.selection,
        dark=dark,
        variables={
            "border": colours.faint,
            "border-blurred": colours.selection,
            "block-cursor-background": colours.selection,
            "block-cursor-foreground": colours.text,
            "block-cursor-text-style": "bold",
            "block-cursor-blurred-background": colours.panel,
            "block-hover-background": colours.panel,
            "input-cursor-text-style": "reverse",
            "scrollbar": colours.selection,
            "scrollbar-hover": colours.faint,
            "scrollbar-active": colours.muted,
            "scrollbar-background": colours.background,
            "scrollbar-background-hover": colours.background,
            "scrollbar-background-active": colours.background,
            "scrollbar-corner-color": colours.background,
            "footer-key-foreground": colours.accent,
        },
    )


def themes() -> list[Theme]:
    """The themes to register with the application."""
    terminal = Theme(
        name=TERMINAL,
        ansi=True,
        primary="ansi_blue",
        secondary="ansi_cyan",
        warning="ansi_yellow",
        error="ansi_red",
        success="ansi_green",
        accent="ansi_default",
        foreground="ansi_default",
        background="ansi_default",
        surface="ansi_default",
        panel="ansi_default",
        boost="ansi_default",
        luminosity_spread=0,
        variables={
            "ansi-background": "ansi_black",
            "ansi-foreground": "ansi_white",
            "border": "ansi_default",
            "border-blurred": "ansi_default",
            "block-cursor-foreground": "ansi_default",
            "block-cursor-background": "ansi_default",
            "block-cursor-text-style": "reverse",
            "block-cursor-blurred-text-style": "bold",
            "input-cursor-background": "ansi_default",
            "input-cursor-foreground": "ansi_default",
            "input-cursor-text-style": "reverse",
            "input-selection-background": "ansi_default",
            "input-selection-foreground": "ansi_default",
            "scrollbar": "ansi_bright_black",
            "scrollbar-hover": "ansi_white",
            "scrollbar-active": "ansi_white",
            "scrollbar-background": "ansi_default",
            "scrollbar-background-hover": "ansi_default",
            "scrollbar-background-active": "ansi_default",
            "scrollbar-corner-color": "ansi_default",
        },
    )
    return [_theme(DARK, _DARK, dark=True), _theme(LIGHT, _LIGHT, dark=False), terminal]


def choose(setting: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """The theme to begin with: the setting, unless the terminal has few colours or wants none."""
    known = {"dark": DARK, "light": LIGHT, "ansi-dark": TERMINAL, "ansi-light": TERMINAL}
    if "NO_COLOR" in environment or _few_colours(environment):
        return TERMINAL
    if setting is not None:
        return known.get(setting, setting)
    background = environment.get("COLORFGBG", "").rpartition(";")[2]
    return LIGHT if background in ("7", "15") else DARK


def _few_colours(environment: Mapping[str, str]) -> bool:
    if environment.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return False
    term = environment.get("TERM", "")
    return not (term.endswith(("256color", "-direct")) or "kitty" in term or "truecolor" in term)


@dataclass(frozen=True, slots=True)
class Palette:
    """Roles as Rich styles, background included, for widgets that paint their own lines.

    Roles: `text muted faint accent title key rule passed failed error running pending skipped match mark`,
    of code `code word`, `code name`, `code value`, `code note`, of two texts `added removed`.
    """

    base: Style
    roles: Mapping[str, Style]
    selected_base: Style
    selected: Mapping[str, Style]
    ascii_only: bool = False
    """Whether our own signs are replaced by ASCII ones when painted."""
    heat: tuple[Mapping[str, Style], ...] = ()
    """The roles on a background by score, weakest first; empty where the colours are too few."""
    _content: dict[str, ContentStyle] = field(default_factory=dict)

    @property
    def colourful(self) -> bool:
        """Whether there are more colours than the terminal's sixteen."""
        return bool(self.heat)

    def style(self, role: str, *, selected: bool = False) -> Style:
        """The style of a role; `text` for roles nobody knows."""
        if selected:
            return self.selected.get(role, self.selected_base)
        return self.roles.get(role, self.base)

    def heated(self, score: float | None) -> Palette:
        """The palette of what has this score, 0 to 1; this one where there is none, or too few colours."""
        if score is None or not self.heat:
            return self
        roles = self.heat[max(0, min(len(self.heat) - 1, int(score * len(self.heat))))]
        return replace(self, base=roles["text"], roles=roles, heat=())

    def content(self, role: str) -> ContentStyle:
        """The role for a `textual.content.Content` span."""
        style = self._content.get(role)
        if style is None:
            rich = self.style(role)
            style = ContentStyle.from_rich_style(rich)
            self._content[role] = style
        return style


_STATES = ("passed", "failed", "error", "running")


def palette(name: str, variables: Mapping[str, str], *, ascii_only: bool = False) -> Palette:
    """The palette of a theme; `variables` are the theme's, which decide for themes that are not ours."""
    found = _found(name, variables)
    return replace(found, ascii_only=True) if ascii_only else found


def _found(name: str, variables: Mapping[str, str]) -> Palette:
    if name == TERMINAL or name.startswith("ansi"):
        return _terminal_palette()
    colours = {DARK: _DARK, LIGHT: _LIGHT}.get(name) or _foreign(variables)
    return _palette(colours)


def _foreign(variables: Mapping[str, str]) -> _Colours:
    """Roles from a Textual theme's own colours."""

    def colour(*names: str) -> str:
        from textual.color import Color

        for variable in names:
            if value := variables.get(variable):
                return Color.parse(value).hex6
        return "#808080"

    background = colour("background")
    return _Colours(
        background=background,
        panel=colour("surface"),
        selection=colour("panel", "surface"),
        text=colour("foreground"),
        muted=colour("foreground-darken-2", "foreground"),
        faint=colour("foreground-darken-3", "foreground"),
        accent=colour("accent", "primary"),
        passed=colour("success"),
        failed=colour("error"),
        error="#d58be8",
        running=colour("secondary", "primary"),
        word=colour("primary", "accent"),
        name=colour("secondary", "primary"),
        value=colour("warning", "accent"),
        heat=tuple(
            _between(background, colour(name, "accent"), share)
            for name, share in (("error", 0.4), ("error", 0.25), ("warning", 0.2), ("success", 0.15), ("success", 0.2))
        ),
    )


def _between(one: str, other: str, share: float) -> str:
    """The colour that lies `share` of the way from `one` to `other`, both `#rrggbb`."""
    both = [bytes.fromhex(colour.removeprefix("#")) for colour in (one, other)]
    return f"#{bytes(round(a + (b - a) * share) for a, b in zip(*both, strict=True)).hex()}"


def _palette(c: _Colours) -> Palette:
    def roles(background: str) -> tuple[Style, dict[str, Style]]:
        base = Style(color=c.text, bgcolor=background)
        named = {
            "text": base,
            "muted": Style(color=c.muted, bgcolor=background),
            "faint": Style(color=c.faint, bgcolor=background),
            "accent": Style(color=c.accent, bgcolor=background),
            "title": Style(color=c.text, bgcolor=background, bold=True),
            "key": Style(color=c.accent, bgcolor=background),
            "rule": Style(color=c.selection if background != c.selection else c.faint, bgcolor=background),
            "pending": Style(color=c.faint, bgcolor=background),
            "skipped": Style(color=c.muted, bgcolor=background),
            "bar": Style(color=c.accent, bgcolor=background),
            "match": Style(color=c.background, bgcolor=c.accent),
            "mark": Style(color=c.text, bgcolor=background, bold=True, underline=True),
            "panel": Style(color=c.text, bgcolor=c.panel),
            "code word": Style(color=c.word, bgcolor=background),
            "code name": Style(color=c.name, bgcolor=background),
            "code value": Style(color=c.value, bgcolor=background),
            "code note": Style(color=c.faint, bgcolor=background),
            "added": Style(color=c.passed, bgcolor=background, bold=True),
            "removed": Style(color=c.failed, bgcolor=background, bold=True),
        }
        named.update({state: Style(color=getattr(c, state), bgcolor=background) for state in _STATES})
        return base, named

    base, normal = roles(c.background)
    selected_base, selected = roles(c.selection)
    selected["text"] = selected_base = selected_base + Style(bold=True)
    return Palette(base, normal, selected_base, selected, heat=tuple(_heat(c, normal, step) for step in c.heat))


def _heat(c: _Colours, roles: Mapping[str, Style], background: str) -> dict[str, Style]:
    """The roles on a coloured background: half way to the text's colour, so that each is read on it, in 256 colours too."""
    found = {role: style + Style(bgcolor=background) for role, style in roles.items()}
    dim = {"muted": c.muted, "faint": c.faint, "pending": c.faint, "skipped": c.muted}
    for role, colour in {**dim, **{state: getattr(c, state) for state in _STATES}}.items():
        found[role] = Style(color=_between(colour, c.text, 0.5), bgcolor=background)
    return found


def _terminal_palette() -> Palette:
    base = Style(color="default", bgcolor="default")
    dim = base + Style(dim=True)
    bold = base + Style(bold=True)
    colours = {"passed": "green", "failed": "red", "error": "magenta", "running": "cyan"}
    roles = {
        "text": base, "muted": base, "faint": dim, "accent": bold, "title": bold, "key": bold, "rule": dim,
        "pending": dim, "skipped": dim, "bar": bold, "match": base + Style(reverse=True),
        "mark": base + Style(bold=True, underline=True), "panel": base,
        "added": base + Style(color="green", bold=True), "removed": base + Style(color="red", bold=True),
    }  # fmt: skip
    roles.update({state: Style(color=colour, bgcolor="default") for state, colour in colours.items()})
    reverse = base + Style(reverse=True)
    selected = dict.fromkeys(roles, reverse)
    selected["bar"] = bold
    selected["title"] = selected["accent"] = selected["key"] = reverse + Style(bold=True)
    selected["match"] = base + Style(bold=True, underline=True)
    selected["mark"] = reverse + Style(bold=True, underline=True)
    return Palette(base, roles, reverse, selected)


def state_role(state: str) -> str:
    """The role a run's state is painted in."""
    return {
        "running": "running",
        "paused": "accent",
        "completed": "passed",
        "stopped": "muted",
        "aborted": "error",
        "error": "error",
        "interrupted": "accent",
    }.get(state, "muted")
