from __future__ import annotations

from dataclasses import fields

from rich.cells import cell_len
from rich.color import Color, ColorSystem

from modex.core.config.settings import GlyphSetting
from modex.tui.look import glyphs, theme
from modex.tui.look.glyphs import ASCII, UNICODE
from modex.tui.widgets.progress import progress_bar
from tests.rows import each_row


@each_row(
    ("setting", "environment", "encoding", "found"),
    [
        ("auto", {"LANG": "en_US.UTF-8"}, "UTF-8", UNICODE),
        ("auto", {"LANG": "C"}, "ANSI_X3.4-1968", ASCII),
        ("auto", {"LANG": "ja_JP.UTF-8"}, "UTF-8", ASCII),
        ("auto", {"LANG": "ja_JP.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "UTF-8", UNICODE),
        ("unicode", {"LANG": "C"}, "ascii", UNICODE),
        ("ascii", {}, "UTF-8", ASCII),
    ],
)
def test_signs_follow_the_setting_then_the_locale(
    setting: GlyphSetting, environment: dict[str, str], encoding: str, found: glyphs.Glyphs
) -> None:
    assert glyphs.choose(setting, environment, encoding) is found


def test_signs_take_one_column_and_the_plain_set_is_ascii() -> None:
    wide = {"enter", "up", "down", "left", "right", "levels"}
    for field in fields(glyphs.Glyphs):
        plain = getattr(ASCII, field.name)
        assert plain.isascii()
        if field.name not in wide:
            assert cell_len(getattr(UNICODE, field.name)) == len(plain) == 1


def test_how_far_a_bar_is_filled_is_seen_without_colour() -> None:
    for signs in (UNICODE, ASCII):
        parts = progress_bar(13, 40, 10, signs)
        text = "".join(text for text, _ in parts)
        assert text == 3 * signs.full + 7 * signs.empty
        assert len({signs.full, signs.half, signs.empty}) == 3


def test_the_six_states_have_six_signs() -> None:
    states = ("passed", "failed", "error", "running", "pending", "skipped")
    for signs in (UNICODE, ASCII):
        assert len({signs.status(state) for state in states}) == 6


def test_the_end_of_a_run_has_no_sign_of_a_test() -> None:
    for signs in (UNICODE, ASCII):
        tests = {signs.status(state) for state in ("passed", "failed", "error", "running", "pending", "skipped")}
        assert signs.status("completed") not in tests


@each_row(
    ("setting", "environment", "found"),
    [
        (None, {"TERM": "xterm-256color"}, theme.DARK),
        (None, {"TERM": "xterm-256color", "COLORFGBG": "0;15"}, theme.LIGHT),
        ("light", {"TERM": "xterm-256color"}, theme.LIGHT),
        ("ansi-dark", {"TERM": "xterm-256color"}, theme.TERMINAL),
        ("light", {"TERM": "xterm"}, theme.TERMINAL),
        ("light", {"TERM": "xterm-256color", "NO_COLOR": "1"}, theme.TERMINAL),
        (None, {"TERM": "xterm", "COLORTERM": "truecolor"}, theme.DARK),
        (None, {"TERM": "linux"}, theme.TERMINAL),
    ],
)
def test_few_colours_or_none_mean_the_terminals_own(
    setting: str | None, environment: dict[str, str], found: str
) -> None:
    assert theme.choose(setting, environment) == found


def test_every_palette_has_every_role() -> None:
    roles = {
        "text",
        "muted",
        "faint",
        "accent",
        "title",
        "key",
        "rule",
        "passed",
        "failed",
        "error",
        "running",
        "pending",
    }
    for name in theme.THEMES:
        palette = theme.palette(name, {})
        for role in roles:
            assert role in palette.roles
            assert role in palette.selected
        assert palette.style("nobody knows this") is palette.base


def _luminance(colour: Color) -> float:
    parts = [part / 255 for part in colour.get_truecolor()]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@each_row("name", [theme.DARK, theme.LIGHT])
@each_row("system", [ColorSystem.TRUECOLOR, ColorSystem.EIGHT_BIT])
def test_signs_and_scores_are_read_on_every_heat_and_the_weakest_differs_from_the_best(
    name: str, system: ColorSystem
) -> None:
    palette = theme.palette(name, {})
    grounds = []
    for score in (0.0, 0.25, 0.5, 0.75, 1.0):
        for role, least in (("text", 4.5), ("muted", 3.0), ("passed", 3.0), ("failed", 3.0), ("error", 3.0)):
            style = palette.heated(score).style(role)
            assert style.color is not None
            assert style.bgcolor is not None
            pair = sorted((_luminance(style.color.downgrade(system)), _luminance(style.bgcolor.downgrade(system))))
            assert (pair[1] + 0.05) / (pair[0] + 0.05) >= least, (score, role)
        assert style.bgcolor is not None
        grounds.append(style.bgcolor.downgrade(system).get_truecolor())
    assert grounds[0] != grounds[2] != grounds[4]
    assert palette.heated(None) is palette


def test_sixteen_colours_have_no_heat() -> None:
    palette = theme.palette(theme.TERMINAL, {})
    assert palette.heated(0.0) is palette


def test_a_foreign_theme_has_heat_of_its_own_colours() -> None:
    palette = theme.palette("nord", {"background": "#000000", "error": "#ff0000", "success": "#00ff00"})
    weak, good = (palette.heated(score).style("text").bgcolor for score in (0.0, 1.0))
    assert weak == Color.parse("#660000")
    assert good == Color.parse("#003300")
