"""When two results are the same, against every order and choice of columns tried one after the other."""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from modex.core.evaluators.sql.compare import ColumnRule, Row, RowsComparison, compare_results, values_equal
from tests.core.answers.tables import differing
from tests.rows import each_row

VALUES = st.sampled_from([1, 1.04, 2, 2.04, "1", None])
ROWS = st.integers(1, 2).flatmap(lambda width: st.lists(st.lists(VALUES, min_size=width, max_size=width), max_size=4))


def compared(
    gold: list[Row],
    got: list[Row],
    columns: ColumnRule = "exact",
    tolerance: float = 1e-6,
    runs: list[int] | None = None,
) -> RowsComparison:
    """Of rows that are there: their widths are those of the first."""
    return compare_results(gold, got, len(gold[0]), len(got[0]), columns=columns, tolerance=tolerance, runs=runs)


@given(ROWS, st.data())
def test_rows_are_the_same_where_some_order_of_them_is(gold: list[list[Any]], data: st.DataObject) -> None:
    got = [list(row) for row in data.draw(st.permutations(gold))]
    spoiled: bool = data.draw(st.booleans())
    if got and spoiled:
        got[data.draw(st.integers(0, len(got) - 1))][0] = data.draw(VALUES)
    cut = data.draw(st.integers(0, len(gold)))
    width = len(gold[0]) if gold else 1
    for runs in (None, [length for length in (cut, len(gold) - cut) if length]):
        found = compare_results(gold, got, width, width, tolerance=0.05, runs=runs).equal
        assert found == any(
            all(
                values_equal(one, other, 0.05)
                for row, place in enumerate(order)
                for one, other in zip(gold[row], got[place], strict=True)
            )
            and (runs is None or all((row < cut) == (place < cut) for row, place in enumerate(order)))
            for order in permutations(range(len(got)))
        )


@each_row(
    ("gold", "got", "columns", "equal", "mapping"),
    [
        ([[1, "a"]], [[1, "a"]], "exact", True, (0, 1)),
        ([[1, "a"]], [["a", 1]], "exact", False, (0, 1)),
        ([[1, "a"]], [["a", 1]], "any_order", True, (1, 0)),
        ([[1, 1]], [[1, 1]], "any_order", True, (0, 1)),
        ([[1, 2], [2, 1]], [[2, 1], [1, 2]], "any_order", True, (0, 1)),
        ([[1, 2], [2, 3]], [[2, 2], [3, 1]], "any_order", False, (1, 0)),
        ([["b", 1]], [["a", 1]], "any_order", False, ()),
        ([[1]], [[1, 2]], "any_order", False, ()),
        ([[1]], [[1, 2]], "exact", False, ()),
        ([[2]], [[1, 2]], "superset", True, (1,)),
        ([[1, 2]], [[1]], "superset", False, ()),
        ([[None, None]], [[1, None, None]], "superset", True, (1, 2)),
        ([[1, 2, 3]], [[3, 1, 2]], "any_order", True, (1, 2, 0)),
    ],
)
def test_the_columns_stand_as_the_rule_allows(
    gold: list[Row], got: list[Row], columns: ColumnRule, equal: bool, mapping: tuple[int, ...]
) -> None:
    found = compared(gold, got, columns)
    assert (found.equal, found.mapping) == (equal, mapping)


@each_row(
    ("gold", "got", "runs", "why"),
    [
        ([[1]], [[1, 2]], None, "2 columns instead of 1"),
        ([[1, 2]], [[1]], None, "1 column instead of 2"),
        ([[1], [2]], [[1]], None, "1 row instead of 2"),
        ([[1]], [[1], [2]], None, "2 rows instead of 1"),
        ([[1, "a"]], [[1, "b"]], None, "expected (1, 'a'), got (1, 'b')"),
        ([[1], [2], [3]], [[3], [1], [2]], None, ""),
        ([[1], [2], [3]], [[2], [1], [3]], [2, 1], ""),
        (
            [[1], [2], [3]],
            [[1], [3], [2]],
            [2, 1],
            "the right rows in another order: (3,) at row 2 instead of (2,)",
        ),
        (
            [[1], [2], [3]],
            [[1], [3], [2]],
            [1, 1, 1],
            "the right rows in another order: (3,) at row 2 instead of (2,)",
        ),
        ([["x" * 300]], [[1]], None, f"expected ('{'x' * 198}…, got (1,)"),
        ([["x" * 195]], [[1]], None, f"expected ('{'x' * 195}',), got (1,)"),
    ],
)
def test_the_first_difference_is_named(gold: list[Row], got: list[Row], runs: list[int] | None, why: str) -> None:
    assert compared(gold, got, runs=runs).why == why


