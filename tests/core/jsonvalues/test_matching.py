"""What matches an expected value, and what is wrong with a comparator."""

from __future__ import annotations

from typing import Any

from modex.core.jsonvalues.matching import comparator_fault, found, matches, normalized, same_number
from modex.core.jsonvalues.schemas import SchemaPlace
from tests.rows import each_row

_BIG = 2**53


@each_row(
    ("expected", "actual", "fits"),
    [
        (5, 5.0, True),
        (5, True, False),
        (1, True, False),
        (True, True, True),
        (True, False, False),
        (None, None, True),
        (None, False, False),
        (0, None, False),
        ("5", 5, False),
        (5, "5", False),
        ("a", "a", True),
        ("a", "A", False),
        (1.0, 1.0 + 5e-10, True),
        (1.0, 1.0 + 5e-9, False),
        (_BIG, _BIG + 1, False),
        (float(_BIG), _BIG + 1, True),
        (0.0, 1e-300, False),
        (1e308, 10**400, False),
        ([1, 2], [1, 2], True),
        ([1, 2], [2, 1], False),
        ([1], [1, 2], False),
        ([1, 2], [1], False),
        ([1], {"0": 1}, False),
        ({"a": 1}, {"a": 1}, True),
        ({"a": 1}, {"a": 2}, False),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1, "b": 2}, {"a": 1}, False),
        ({"a": 1}, [1], False),
        ({"$ci": "Straße"}, "STRASSE", True),
        ({"$ci": "a"}, 1, False),
        ({"$normalized": "Hello, World!"}, "hello  world", True),
        ({"$normalized": "a b"}, "ab", False),
        ({"$bfcl": "a-b"}, "AB", True),
        ({"$regex": "^a+$"}, "aaa", True),
        ({"$regex": "^a+$"}, "b", False),
        ({"$any": True}, None, True),
        ({"$any": False}, "x", False),
        ({"$any_of": [1, "b"]}, "b", True),
        ({"$any_of": [1, "b"]}, "c", False),
        ({"$approx": 100}, 101, True),
        ({"$approx": 100}, 101.5, False),
        ({"$approx": -100}, -99, True),
        ({"$approx": 100, "tolerance": 2}, 102, True),
        ({"$approx": 100, "tolerance": 2}, 103, False),
        ({"$approx": 100, "tolerance": 0}, 100.5, False),
        ({"$approx": 1}, "1", False),
        ({"$approx": 1}, True, False),
        ({"$object": {"a": 1, "b": 2}, "optional": ["b"]}, {"a": 1}, True),
        ({"$object": {"a": 1, "b": 2}, "optional": ["b"]}, {"a": 1, "b": 2}, True),
        ({"$object": {"a": 1, "b": 2}, "optional": ["b"]}, {"a": 1, "b": 3}, False),
        ({"$object": {"a": 1, "b": 2}, "optional": ["b"]}, {"b": 2}, False),
        ({"$object": {"a": 1}}, {"a": 1, "c": 3}, False),
        ({"$object": {"a": 1}}, {}, False),
        ({"$object": {"a": 1}}, "a", False),
    ],
)
def test_what_an_expected_value_fits(expected: Any, actual: Any, fits: bool) -> None:
    assert matches(expected, actual) is fits
    assert matches([{"deep": expected}], [{"deep": actual}]) is fits


@each_row(
    ("expected", "wrong"),
    [
        ({"a": 1}, ""),
        ({"$ci": "a"}, ""),
        ({"$ci": 1}, "needs a text"),
        ({"$normalized": []}, "needs a text"),
        ({"$bfcl": None}, "needs a text"),
        ({"$regex": 3}, "needs a text"),
        ({"$regex": "("}, "does not compile"),
        ({"$regex": "a+"}, ""),
        ({"$any": True}, ""),
        ({"$any_of": [1]}, ""),
        ({"$any_of": []}, "at least one value"),
        ({"$any_of": "a"}, "at least one value"),
        ({"$approx": 1, "tolerance": 0.5}, ""),
        ({"$approx": "1"}, "needs a number"),
        ({"$approx": True}, "needs a number"),
        ({"$approx": 1, "tolerance": "x"}, "needs a number"),
        ({"$object": {"a": 1}}, ""),
        ({"$object": {"a": 1}, "optional": ["a"]}, ""),
        ({"$object": {"a": 1}, "optional": ["b"]}, "some of its keys"),
        ({"$object": {"a": 1}, "optional": "a"}, "some of its keys"),
        ({"$object": [1]}, "needs an object"),
        ({"$ci": "a", "$any": True}, "one comparator"),
        ({"$nope": 1}, "one comparator"),
        ({"$ci": "a", "tolerance": 1}, "does not know"),
        ({"$approx": 1, "optional": []}, "does not know"),
        ([{"a": [{"$nope": 1}]}], "one comparator"),
        ([1, {"b": {"c": {"$ci": 2}}}], "needs a text"),
    ],
)
def test_a_fault_of_a_comparator_is_found_at_any_depth(expected: Any, wrong: str) -> None:
    fault = comparator_fault(expected)
    assert wrong in (fault or "") if wrong else fault is None


