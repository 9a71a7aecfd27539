from __future__ import annotations

from dataclasses import fields

import pytest
from rich.cells import cell_len

from core.settings import GlyphSetting
from tui import glyphs, theme
from tui.glyphs import ASCII, UNICODE
from tui.widgets.progress import progress_bar


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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
