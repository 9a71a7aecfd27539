from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from modex.tui.look.text import fit, fit_middle, line, message, plain, shown, told_apart, width_of
from tests.rows import each_row
from tests.tui.hostile import HOSTILE, is_harmless


@given(st.text(max_size=60), st.integers(0, 40), st.sampled_from(["left", "right"]))
def test_fitted_text_has_exactly_the_width_asked_for(text: str, width: int, align: str) -> None:
    fitted = fit(text, width, align)
    assert cell_len(fitted) == width


@given(st.text(max_size=60), st.integers(1, 40))
def test_text_cut_in_the_middle_has_the_width_asked_for(text: str, width: int) -> None:
    assert cell_len(fit_middle(text, width)) == width


@given(st.text())
def test_shown_text_is_one_line_without_anything_a_terminal_acts_on(text: str) -> None:
    safe = shown(text)
    assert "\n" not in safe
    assert is_harmless(safe)


def test_a_hostile_text_is_harmless_in_every_form() -> None:
    for text in HOSTILE:
        for form in (plain(text).plain, line(text).plain, message(text), shown(text)):
            assert is_harmless(form.replace("\n", "")), repr(form)


def test_markup_is_kept_as_text() -> None:
    assert plain("[@click=app.quit]x[/]").plain == "[@click=app.quit]x[/]"
    assert not plain("[bold]x[/]").spans


def test_a_name_cut_in_the_middle_keeps_both_ends() -> None:
    assert fit_middle("anthropic/claude-sonnet-4-5", 15) == "anthrop…net-4-5"
    assert fit_middle("short", 8) == "short   "


def test_names_are_cut_so_that_they_do_not_look_alike() -> None:
    assert told_apart(["demo/strong", "demo", "demo/weak"], 6) == ["…trong", "demo", "…/weak"]
    assert told_apart(["anthropic/claude", "openai/gpt"], 12) == ["anthr…claude", "openai/gpt"]


@given(st.lists(st.text(max_size=30), max_size=4), st.integers(1, 30))
def test_names_that_are_told_apart_have_at_most_the_width_asked_for(names: list[str], width: int) -> None:
    assert all(width_of(name) <= width for name in told_apart(names, width))


def test_wide_signs_count_double() -> None:
    assert width_of("数学") == 4
    assert fit("数学ab", 5) == "数学…"


@each_row(
    ("text", "drawn"),
    [
        ("from 🇩🇪 to 🇫🇷🇮🇹", "from [DE] to [FR][IT]"),
        ("half a flag: 🇩.", "half a flag: [D]."),
        ("👍🏽 and 👋🏿", "👍[medium] and 👋[dark]"),
    ],
)
def test_flags_and_skin_tones_are_written_out(text: str, drawn: str) -> None:
    assert shown(text) == drawn
    assert shown(drawn) == drawn
