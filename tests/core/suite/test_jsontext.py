from __future__ import annotations

import json
import math

from hypothesis import given
from hypothesis import strategies as st

from modex.core.suite.files import FileFaultError
from modex.core.suite.jsontext import parse_json
from tests.rows import each_row

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(values)
def test_what_is_json_is_read_as_it_is(value: object) -> None:
    assert parse_json(json.dumps(value)) == (value, [])


@given(st.text())
def test_any_text_is_json_or_a_named_fault(text: str) -> None:
    found: FileFaultError | None = None
    try:
        parse_json(text)
    except FileFaultError as fault:
        found = fault
    assert found is None or (found.message and 0 <= found.line <= text.count("\n") + 1)


@each_row("text", ["1e308", "-1.5e-400", "12345678901234567890"])
def test_large_and_small_numbers_that_exist_are_fine(text: str) -> None:
    assert math.isfinite(parse_json(text)[0])


def test_a_repeated_key_is_named_and_the_last_value_taken() -> None:
    assert parse_json('{"a": 1,\n"a": 2}') == ({"a": 2}, [("a", 2, 1)])
