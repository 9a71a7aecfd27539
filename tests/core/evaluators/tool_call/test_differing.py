"""Where a value first is not what was expected, in words."""

from __future__ import annotations

from typing import Any

from modex.core.evaluators.tool_call.differing import place, say
from modex.core.jsonvalues.matching import difference
from tests.rows import each_row

PROGRAM = "\n".join(f"line number {n} of a program" for n in range(1, 61))
LONG = "a" * 500


@each_row(
    ("expected", "actual", "where", "words"),
    [
        (1, 2, "", "expected 1, got 2"),
        ({"f": {"date": {"from": "x", "to": 1}}}, {"f": {"date": {"from": "y", "to": 1}}}, "f.date.from",
         "expected 'x', got 'y'"),
        ({"i": [{"sku": 1}, {"sku": 2}]}, {"i": [{"sku": 1}, {"sku": 3}]}, "i[1].sku", "expected 2, got 3"),
        ([1, 2], [1], "[1]", "missing, expected 2"),
        ([1], [1, 2], "[1]", "not expected, got 2"),
        ({"a": 1, "b": 2}, {"c": 3, "b": 4}, "b", "expected 2, got 4"),
        ({"a": 1, "b": 2}, {"b": 2, "c": 3}, "a", "missing, expected 1"),
        ({"b": 2}, {"b": 2, "c": 3}, "c", "not expected, got 3"),
        ({"a": {"b": 1}}, {"a": [1]}, "a", "expected {'b': 1}, got [1]"),
        ({"a": {"$any_of": [{"b": 1}]}}, {"a": {"b": 2}}, "a.b", "expected 1, got 2"),
        ({"a": {"$object": {"b": 1, "c": 1}, "optional": ["b"]}}, {"a": {"c": 2}}, "a.c", "expected 1, got 2"),
        ({"a": {"$ci": "x"}}, {"a": "y"}, "a", "expected {'$ci': 'x'}, got 'y'"),
    ],
)  # fmt: skip
def test_the_place_is_that_of_the_leaf(expected: Any, actual: Any, where: str, words: str) -> None:
    found = difference(expected, actual)
    assert found is not None
    assert (place(found), say(found)) == (where, words)


@each_row(
    ("expected", "actual", "words"),
    [
        (PROGRAM, PROGRAM.replace("number 41 of", "number 0 of"),
         "line 41: expected 'line number 41 of a program', got 'line number 0 of a program'"),
        (PROGRAM, PROGRAM + "\nmore", "line 61 was not expected, got 'more'"),
        (PROGRAM, PROGRAM.rpartition("\n")[0], "ends before line 60, expected 'line number 60 of a program'"),
        (PROGRAM, PROGRAM + "\n", "expected the end …'of a program\\nline number 60 of a program', "
         "got …'f a program\\nline number 60 of a program\\n'"),
        (LONG + "b" + LONG, LONG + "c" + LONG, f"(from character 501) expected …'{'a' * 40}b{'a' * 39}'…, "
         f"got …'{'a' * 40}c{'a' * 39}'…"),
        ({"$ci": LONG + "b"}, LONG.upper() + "c", f"(from character 501) expected …'{'a' * 40}b', got …'{'A' * 40}c'"),
        ({"$any_of": ["x", LONG + "b"]}, LONG + "c",
         f"(from character 501) expected …'{'a' * 40}b', got …'{'a' * 40}c'"),
        ("a\nb", "a\nc", "line 2: expected 'b', got 'c'"),
        ("l’été\nb", "l'été\nc", "line 2: expected 'b', got 'c'"),
        (LONG, 5, f"expected {('a' * 500)!r:.200}…, got 5"),
    ],
)  # fmt: skip
def test_of_a_long_text_the_changed_line_is_said(expected: Any, actual: Any, words: str) -> None:
    found = difference(expected, actual)
    assert found is not None
    assert say(found) == words
