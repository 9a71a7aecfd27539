"""Daily figures drawn from a seeded generator: prices, volumes, network activity, protocols, supply, positioning."""

from __future__ import annotations

import math
import random
from datetime import date, timedelta
from typing import Any

from tests.plugins.crypto_world.making import recipe

START = date.fromisoformat(recipe.SNAPSHOT_DATE) - timedelta(days=recipe.DAYS - 1)


def significant(value: float, digits: int = 6) -> float:
    """`value` rounded to so many significant digits."""
    return float(f"{value:.{digits}g}")


def day(text: str) -> int:
    """The index of a date in the series."""
    return (date.fromisoformat(text) - START).days


def make_series() -> dict[str, Any]:
    """Every daily series by kind, one value a day from the first to the snapshot's."""
    rng = random.Random(recipe.SEED)
    market = [rng.gauss(0.0006, 0.019) for _ in range(recipe.DAYS)]
    supply = {symbol: _elastic(rng, spec) for symbol, spec in recipe.ELASTIC.items()}
    prices: dict[str, Any] = {}
    for token in recipe.TOKENS:
        symbol = token["symbol"]
        closes = _receipt(prices["AUR"]["close"]) if symbol == "mAUR" else _closes(rng, token, market)
        prices[symbol] = _candles(rng, token, closes, _anchor_supply(symbol, supply))
    network = {chain["id"]: _network(rng, chain, market) for chain in recipe.CHAINS}
    protocols = {spec["id"]: _protocol(rng, spec, market, prices, supply) for spec in recipe.PROTOCOLS}
    positioning = {symbol: _positioning(rng, prices[symbol]["close"]) for symbol in recipe.PERPETUALS}
    return {
        "prices": prices,
        "network": network,
        "protocols": protocols,
        "supply": supply,
        "positioning": positioning,
    }


def _closes(rng: random.Random, token: dict[str, Any], market: list[float]) -> list[float]:
    if token["category"] == "stablecoin":
        return [significant(1 + max(-0.006, min(0.006, rng.gauss(0, token["noise"])))) for _ in market]
    shocks = {day(event["date"]): event for event in recipe.EVENTS if event["symbol"] in ("*", token["symbol"])}
    logs, level = [], 0.0
    for index, common in enumerate(market):
        level += token["beta"] * common + rng.gauss(-0.0006, token["noise"])
        event = shocks.get(index)
        if event is not None:
            level += event["shock"] * (token["beta"] if event["symbol"] == "*" else 1.0)
        logs.append(level)
    return [significant(token["price"] * math.exp(value - logs[-1])) for value in logs]


def _receipt(base: list[float]) -> list[float]:
    first, last = recipe.RECEIPT_RATE
    step = (last - first) / (recipe.DAYS - 1)
    return [significant(price * round(first + step * index, 6)) for index, price in enumerate(base)]


def _candles(rng: random.Random, token: dict[str, Any], closes: list[float], supply: float) -> dict[str, Any]:
    spread = 0.0008 if token["category"] == "stablecoin" else 0.006 + 0.35 * token["noise"]
    opens = [significant(closes[0] * (1 + rng.gauss(0, spread))), *closes[:-1]]
    rows: dict[str, list[Any]] = {"open": opens, "high": [], "low": [], "close": closes, "volume": []}
    for start, end in zip(opens, closes, strict=True):
        rows["high"].append(significant(max(start, end) * (1 + abs(rng.gauss(0, spread)))))
        rows["low"].append(significant(min(start, end) * (1 - min(0.3, abs(rng.gauss(0, spread))))))
        move = abs(end / start - 1)
        rows["volume"].append(round(supply * end * token["turnover"] * math.exp(rng.gauss(0, 0.22)) * (1 + 9 * move)))
    return rows


