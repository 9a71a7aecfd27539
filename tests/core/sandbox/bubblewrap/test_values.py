"""Values go over a pipe as they are."""

from __future__ import annotations

import json
import math
from collections import Counter, OrderedDict, defaultdict, namedtuple
from enum import IntEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.sandbox.bubblewrap.values import MAX_DEPTH, Opaque, packed, shown, unpacked
from tests.rows import each_row

_PLAIN = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.binary()
    | st.floats(allow_nan=False)
    | st.complex_numbers(allow_nan=False)
)
_VALUES = st.recursive(
    _PLAIN,
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(_PLAIN, inner)
        | st.sets(_PLAIN)
        | st.frozensets(_PLAIN)
    ),
    max_leaves=12,
)


def over(value: Any) -> Any:
    return unpacked(json.loads(json.dumps(packed(value))))


@given(_VALUES)
def test_a_value_arrives_as_it_is(value: Any) -> None:
    arrived = over(value)
    assert arrived == value
    assert _kinds(arrived) == _kinds(value)


def _kinds(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return type(value), [_kinds(one) for one in value]
    if isinstance(value, dict):
        return dict, [_kinds(one) for one in value.values()]
    return type(value)


Point = namedtuple("Point", "x y")


class Colour(IntEnum):
    RED = 3


class Name(str):
    __slots__ = ()


@each_row(
    ("value", "plain"),
    [
        (Point(1, 2), (1, 2)),
        (Colour.RED, 3),
        (Name("a"), "a"),
        (Counter("aab"), {"a": 2, "b": 1}),
        (OrderedDict(a=1), {"a": 1}),
        (defaultdict(int, a=1), {"a": 1}),
        (bytearray(b"x"), bytearray(b"x")),
        (math.inf, math.inf),
        ("\ud800", "\ud800"),
        ({1: {2: (3,)}}, {1: {2: (3,)}}),
    ],
)
def test_what_is_made_from_a_builtin_arrives_as_that(value: Any, plain: Any) -> None:
    arrived = over(value)
    assert arrived == plain
    assert type(arrived) is type(plain)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("bits", [12_999, 13_000, 13_001, 50_000])
def test_a_whole_number_of_any_size_arrives(sign: int, bits: int) -> None:
    assert over(sign << bits - 1) == sign << bits - 1


def test_not_a_number_stays_not_a_number() -> None:
    assert math.isnan(over(math.nan))


class Shy:
    def __repr__(self) -> str:
        raise ValueError


def test_what_has_no_form_arrives_as_its_name_and_looks() -> None:
    arrived = over([range(3), Shy()])
    assert [type(one) for one in arrived] == [Opaque, Opaque]
    assert [(one.type_name, repr(one)) for one in arrived] == [("range", "range(0, 3)"), ("Shy", "<Shy>")]


def test_what_holds_itself_ends_somewhere() -> None:
    endless: list[Any] = []
    endless.append(endless)
    arrived, depth = over(endless), 0
    while isinstance(arrived, list):
        arrived, depth = arrived[0], depth + 1
    assert depth == MAX_DEPTH + 1
    assert isinstance(arrived, Opaque)


def test_what_is_kept_is_found_again() -> None:
    kept = {7: range(2)}
    form = packed([range(2)], lambda value: {"mine": 7})
    assert unpacked(form, lambda one: kept[one["mine"]]) == [range(2)]


@each_row("form", [{"mine": 1}, {}, {"a": 1, "b": 2}, {"tuple": [{"nothing": 0}]}])
def test_a_form_that_nobody_knows_is_refused(form: Any) -> None:
    with pytest.raises(ValueError, match="no known form"):
        unpacked(form)


@each_row(("value", "text"), [("a", "'a'"), ("x" * 299, "'" + "x" * 299 + "…"), ("x" * 298, "'" + "x" * 298 + "'")])
def test_a_long_text_is_cut(value: str, text: str) -> None:
    assert shown(value) == text


class ndarray:  # noqa: N801 - what calls itself so
    """An array that is none of numpy's."""

    size = 3


def test_what_only_calls_itself_an_array_stays_what_it_is() -> None:
    ndarray.__module__ = "numpy"
    assert packed(ndarray(), lambda _: "kept") == "kept"


@each_row(
    ("form", "value"),
    [
        ({"array": ["<i8", [2, 2], [[1, 2], [3, 4]]]}, [[1, 2], [3, 4]]),
        ({"array": ["<f8", [1], [{"float": "inf"}]]}, [float("inf")]),
        ({"series": [[1, 2], [0, 1], "a"]}, [1, 2]),
        ({"frame": [["a", "b"], [0, 1], [[1, 2], [3, 4]]]}, {"a": [1, 2], "b": [3, 4]}),
    ],
)
def test_tables_of_other_libraries_are_lists_where_these_are_not(form: object, value: object) -> None:
    assert unpacked(form) == value
