from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tui.look.paint import columns
from tui.widgets.columns import GAP, Column, header, row, widths

LAYOUT = (
    Column("a", 1),
    Column("name", 8, grow=2, max_width=30),
    Column("n", 5, align="right"),
    Column("cost", 7, from_width=60),
)


@given(st.integers(24, 200))
def test_columns_never_take_more_than_there_is(room: int) -> None:
    sizes = widths(LAYOUT, room)
    assert sum(sizes) + GAP * (sum(1 for size in sizes if size) - 1) <= room


def test_a_column_that_needs_room_appears_with_it() -> None:
    assert widths(LAYOUT, 59)[3] == 0
    assert widths(LAYOUT, 60)[3] == 7


@given(st.integers(24, 200), st.text(max_size=40))
def test_every_row_takes_the_same_columns_whatever_it_holds(room: int, text: str) -> None:
    sizes = widths(LAYOUT, room)
    one = row(LAYOUT, sizes, [(text, "text"), (text, "text"), ("1", "text"), ("$1", "text")])
    assert columns(one) == columns(header(LAYOUT, sizes))


def test_the_mark_of_the_sorted_column_cuts_no_title() -> None:
    layout = (
        Column("name", 8),
        Column("score", 5, align="right", sorts="s"),
        Column("err", 3, align="right", sorts="e"),
    )
    titles = {by: "".join(text for text, _ in header(layout, [8, 5, 3], by, "v")) for by in ("", "s", "e")}
    assert titles == {"": "name      score  err", "s": "name     vscore  err", "e": "name      score verr"}


def test_the_last_of_few_cells_takes_what_is_left() -> None:
    sizes = widths(LAYOUT, 59)
    parts = row(LAYOUT, sizes, [("!", "error"), ("a long remark over all columns that follow", "text")])
    assert columns(parts) == columns(header(LAYOUT, sizes))


def test_a_mark_takes_a_column_that_every_row_has() -> None:
    sizes = widths(LAYOUT, 40)
    cells = [("●", "passed"), ("name", "text"), ("5", "muted"), ("$1", "muted")]
    without = "".join(text for text, _ in row(LAYOUT, sizes, cells))
    marked = "".join(text for text, _ in row(LAYOUT, sizes, cells, ("◆", "accent")))
    assert (without[:5], marked[:5]) == ("●  na", "●◆ na")
    assert marked.replace("◆", " ") == without
