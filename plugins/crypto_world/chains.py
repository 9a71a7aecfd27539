"""Blocks and time: block numbers follow from the clock, and what a block holds from its day's activity."""

from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime, timedelta

from .snapshot import Chain, WorldError, world

SECONDS_A_DAY = 86_400


def genesis_time(chain: Chain) -> datetime:
    """The moment of block 0."""
    return datetime(chain.genesis.year, chain.genesis.month, chain.genesis.day, tzinfo=UTC)


def block_time(chain: Chain, number: int) -> datetime:
    """The moment of a block."""
    return genesis_time(chain) + timedelta(seconds=number * chain.block_seconds)


def block_at(chain: Chain, moment: datetime) -> int:
    """The last block at or before a moment.

    Raises:
        WorldError: the moment is before the chain's first block.
    """
    seconds = (moment - genesis_time(chain)) // timedelta(seconds=1)
    if seconds < 0:
        raise WorldError(f"{chain.name} began on {chain.genesis}; there is no block before it")
    return seconds // chain.block_seconds


def head(chain: Chain) -> int:
    """The last block of the snapshot: the last one that begins on its last day."""
    return block_at(chain, world().moment - timedelta(seconds=1))


def first_block(chain: Chain, day: date) -> int:
    """The first block of a day."""
    return (day - chain.genesis).days * (SECONDS_A_DAY // chain.block_seconds)


def transaction_count(chain: Chain, number: int) -> int | None:
    """How many transactions a block holds, or None before the daily series begin.

    A day's transactions are spread evenly and the remainder over its first blocks, so that blocks add up to the day.
    """
    moment = block_time(chain, number)
    index = (moment.date() - world().start).days
    if not 0 <= index < world().days:
        return None
    blocks = SECONDS_A_DAY // chain.block_seconds
    total = int(world().network[chain.id]["transactions"][index])
    place = number - first_block(chain, moment.date())
    return total // blocks + (1 if place < total % blocks else 0)


def block_hash(chain: Chain, number: int) -> str:
    """The block's hash: 0x and 64 hexadecimal digits, the same every time."""
    return "0x" + hashlib.sha256(f"{chain.id}/block/{number}".encode()).hexdigest()
