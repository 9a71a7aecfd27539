"""One key set or taken out: what is read afterwards, and that no other character has changed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modex.core.suite.editing.jsonedit import set_key, without_key
from tests.rows import each_row

_SCALARS = (
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.floats(allow_nan=False, allow_infinity=False)
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
_OBJECTS = st.dictionaries(st.text(max_size=6), _VALUES, max_size=5)
_WAYS = st.sampled_from(
    [
        {"indent": 2},
        {"indent": 1},
        {"indent": "\t"},
        {},
        {"separators": (",", ":")},
        {"ensure_ascii": False, "indent": 4},
    ]
)


@settings(max_examples=40, deadline=None)
@given(_OBJECTS, st.text(max_size=6), _VALUES, _WAYS)
def test_a_key_that_is_set_is_read_and_the_others_stay(
    data: dict[str, Any], key: str, value: Any, way: dict[str, Any]
) -> None:
    text = json.dumps(data, **way)
    assert json.loads(set_key(text, key, value)) == {**data, key: value}
    assert list(json.loads(set_key(text, key, value))) == list({**data, key: value})


@settings(max_examples=40, deadline=None)
@given(_OBJECTS, st.text(max_size=6), _VALUES, _WAYS)
def test_a_key_that_is_set_and_taken_out_leaves_the_text_as_it_was(
    data: dict[str, Any], key: str, value: Any, way: dict[str, Any]
) -> None:
    data.pop(key, None)
    text = json.dumps(data, **way)
    assert without_key(set_key(text, key, value), key) == text


@settings(max_examples=40, deadline=None)
@given(_OBJECTS.filter(bool), st.integers(0, 4), _WAYS)
def test_a_key_that_is_taken_out_is_gone_and_the_others_stay(
    data: dict[str, Any], number: int, way: dict[str, Any]
) -> None:
    key = list(data)[number % len(data)]
    left = without_key(json.dumps(data, **way), key)
    assert json.loads(left) == {name: value for name, value in data.items() if name != key}


@each_row(
    ("before", "after"),
    [
        ('{\n  "id": "a",\n  "prompt": "?"\n}\n', '{\n  "id": "a",\n  "prompt": "?",\n  "enabled": false\n}\n'),
        ('{"id": "a", "prompt": "?"}', '{"id": "a", "prompt": "?", "enabled": false}'),
        ('{"id":"a","prompt":"?"}\r', '{"id":"a","prompt":"?","enabled":false}\r'),
        ('{"id": "a", "name": "A",\n "prompt": "?"}', '{"id": "a", "name": "A",\n "prompt": "?",\n "enabled": false}'),
        ('\ufeff{ "a" : 1 }', '\ufeff{ "a" : 1, "enabled" : false }'),
        ("{}", '{"enabled": false}'),
        ('{"enabled" :  true, "b": {"enabled": 1}}', '{"enabled" :  false, "b": {"enabled": 1}}'),
    ],
)
def test_a_new_key_takes_the_style_of_the_one_before(before: str, after: str) -> None:
    assert set_key(before, "enabled", False) == after


@each_row("text", ["", "[]", "3", "{", '{"a"}', '{"a": 1 "b": 2}', '{"a": }', "{1: 2}"])
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        set_key(text, "a", 1)
