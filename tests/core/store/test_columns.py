"""What a column takes for its own of what stands in it, and what it calls damaged."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.store.columns import Column, DamagedValueError, Held, fits
from tests.rows import each_row


def _column(kind: type, *, held: Held | None = None, items: type | None = None, null: bool = False) -> Column:
    return Column("c", kind, items, frozenset(), null, held, frozenset(), lambda: None)


@each_row(
    ("column", "stored", "value"),
    [
        (_column(str, null=True), None, None),
        (_column(str), "a", "a"),
        (_column(int), 3, 3),
        (_column(int), 3.0, 3.0),
        (_column(float), 3, 3),
        (_column(float), 2.5, 2.5),
        (_column(bool), 1, True),
        (_column(bool), 0, False),
        (_column(dict, held=Held.JSON), "{}", {}),
        (_column(list, held=Held.JSON), "[]", []),
        (_column(object, held=Held.JSON), "{}", {}),
        (_column(list, held=Held.JSON, items=str), '["a"]', ["a"]),
        (_column(object, held=Held.JSON, items=str), "3", 3),
        (_column(list, held=Held.JSON), "[1]", [1]),
    ],
)
def test_a_column_reads_what_it_may_hold(column: Column, stored: Any, value: Any) -> None:
    found = column.decode(stored)
    assert (found, type(found)) == (value, type(value))


@each_row(
    ("column", "stored", "said"),
    [
        (_column(str), None, "`c` is empty"),
        (_column(str), 3, "`c` holds"),
        (_column(int), "3", "`c` holds"),
        (_column(int), 2.5, "`c` holds"),
        (_column(bool), 1.0, "`c` holds"),
        (_column(bool), "x", "`c` holds"),
        (_column(str), 1.0, "`c` holds"),
        (_column(dict, held=Held.JSON), "[]", "`c` holds JSON of another form"),
        (_column(list, held=Held.JSON), "{}", "`c` holds JSON of another form"),
        (_column(list, held=Held.JSON, items=str), '["a", 1]', "`c` holds JSON of another form"),
        (_column(list, held=Held.JSON, items=str), '[1, "a"]', "`c` holds JSON of another form"),
        (_column(dict, held=Held.JSON), "no", "`c` holds no JSON"),
        (_column(dict, held=Held.JSON), 3.5, "`c` holds"),
    ],
)
def test_what_a_column_cannot_hold_is_damaged(column: Column, stored: Any, said: str) -> None:
    with pytest.raises(DamagedValueError) as told:
        column.decode(stored)
    assert said in str(told.value)


@each_row(
    ("column", "found", "name"),
    [
        (_column(str), str, None),
        (_column(int), int, None),
        (_column(float), float, None),
        (_column(int), float, "decode"),
        (_column(bool), int, "decode"),
        (_column(dict, held=Held.JSON), str, ""),
        (_column(dict, held=Held.JSON), type(None), None),
        (_column(dict, held=Held.JSON), int, "decode"),
    ],
)
def test_values_of_one_type_are_read_without_looking_at_each_where_all_are_right(
    column: Column, found: type, name: str | None
) -> None:
    reader = column.reader(found)
    assert (reader is None) == (name is None)
    if name:
        assert reader is not None
        assert reader.__name__ == name


@each_row(
    ("kind", "right", "wrong"),
    [
        (int, [1, 0], [True, 1.5, "1", None]),
        (float, [1, 1.5], [True, "1", None]),
        (bool, [True, False], [1, 0, None]),
        (str, ["", "a"], [1, None]),
        (int | None, [1, None], [True, "x"]),
        (list[str], [[], ["a"]], [["a", 1], "a", None]),
        (dict[str, int], [{}, {"a": 1}], [[], None]),
    ],
)
def test_a_value_fits_a_type_that_a_field_names(kind: Any, right: list[Any], wrong: list[Any]) -> None:
    check = fits(kind)
    assert ([value for value in right if not check(value)], [value for value in wrong if check(value)]) == ([], [])
