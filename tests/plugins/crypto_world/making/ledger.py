"""Draws the ledger: labelled addresses, their opening balances and three months of transactions, as one SQLite file."""

from __future__ import annotations

import hashlib
import random
import sqlite3
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from plugins.crypto_world.chains import block_at, block_time
from plugins.crypto_world.snapshot import Chain, Token, World
from plugins.crypto_world.supply import revenue, supply, unlocks
from tests.plugins.crypto_world.making import recipe

MICRO = 1_000_000
GAS = 5
"""Native tokens that a vesting contract holds beside what it releases, to pay its fees."""
_RANDOM_TRANSFERS = {"aurelia": 900, "cinder": 800, "estuary": 500, "borealis": 800, "dovetail": 600}
_SCHEMA = """
CREATE TABLE addresses (
  address TEXT PRIMARY KEY, chain TEXT NOT NULL, label TEXT NOT NULL, kind TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE opening_balances (
  address TEXT NOT NULL, token TEXT NOT NULL, amount REAL NOT NULL, PRIMARY KEY (address, token)) WITHOUT ROWID;
CREATE TABLE transactions (
  hash TEXT PRIMARY KEY, chain TEXT NOT NULL, block_number INTEGER NOT NULL, timestamp TEXT NOT NULL,
  from_address TEXT NOT NULL, to_address TEXT NOT NULL, token TEXT NOT NULL, amount REAL NOT NULL,
  fee_native REAL NOT NULL, method TEXT NOT NULL, status TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE tokens (
  symbol TEXT PRIMARY KEY, name TEXT NOT NULL, category TEXT NOT NULL, chain TEXT NOT NULL, max_supply INTEGER);
CREATE TABLE unlocks (symbol TEXT NOT NULL, day TEXT NOT NULL, allocation TEXT NOT NULL, amount INTEGER NOT NULL);
CREATE TABLE daily_prices (
  day TEXT NOT NULL, symbol TEXT NOT NULL, open REAL NOT NULL, high REAL NOT NULL, low REAL NOT NULL,
  close REAL NOT NULL, volume_usd INTEGER NOT NULL, PRIMARY KEY (day, symbol)) WITHOUT ROWID;
CREATE TABLE daily_network (
  day TEXT NOT NULL, chain TEXT NOT NULL, transactions INTEGER NOT NULL, active_addresses INTEGER NOT NULL,
  new_addresses INTEGER NOT NULL, fees_native REAL NOT NULL, PRIMARY KEY (day, chain)) WITHOUT ROWID;
CREATE TABLE daily_protocols (
  day TEXT NOT NULL, protocol TEXT NOT NULL, tvl_usd INTEGER NOT NULL, fees_usd REAL NOT NULL,
  revenue_usd REAL NOT NULL, active_users INTEGER NOT NULL, transactions INTEGER NOT NULL,
  PRIMARY KEY (day, protocol)) WITHOUT ROWID;
"""


