from __future__ import annotations

from rich.cells import cell_len

from modex.tui.look.paint import strip
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
