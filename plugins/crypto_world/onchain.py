"""On-chain data and token analytics: supply, unlocks, blocks, time, and the ledger's transactions and balances."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import date, datetime, timedelta
from decimal import Decimal
from math import isfinite
from typing import Any

from modex import WorkerError, run_sql

from .answer import (
    Answer,
    Arguments,
    choice_of,
    day_of,
    moment_of,
    moment_text,
    number_of,
    page_of,
    text_of,
    tool,
)
from .chains import SECONDS_A_DAY, block_at, block_hash, block_time, head, transaction_count
from .snapshot import WorldError, data_path, world
from .supply import Unlock, supply, unlocks

QUERY_ROWS = 200
QUERY_SECONDS = 5.0
_TRANSACTION = (
    "SELECT t.hash, t.chain, t.block_number, t.timestamp, t.from_address, f.label AS from_label, t.to_address, "
    "r.label AS to_label, t.token, t.amount, t.fee_native, t.method, t.status FROM transactions t "
    "JOIN addresses f ON f.address = t.from_address JOIN addresses r ON r.address = t.to_address "
)


def _ledger(query: str, values: Sequence[object] = ()) -> list[dict[str, Any]]:
    """Rows of one of this module's own queries over the shipped ledger, which is opened immutable."""
    uri = f"{data_path('ledger.sqlite').absolute().as_uri()}?mode=ro&immutable=1"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(query, values)]


@tool
def token_supply(arguments: Arguments) -> Answer:
    """Circulating, locked, total, maximum and burned supply of a token on one day."""
    token = world().token(text_of(arguments, "symbol"))
    day = day_of(arguments, "date", world().today)
    index = world().index(day)
    amount = supply(token, index)
    price = world().close(token.symbol, index)
    return {
        "symbol": token.symbol,
        "name": token.name,
        "chain": token.chain,
        "date": day.isoformat(),
        "circulating_supply": amount.circulating,
        "locked_supply": amount.locked,
        "total_supply": amount.total,
        "max_supply": token.max_supply,
        "burned": amount.burned,
        "daily_issue": token.issue["daily_issue"] if token.issue else None,
        "circulating_percent_of_max": (
            round(amount.circulating / token.max_supply * 100, 4) if token.max_supply else None
        ),
        "price_usd": price,
        "market_cap_usd": round(price * amount.circulating),
    }


@tool
def unlock_schedule(arguments: Arguments) -> Answer:
    """Allocations of a token, and its unlocks within a period."""
    token = world().token(text_of(arguments, "symbol"))
    if not token.allocations:
        raise WorldError(
            f"{token.symbol} has no vesting schedule: it is {'minted on demand' if token.elastic else 'issued daily'}"
        )
    rows = unlocks(token)
    first = _free_date(arguments, "start_date", world().today)
    last = _free_date(arguments, "end_date", first + timedelta(days=365))
    if first > last:
        raise WorldError("start_date must not be after end_date")
    name = arguments.get("allocation")
    names = {part.name.casefold(): part.name for part in token.allocations}
    if name is not None and str(name).casefold() not in names:
        raise WorldError(f"{token.symbol} has no allocation {str(name)[:40]!r}; it has: {', '.join(names.values())}")
    wanted = [row for row in rows if first <= row.day <= last]
    if name is not None:
        wanted = [row for row in wanted if row.allocation == names[str(name).casefold()]]
    events, facts = page_of(wanted, arguments, 24, 120)
    price = world().close(token.symbol, world().days - 1)
    return {
        "symbol": token.symbol,
        "token_generation_date": token.tge.isoformat() if token.tge else None,
        "max_supply": token.max_supply,
        "allocations": [_allocation(part.name, part.percent, rows) for part in token.allocations],
        "period": {"from": first.isoformat(), "to": last.isoformat()},
        "unlocked_in_period": sum(row.amount for row in wanted),
        "value_at_snapshot_price_usd": round(sum(row.amount for row in wanted) * price),
        "columns": ["date", "allocation", "amount"],
        "events": [[row.day.isoformat(), row.allocation, row.amount] for row in events],
        **facts,
    }


def _free_date(arguments: Arguments, key: str, default: date) -> date:
    """A date that may lie outside the series: schedules reach years back and ahead."""
    value = arguments.get(key)
    if value is None:
        return default
    day = moment_of(str(value)).date()
    if not 2000 <= day.year <= 2100:
        raise WorldError(f"{key} must be a date from 2000 to 2100")
    return day


