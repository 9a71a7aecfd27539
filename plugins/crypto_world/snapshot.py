"""The snapshot world as data: what exists, and its daily figures, read once from the shipped files."""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeVar

T = TypeVar("T")


class WorldError(Exception):
    """A question the snapshot cannot answer; the message tells the model what to ask instead."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain with a constant block time; block `0` is at midnight UTC of the genesis day."""

    id: str
    name: str
    kind: str
    native: str
    block_seconds: int
    genesis: date


@dataclass(frozen=True, slots=True)
class Allocation:
    """A share of a token's maximum: `tge_percent` of it at token generation, the rest in equal monthly parts.

    The first part comes one month after the cliff; without vesting months nothing is left after token generation.
    """

    name: str
    percent: int
    tge_percent: int
    cliff_months: int
    vesting_months: int


@dataclass(frozen=True, slots=True)
class Burn:
    """Tokens burned each day: a share of a chain's fees, or bought back with a share of a protocol's revenue."""

    kind: Literal["chain_fees", "protocol_revenue"]
    of: str
    share: float
    before: float


@dataclass(frozen=True, slots=True)
class Token:
    """A token; exactly one of `issue` (inflationary), `elastic` and `allocations` says where its supply comes from."""

    symbol: str
    name: str
    category: str
    chain: str
    max_supply: int | None = None
    tge: date | None = None
    allocations: tuple[Allocation, ...] = ()
    issue: dict[str, int] | None = None
    elastic: bool = False
    burn: Burn | None = None


@dataclass(frozen=True, slots=True)
class Protocol:
    """An application: `take_rate` is the share of fees it keeps as revenue, `trade_fee` the fee on its volume."""

    id: str
    name: str
    category: str
    token: str | None
    chains: dict[str, float]
    take_rate: float
    trade_fee: float | None


@dataclass(frozen=True, slots=True)
class Exchange:
    """A venue; `shares` is its part of each token's centralised volume (empty for decentralised ones)."""

    id: str
    name: str
    kind: Literal["centralised", "decentralised"]
    founded: int
    shares: dict[str, float]


@dataclass(frozen=True, slots=True)
class Pool:
    """A yield: its share of the protocol's TVL and of what the protocol's fees leave to suppliers, plus rewards."""

    id: str
    protocol: str
    chain: str
    pair: str
    share: float
    fee_share: float
    reward_token: str | None
    reward_daily: int


@dataclass(frozen=True, slots=True)
class World:
    """Everything but the ledger and the texts. Days are indices from 0 (`start`) to `days - 1` (`today`)."""

    today: date
    days: int
    chains: dict[str, Chain]
    tokens: dict[str, Token]
    protocols: dict[str, Protocol]
    exchanges: dict[str, Exchange]
    pools: dict[str, Pool]
    prices: dict[str, dict[str, list[float]]]
    network: dict[str, dict[str, list[float]]]
    activity: dict[str, dict[str, list[float]]]
    """Per protocol: `tvl_usd`, `fees_usd`, `active_users`, `transactions`."""
    elastic: dict[str, list[int]]
    positioning: dict[str, dict[str, list[float]]]
    """Per perpetual, over the last days of the series only."""
    ledger_start: date
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def start(self) -> date:
        """The first day of the series."""
        return self.today - timedelta(days=self.days - 1)

    @property
    def moment(self) -> datetime:
        """The snapshot's moment: the end of its last day, as an exclusive bound."""
        return datetime(self.today.year, self.today.month, self.today.day, tzinfo=UTC) + timedelta(days=1)

    def index(self, day: date) -> int:
        """The index of a day.

        Raises:
            WorldError: the day is outside the series.
        """
        index = (day - self.start).days
        if not 0 <= index < self.days:
            raise WorldError(f"no data for {day}: the snapshot covers {self.start} to {self.today}")
        return index

    def day(self, index: int) -> date:
        """The date of an index."""
        return self.start + timedelta(days=index)

    def close(self, symbol: str, index: int) -> float:
        """The closing price in USD."""
        return self.prices[symbol]["close"][index]

    def token(self, text: str) -> Token:
        """The token by symbol or name, in any case.

        Raises:
            WorldError: no such token; the message suggests near ones.
        """
        return _find("token", text, self.tokens, {token.symbol: token.name for token in self.tokens.values()})

    def chain(self, text: str) -> Chain:
        """The chain by id or name.

        Raises:
            WorldError: no such chain.
        """
        return _find("chain", text, self.chains, {chain.id: chain.name for chain in self.chains.values()})

    def protocol(self, text: str) -> Protocol:
        """The protocol by id or name.

        Raises:
            WorldError: no such protocol.
        """
        return _find("protocol", text, self.protocols, {spec.id: spec.name for spec in self.protocols.values()})

    def exchange(self, text: str) -> Exchange:
        """The exchange by id or name.

        Raises:
            WorldError: no such exchange.
        """
        return _find("exchange", text, self.exchanges, {spec.id: spec.name for spec in self.exchanges.values()})


def _find(kind: str, text: str, table: dict[str, T], names: dict[str, str]) -> T:
    wanted = text.strip().lstrip("$").casefold()
    for key, name in names.items():
        if wanted in (key.casefold(), name.casefold()):
            return table[key]
    spellings = {spelling.casefold(): key for key, name in names.items() for spelling in (key, name)}
    near = dict.fromkeys(spellings[match] for match in difflib.get_close_matches(wanted[:60], list(spellings), 3, 0.6))
    hint = f"did you mean {', '.join(near)}?" if near else f"known: {', '.join(names)}"
    raise WorldError(f"unknown {kind} {text[:60]!r}; {hint}")


def data_path(name: str) -> Path:
    """The path of a shipped data file."""
    return Path(__file__).parent / "data" / name


def read_data(name: str) -> Any:
    """A shipped JSON file."""
    return json.loads(data_path(name).read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def world() -> World:
    """The shipped snapshot; read on first use and shared by every thread, which only read it."""
    return make_world(read_data("world.json"), read_data("series.json"))


def make_world(facts: dict[str, Any], series: dict[str, Any]) -> World:
    """The world that the two files describe."""
    return World(
        today=date.fromisoformat(facts["snapshot_date"]),
        days=facts["days"],
        chains={row["id"]: _chain(row) for row in facts["chains"]},
        tokens={row["symbol"]: _token(row) for row in facts["tokens"]},
        protocols={row["id"]: Protocol(**row) for row in facts["protocols"]},
        exchanges={row["id"]: Exchange(**row) for row in facts["exchanges"]},
        pools={row["id"]: Pool(**row) for row in facts["pools"]},
        prices=series["prices"],
        network=series["network"],
        activity=series["protocols"],
        elastic=series["supply"],
        positioning=series["positioning"],
        ledger_start=date.fromisoformat(facts["ledger_start"]),
        facts=facts,
    )


def _chain(row: dict[str, Any]) -> Chain:
    return Chain(**{**row, "genesis": date.fromisoformat(row["genesis"])})


def _token(row: dict[str, Any]) -> Token:
    return Token(
        symbol=row["symbol"],
        name=row["name"],
        category=row["category"],
        chain=row["chain"],
        max_supply=row.get("max_supply"),
        tge=date.fromisoformat(row["tge"]) if row.get("tge") else None,
        allocations=tuple(Allocation(**part) for part in row.get("allocations", ())),
        issue=row.get("issue"),
        elastic=bool(row.get("elastic")),
        burn=Burn(**row["burn"]) if row.get("burn") else None,
    )
