"""A table fails when one row does, and says which."""

from __future__ import annotations

import pytest

from tests.rows import each_row


def test_every_row_is_tried_and_each_that_fails_is_named() -> None:
    seen: list[int] = []

    @each_row("number, limit", [(1, 2), (3, 2), (2, 2), (9, 2)])
    def test(number: int, limit: int) -> None:
        seen.append(number)
        assert number <= limit, number

    with pytest.raises(ExceptionGroup, match="2 of 4 rows") as failed:
        test()
    assert seen == [1, 3, 2, 9]
    assert [error.__notes__[-1] for error in failed.value.exceptions] == ["in row 2: 3, 2", "in row 4: 9, 2"]


def test_a_failure_of_any_kind_is_one() -> None:
    @each_row("kind", ["assert", "fail", "raise"], ids=str.upper)
    def test(kind: str) -> None:
        if kind == "fail":
            pytest.fail("no")
        if kind == "raise":
            raise LookupError(kind)
        assert kind != "assert"

    with pytest.raises(ExceptionGroup) as failed:
        test()
    assert [error.__notes__[-1] for error in failed.value.exceptions] == [
        "in row ASSERT",
        "in row FAIL",
        "in row RAISE",
    ]


def test_a_table_within_a_table_names_both_rows() -> None:
    @each_row("outer", [1, 2])
    @each_row(("inner",), [1, 5])
    def test(outer: int, inner: int) -> None:
        assert outer + inner < 7

    with pytest.raises(AssertionError) as failed:
        test()
    assert failed.value.__notes__ == ["in row 2: 5", "in row 2: 2"]


def test_what_holds_for_every_row_holds() -> None:
    @each_row("value", [pytest.param((1, 2), id="pair"), (3, 4)])
    def test(value: tuple[int, int]) -> None:
        assert len(value) == 2

    test()


def test_a_table_that_cannot_hold_anything_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="without rows"):
        each_row("value", [])
    with pytest.raises(ValueError, match="not 2 values"):
        each_row("one, other", [(1,)])
    with pytest.raises(ValueError, match="no marks"):
        each_row("value", [pytest.param(1, marks=pytest.mark.process)])