def _allocation(name: str, percent: int, rows: list[Unlock]) -> dict[str, Any]:
    own = [row for row in rows if row.allocation == name]
    done = sum(row.amount for row in own if row.day <= world().today)
    total = sum(row.amount for row in own)
    return {
        "allocation": name,
        "percent_of_max": percent,
        "tokens": total,
        "unlocked": done,
        "still_locked": total - done,
        "first_unlock": own[0].day.isoformat(),
        "fully_unlocked": own[-1].day.isoformat(),
    }


def _tables() -> list[str]:
    """Each table of the ledger with its columns."""
    rows = _ledger(
        "SELECT m.name AS name, group_concat(c.name, ', ') AS columns FROM sqlite_master m JOIN pragma_table_info(m.name) c "
        "WHERE m.type = 'table' GROUP BY m.name ORDER BY m.name"
    )
    return [f"{row['name']}({row['columns']})" for row in rows]


@tool
def ledger_query(arguments: Arguments) -> Answer:
    """One read-only SQL query over the ledger file, in the SQL sandbox."""
    query = text_of(arguments, "sql")
    limit = number_of(arguments, "limit", 50, 1, QUERY_ROWS)
    try:
        result = run_sql(data_path("ledger.sqlite"), query, max_rows=limit, deadline_s=QUERY_SECONDS)
    except WorkerError as error:
        raise WorldError(f"this machine cannot run ledger queries: {error}") from error
    if result.error is not None:
        raise WorldError(f"{result.error}\nThe ledger's tables: {'; '.join(_tables())}")
    rows = [[_plain(value) for value in row] for row in result.rows]
    return {"columns": list(result.columns), "rows": rows, "truncated": result.truncated}


def _plain(value: Any) -> Any:
    """A value that JSON can write: blobs as hexadecimal digits, infinities by name."""
    if isinstance(value, bytes):
        return "0x" + value.hex()
    return str(value) if isinstance(value, float) and not isfinite(value) else value


@tool
def time_conversion(arguments: Arguments) -> Answer:
    """Between moments, Unix time and a chain's block numbers."""
    chain = world().chain(text_of(arguments, "chain"))
    if (arguments.get("block_number") is None) == (arguments.get("time") is None):
        raise WorldError("give either block_number or time")
    if arguments.get("time") is not None:
        moment = moment_of(str(arguments["time"]))
        if moment >= world().moment:
            raise WorldError(f"the snapshot ends with {world().today}; {moment_text(moment)} is after it")
        number = block_at(chain, moment)
    else:
        number = _block_number(arguments, chain.id)
        moment = block_time(chain, number)
    return {
        "chain": chain.id,
        "time": moment_text(moment),
        "unix_seconds": int(moment.timestamp()),
        "block_number": number,
        "block_time": moment_text(block_time(chain, number)),
        "seconds_per_block": chain.block_seconds,
        "blocks_per_day": SECONDS_A_DAY // chain.block_seconds,
    }


def _block_number(arguments: Arguments, chain_id: str) -> int:
    chain = world().chains[chain_id]
    return number_of(arguments, "block_number", head(chain), 0, head(chain))


@tool
def block_information(arguments: Arguments) -> Answer:
    """One block of a chain, with the ledger's transactions in it."""
    chain = world().chain(text_of(arguments, "chain"))
    number = _block_number(arguments, chain.id)
    rows = _ledger(_TRANSACTION + "WHERE t.chain = ? AND t.block_number = ? ORDER BY t.hash", (chain.id, number))
    return {
        "chain": chain.id,
        "block_number": number,
        "hash": block_hash(chain, number),
        "parent_hash": block_hash(chain, number - 1) if number else None,
        "time": moment_text(block_time(chain, number)),
        "unix_seconds": int(block_time(chain, number).timestamp()),
        "transaction_count": transaction_count(chain, number),
        "latest_block": head(chain),
        "transactions_of_labelled_addresses": rows,
    }


