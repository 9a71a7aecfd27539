"""How many tokens there are on a day: unlocks of the vesting schedule, issue, mint and redemption, minus burns."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import accumulate

from .snapshot import Allocation, Token, world


@dataclass(frozen=True, slots=True)
class Unlock:
    """One release of tokens, whole tokens."""

    day: date
    allocation: str
    amount: int


@dataclass(frozen=True, slots=True)
class Supply:
    """A token's supply on one day, in tokens: `circulating` + `locked` = `total`; burned tokens are in neither."""

    circulating: float
    total: float
    burned: float

    @property
    def locked(self) -> float:
        """Tokens that exist and do not circulate."""
        return round(self.total - self.circulating, 2)


def add_months(day: date, months: int) -> date:
    """The same day of a later month; days of token generation are never after the 28th."""
    month = day.month - 1 + months
    return day.replace(year=day.year + month // 12, month=month % 12 + 1)


def unlocks(token: Token) -> list[Unlock]:
    """Every release of the token's schedule, past and future, in order of date; empty for tokens without one."""
    if token.tge is None or token.max_supply is None:
        return []
    rows = [row for part in token.allocations for row in _releases(part, token.tge, token.max_supply)]
    return sorted(rows, key=lambda row: (row.day, row.allocation))


def _releases(part: Allocation, tge: date, maximum: int) -> list[Unlock]:
    amount = maximum * part.percent // 100
    first = amount * part.tge_percent // 100
    rows = [Unlock(tge, part.name, first)] if first else []
    rest = amount - first
    if part.vesting_months:
        each = rest // part.vesting_months
        for number in range(1, part.vesting_months + 1):
            last = number == part.vesting_months
            size = rest - each * (part.vesting_months - 1) if last else each
            rows.append(Unlock(add_months(tge, part.cliff_months + number), part.name, size))
    return rows


def supply(token: Token, index: int) -> Supply:
    """The supply at the end of the day with this index."""
    burned = round(_burned(token.symbol)[index], 2)
    if token.elastic:
        amount = float(world().elastic[token.symbol][index])
        return Supply(amount, amount, 0.0)
    if token.issue is not None:
        minted = token.issue["start"] + token.issue["daily_issue"] * (index + 1)
        circulating = round(minted - burned, 2)
        return Supply(circulating, round(circulating + token.issue["locked"], 2), burned)
    today = world().day(index)
    released = sum(row.amount for row in unlocks(token) if row.day <= today)
    return Supply(round(released - burned, 2), round((token.max_supply or 0) - burned, 2), burned)


def market_cap(token: Token, index: int) -> float:
    """Closing price × circulating supply in USD, rounded to whole dollars."""
    return float(round(world().close(token.symbol, index) * supply(token, index).circulating))


def revenue(protocol_id: str, index: int) -> float:
    """What the protocol keeps of the day's fees, in USD."""
    return round(world().activity[protocol_id]["fees_usd"][index] * world().protocols[protocol_id].take_rate, 2)


@lru_cache(maxsize=64)
def _burned(symbol: str) -> list[float]:
    """Tokens of the shipped world burned up to the end of each day."""
    burn = world().tokens[symbol].burn
    if burn is None:
        return [0.0] * world().days
    if burn.kind == "chain_fees":
        daily = [round(burn.share * fees, 2) for fees in world().network[burn.of]["fees_native"]]
    else:
        daily = [
            round(burn.share * revenue(burn.of, index) / world().close(symbol, index), 2)
            for index in range(world().days)
        ]
    return list(accumulate(daily, initial=burn.before))[1:]
