"""Technical indicators over daily candles; each returns one value a day, None until there are enough days."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

Series = Sequence[float]
Line = list[float | None]


def sma(values: Series, period: int) -> Line:
    """Simple moving average."""
    return [
        math.fsum(values[index - period + 1 : index + 1]) / period if index >= period - 1 else None
        for index in range(len(values))
    ]


def ema(values: Series, period: int) -> Line:
    """Exponential moving average with α = 2/(period+1), seeded with the simple average of the first `period` values."""
    line: Line = [None] * len(values)
    if len(values) < period:
        return line
    level = math.fsum(values[:period]) / period
    line[period - 1] = level
    for index in range(period, len(values)):
        level += 2 / (period + 1) * (values[index] - level)
        line[index] = level
    return line


def _wilder(values: Series, period: int) -> Line:
    """Wilder's smoothing: seeded with the simple average, then α = 1/period."""
    line: Line = [None] * len(values)
    if len(values) < period:
        return line
    level = math.fsum(values[:period]) / period
    line[period - 1] = level
    for index in range(period, len(values)):
        level = (level * (period - 1) + values[index]) / period
        line[index] = level
    return line


def rsi(closes: Series, period: int = 14) -> Line:
    """Relative strength index with Wilder's smoothing, 0–100; 50 where nothing moved."""
    changes = [new - old for old, new in pairwise(closes)]
    gains = _wilder([max(change, 0.0) for change in changes], period)
    losses = _wilder([max(-change, 0.0) for change in changes], period)
    return [None, *(_strength(gain, loss) for gain, loss in zip(gains, losses, strict=True))] if closes else []


def _strength(gain: float | None, loss: float | None) -> float | None:
    if gain is None or loss is None:
        return None
    if gain + loss == 0:
        return 50.0
    return 100 * gain / (gain + loss)


def roc(closes: Series, period: int = 12) -> Line:
    """Rate of change in percent over `period` days."""
    return [
        (closes[index] / closes[index - period] - 1) * 100 if index >= period else None for index in range(len(closes))
    ]


def stochastic(highs: Series, lows: Series, closes: Series, period: int = 14, smooth: int = 3) -> tuple[Line, Line]:
    """Fast %K and its simple average %D, 0–100; 50 where the range is nil."""
    fast: Line = []
    for index, close in enumerate(closes):
        if index < period - 1:
            fast.append(None)
            continue
        top, bottom = max(highs[index - period + 1 : index + 1]), min(lows[index - period + 1 : index + 1])
        fast.append(100 * (close - bottom) / (top - bottom) if top > bottom else 50.0)
    known = [value for value in fast if value is not None]
    slow = sma(known, smooth)
    return fast, [None] * (len(fast) - len(known)) + slow


def williams_r(highs: Series, lows: Series, closes: Series, period: int = 14) -> Line:
    """Williams %R, −100–0: the stochastic %K less 100."""
    return [None if value is None else value - 100 for value in stochastic(highs, lows, closes, period)[0]]


def macd(closes: Series, fast: int = 12, slow: int = 26, signal: int = 9) -> tuple[Line, Line, Line]:
    """MACD line, its signal line and the histogram."""
    line: Line = [
        None if quick is None or late is None else quick - late
        for quick, late in zip(ema(closes, fast), ema(closes, slow), strict=True)
    ]
    known = [value for value in line if value is not None]
    signals = [None] * (len(line) - len(known)) + ema(known, signal)
    gap: Line = [None if a is None or b is None else a - b for a, b in zip(line, signals, strict=True)]
    return line, signals, gap


def bollinger(closes: Series, period: int = 20, width: float = 2.0) -> tuple[Line, Line, Line]:
    """Lower, middle and upper band: the simple average ± `width` population standard deviations."""
    middle = sma(closes, period)
    spreads: Line = []
    for index, mean in enumerate(middle):
        if mean is None:
            spreads.append(None)
            continue
        window = closes[index - period + 1 : index + 1]
        spreads.append(width * math.sqrt(math.fsum((value - mean) ** 2 for value in window) / period))
    lower: Line = [None if m is None or s is None else m - s for m, s in zip(middle, spreads, strict=True)]
    upper: Line = [None if m is None or s is None else m + s for m, s in zip(middle, spreads, strict=True)]
    return lower, middle, upper


def atr(highs: Series, lows: Series, closes: Series, period: int = 14) -> Line:
    """Average true range with Wilder's smoothing, in the price's unit."""
    ranges = [
        max(high - low, abs(high - before), abs(low - before))
        for high, low, before in zip(highs[1:], lows[1:], closes, strict=False)
    ]
    return [None, *_wilder(ranges, period)] if closes else []


def volatility(closes: Series) -> float:
    """Annualised realised volatility in percent: sample deviation of daily log returns × √365."""
    returns = [math.log(new / old) for old, new in pairwise(closes)]
    if len(returns) < 2:
        return 0.0
    mean = math.fsum(returns) / len(returns)
    variance = math.fsum((value - mean) ** 2 for value in returns) / (len(returns) - 1)
    return math.sqrt(variance * 365) * 100
