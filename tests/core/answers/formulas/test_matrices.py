"""A matrix is one in every form that people write, and a determinant is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.answers.formulas.cleaning import cleaned
from modex.core.answers.formulas.exact import exact_value
from modex.core.answers.formulas.matrices import determinant, read_grid
from modex.core.answers.formulas.tree import FormulaError, number
from tests.rows import each_row

_ROWS = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(st.integers(-99, 99), min_size=width, max_size=width), min_size=1, max_size=4)
)


@given(_ROWS)
def test_every_form_has_the_same_cells(rows: list[list[int]]) -> None:
    body = r" \\ ".join(" & ".join(map(str, row)) for row in rows)
    cells = tuple(tuple(map(str, row)) for row in rows)
    array = rf"\left[\begin{{array}}{{{'c' * len(rows[0])}}} {body} \end{{array}}\right]"
    for text in (rf"\begin{{pmatrix}}{body}\end{{pmatrix}}", array, str(rows), f"np.array({rows})"):
        grid = read_grid(cleaned(text))
        assert grid is not None
        assert grid.rows == cells
        assert not grid.determinant


@each_row(
    ("rows", "value"),
    [([[7]], 7), ([[1, 2], [3, 4]], -2), ([[2, 0, 1], [1, 3, 2], [1, 1, 4]], 18), ([[0, 1], [1, 0]], -1)],
)
def test_a_determinant_has_its_value(rows: list[list[int]], value: int) -> None:
    assert exact_value(determinant(tuple(tuple(number(cell) for cell in row) for row in rows)), {}) == value


@each_row(
    "text",
    [r"\begin{pmatrix}1&2\cr3\end{pmatrix}", "[[1,2],[3]]", r"\begin{Vmatrix}1&2\cr3&4\end{Vmatrix}", "[[1,],[2,3]]"],
)
def test_rows_that_make_no_matrix_are_refused(text: str) -> None:
    with pytest.raises(FormulaError):
        read_grid(text)


@each_row("text", ["[1,2]", "[1;2]", "(1,2,3)", "x = 5", r"\begin{cases}1\end{cases}", "[[", r"\begin{pmatrix}1"])
def test_what_is_no_matrix_is_left_to_others(text: str) -> None:
    assert read_grid(text) is None
