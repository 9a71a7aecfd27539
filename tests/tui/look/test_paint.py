from __future__ import annotations

from rich.cells import cell_len

from modex.tui.look.paint import Line, columns, strip, whole_words
from modex.tui.look.theme import palette
from tests.rows import each_row


@each_row(
    ("text", "width", "painted"),
    [
        ("whole", 5, "whole"),
        ("short", 8, "short   "),
        ("cut here", 6, "cut h…"),
        ("blank beyond   ", 12, "blank beyond"),
        ("x", 0, ""),
        ("two", 1, "…"),
    ],
)
def test_a_line_that_is_cut_says_so(text: str, width: int, painted: str) -> None:
    assert strip([(text, "text")], palette("dark", {}), width).text == painted


def test_a_wide_sign_is_not_cut_in_two() -> None:
    painted = strip([("水水水水", "text")], palette("dark", {}), 5)
    assert painted.text.endswith("…")
    assert painted.cell_length == cell_len(painted.text) == 5


def test_the_sign_of_a_cut_is_ascii_where_signs_are() -> None:
    assert strip([("cut here", "text")], palette("dark", {}, ascii_only=True), 6).text == "cut h~"


@each_row(
    ("line", "width", "kept"),
    [
        ([("one two", "text")], 7, "one two"),
        ([("one two three", "text")], 12, "one two…"),
        ([("one two three", "text")], 8, "one two…"),
        ([("one two", "a"), ("  three four", "b")], 16, "one two  three…"),
        ([("one two", "a"), ("  three four", "b")], 13, "one two…"),
        ([("done  ", "a"), ("stopped, since", "b")], 16, "done  stopped…"),
        ([("a ", "a"), ("unbreakableword", "b")], 10, "a unbreak…"),
        ([("水水 水水水", "a")], 9, "水水 水…"),
        ([("one two", "text")], 5, "one…"),
        ([("one", "text")], 2, "o…"),
    ],
)
def test_a_line_is_cut_between_words(line: Line, width: int, kept: str) -> None:
    found = whole_words(line, width)
    assert "".join(text for text, _ in found) == kept
    assert columns(found) <= width
    assert found[0][1] == line[0][1]
