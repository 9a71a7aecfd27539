"""An assertion that fails says what stood on its two sides, and holds or fails as before."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from modex.core.sandbox.bubblewrap.asserting import BothSides, telling
from tests.rows import each_row


def run(code: str, **space: Any) -> dict[str, Any]:
    exec(compile(telling(ast.parse(code), space), "<test>", "exec"), space)
    return space


@each_row(
    ("code", "told"),
    [
        ("assert f(1) == 3", ("f(1)", "3", "2")),
        ("assert f(1) != 2", ("f(1)", "!= 2", "2")),
        ("assert f(1) is None", ("f(1)", "is None", "2")),
        ("assert f(1) is not n", ("f(1)", "is not 2", "2")),
        ("assert 3 in [f(1)]", ("3", "in [2]", "3")),
        ("assert 2 not in [f(1)]", ("2", "not in [2]", "2")),
        ("assert f(1) < 2", ("f(1)", "< 2", "2")),
        ("assert f(1) <= 1", ("f(1)", "<= 1", "2")),
        ("assert f(1) > 2", ("f(1)", "> 2", "2")),
        ("assert f(1) >= 3", ("f(1)", ">= 3", "2")),
        ("if f(1):\n    assert f(f(1)) == 'a'", ("f(f(1))", "'a'", "3")),
        ("class T:\n    def test(self):\n        assert f(1) == 3\nT().test()", ("f(1)", "3", "2")),
    ],
)
def test_both_sides_are_told(code: str, told: tuple[str, str, str]) -> None:
    with pytest.raises(AssertionError) as failure:
        run(code, f=lambda x: x + 1, n=2)
    sides = failure.value.args[0]
    assert isinstance(sides, BothSides)
    assert sides.told() == told
    assert str(failure.value) == f"{told[0]} gave {told[2]}, expected {told[1]}"


@each_row(
    ("code", "words"),
    [
        ("assert f(1) == 3, 'not three'", "not three"),
        ("assert f(1) - 2", "f(1) - 2 does not hold"),
        ("assert 1 < f(1) < 2", "1 < f(1) < 2 does not hold"),
        ("assert not f(1)", "not f(1) does not hold"),
    ],
)
def test_what_compares_no_two_sides_says_what_does_not_hold(code: str, words: str) -> None:
    with pytest.raises(AssertionError) as failure:
        run(code, f=lambda x: x + 1)
    assert str(failure.value) == words


def test_sides_are_evaluated_once_and_in_their_order() -> None:
    seen: list[int] = []

    def f(x: int) -> int:
        seen.append(x)
        return x

    run("assert f(1) < f(2)\nassert f(3)\nassert f(4) == f(4), f(5)", f=f)
    assert seen == [1, 2, 3, 4, 4]
