"""What goes into a column comes out again, character by character."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from modex.core.store.exact import decode_json, decode_text, encode_json, encode_text
from tests.rows import each_row

MARK = "\ufdd0modex-escaped:"
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4),
    max_leaves=12,
)


def through_sqlite(text: str) -> str:
    with sqlite3.connect(":memory:") as connection:
        found = connection.execute("SELECT ?", [text]).fetchone()[0]
    connection.close()
    assert isinstance(found, str)
    return found


@given(ANY_TEXT)
@example("\x00")
@example("\ud800 alone and \udfff")
@example("back\\slash \\u0000 \x00")
@example(MARK)
@example(MARK + "\\u0041")
@example(MARK + MARK + "\x00")
@example("\U0001f600")
def test_any_text_comes_back_from_sqlite(text: str) -> None:
    assert decode_text(through_sqlite(encode_text(text))) == text


@given(ANY_TEXT, ANY_TEXT)
def test_different_texts_are_stored_differently(one: str, other: str) -> None:
    assert (encode_text(one) == encode_text(other)) == (one == other)


@given(ANY_JSON)
@example({"\ud800": ["\x00", "\U0001f600"]})
def test_any_json_comes_back_from_sqlite(value: Any) -> None:
    assert decode_json(through_sqlite(encode_json(value))) == value


@each_row("text", ["plain", "Grüße, 世界 \U0001f600", "tab\tand\r\nlines", "\\u0000 written out", ""])
def test_ordinary_text_is_stored_as_it_is(text: str) -> None:
    assert encode_text(text) == text


def test_sqlites_json_functions_read_what_is_stored_as_json() -> None:
    stored = encode_json({"a": ["ü\ud800", 1]})
    with sqlite3.connect(":memory:") as connection:
        assert connection.execute("SELECT json_extract(?, '$.a[1]')", [stored]).fetchone() == (1,)
    connection.close()
    assert json.loads(stored)["a"][0] == "ü\ud800"


def test_null_is_none() -> None:
    assert decode_json(None) is None


@given(ANY_JSON)
def test_json_is_written_as_the_standard_library_writes_it(value: Any) -> None:
    assert encode_json(value) in (
        json.dumps(value, ensure_ascii=False, separators=(",", ":")),
        json.dumps(value, separators=(",", ":")),
    )


def test_a_value_that_holds_itself_cannot_be_stored() -> None:
    circle: list[object] = []
    circle.append(circle)
    with pytest.raises((RecursionError, ValueError)):
        encode_json(circle)


def test_a_key_that_json_cannot_hold_is_refused_and_not_left_out() -> None:
    with pytest.raises(TypeError):
        encode_json({(1, 2): 3})
    assert encode_json({"when": Path("a")}) == '{"when":"a"}'
    assert encode_json([float("inf"), True, None]) == "[Infinity,true,null]"


@each_row(
    ("stored", "value"),
    [(" 1 ", 1), ("[1] ", [1]), ("\n{}", {}), ("null", None), (b"[1]", [1]), ("true", True), ('"a"', "a")],
)
def test_blanks_around_a_value_are_none_of_it(stored: str, value: object) -> None:
    assert decode_json(stored) == value


@each_row("stored", ["1 2", "[1]]", "{} x", "", "nul", "[1", " "])
def test_what_is_no_json_or_more_than_one_value_is_refused(stored: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode_json(stored)


@each_row(
    ("text", "stored"),
    [
        ("a\0b\\", MARK + "a\\u0000b\\\\"), ("\ud800", MARK + "\\ud800"), ("\udfff", MARK + "\\udfff"),
        ("\ud7ff\ue000", "\ud7ff\ue000"), (MARK, MARK + MARK), (MARK[1:], MARK[1:]), ("é" + MARK, "é" + MARK),
    ],
)  # fmt: skip
def test_only_what_sqlite_cannot_hold_is_escaped(text: str, stored: str) -> None:
    assert encode_text(text) == stored
    assert decode_text(stored) == text


def test_empty_lists_and_objects_are_told_from_other_empty_values() -> None:
    values: list[Any] = [[], {}, "", 0, None, False, ()]
    assert [encode_json(value) for value in values] == [
        "[]", "{}", '""', "0", "null", "false", "[]",
    ]  # fmt: skip
