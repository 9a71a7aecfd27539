"""What exists in the snapshot world: chains, tokens, protocols, exchanges and the events that shook them.

The tables stand in `recipe.json` and `stories.json`. Everything there is invented; likeness to a real token, protocol
or company is not meant.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SEED = 20260630
SNAPSHOT_DATE = "2026-06-30"
DAYS = 400
LEDGER_START = "2026-04-01"
POSITIONING_DAYS = 90
RECEIPT_RATE = (1.0621, 1.0942)
"""AUR per mAUR on the first and on the last day; staking rewards accrue evenly."""


def _table(name: str) -> dict[str, Any]:
    table: dict[str, Any] = json.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))
    return table


_RECIPE = _table("recipe.json")
_STORIES = _table("stories.json")

CHAINS: list[dict[str, Any]] = _RECIPE["chains"]
"""Chains with their usual transactions and active addresses a day and their mean fee in the native token."""
TOKENS: list[dict[str, Any]] = _RECIPE["tokens"]
"""Tokens with the price of the last day, the part of the market's moves they take (`beta`), and their own noise."""
INFLATIONARY: dict[str, dict[str, Any]] = _RECIPE["inflationary"]
"""Tokens without a maximum: supply before the first day, tokens issued a day, tokens the foundation holds locked."""
ELASTIC: dict[str, dict[str, float]] = _RECIPE["elastic"]
"""Tokens minted and redeemed on demand: supply on the last day, growth over the series, daily wobble."""
VESTED: dict[str, dict[str, Any]] = _RECIPE["vested"]
"""Tokens with a maximum and a vesting schedule that starts on the day of token generation (`tge`)."""
BURNS: dict[str, dict[str, Any]] = _RECIPE["burns"]
"""Burns: a share of a chain's fees, or bought back with a share of a protocol's revenue; `before` the series began."""
PROTOCOLS: list[dict[str, Any]] = _RECIPE["protocols"]
"""Protocols with their value locked on the last day, fees a day over value locked, and usual users a day."""
EXCHANGES: list[dict[str, Any]] = _RECIPE["exchanges"]
"""Exchanges with their weight in centralised volume and the tokens they do not list."""
POOLS: list[dict[str, Any]] = _RECIPE["pools"]
"""Yields; see `plugins.crypto_world.snapshot.Pool`."""
PERPETUALS: list[str] = _RECIPE["perpetuals"]
"""Tokens with a perpetual future."""
EVENTS: list[dict[str, Any]] = _RECIPE["events"]
"""Shocks in log price on one day; `*` is every token, by its beta. Pages and posts tell the same stories."""

PROJECTS: dict[str, dict[str, Any]] = _STORIES["projects"]
"""Symbol → founder, city, what it is, lead investor, USD raised."""
STORIES: list[dict[str, Any]] = _STORIES["stories"]
"""The news: date, slug, token, mood of the posts about it (−1 to 1), title and text."""
AUTHORS: dict[str, list[list[str]]] = _STORIES["authors"]
"""The streams that can be followed, and who writes in them: handle and name."""
OPINIONS: list[list[Any]] = _STORIES["opinions"]
"""Templates of ordinary posts with their sentiment, from −1 to 1."""
