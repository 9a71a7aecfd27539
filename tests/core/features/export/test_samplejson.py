"""Lines of JSON are what `json.dumps` writes, whatever the values are."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from modex.core.features.export.samplejson import SampleJson

_NAMES = ("id", "100 %", 'a "name"')
_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["\ud800", "%s", "\u2028", -0.0]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=5,
)


@given(st.lists(st.tuples(_VALUES, _VALUES, _VALUES), max_size=6))
@example([(float("inf"), float("nan"), -0.0), (1e300, True, [{}]), ({"a": [1.5, None]}, "\x00é\ud800", -(10**40))])
def test_a_line_is_the_json_of_its_object(objects: list[tuple[Any, ...]]) -> None:
    lines = SampleJson(_NAMES)
    for values in (*objects, *objects):
        assert lines.line(values) == json.dumps(dict(zip(_NAMES, values, strict=True)))


def test_objects_of_one_field_and_of_nothing_are_objects_too() -> None:
    one = SampleJson(["a"])
    values: list[Any] = [1, None, "%s", {}]
    assert [one.line([value]) for value in values] == [
        '{"a": 1}',
        '{"a": null}',
        '{"a": "%s"}',
        '{"a": {}}',
    ]