@dataclass(slots=True)
class _Drawing:
    """The ledger while it is drawn; amounts are integers in millionths of a token."""

    world: World
    rng: random.Random
    addresses: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    opening: dict[tuple[str, str], int] = field(default_factory=dict)
    balances: defaultdict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    rows: list[tuple[object, ...]] = field(default_factory=list)

    def address(self, chain: str, label: str, kind: str) -> str:
        """A new labelled address."""
        text = "0x" + hashlib.sha256(f"{chain}/{label}".encode()).hexdigest()[:40]
        self.addresses[text] = (chain, label, kind)
        return text

    def open(self, address: str, token: str, amount: float) -> None:
        """Give the address a balance at the ledger's start, rounded to hundredths of a token."""
        self.opening[address, token] = round(amount * 100) * (MICRO // 100)
        self.balances[address, token] = self.opening[address, token]


@dataclass(frozen=True, slots=True)
class _Order:
    moment: datetime
    chain: str
    method: str
    source: str
    target: str
    token: str
    amount: float
    """Tokens; a negative one is that share of the sender's balance."""


def make_ledger(world: World, path: Path) -> None:
    """Write the ledger file of the world to `path`, replacing what is there."""
    drawing = _Drawing(world, random.Random(recipe.SEED + 1))
    orders = [*_addresses(drawing), *_random_transfers(drawing)]
    for number, order in enumerate(sorted(orders, key=lambda order: order.moment)):
        _settle(drawing, number, order)
    _write(drawing, path)


def _of_kind(drawing: _Drawing, chain: str, *kinds: str) -> list[str]:
    return [text for text, (home, _, kind) in drawing.addresses.items() if home == chain and kind in kinds]


def _addresses(drawing: _Drawing) -> list[_Order]:
    """Create every address with its opening balances; returns the orders that the stories and schedules demand."""
    world, rng = drawing.world, drawing.rng
    start = world.index(world.ledger_start) - 1
    for chain in world.chains.values():
        native = world.tokens[chain.native]
        tokens = [token for token in world.tokens.values() if token.chain == chain.id]
        people = [(f"{spec.name} hot wallet", "exchange", 0.018) for spec in world.exchanges.values() if spec.shares]
        people += [(f"{chain.name} whale {number}", "whale", 0.0021) for number in range(1, 5)]
        people += [
            (f"{chain.name} Foundation", "treasury", 0.004),
            ("Kestrel Capital", "fund", 0.0032),
            ("Longshore Trading", "market maker", 0.0026),
        ]
        for label, kind, share in people:
            holder = drawing.address(chain.id, label, kind)
            for token in {**{token.symbol: token for token in tokens}, native.symbol: native}.values():
                drawing.open(holder, token.symbol, supply(token, start).circulating * share * rng.uniform(0.4, 1.6))
    for symbol in world.tokens:
        _vesting_address(drawing, world.tokens[symbol])
    return [*_claims(drawing), *_exploit(drawing)]


def _vesting_address(drawing: _Drawing, token: Token) -> None:
    future = sum(row.amount for row in unlocks(token) if row.day >= drawing.world.ledger_start)
    if future:
        contract = drawing.address(token.chain, f"{token.name} vesting contract", "vesting")
        native = drawing.world.chains[token.chain].native
        drawing.open(contract, native, GAS)
        drawing.open(contract, token.symbol, future + (GAS if native == token.symbol else 0))


def _claims(drawing: _Drawing) -> list[_Order]:
    """Every unlock of the ledger's period leaves the token's vesting contract at noon."""
    world, orders = drawing.world, []
    for token in world.tokens.values():
        claimants = _of_kind(drawing, token.chain, "whale", "fund", "treasury")
        contract = next(
            (text for text, row in drawing.addresses.items() if row[1] == f"{token.name} vesting contract"), ""
        )
        for row in unlocks(token):
            if world.ledger_start <= row.day <= world.today:
                noon = datetime(row.day.year, row.day.month, row.day.day, 12, tzinfo=UTC)
                who = claimants[len(row.allocation) % len(claimants)]
                orders.append(_Order(noon, token.chain, "claim", contract, who, token.symbol, row.amount))
    return orders


def _exploit(drawing: _Drawing) -> list[_Order]:
    """The Causeway exploit: the vault is drained, and a part of the loot reaches an exchange."""
    vault = drawing.address("aurelia", "Causeway bridge vault", "bridge")
    thief = drawing.address("aurelia", "Causeway exploiter", "exploiter")
    for token, amount in {"CAUS": 264_000_000, "USDM": 71_500_000, "AUR": 11_820}.items():
        drawing.open(vault, token, amount)
    drawing.open(thief, "AUR", 2.5)
    tern = next(text for text, row in drawing.addresses.items() if row[:2] == ("aurelia", "Tern hot wallet"))
    noon = datetime(2026, 5, 14, 9, 41, tzinfo=UTC)
    steps = [
        (0, "withdraw", vault, thief, "CAUS", 210_000_000),
        (1, "withdraw", vault, thief, "USDM", 38_400_000),
        (3, "withdraw", vault, thief, "AUR", 6_150),
        (190, "transfer", thief, tern, "CAUS", 44_000_000),
        (2_904, "transfer", thief, tern, "AUR", 1_275.5),
    ]
    return [_Order(noon + timedelta(minutes=row[0]), "aurelia", *row[1:]) for row in steps]


def _random_transfers(drawing: _Drawing) -> list[_Order]:
    world, rng, orders = drawing.world, drawing.rng, []
    begin = datetime(world.ledger_start.year, world.ledger_start.month, world.ledger_start.day, tzinfo=UTC)
    seconds = int((world.moment - begin).total_seconds())
    for chain_id, count in _RANDOM_TRANSFERS.items():
        people = _of_kind(drawing, chain_id, "exchange", "whale", "treasury", "fund", "market maker")
        symbols = [token.symbol for token in world.tokens.values() if token.chain == chain_id]
        for _ in range(count):
            source, target = rng.sample(people, 2)
            kinds = drawing.addresses[source][2], drawing.addresses[target][2]
            method = "deposit" if kinds[1] == "exchange" else "withdraw" if kinds[0] == "exchange" else "transfer"
            moment = begin + timedelta(seconds=rng.randrange(seconds))
            share = -round(rng.uniform(0.001, 0.05), 4)
            orders.append(_Order(moment, chain_id, method, source, target, rng.choice(symbols), share))
    return orders


def _settle(drawing: _Drawing, number: int, order: _Order) -> None:
    """Write one transaction: fees are always paid, and one in about forty ordinary transfers fails."""
    chain: Chain = drawing.world.chains[order.chain]
    held = drawing.balances[order.source, order.token]
    wanted = round(held * -order.amount) if order.amount < 0 else round(order.amount * MICRO)
    amount = wanted // (MICRO // 100) * (MICRO // 100)
    fee = round(
        next(row["fee"] for row in recipe.CHAINS if row["id"] == chain.id) * drawing.rng.uniform(0.6, 2.4) * MICRO
    )
    fee = max(1, fee)
    native = (order.source, chain.native)
    fails = order.amount < 0 and drawing.rng.random() < 0.025
    if amount <= 0 or amount > held or drawing.balances[native] < fee + (amount if chain.native == order.token else 0):
        raise ValueError(f"the recipe lets {drawing.addresses[order.source]} spend more than it has: {order}")
    drawing.balances[native] -= fee
    if not fails:
        drawing.balances[order.source, order.token] -= amount
        drawing.balances[order.target, order.token] += amount
    block = block_at(chain, order.moment)
    moment = block_time(chain, block).strftime("%Y-%m-%dT%H:%M:%SZ")
    tx_hash = "0x" + hashlib.sha256(f"{chain.id}/transaction/{number}".encode()).hexdigest()
    status = "failed" if fails else "success"
    parties = (order.source, order.target, order.token)
    figures = (amount / MICRO, fee / MICRO, order.method, status)
    drawing.rows.append((tx_hash, chain.id, block, moment, *parties, *figures))


def _write(drawing: _Drawing, path: Path) -> None:
    world = drawing.world
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    try:
        connection.executescript(_SCHEMA)
        put = connection.executemany
        put("INSERT INTO addresses VALUES (?,?,?,?)", [(text, *row) for text, row in drawing.addresses.items()])
        put(
            "INSERT INTO opening_balances VALUES (?,?,?)",
            [(*key, amount / MICRO) for key, amount in drawing.opening.items()],
        )
        put("INSERT INTO transactions VALUES (?,?,?,?,?,?,?,?,?,?,?)", drawing.rows)
        put(
            "INSERT INTO tokens VALUES (?,?,?,?,?)",
            [(row.symbol, row.name, row.category, row.chain, row.max_supply) for row in world.tokens.values()],
        )
        put(
            "INSERT INTO unlocks VALUES (?,?,?,?)",
            [
                (token.symbol, row.day.isoformat(), row.allocation, row.amount)
                for token in world.tokens.values()
                for row in unlocks(token)
            ],
        )
        _write_days(world, connection)
        connection.commit()
        connection.execute("VACUUM")
    finally:
        connection.close()


def _write_days(world: World, connection: sqlite3.Connection) -> None:
    for index in range(world.index(world.ledger_start), world.days):
        day = world.day(index).isoformat()
        for symbol, rows in world.prices.items():
            values = [rows[key][index] for key in ("open", "high", "low", "close", "volume")]
            connection.execute("INSERT INTO daily_prices VALUES (?,?,?,?,?,?,?)", (day, symbol, *values))
        for chain, rows in world.network.items():
            values = [rows[key][index] for key in ("transactions", "active_addresses", "new_addresses", "fees_native")]
            connection.execute("INSERT INTO daily_network VALUES (?,?,?,?,?,?)", (day, chain, *values))
        for name, rows in world.activity.items():
            figures = (rows["tvl_usd"][index], rows["fees_usd"][index], revenue(name, index))
            people = (rows["active_users"][index], rows["transactions"][index])
            connection.execute("INSERT INTO daily_protocols VALUES (?,?,?,?,?,?,?)", (day, name, *figures, *people))
