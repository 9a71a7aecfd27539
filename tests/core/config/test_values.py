"""What a person gave, read as the value it should be."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.config.values import Read, names, number, one_of, starts_formula, switch, text, texts, unguarded
from modex.core.foundation.usage import Usage
from tests.rows import each_row

REFUSED = object()


@each_row(
    ("read", "value", "found"),
    [
        (text, "a", "a"),
        (text, 1, REFUSED),
        (names, "a, b ,,c", ["a", "b", "c"]),
        (names, "", []),
        (names, ' ["a,b", "c"]', ["a,b", "c"]),
        (names, "[1]", REFUSED),
        (names, "[", REFUSED),
        (names, ["a"], ["a"]),
        (names, ["a", 1], REFUSED),
        (names, 3, REFUSED),
        (texts, "a", ["a"]),
        (texts, [1, "b"], ["1", "b"]),
        (texts, 1, ["1"]),
        (texts, True, REFUSED),
        (texts, [1.5], REFUSED),
        (one_of("a", "b"), "b", "b"),
        (one_of("a", "b"), "c", REFUSED),
        (switch, True, True),
        (switch, "On", True),
        (switch, "1", True),
        (switch, "yes", True),
        (switch, "y", True),
        (switch, "true", True),
        (switch, "false", False),
        (switch, "n", False),
        (switch, "no", False),
        (switch, "off", False),
        (switch, "0", False),
        (switch, 1, REFUSED),
        (switch, "maybe", REFUSED),
        (number(), "1.5", 1.5),
        (number(), 2, 2.0),
        (number(), "x", REFUSED),
        (number(), True, REFUSED),
        (number(), None, REFUSED),
        (number(), "nan", REFUSED),
        (number(), "inf", REFUSED),
        (number(), float("-inf"), REFUSED),
        (number(whole=True), "3", 3),
        (number(whole=True), "3.0", REFUSED),
        (number(whole=True), 3.0, REFUSED),
        (number(whole=True), True, REFUSED),
        (number(above=1), 1, REFUSED),
        (number(above=1), 1.1, 1.1),
        (number(least=1), 1, 1.0),
        (number(least=1), 0.9, REFUSED),
        (number(most=3), 3, 3.0),
        (number(most=3), 3.1, REFUSED),
        (number(least=1, most=3), "2", 2.0),
    ],
)
def test_a_value_is_read_or_refused(read: Read, value: Any, found: Any) -> None:
    if found is REFUSED:
        with pytest.raises((ValueError, TypeError)):
            read(value)
    else:
        assert (read(value), type(read(value))) == (found, type(found))


@each_row(
    ("read", "said"),
    [
        (number(), "must be a number"),
        (number(above=0), "must be a number above 0"),
        (number(least=1, whole=True), "must be a whole number of at least 1"),
        (number(most=3), "must be a number, at most 3"),
        (number(least=0.5, most=3), "must be a number of at least 0.5 and at most 3"),
    ],
)
def test_a_refusal_says_what_it_must_be(read: Read, said: str) -> None:
    with pytest.raises(ValueError, match=f"^{said}$"):
        read("x")


def test_tokens_add_up_by_kind() -> None:
    both = Usage(1, 20, 300, 4000) + Usage(5, 60, 700, 8000)
    assert both == Usage(6, 80, 1000, 12000)
    assert both.as_dict() == {"prompt": 6, "completion": 80, "reasoning": 1000, "cached": 12000}
    assert Usage() + both == both


@each_row(
    ("cell", "text"),
    [
        ("'=1", "=1"),
        ("''=1", "'=1"),
        ("'quoted", "'quoted"),
        ("=1", "=1"),
        ("'", "'"),
        ("", ""),
        ("'\t=1", "\t=1"),
        ("a'=1", "a'=1"),
    ],
)
def test_the_sign_that_guards_a_cell_is_taken_away_and_a_quote_of_its_own_is_not(cell: str, text: str) -> None:
    assert unguarded(cell) == text
    assert starts_formula(text) is (text.lstrip("'")[:1] in ("=", "\t") and text[:1] != "'")
