from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.config.runconfig import DatasetSpec
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.datasets.mapping import level_of, map_columns
from tests.rows import each_row


@each_row(
    ("value", "level"),
    [
        (1, 1),
        (5.0, 5),
        ("3", 3),
        ("Level 4", 4),
        ("level_2", 2),
        ("L1", 1),
        ("lvl-5", 5),
        ("3.0", 3),
        ("Easy", 1),
        ("medium", 3),
        ("HARD", 5),
        ("very_hard", 5),
    ],
)
def test_levels_are_read_in_many_spellings(value: Any, level: int) -> None:
    assert level_of(value) == level


@each_row("value", [0, 6, 2.5, True, None, "", "B2", "33", [], "level"])
def test_what_is_no_level_is_none(value: Any) -> None:
    assert level_of(value) is None


@given(st.none() | st.booleans() | st.integers() | st.floats() | st.text())
def test_any_value_is_a_level_from_1_to_5_or_none(value: Any) -> None:
    assert level_of(value) in (None, 1, 2, 3, 4, 5)


@each_row(
    ("columns", "question", "answer"),
    [
        (["question", "answer"], "question", "answer"),
        (["Prompt", "Expected"], "Prompt", "Expected"),
        (["input", "target", "id"], "input", "target"),
        (["problem", "solution", "answer"], "problem", "answer"),
        (["context", "question", "answerKey"], "question", "answerKey"),
        (["text", "label"], "text", "label"),
    ],
)
def test_the_likeliest_columns_are_taken(columns: list[str], question: str, answer: str) -> None:
    found, _ = map_columns(DatasetSpec(path="x"), [dict.fromkeys(columns, "v")], "x")
    assert (found.question, found.answer) == (question, answer)


def test_named_columns_are_not_said_as_guesses() -> None:
    spec = DatasetSpec(
        path="x", question_field="a", answer_field="b", level_field="c", category_field="d", id_field="e"
    )
    found, guesses = map_columns(spec, [{"a": "q", "b": "x", "c": 1, "d": "k", "e": "1"}], "x")
    assert guesses == []
    assert found.used() == {"a", "b", "c", "d", "e"}


def test_a_missing_column_lists_those_there_are() -> None:
    with pytest.raises(ConfigurationError, match=r"no row has the answer column 'zzz'; there are question, other"):
        map_columns(DatasetSpec(path="x", answer_field="zzz"), [{"question": "q", "other": 1}], "x")


@each_row(
    ("value", "level"),
    [
        *((number, number) for number in range(1, 6)), (0, None), (6, None), (4.0, 4), (4.5, None), (True, None), (None, None),
        ("3", 3), ("Level 3", 3), ("6", None), (" Easy ", 1), ("medium", 3), ("HARD", 5), ("soon", None), ([3], None),
    ],
)  # fmt: skip
def test_levels_are_read_as_people_write_them(value: object, level: int | None) -> None:
    assert level_of(value) == level
