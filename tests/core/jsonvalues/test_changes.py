"""What differs between two states, and the first difference between two changes."""

from __future__ import annotations

from typing import Any

from modex.core.jsonvalues.changes import changes, first_difference
from tests.rows import each_row


@each_row(
    ("before", "after", "found"),
    [
        ({"a": 1}, {"a": 1}, {}),
        ({"a": 1}, {"a": 1.0}, {}),
        ({"a": {"b": {"c": 1}, "d": 2}}, {"a": {"b": {"c": 3}, "d": 2}}, {"/a/b/c": 3}),
        ({"a": {"x/y": 1, "m~n": 1}}, {"a": {"x/y": 2, "m~n": 2}}, {"/a/x~1y": 2, "/a/m~0n": 2}),
        ({"a": [1]}, {"a": [1, 2]}, {"/a": [1, 2]}),
        ({"a": 1, "b": 2}, {"a": 1}, {"/b": {"$removed": True}}),
        ({}, {"a": {"b": 1}}, {"/a": {"b": 1}}),
        ({"a": {"b": 1}}, {"a": None}, {"/a": None}),
    ],
)
def test_places_that_differ_are_told_with_what_stands_there(before: Any, after: Any, found: Any) -> None:
    assert changes(before, after) == found


@each_row(
    ("wanted", "found", "said"),
    [
        ({"/a": 1}, {"/a": 1}, None),
        ({"/a": 1}, {}, "/a: expected 1, and it is as it was"),
        ({}, {"/a": 1}, "/a: became 1, which nothing asked for"),
        ({"/a": 1}, {"/a": 2}, "/a: expected 1, got 2"),
        ({"/a": {"b": {"c": 1}}}, {"/a": {"b": {"c": 2}}}, "/a/b/c: expected 1, got 2"),
        ({"/a": {"x/y": 1}}, {"/a": {}}, "/a/x~1y: expected 1, got nothing"),
        ({"/a": {"$removed": True}}, {"/a": {"b": 1}}, "/a: expected nothing, got {'b': 1}"),
        ({"/a": {}}, {"/a": {"b": 1}}, "/a/b: expected nothing, got 1"),
        ({"/b": 1, "/a": 1}, {}, "/a: expected 1, and it is as it was"),
    ],
)
def test_the_first_difference_goes_down_to_the_leaf(wanted: Any, found: Any, said: str | None) -> None:
    assert first_difference(wanted, found) == said


def test_a_long_value_is_cut() -> None:
    said = first_difference({"/a": "x" * 500}, {})
    assert said is not None
    assert len(said) < 260
