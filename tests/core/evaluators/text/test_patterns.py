"""Patterns of suite files: what compiles, what is found, and how far a text is looked at."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.evaluators.text.patterns import MAX_TEXT, is_whole, matches, occurs, pattern_problem, trimmed
from modex.core.foundation.errors import ErrorType, JudgeError
from tests.rows import each_row


@each_row(
    ("pattern", "said"),
    [
        ("a+", None),
        ("", "a pattern is a text that is not empty"),
        (None, "a pattern is a text that is not empty"),
        (5, "a pattern is a text that is not empty"),
        ("(", "the pattern '(' does not compile"),
    ],
)
def test_a_pattern_is_a_text_that_compiles(pattern: Any, said: str | None) -> None:
    found = pattern_problem(pattern)
    assert found is None if said is None else str(found).startswith(said)


def test_matches_come_in_order_and_overlap_only_where_asked() -> None:
    assert [found.start() for found in matches("aa", "aaaa")] == [0, 2]
    assert [found.start() for found in matches("aa", "aaaa", overlapped=True)] == [0, 1, 2]
    assert [found.group() for found in matches("a", "aA")] == ["a"]
    assert [found.group() for found in matches("a", "aA", ignore_case=True)] == ["a", "A"]


def test_a_pattern_that_does_not_compile_is_an_error_of_the_evaluator() -> None:
    with pytest.raises(JudgeError, match="does not compile") as caught:
        list(matches("(", "x"))
    assert caught.value.error_type == ErrorType.EVALUATOR_ERROR


def test_of_a_long_text_the_end_is_read() -> None:
    assert occurs(r"\Aa", "a" + "x" * (MAX_TEXT - 1))
    assert not occurs(r"\Aa", "a" + "x" * MAX_TEXT)
    assert MAX_TEXT == 1_000_000


def test_a_pattern_may_have_to_match_the_whole_text() -> None:
    assert is_whole("a|ab", "ab")
    assert not is_whole("a|b", "ab")
    assert not is_whole("a", "a\n")
    assert not occurs("a", "A")
    assert trimmed("  a \t\n b  \n\n") == "a\n b"