SCHEMA = {
    "properties": {
        "unit": {"type": "string", "default": "C"},
        "place": {"type": ["string", "null"]},
        "o": {"type": "object", "properties": {"limit": {"default": 10}, "name": {"type": "string"}}},
        "l": {"type": "array", "items": {"type": "object", "properties": {"n": {"default": 1}}}},
        "t": {"type": "array", "items": {"type": "string"}},
    }
}


@each_row(
    ("expected", "actual", "same"),
    [
        ({}, {"unit": "C"}, True),
        ({}, {"unit": "F"}, False),
        ({}, {"place": None}, True),
        ({}, {"place": "x"}, False),
        ({}, {"o": {}}, True),
        ({}, {"o": {"limit": 10}}, True),
        ({}, {"o": {"limit": 11}}, False),
        ({}, {"o": {"name": "x"}}, False),
        ({"o": {"name": "x"}}, {"o": {"name": "x", "limit": 10}}, True),
        ({"o": {"name": "x"}}, {}, False),
        ({"l": [{}, {"n": 2}]}, {"l": [{"n": 1}, {"n": 2}]}, True),
        ({"l": [{}]}, {"l": [{"n": 2}]}, False),
        ({"l": [{}]}, {"l": [{}, {}]}, False),
        ({}, {"t": []}, False),
        ({"unit": {"$any_of": ["C", "F"]}}, {}, True),
        ({"unit": {"$any_of": ["K", "F"]}}, {}, False),
        ({"o": {"$object": {"name": "x", "limit": 10}, "optional": ["name"]}}, {"o": {}}, True),
        ({"o": {"$object": {"name": "x", "limit": 9}, "optional": ["name"]}}, {"o": {}}, False),
    ],
)
def test_by_a_schema_a_value_that_says_nothing_may_be_left_out_or_said(expected: Any, actual: Any, same: bool) -> None:
    assert matches(expected, actual, SchemaPlace.whole(SCHEMA)) is same
    if expected != actual and not any("$" in str(key) for key in str(expected).split("'")):
        assert matches(actual, expected, SchemaPlace.whole(SCHEMA)) is same
        assert not matches(expected, actual)


@each_row(
    ("expected", "actual", "fits"),
    [
        ("O'Brien", "O’Brien", True),
        ("Café", "Cafe\u0301", True),
        ({"$ci": "o'brien"}, "O’BRIEN", True),
        ({"$regex": "^O'B"}, "O’Brien", True),
        ({"$regex": "^O’B"}, "O’Brien", True),
        ({"$normalized": "o'brien"}, "O’Brien", True),
    ],
)
def test_an_apostrophe_and_an_accent_may_be_written_in_any_way(expected: Any, actual: str, fits: bool) -> None:
    assert matches(expected, actual) is fits


def test_a_pattern_is_sought_in_the_beginning_of_a_text_alone() -> None:
    assert found("b", "a" * 19_999 + "b")
    assert not found("b", "a" * 20_000 + "b")
    assert not found("(", "(")


def test_normalized_texts_have_one_blank_between_words() -> None:
    assert normalized("  Ｆｏｏ—bar…  BAZ 3 ") == "foo bar baz 3"


@each_row(
    ("left", "right", "tolerance", "same"),
    [
        (3, 5, 2, True),
        (3, 5, 1.9, False),
        (3.0, 5, 2, True),
        (0.1, 0.2, 0.1, True),
        (0.1, 0.2, 0.05, False),
        (float(_BIG - 1), _BIG, 0, False),
        (10**400, 0.5, 0, False),
    ],
)
def test_numbers_within_a_tolerance_are_the_same(left: float, right: float, tolerance: float, same: bool) -> None:
    assert same_number(left, right, tolerance) is same
    assert same_number(right, left, tolerance) is same
