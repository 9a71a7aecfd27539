from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from modex.tui.look.paint import Line, columns
from modex.tui.widgets.columns import GAP, ListColumn, column_at, header, row, widths
from tests.rows import each_row

LAYOUT = (
    ListColumn("a", 1),
    ListColumn("name", 8, grow=2, max_width=30),
    ListColumn("n", 5, align="right"),
    ListColumn("cost", 7, from_width=60),
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
        ListColumn("name", 8),
        ListColumn("score", 5, align="right", sorts="s"),
        ListColumn("err", 3, align="right", sorts="e"),
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


NAME, SCORE, WHEN = (
    ListColumn("name", 10, grow=1),
    ListColumn("score", 5, align="right", sorts="score"),
    ListColumn("when", 8),
)


def written(parts: Line) -> str:
    return "".join(part[0] for part in parts)


@each_row(
    ("layout", "room", "sizes"),
    [
        ([NAME, SCORE], 17, [10, 5]),
        ([NAME, SCORE], 27, [20, 5]),
        ([NAME, SCORE], 15, [8, 5]),
        ([NAME, SCORE], 5, [4, 5]),
        ([SCORE, WHEN], 5, [5, 8]),
        ([SCORE, WHEN], 99, [5, 8]),
        ([NAME, ListColumn("x", 4, from_width=30)], 29, [29, 0]),
        ([NAME, ListColumn("x", 4, from_width=30)], 30, [24, 4]),
        ([NAME, ListColumn("x", 10, grow=3)], 42, [15, 25]),
        ([NAME, ListColumn("x", 10, grow=3, max_width=12)], 42, [28, 12]),
        ([ListColumn("a", 4, grow=1, max_width=6), ListColumn("b", 4, grow=1, max_width=6)], 40, [6, 6]),
        ([ListColumn("a", 4, grow=1), ListColumn("b", 4, grow=1), ListColumn("c", 4, grow=1)], 20, [6, 5, 5]),
        ([], 20, []),
    ],
)
def test_spare_room_is_shared_out_and_the_first_that_grows_shrinks(
    layout: list[ListColumn], room: int, sizes: list[int]
) -> None:
    assert widths(layout, room) == sizes


def test_a_row_fills_exactly_its_columns() -> None:
    layout, sizes = [NAME, SCORE, WHEN], [6, 5, 4]
    assert written(row(layout, sizes, [("abc", "text"), ("7", "text"), ("now", "text")])) == "abc         7  now "
    assert written(row(layout, sizes, [("abcdefgh", "text"), ("7", "text"), ("n", "text")])) == "abcde…      7  n   "
    assert written(row(layout, sizes, [("abc", "text"), ("rest of it", "text")])) == "abc      rest of it"
    assert written(row(layout, [6, 0, 4], [("a", "text"), ("7", "text"), ("n", "text")])) == "a       n   "
    assert (
        written(row(layout, sizes, [("a", "text"), ("7", "text"), ("n", "text")], ("!", "bad")))
        == "a     !     7  n   "
    )
    painted = row(layout, sizes, [("a", "text"), lambda width: [("#" * (width - 2), "text")], ("n", "text")])
    assert written(painted) == "a       ###    n   "
    assert columns(painted) == sum(sizes) + 2 * GAP


def test_the_column_that_is_sorted_by_carries_the_mark() -> None:
    layout = [NAME, SCORE, ListColumn("when", 8, sorts="when")]
    assert written(header(layout, [6, 7, 8])) == "name      score  when    "
    assert written(header(layout, [6, 7, 8], "score")) == "name    ↓ score  when    "
    assert written(header(layout, [6, 6, 8], "score")) == "name    ↓score  when    "
    assert written(header(layout, [6, 5, 8], "score")) == "name   ↓score  when    "
    assert written(header(layout, [6, 5, 8], "when")) == "name    score  when ↓  "
    assert written(header(layout, [6, 0, 8], "when", "v")) == "name    when v  "
    assert [role for _, role in header(layout, [6, 5, 8], "when")][-1] == "muted"
    assert [role for _, role in header(layout, [6, 5, 8])][-1] == "faint"


@each_row(
    ("x", "sorts"),
    [(0, None), (7, None), (8, "score"), (14, "score"), (15, "when"), (24, "when"), (25, None), (-1, None)],
)
def test_a_click_finds_its_column(x: int, sorts: str | None) -> None:
    layout = [NAME, SCORE, ListColumn("gone", 9, sorts="gone"), ListColumn("when", 8, sorts="when")]
    assert column_at(layout, [6, 5, 0, 8], x) == sorts
