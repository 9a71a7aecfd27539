"""Market data and technical analysis: prices, rankings, positioning, alerts, indicators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import indicators
from .answer import (
    Answer,
    Arguments,
    choice_of,
    day_of,
    number_of,
    page_of,
    percent_change,
    span_of,
    text_of,
    tool,
)
from .snapshot import Token, WorldError, world
from .supply import market_cap, supply

MAX_POINTS = 120


@tool
def historical_prices(arguments: Arguments) -> Answer:
    """Candles of one token, daily, weekly or monthly, with the change over the period."""
    token = world().token(text_of(arguments, "symbol"))
    first, last = span_of(arguments, 30)
    interval = choice_of(arguments, "interval", "daily", ("daily", "weekly", "monthly"))
    groups = _groups(first, last, interval)
    shown, page = page_of(groups, arguments, MAX_POINTS, MAX_POINTS)
    rows = world().prices[token.symbol]
    base = first - 1 if first else first
    return {
        "symbol": token.symbol,
        "currency": "USD",
        "interval": interval,
        "columns": ["date", "open", "high", "low", "close", "volume_usd"],
        "rows": [_candle(rows, group) for group in shown],
        **page,
        "summary": {
            "first_close": rows["close"][first],
            "last_close": rows["close"][last],
            "change_percent_first_to_last_close": percent_change(rows["close"][first], rows["close"][last]),
            "close_before_period": rows["close"][base],
            "highest": max(rows["high"][first : last + 1]),
            "lowest": min(rows["low"][first : last + 1]),
            "total_volume_usd": sum(rows["volume"][first : last + 1]),
        },
    }


def _groups(first: int, last: int, interval: str) -> list[list[int]]:
    """Indices by candle; weeks begin on Monday, and cut periods give cut candles."""
    groups: dict[object, list[int]] = {}
    for index in range(first, last + 1):
        day = world().day(index)
        key: object = day
        if interval == "weekly":
            key = day.isocalendar()[:2]
        elif interval == "monthly":
            key = (day.year, day.month)
        groups.setdefault(key, []).append(index)
    return list(groups.values())


def _candle(rows: dict[str, list[float]], group: list[int]) -> list[Any]:
    first, last = group[0], group[-1]
    return [
        world().day(first).isoformat(),
        rows["open"][first],
        max(rows["high"][first : last + 1]),
        min(rows["low"][first : last + 1]),
        rows["close"][last],
        sum(rows["volume"][first : last + 1]),
    ]


@tool
def market_rankings(arguments: Arguments) -> Answer:
    """Tokens in order of market capitalisation, volume, price or change on one day."""
    keys = ("market_cap", "fully_diluted_value", "volume_24h", "price", "change_24h", "change_7d", "change_30d")
    order = choice_of(arguments, "sort_by", "market_cap", keys)
    descending = choice_of(arguments, "direction", "descending", ("descending", "ascending")) == "descending"
    day = day_of(arguments, "date", world().today)
    index = world().index(day)
    tokens = [token for token in world().tokens.values() if _wanted(token, arguments)]
    if not tokens:
        known = sorted({token.category for token in world().tokens.values()})
        raise WorldError(f"no token matches; categories: {', '.join(known)}; chains: {', '.join(world().chains)}")
    rows = [_ranking(token, index) for token in tokens]
    key = {"change_24h": "change_24h_percent", "change_7d": "change_7d_percent", "change_30d": "change_30d_percent"}
    column = key.get(order, {"price": "price_usd", "volume_24h": "volume_24h_usd"}.get(order, f"{order}_usd"))
    known_rows = [row for row in rows if row[column] is not None]
    known_rows.sort(key=lambda row: row[column], reverse=descending)
    for rank, row in enumerate(known_rows, 1):
        row["rank"] = rank
    shown, page = page_of(known_rows, arguments, 10, 50)
    total = round(sum(row["market_cap_usd"] for row in rows))
    return {"date": day.isoformat(), "sort_by": order, "total_market_cap_usd": total, "rows": shown, **page}


def _wanted(token: Token, arguments: Arguments) -> bool:
    category, chain = arguments.get("category"), arguments.get("chain")
    if chain is not None and token.chain != world().chain(str(chain)).id:
        return False
    return category is None or token.category == str(category).strip().casefold()


def _ranking(token: Token, index: int) -> dict[str, Any]:
    price = world().close(token.symbol, index)
    amount = supply(token, index)
    diluted = token.max_supply or amount.total
    row: dict[str, Any] = {
        "symbol": token.symbol,
        "name": token.name,
        "category": token.category,
        "chain": token.chain,
        "price_usd": price,
        "market_cap_usd": market_cap(token, index),
        "fully_diluted_value_usd": round(price * diluted),
        "circulating_supply": amount.circulating,
        "volume_24h_usd": world().prices[token.symbol]["volume"][index],
    }
    for name, days in (("24h", 1), ("7d", 7), ("30d", 30)):
        old = world().close(token.symbol, index - days) if index >= days else None
        row[f"change_{name}_percent"] = None if old is None else percent_change(old, price)
    return row


@tool
def trader_positioning(arguments: Arguments) -> Answer:
    """Long and short shares, funding and open interest of a perpetual future."""
    token = world().token(text_of(arguments, "symbol"))
    if token.symbol not in world().positioning:
        raise WorldError(f"{token.symbol} has no perpetual future; there are: {', '.join(world().positioning)}")
    rows = world().positioning[token.symbol]
    length = len(rows["long_percent"])
    last = world().index(day_of(arguments, "end_date", world().today))
    days = number_of(arguments, "days", 7, 1, length)
    begin = world().days - length
    if last < begin:
        raise WorldError(f"positioning is known from {world().day(begin)} on")
    first = max(begin, last - days + 1)
    table = []
    for index in range(first, last + 1):
        share, size = rows["long_percent"][index - begin], rows["open_interest_tokens"][index - begin]
        table.append(
            {
                "date": world().day(index).isoformat(),
                "long_percent": share,
                "short_percent": round(100 - share, 2),
                "long_short_ratio": round(share / (100 - share), 4),
                "funding_rate_percent_8h": rows["funding_percent_8h"][index - begin],
                "open_interest_tokens": size,
                "open_interest_usd": round(size * world().close(token.symbol, index)),
            }
        )
    return {"symbol": token.symbol, "rows": table}


@tool
def volatility_alerts(arguments: Arguments) -> Answer:
    """Days on which a close moved by at least a threshold, and the realised volatility of what was asked."""
    first, last = span_of(arguments, 7)
    threshold = arguments.get("threshold_percent", 10)
    if isinstance(threshold, bool) or not isinstance(threshold, (int, float)) or not 0 < threshold <= 1000:
        raise WorldError("threshold_percent must be a number above 0 and at most 1000")
    direction = choice_of(arguments, "direction", "both", ("both", "up", "down"))
    if arguments.get("symbol") is not None:
        tokens = [world().token(text_of(arguments, "symbol"))]
    else:
        tokens = list(world().tokens.values())
    alerts = []
    for token in tokens:
        closes = world().prices[token.symbol]["close"]
        for index in range(max(1, first), last + 1):
            move = (closes[index] / closes[index - 1] - 1) * 100
            if abs(move) >= threshold and (direction == "both" or (move > 0) == (direction == "up")):
                row = {"date": world().day(index).isoformat(), "symbol": token.symbol, "change_percent": round(move, 2)}
                alerts.append({**row, "close_usd": closes[index]})
    alerts.sort(key=lambda row: (str(row["date"]), str(row["symbol"])), reverse=True)
    shown, page = page_of(alerts, arguments, 20, 100)
    window = number_of(arguments, "volatility_days", 30, 2, 365)
    start = max(0, last - window)
    measured = {
        token.symbol: round(indicators.volatility(world().prices[token.symbol]["close"][start : last + 1]), 2)
        for token in tokens
    }
    period = {"from": world().day(first).isoformat(), "to": world().day(last).isoformat()}
    return {
        "period": period,
        "threshold_percent": threshold,
        "alerts": shown,
        **page,
        "realised_volatility_percent_annualised": {"days": last - start, "by_symbol": measured},
    }


_PERIODS = {
    "rsi": 14,
    "stochastic": 14,
    "williams_r": 14,
    "roc": 12,
    "sma": 20,
    "ema": 20,
    "bollinger": 20,
    "atr": 14,
    "macd": 0,
}
"""Default period by indicator; MACD has three of its own."""


@tool
def technical_indicators(arguments: Arguments) -> Answer:
    """Momentum and trend indicators, computed on daily closes from the first day of the series."""
    token = world().token(text_of(arguments, "symbol"))
    name = choice_of(arguments, "indicator", "", tuple(_PERIODS))
    last = world().index(day_of(arguments, "end_date", world().today))
    points = number_of(arguments, "points", 1, 1, 60)
    rows = {key: values[: last + 1] for key, values in world().prices[token.symbol].items()}
    if name == "macd":
        fast = number_of(arguments, "fast", 12, 1, 100)
        slow = number_of(arguments, "slow", 26, 2, 200)
        signal = number_of(arguments, "signal", 9, 1, 100)
        if fast >= slow:
            raise WorldError("fast must be smaller than slow")
        settings = {"fast": fast, "slow": slow, "signal": signal}
        lines = dict(
            zip(("macd", "signal", "histogram"), indicators.macd(rows["close"], fast, slow, signal), strict=True)
        )
    else:
        period = number_of(arguments, "period", _PERIODS[name], 2, 200)
        settings = {"period": period}
        lines = _lines(name, rows, period)
    table = []
    for index in range(max(0, last - points + 1), last + 1):
        values = {key: _digits(line[index]) for key, line in lines.items()}
        table.append({"date": world().day(index).isoformat(), "close": rows["close"][index], **values})
    if all(value is None for value in (table[-1][key] for key in lines)):
        raise WorldError(f"too few days before {world().day(last)}: the series begins on {world().start}")
    return {"symbol": token.symbol, "indicator": name, "settings": settings, "rows": table}


_SINGLE_LINES: dict[str, Callable[[indicators.Series, int], indicators.Line]] = {
    "rsi": indicators.rsi,
    "roc": indicators.roc,
    "sma": indicators.sma,
    "ema": indicators.ema,
}


def _lines(name: str, rows: dict[str, list[float]], period: int) -> dict[str, indicators.Line]:
    closes, highs, lows = rows["close"], rows["high"], rows["low"]
    if name == "stochastic":
        fast, slow = indicators.stochastic(highs, lows, closes, period)
        return {"k": fast, "d": slow}
    if name == "bollinger":
        return dict(zip(("lower", "middle", "upper"), indicators.bollinger(closes, period), strict=True))
    if name == "williams_r":
        return {name: indicators.williams_r(highs, lows, closes, period)}
    if name == "atr":
        return {name: indicators.atr(highs, lows, closes, period)}
    return {name: _SINGLE_LINES[name](closes, period)}


def _digits(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.8g}")
