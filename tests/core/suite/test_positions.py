from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from modex.core.suite.positions import JsonPath, duplicate_keys, find_line, find_lines, unquote
from tests.rows import each_row

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)


def paths_of(value: Any, path: JsonPath = ()) -> list[JsonPath]:
    """Every path of `value`, in the order in which indented JSON shows them."""
    found: list[JsonPath] = []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        found += [(*path, key), *paths_of(item, (*path, key))]
    return found


def line_by_counting(value: Any, wanted: JsonPath) -> int:
    """The line of a path in `json.dumps(value, indent=1)`: the lines of all that stands before it, and one more."""
    line = 1
    for key in wanted:
        items = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
        for name, item in items:
            line += 1
            if name == key and type(name) is type(key):
                value = item
                break
            line += json.dumps(item, indent=1).count("\n")
    return line


@given(values)
def test_every_path_is_found_on_its_own_line(value: Any) -> None:
    text = json.dumps(value, indent=1)
    paths = paths_of(value)
    assert find_lines(text, paths) == {path: line_by_counting(value, path) for path in paths}


@given(values, st.sampled_from([None, 1]), st.sampled_from(["", "\n \t"]))
def test_one_path_alone_is_found_on_the_same_line(value: Any, indent: int | None, before: str) -> None:
    text = before + json.dumps(value, indent=indent)
    for path in (*paths_of(value), (), ("none",), (7, "none")):
        assert find_line(text, path) == find_lines(text, [path])[path]


@given(values)
def test_a_text_without_repeated_keys_has_none(value: Any) -> None:
    assert duplicate_keys(json.dumps(value, indent=1)) == []


@given(st.text())
def test_any_text_is_walked_without_an_error(text: str) -> None:
    find_lines(text, [("a", 0), ()])
    find_line(text, ("a", 0))
    find_line(text, ())
    duplicate_keys(text)


def test_repeated_keys_are_found_in_their_own_object_only() -> None:
    text = '{"a": 1,\n"b": [{"a": 1}, {"a": 2,\n"a": 3}],\n"c": {"b": 1},\n"\\u0061": 4}'
    assert duplicate_keys(text) == [("a", 3, 2), ("a", 5, 1)]


def test_a_missing_key_has_the_line_of_its_parent() -> None:
    text = '\n{\n "a": {\n "b": 1}}'
    assert find_lines(text, [("a", "x"), ("z",), ("a", "b")]) == {("a", "x"): 3, ("z",): 2, ("a", "b"): 4}


def test_brackets_in_strings_are_text() -> None:
    assert find_lines('{"a": "}{[]\\"",\n"b": 1}', [("b",)]) == {("b",): 2}


@each_row(
    ("token", "text"),
    [
        ('"plain"', "plain"),
        ('""', ""),
        (r'"a\nb"', "a\nb"),
        (r'"\u00e4"', "ä"),
        (r'"a\qb"', r"a\qb"),
        ('"a\\\tb\nc"', "a\\\tb\nc"),
    ],
)
def test_a_string_reads_as_it_stands_for_or_raw_where_its_escapes_are_broken(token: str, text: str) -> None:
    assert unquote(token) == text