@tool
def transaction_lookup(arguments: Arguments) -> Answer:
    """One transaction by hash, or those of an address."""
    if (arguments.get("hash") is None) == (arguments.get("address") is None):
        raise WorldError("give either hash or address")
    if arguments.get("hash") is not None:
        text = text_of(arguments, "hash").casefold()
        rows = _ledger(_TRANSACTION + "WHERE t.hash = ?", (text,))
        if not rows:
            raise WorldError(
                f"the ledger has no transaction {text[:70]!r}; it holds those since {world().ledger_start}"
            )
        chain = world().chains[rows[0]["chain"]]
        price = world().close(rows[0]["token"], world().index(_day(rows[0]["timestamp"])))
        confirmations = head(chain) - rows[0]["block_number"] + 1
        value = round(rows[0]["amount"] * price, 2)
        return {"transaction": rows[0], "confirmations": confirmations, "value_usd_at_close_of_day": value}
    address = _address(arguments)["address"]
    clause, values = "WHERE (t.from_address = ? OR t.to_address = ?) ", [address, address]
    if arguments.get("symbol") is not None:
        clause += "AND t.token = ? "
        values.append(world().token(str(arguments["symbol"])).symbol)
    order = choice_of(arguments, "sort_by", "newest", ("newest", "oldest", "amount"))
    ordering = {"newest": "t.timestamp DESC", "oldest": "t.timestamp", "amount": "t.amount DESC"}[order]
    rows = _ledger(f"{_TRANSACTION}{clause}ORDER BY {ordering}, t.hash", values)
    shown, facts = page_of(rows, arguments, 10, 50)
    return {"address": address, "transactions": shown, **facts}


def _day(timestamp: str) -> date:
    return datetime.fromisoformat(timestamp).date()


def _address(arguments: Arguments) -> dict[str, Any]:
    """The row of an address, given as such or by its label."""
    text = text_of(arguments, "address")
    rows = _ledger("SELECT * FROM addresses WHERE address = lower(?) OR lower(label) = lower(?)", (text, text))
    chain = arguments.get("chain")
    if chain is not None:
        rows = [row for row in rows if row["chain"] == world().chain(str(chain)).id]
    if len(rows) > 1:
        raise WorldError(f"{text!r} is an address on {', '.join(row['chain'] for row in rows)}; name the chain")
    if not rows:
        near = _ledger(
            "SELECT DISTINCT label FROM addresses WHERE label LIKE ? LIMIT 5", (f"%{text[:40].split()[0]}%",)
        )
        hint = f"; labels like it: {', '.join(row['label'] for row in near)}" if near else ""
        raise WorldError(f"the ledger has no address {text[:60]!r}{hint}")
    return rows[0]


@tool
def address_balances(arguments: Arguments) -> Answer:
    """What an address holds at the end of a day, replayed from the ledger."""
    row = _address(arguments)
    day = day_of(arguments, "date", world().today)
    if day < world().ledger_start:
        raise WorldError(f"the ledger begins on {world().ledger_start}")
    index = world().index(day)
    wanted = world().token(str(arguments["symbol"])).symbol if arguments.get("symbol") is not None else None
    holdings = []
    for symbol, amount in sorted(balances(row["address"], row["chain"], day.isoformat()).items()):
        if wanted in (None, symbol):
            price = world().close(symbol, index)
            value = round(float(amount) * price, 2)
            holdings.append({"symbol": symbol, "amount": float(amount), "price_usd": price, "value_usd": value})
    holdings.sort(key=lambda item: -float(str(item["value_usd"])))
    total = round(sum(float(str(item["value_usd"])) for item in holdings), 2)
    facts = {key: row[key] for key in ("address", "label", "kind", "chain")}
    return {**facts, "date": day.isoformat(), "holdings": holdings, "total_value_usd": total}


def balances(address: str, chain_id: str, day: str) -> dict[str, Decimal]:
    """Token → amount at the end of a day: opening balance + received − sent − fees, failed transfers moving nothing."""
    held: dict[str, Decimal] = {}
    for row in _ledger("SELECT token, amount FROM opening_balances WHERE address = ?", (address,)):
        held[row["token"]] = Decimal(str(row["amount"]))
    native = world().chains[chain_id].native
    moves = _ledger(
        "SELECT from_address, to_address, token, amount, fee_native, status FROM transactions "
        "WHERE (from_address = ? OR to_address = ?) AND substr(timestamp, 1, 10) <= ?",
        (address, address, day),
    )
    for move in moves:
        amount = Decimal(str(move["amount"])) if move["status"] == "success" else Decimal(0)
        if move["from_address"] == address:
            held[move["token"]] = held.get(move["token"], Decimal(0)) - amount
            held[native] = held.get(native, Decimal(0)) - Decimal(str(move["fee_native"]))
        if move["to_address"] == address:
            held[move["token"]] = held.get(move["token"], Decimal(0)) + amount
    return {symbol: amount for symbol, amount in held.items() if amount}