def _anchor_supply(symbol: str, supply: dict[str, list[int]]) -> float:
    """A supply of the right size to draw volumes from; the circulating supply itself comes from the schedule."""
    if symbol in supply:
        return supply[symbol][-1]
    if symbol in recipe.INFLATIONARY:
        return float(recipe.INFLATIONARY[symbol]["start"])
    return float(recipe.VESTED[symbol]["max"]) * 0.45


def _elastic(rng: random.Random, spec: dict[str, float]) -> list[int]:
    values, last = [], recipe.DAYS - 1
    for index in range(recipe.DAYS):
        trend = spec["end"] * math.exp(spec["growth"] * (index / last - 1))
        values.append(round(trend * (1 + (rng.gauss(0, spec["wobble"]) if index < last else 0))))
    return values


def _network(rng: random.Random, chain: dict[str, Any], market: list[float]) -> dict[str, Any]:
    rows: dict[str, list[Any]] = {"transactions": [], "active_addresses": [], "new_addresses": [], "fees_native": []}
    for index, common in enumerate(market):
        heat = (0.72 + 0.28 * index / recipe.DAYS) * math.exp(rng.gauss(0, 0.05) + 2.2 * abs(common))
        transactions = round(chain["daily_transactions"] * heat)
        active = round(chain["daily_active"] * heat * math.exp(rng.gauss(0, 0.03)))
        rows["transactions"].append(transactions)
        rows["active_addresses"].append(active)
        rows["new_addresses"].append(round(active * (0.061 + 0.02 * rng.random())))
        rows["fees_native"].append(round(transactions * chain["fee"] * math.exp(rng.gauss(0, 0.12)), 2))
    return rows


def _protocol(
    rng: random.Random, spec: dict[str, Any], market: list[float], prices: dict[str, Any], supply: dict[str, list[int]]
) -> dict[str, Any]:
    rows: dict[str, list[Any]] = {"tvl_usd": [], "fees_usd": [], "active_users": [], "transactions": []}
    level, drift = 0.0, []
    for common in market:
        level += 0.7 * common + rng.gauss(0.0004, 0.008)
        drift.append(level)
    for index, common in enumerate(market):
        if spec["id"] == "moorings":
            tvl = supply["mAUR"][index] * prices["mAUR"]["close"][index]
        elif spec["id"] == "keel":
            tvl = supply["USDK"][index] * (1.71 + 4 * max(-0.03, min(0.03, common)))
        else:
            tvl = spec["tvl"] * math.exp(drift[index] - drift[-1])
        if spec["id"] == "causeway" and index >= day("2026-05-14"):
            tvl *= 0.58
        tvl = round(tvl)
        users = round(spec["users"] * (0.7 + 0.3 * index / recipe.DAYS) * math.exp(rng.gauss(0, 0.07)))
        heat = math.exp(rng.gauss(0, 0.16)) * (1 + (6 * abs(common) if spec["trade_fee"] else 0))
        rows["tvl_usd"].append(tvl)
        rows["fees_usd"].append(round(tvl * spec["fee_rate"] * heat, 2))
        rows["active_users"].append(users)
        rows["transactions"].append(round(users * (2.1 + rng.random())))
    return rows


def _positioning(rng: random.Random, closes: list[float]) -> dict[str, Any]:
    rows: dict[str, list[Any]] = {"long_percent": [], "funding_percent_8h": [], "open_interest_tokens": []}
    size = 10 ** rng.uniform(7.3, 8.6) / closes[-1]
    for index in range(recipe.DAYS - recipe.POSITIONING_DAYS, recipe.DAYS):
        week = closes[index] / closes[index - 7] - 1
        rows["long_percent"].append(round(max(22.0, min(78.0, 51 + 45 * week + rng.gauss(0, 2.4))), 2))
        rows["funding_percent_8h"].append(round(0.008 + 0.11 * week + rng.gauss(0, 0.004), 4))
        rows["open_interest_tokens"].append(round(size * math.exp(rng.gauss(0, 0.06)), 2 if closes[-1] > 1 else 0))
    return rows
