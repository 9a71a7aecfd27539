"""Which tests may be counted at once, so that sums are those of adding one after the other."""

from __future__ import annotations

from typing import Any

import pytest

from core.store.pairing import _FINEST, Alike

ONE = Alike("suite", "d", 1, 1.0, "passed", 1.0, None, 1, "failed", 0.0, None, 1)


@pytest.mark.parametrize(
    ("changes", "exact"),
    [
        ({}, True),
        ({"other_epoch": None, "other_score": None, "other_status": None}, True),
        ({"score": None}, True),
        ({"score": 0.75, "other_score": 0.5}, True),
        ({"weight": 0.0}, True),
        ({"weight": float(_FINEST)}, True),
        ({"weight": _FINEST + 1.0}, False),
        ({"weight": -1.0}, False),
        ({"weight": 1 / 3}, False),
        ({"score": 1 / 3}, False),
        ({"other_score": 0.1}, False),
        ({"score": 1.25}, False),
        ({"other_score": -0.25}, False),
        ({"epoch": 2}, False),
        ({"other_epoch": 2}, False),
        ({"level": 1.0}, False),
    ],
)
def test_numbers_are_exact_where_sums_of_them_lose_nothing(changes: dict[str, Any], exact: bool) -> None:
    assert ONE._replace(**changes).is_exact is exact
