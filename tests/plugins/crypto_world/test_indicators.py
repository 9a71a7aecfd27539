from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plugins.crypto_world import indicators

PRICES = st.lists(st.floats(0.01, 1e5), min_size=2, max_size=80)
# Wilder's own worked example of the 14-day RSI (New Concepts in Technical Trading Systems, 1978), as commonly reprinted.
WILDER = [
    44.34, 44.09, 44.15, 43.61, 44.33, 44.83, 45.10, 45.42, 45.84, 46.08, 45.89, 46.03, 45.61, 46.28, 46.28, 46.00,
    46.03, 46.41, 46.22, 45.64,
]  # fmt: skip


def test_rsi_matches_the_reprinted_example() -> None:
    line = indicators.rsi(WILDER)
    assert line[:14] == [None] * 14
    assert [round(value, 1) for value in line[14:] if value is not None] == [70.5, 66.2, 66.5, 69.3, 66.3, 57.9]


def test_sma_and_ema_of_a_short_series() -> None:
    assert indicators.sma([1, 2, 3, 4], 2) == [None, 1.5, 2.5, 3.5]
    assert indicators.ema([2, 4, 6, 8], 3) == [None, None, 4.0, 6.0]
    assert indicators.ema([1, 2], 3) == [None, None]


def test_bollinger_uses_the_population_deviation() -> None:
    lower, middle, upper = indicators.bollinger([1.0, 3.0], period=2)
    assert (lower[-1], middle[-1], upper[-1]) == (0.0, 2.0, 4.0)


def test_macd_of_a_straight_line_is_flat() -> None:
    line, signal, histogram = indicators.macd([float(value) for value in range(1, 61)])
    assert line[-1] == pytest.approx(7.0)
    assert signal[-1] == pytest.approx(7.0)
    assert histogram[-1] == pytest.approx(0.0)
    assert line[24] is None
    assert signal[32] is None
    assert signal[33] is not None


def test_atr_takes_gaps_into_account() -> None:
    assert indicators.atr([10, 20, 21], [9, 19, 20], [9.5, 19.5, 20.5], period=2)[-1] == pytest.approx((10.5 + 1.5) / 2)


def test_roc_and_volatility_of_known_moves() -> None:
    assert indicators.roc([100, 110], 1)[-1] == pytest.approx(10)
    assert indicators.volatility([1, math.e, 1]) == pytest.approx(math.sqrt(2 * 365) * 100)
    assert indicators.volatility([1, 2]) == 0.0


@given(PRICES)
@settings(max_examples=60)
def test_oscillators_stay_within_their_bounds(closes: list[float]) -> None:
    highs, lows = [value * 1.1 for value in closes], [value * 0.9 for value in closes]
    for value in indicators.rsi(closes, 5):
        assert value is None or -1e-6 <= value <= 100 + 1e-6
    for value in indicators.stochastic(highs, lows, closes, 5)[0]:
        assert value is None or 0 <= value <= 100
    for value in indicators.williams_r(highs, lows, closes, 5):
        assert value is None or -100 <= value <= 0


@given(PRICES, st.integers(2, 20))
@settings(max_examples=60)
def test_every_line_is_as_long_as_the_series(closes: list[float], period: int) -> None:
    highs, lows = closes, closes
    lines = [
        indicators.sma(closes, period),
        indicators.ema(closes, period),
        indicators.rsi(closes, period),
        indicators.roc(closes, period),
        indicators.atr(highs, lows, closes, period),
        *indicators.stochastic(highs, lows, closes, period),
        *indicators.macd(closes, period, period + 3, 4),
        *indicators.bollinger(closes, period),
    ]
    assert {len(line) for line in lines} == {len(closes)}


@given(st.floats(0.01, 1e5), st.integers(15, 40))
@settings(max_examples=30)
def test_a_flat_series_is_neutral(price: float, days: int) -> None:
    closes = [price] * days
    assert indicators.rsi(closes)[-1] == 50
    assert indicators.roc(closes)[-1] == 0
    assert indicators.stochastic(closes, closes, closes)[0][-1] == 50