def test_no_rows_are_the_same_whatever_their_number_of_columns_may_be() -> None:
    assert compare_results([], [], 1, 2, columns="superset").equal
    assert not compare_results([], [], 1, 2).equal
    assert compare_results([], [], 1, 1).equal


def test_near_rows_are_paired_as_well_as_can_be_up_to_400_of_them() -> None:
    shifted: list[Row] = [[n + 1e-7] for n in range(401)]
    assert compared([[float(n)] for n in range(400)], shifted[399::-1]).equal
    assert not compared([[float(n)] for n in range(401)], shifted[::-1]).equal


def test_a_row_gives_its_partner_away_where_it_has_another_one() -> None:
    assert compared([[1.02], [1.06], [1.10]], [[1.04], [1.08], [1.0]], tolerance=0.03).equal
    assert compared([[1.02], [1.06]], [[1.04], [1.0]], tolerance=0.03).equal
    assert not compared([[1.02], [1.06], [1.10]], [[1.04], [1.08], [0.9]], tolerance=0.03).equal


@each_row(
    ("left", "right", "same"),
    [
        (1, 1.0, True),
        (1, 1.1, False),
        (1.0, 1 + 9e-7, True),
        (1.0, 1 + 2e-6, False),
        (2**60, 2**60 + 1, False),
        (1, "1", False),
        ("1", 1, False),
        ("a", "a", True),
        ("a", "A", False),
        (None, None, True),
        (None, 0, False),
        (None, "", False),
        (b"a", b"a", True),
        (b"a", "a", False),
    ],
)
def test_values_keep_their_types(left: Any, right: Any, same: bool) -> None:
    assert values_equal(left, right) is same


_COMPARED = r"""
[[1]]|[[1]]|exact|- => True (0,)
[[1]]|[[2]]|exact|- => False (0,) expected (1,), got (2,)
[[1],[2]]|[[2],[1]]|exact|- => True (0,)
[[1],[2]]|[[2],[1]]|exact|1,1 => False (0,) the right rows in another order: (2,) at row 1 instead of (1,)
[[1],[2]]|[[2],[1]]|exact|2 => True (0,)
[[1,2]]|[[2,1]]|exact|- => False (0, 1) expected (1, 2), got (2, 1)
[[1,2]]|[[2,1]]|any_order|- => True (1, 0)
[[1]]|[[1,2]]|exact|- => False () 2 columns instead of 1
[[1]]|[[2,1]]|superset|- => True (1,)
[[1]]|[[2,3]]|superset|- => False () no choice of columns gives the expected values
[[1,1]]|[[1]]|superset|- => False () 1 column instead of 2
[[1]]|[[1],[1]]|exact|- => False () 2 rows instead of 1
[[1.0]]|[[1]]|exact|- => True (0,)
[[1.0000001]]|[[1]]|exact|- => True (0,)
[["1"]]|[[1]]|exact|- => False (0,) expected ('1',), got (1,)
[[null]]|[[null]]|exact|- => True (0,)
[[null]]|[[0]]|exact|- => False (0,) expected (None,), got (0,)
[[1,"a"],[2,"b"]]|[["b",2],["a",1]]|any_order|- => True (1, 0)
[[1,"a"],[2,"b"]]|[["a",2],["b",1]]|any_order|- => False (1, 0) expected (1, 'a'), got (2, 'a')
[[1],[1],[2]]|[[1],[2],[2]]|exact|- => False (0,) expected (1,), got (2,)
[[1,5],[1,6],[2,7]]|[[1,6],[1,5],[2,7]]|exact|2,1 => True (0, 1)
[]|[]|exact|- => True (0,)
"""
"""Gold rows, got rows, the rule of columns, the gold's stretches of equal keys: equal or not, by which columns, and why not."""


def read_line(line: str) -> str:
    gold, got, columns, runs = line.split("|")
    one, other = json.loads(gold), json.loads(got)
    widths = [len(rows[0]) if rows else 1 for rows in (one, other)]
    found = compare_results(
        one,
        other,
        *widths,
        columns=cast("ColumnRule", columns),
        runs=None if runs == "-" else [int(length) for length in runs.split(",")],
    )
    return f"{found.equal} {found.mapping} {found.why}".strip()


def test_rows_are_equal_in_any_order_unless_the_gold_is_ordered() -> None:
    assert differing(_COMPARED, read_line) == []
