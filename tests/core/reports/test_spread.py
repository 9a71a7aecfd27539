"""How what answers took is spread."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.reports import spread
from modex.core.reports.spread import BINS, spread_of, spreads_of


def test_median_nine_in_ten_and_most() -> None:
    found = spread_of([*range(1, 101)])
    assert found is not None
    assert (found.number, found.median, found.ninth, found.most) == (100, 50, 91, 100)


def test_what_took_nothing_or_stands_alone_has_no_spread() -> None:
    assert spread_of([0.0, 0.0, 3.0]) is None
    assert spread_of([]) is None


def test_steps_grow_by_a_factor() -> None:
    found = spread_of([1.0, 10.0, 100.0])
    assert found is not None
    assert [at for at, count in enumerate(found.bins) if count] == [0, BINS // 2, BINS - 1]


@given(st.lists(st.floats(1e-6, 1e6), min_size=2, max_size=50))
def test_every_value_is_in_one_step(values: list[float]) -> None:
    found = spread_of(values)
    assert found is not None
    assert sum(found.bins) == len(values)
    assert min(values) <= found.median <= found.ninth <= found.most == pytest.approx(max(values))


def test_answers_are_spread_by_seconds_and_by_cost_and_what_is_unknown_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spread, "measured", lambda *_: [(500, 0.5), (None, None), (1500, 0.25), (0, 0.0), (2500, None)])
    reader: Any = None
    time, cost = spreads_of(reader, 1)
    assert time == spread_of([0.5, 1.5, 2.5])
    assert cost == spread_of([0.5, 0.25])
