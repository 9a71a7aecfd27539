"""The truth value that a statement names."""

from __future__ import annotations

import pytest

from core.evaluators.text.boolean import _statement


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("it is true", (True, False)),
        ("that is false", (False, False)),
        ("it is not true", (False, False)),
        ("it is not never true", (True, False)),
        ("the answer is yes", (True, False)),
        ("i would say no", (False, False)),
        ("never", (False, True)),
        ("not", (False, True)),
        ("not at all", None),
        ("true and false", None),
        ("i do not know", None),
        ("one two three four five six no", None),
    ],
)
def test_a_statement_names_one_truth_value_turned_by_each_negation_or_none(
    words: str, named: tuple[bool, bool] | None
) -> None:
    assert _statement(words.split()) == named
