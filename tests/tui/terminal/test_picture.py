"""What is sent is what differs, and the terminal then shows exactly the newest frame, signs and colours."""

from __future__ import annotations

import re

import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate
from textual.strip import Strip

from modex.tui.terminal.driver import TerminalDriver
from modex.tui.terminal.picture import Picture

WIDTH, HEIGHT = 24, 3
STYLES = (
    None,
    Style(color="#ff0000"),
    Style(color="#ff0000", bgcolor="#000080"),
    Style(bgcolor="#000080"),
    Style(bold=True, color="#00ff00"),
    Style(underline=True),
    Style(reverse=True, dim=False),
    Style(color="default", bgcolor="default", italic=True),
)
SEGMENTS = st.tuples(st.sampled_from([" ", "a", "b", "●", "▐", "  ", "ab cd", "漢", "漢字x"]), st.sampled_from(STYLES))


def _line(parts: list[tuple[str, Style | None]]) -> Strip:
    return Strip([Segment(text, style) for text, style in parts]).adjust_cell_length(WIDTH)


LINES = st.lists(SEGMENTS, max_size=10).map(_line)
FRAMES = st.lists(LINES, min_size=HEIGHT, max_size=HEIGHT)


class _Screen:
    """A terminal, and what it shows."""

    def __init__(self) -> None:
        self.screen = pyte.Screen(WIDTH, HEIGHT)
        self.screen.reset_mode(pyte.modes.DECAWM)
        self.stream = pyte.Stream(self.screen)

    @property
    def cells(self) -> list[list[tuple[object, ...]]]:
        """Each cell; on a blank one the colour of a sign is not seen."""
        found = []
        for y in range(HEIGHT):
            row = []
            for x in range(WIDTH):
                cell = self.screen.buffer[y][x]
                blank = cell.data == " " and not (cell.underscore or cell.reverse or cell.strikethrough)
                row.append((" ", cell.bg) if blank else tuple(cell))
            found.append(row)
        return found


def _whole(lines: list[Strip]) -> _Screen:
    """What a terminal shows that was sent nothing but this frame, whole and piece by piece with a reset behind each."""
    found = _Screen()
    for y, strip in enumerate(lines):
        found.stream.feed(f"\x1b[{y + 1}H")
        for text, style, _ in strip:
            found.stream.feed(text if style is None else style.render(text, color_system=ColorSystem.TRUECOLOR))
    return found


@pytest.mark.long
@settings(max_examples=150, deadline=None)
@given(st.lists(FRAMES, min_size=1, max_size=4))
def test_after_each_frame_the_terminal_shows_what_was_painted(frames: list[list[Strip]]) -> None:
    picture, terminal = Picture(ColorSystem.TRUECOLOR), _Screen()
    for lines in frames:
        picture.draw_all([[line] for line in lines])
        terminal.stream.feed(picture.frame())
        assert terminal.cells == _whole(lines).cells
        assert picture.frame() == "", "nothing is sent twice"


@pytest.mark.long
@settings(max_examples=150, deadline=None)
@given(FRAMES, st.lists(st.tuples(st.integers(0, HEIGHT - 1), LINES), max_size=6), st.booleans())
def test_frames_that_were_never_sent_are_merged_into_the_next(
    first: list[Strip], pieces: list[tuple[int, Strip]], sent: bool
) -> None:
    picture, terminal = Picture(ColorSystem.TRUECOLOR), _Screen()
    picture.draw_all([[line] for line in first])
    if sent:
        terminal.stream.feed(picture.frame())
    lines = list(first)
    for y, strip in pieces:
        picture.draw(y, 0, strip)
        lines[y] = strip
    terminal.stream.feed(picture.frame())
    assert terminal.cells == _whole(lines).cells


def _picture(*lines: str) -> Picture:
    picture = Picture(ColorSystem.TRUECOLOR)
    picture.draw_all([[Strip([Segment(line)])] for line in lines])
    picture.frame()
    return picture


def test_a_clock_that_moves_by_a_second_costs_one_sign() -> None:
    picture = _picture("running          0:59:58", " " * 24)
    picture.draw(0, 0, Strip([Segment("running          0:59:59")]))
    assert picture.frame() == "\x1b[1;24H\x1b[m9"


def test_a_piece_of_a_line_leaves_the_rest_as_it_is() -> None:
    picture = _picture("left    right")
    picture.draw(0, 8, Strip([Segment("there and beyond the edge")]))
    assert re.sub(r"\x1b\[[0-9;]*[mHC]", "", picture.frame()) == "there"


def test_a_frame_that_went_away_before_it_was_sent_sends_nothing() -> None:
    picture = _picture("one")
    picture.draw(0, 0, Strip([Segment("two")]))
    picture.draw(0, 0, Strip([Segment("one")]))
    assert picture.changed
    assert picture.frame() == ""


@pytest.mark.parametrize("sign", ["漢", "e\u0301", "👍🏽"])
def test_a_line_with_signs_whose_width_terminals_disagree_about_goes_whole(sign: str) -> None:
    before = Strip([Segment(f"{sign} first ")]).adjust_cell_length(12)
    after = Strip([Segment(f"{sign} first2")]).adjust_cell_length(12)
    picture = Picture(ColorSystem.TRUECOLOR)
    picture.draw_all([[before]])
    picture.frame()
    picture.draw(0, 0, after)
    assert picture.frame().startswith("\x1b[1H")


def test_a_picture_that_was_lost_is_sent_whole() -> None:
    picture = _picture("one", "two")
    picture.forget()
    assert re.sub(r"\x1b\[[0-9;]*[mHC]", "|", picture.frame()) == "||one|two"


def test_another_size_is_sent_whole() -> None:
    picture = _picture("one", "two")
    picture.draw_all([[Strip([Segment("one!")])], [Strip([Segment("two!")])]])
    assert "one!" in picture.frame()


def test_of_a_piece_only_its_span_is_taken_and_no_sign_of_two_cells_is_cut() -> None:
    picture, terminal = Picture(ColorSystem.TRUECOLOR), _Screen()
    picture.draw_all([[Strip([Segment("x" * WIDTH)])]])
    piece = Strip([Segment("ab"), Segment("漢"), Segment("cd"), Segment("字"), Segment(" " * 8)])
    for x, strip, span in ((2, piece, (3, 8)), (12, Strip([Segment("y" * 12)]), (20, 22)), (0, piece, (9, 9))):
        picture.draw(0, x, strip, span)
    terminal.stream.feed(picture.frame())
    assert _text(terminal) == "xxxb漢cdxxxxxxxxxxxxyyxx"
    picture.draw(0, 2, piece, (5, 9))
    terminal.stream.feed(picture.frame())
    assert _text(terminal) == "xxxb漢cd字xxxxxxxxxxyyxx"


def _text(terminal: _Screen) -> str:
    return terminal.screen.display[0].rstrip()


def test_an_update_paints_nothing_outside_of_its_spans() -> None:
    """Textual fills the rest of the line with the screen's empty ground, whatever stands there."""
    driver = object.__new__(TerminalDriver)
    driver._picture, driver._trying, driver._writer_thread = Picture(ColorSystem.TRUECOLOR), None, None
    driver._picture.draw_all([[Strip([Segment("matrix | the log")])]])
    chops = [{0: Strip([Segment("MATRIX")]), 6: Strip([Segment(" " * 10)])}]
    driver.show(ChopsUpdate(chops, [(0, 0, 6)], [[6, 16]]), (0, 0), synchronized=False)
    terminal = _Screen()
    terminal.stream.feed(driver._picture.frame())
    assert _text(terminal) == "MATRIX | the log"
