"""DeFi metrics: what protocols, chains and exchanges earn and do, and what suppliers are paid."""

from __future__ import annotations

from typing import Any

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
from .snapshot import Exchange, Pool, WorldError, world
from .supply import revenue

YIELD_DAYS = 30
MAX_ROWS = 60


def _period(first: int, last: int) -> dict[str, Any]:
    return {"from": world().day(first).isoformat(), "to": world().day(last).isoformat(), "days": last - first + 1}


@tool
def protocol_engagement(arguments: Arguments) -> Answer:
    """TVL, users and transactions of one protocol, in total and by chain."""
    spec = world().protocol(text_of(arguments, "protocol"))
    first, last = span_of(arguments, 30)
    rows = world().activity[spec.id]
    users = rows["active_users"][first : last + 1]
    tvl = rows["tvl_usd"]
    answer: Answer = {
        "protocol": spec.id,
        "category": spec.category,
        "token": spec.token,
        "period": _period(first, last),
        "tvl_usd": tvl[last],
        "tvl_by_chain_usd": {chain: round(tvl[last] * share) for chain, share in spec.chains.items()},
        "tvl_change_percent": percent_change(tvl[first], tvl[last]),
        "active_users_last_day": users[-1],
        "active_users_daily_mean": round(sum(users) / len(users), 2),
        "transactions": sum(rows["transactions"][first : last + 1]),
    }
    if arguments.get("daily") is True:
        begin = max(first, last - MAX_ROWS + 1)
        answer["columns"] = ["date", "tvl_usd", "active_users", "transactions"]
        answer["rows"] = [
            [world().day(index).isoformat(), *(rows[key][index] for key in ("tvl_usd", "active_users", "transactions"))]
            for index in range(begin, last + 1)
        ]
    return answer


@tool
def protocol_revenue(arguments: Arguments) -> Answer:
    """Fees and revenue of one protocol or of all, over a period."""
    first, last = span_of(arguments, 30)
    wanted = arguments.get("protocol")
    specs = [world().protocol(str(wanted))] if wanted is not None else list(world().protocols.values())
    rows = []
    for spec in specs:
        fees = round(sum(world().activity[spec.id]["fees_usd"][first : last + 1]), 2)
        kept = round(sum(revenue(spec.id, index) for index in range(first, last + 1)), 2)
        rows.append(
            {
                "protocol": spec.id,
                "category": spec.category,
                "take_rate": spec.take_rate,
                "fees_usd": fees,
                "revenue_usd": kept,
                "paid_to_suppliers_usd": round(fees - kept, 2),
                "annualised_revenue_usd": round(kept / (last - first + 1) * 365, 2),
            }
        )
    rows.sort(key=lambda row: -float(str(row["revenue_usd"])))
    answer: Answer = {"period": _period(first, last), "protocols": rows}
    if arguments.get("daily") is True and wanted is not None:
        begin = max(first, last - MAX_ROWS + 1)
        answer["columns"] = ["date", "fees_usd", "revenue_usd"]
        answer["rows"] = [
            [
                world().day(index).isoformat(),
                world().activity[specs[0].id]["fees_usd"][index],
                revenue(specs[0].id, index),
            ]
            for index in range(begin, last + 1)
        ]
    return answer


@tool
def network_activity(arguments: Arguments) -> Answer:
    """Transactions, addresses and fees of one chain or of all, over a period."""
    first, last = span_of(arguments, 30)
    wanted = arguments.get("chain")
    chains = [world().chain(str(wanted))] if wanted is not None else list(world().chains.values())
    rows = []
    for chain in chains:
        series = world().network[chain.id]
        days = range(first, last + 1)
        transactions = sum(series["transactions"][index] for index in days)
        fees = round(sum(series["fees_native"][index] for index in days), 2)
        usd = round(sum(series["fees_native"][index] * world().close(chain.native, index) for index in days), 2)
        active = [series["active_addresses"][index] for index in days]
        rows.append(
            {
                "chain": chain.id,
                "native_token": chain.native,
                "transactions": transactions,
                "transactions_daily_mean": round(transactions / len(days), 2),
                "active_addresses_last_day": active[-1],
                "active_addresses_daily_mean": round(sum(active) / len(active), 2),
                "new_addresses": sum(series["new_addresses"][index] for index in days),
                "fees_native": fees,
                "fees_usd": usd,
                "mean_fee_native": float(f"{fees / transactions:.6g}"),
                "transactions_per_second": round(transactions / (len(days) * 86_400), 3),
            }
        )
    answer: Answer = {"period": _period(first, last), "chains": rows}
    if arguments.get("daily") is True and wanted is not None:
        series = world().network[chains[0].id]
        keys = ("transactions", "active_addresses", "new_addresses", "fees_native")
        answer["columns"] = ["date", *keys]
        answer["rows"] = [
            [world().day(index).isoformat(), *(series[key][index] for key in keys)]
            for index in range(max(first, last - MAX_ROWS + 1), last + 1)
        ]
    return answer


def dex_volume(protocol_id: str, index: int) -> float:
    """A trading protocol's volume of a day in USD: its fees ÷ its trade fee."""
    fee = world().protocols[protocol_id].trade_fee
    return round(world().activity[protocol_id]["fees_usd"][index] / fee, 2) if fee else 0.0


def exchange_volume(spec: Exchange, index: int) -> float:
    """An exchange's volume of a day in USD."""
    if not spec.shares:
        return dex_volume(spec.id, index)
    volumes = world().prices
    return round(sum(volumes[symbol]["volume"][index] * share for symbol, share in spec.shares.items()), 2)


@tool
def exchange_overview(arguments: Arguments) -> Answer:
    """Volumes of exchanges over a period; for one centralised exchange also its largest markets."""
    kind = choice_of(arguments, "kind", "all", ("all", "centralised", "decentralised"))
    first, last = span_of(arguments, 1)
    wanted = arguments.get("exchange")
    specs = [world().exchange(str(wanted))] if wanted is not None else list(world().exchanges.values())
    specs = [spec for spec in specs if kind in ("all", spec.kind)]
    if not specs:
        raise WorldError(f"{wanted} is not {kind}; leave kind out")
    rows: list[dict[str, Any]] = []
    for spec in specs:
        volume = round(sum(exchange_volume(spec, index) for index in range(first, last + 1)), 2)
        row = {"exchange": spec.id, "name": spec.name, "kind": spec.kind, "founded": spec.founded, "volume_usd": volume}
        rows.append({**row, "listed_tokens": len(spec.shares) or None})
    rows.sort(key=lambda row: -row["volume_usd"])
    answer: Answer = {"period": _period(first, last), "exchanges": rows}
    if wanted is not None and specs[0].shares:
        answer["markets"], facts = page_of(_markets(specs[0], first, last), arguments, 10, 50)
        answer |= facts
    return answer


def _markets(spec: Exchange, first: int, last: int) -> list[dict[str, Any]]:
    rows = []
    for symbol, share in spec.shares.items():
        total = sum(world().prices[symbol]["volume"][first : last + 1])
        rows.append({"symbol": symbol, "volume_usd": round(total * share, 2), "share_of_token_volume": share})
    return sorted(rows, key=lambda row: -float(str(row["volume_usd"])))


@tool
def defi_yields(arguments: Arguments) -> Answer:
    """Yields of pools on one day, from the fees and rewards of the 30 days before."""
    order = choice_of(arguments, "sort_by", "apy_total", ("apy_total", "apy_base", "apy_reward", "tvl_usd"))
    index = world().index(day_of(arguments, "date", world().today))
    if index < YIELD_DAYS - 1:
        raise WorldError(f"yields need {YIELD_DAYS} days of fees: the first date is {world().day(YIELD_DAYS - 1)}")
    minimum = number_of(arguments, "min_tvl_usd", 0, 0, 10**15)
    pools = list(world().pools.values())
    if arguments.get("protocol") is not None:
        pools = [pool for pool in pools if pool.protocol == world().protocol(str(arguments["protocol"])).id]
    if arguments.get("chain") is not None:
        pools = [pool for pool in pools if pool.chain == world().chain(str(arguments["chain"])).id]
    if arguments.get("symbol") is not None:
        symbol = world().token(str(arguments["symbol"])).symbol
        pools = [pool for pool in pools if symbol in pool.pair.split("-")]
    rows = [row for row in (pool_yield(pool, index) for pool in pools) if row["tvl_usd"] >= minimum]
    unit = {"apy_total": "apy_total_percent", "apy_base": "apy_base_percent", "apy_reward": "apy_reward_percent"}
    key = unit.get(order, "tvl_usd")
    rows.sort(key=lambda row: (-row[key], row["pool"]))
    shown, facts = page_of(rows, arguments, 10, 50)
    return {"date": world().day(index).isoformat(), "sort_by": order, "pools": shown, **facts}


def pool_yield(pool: Pool, index: int) -> dict[str, Any]:
    """A pool's yield: suppliers' part of 30 days of fees and rewards at the day's price, over its TVL, a simple year."""
    days = range(index - YIELD_DAYS + 1, index + 1)
    activity = world().activity[pool.protocol]
    tvl = activity["tvl_usd"][index] * pool.share
    paid = sum(activity["fees_usd"][day] - revenue(pool.protocol, day) for day in days) * pool.fee_share
    rewards = pool.reward_daily * world().close(pool.reward_token, index) if pool.reward_token else 0.0
    base = round(paid / YIELD_DAYS * 365 / tvl * 100, 3)
    extra = round(rewards * 365 / tvl * 100, 3)
    return {
        "pool": pool.id,
        "protocol": pool.protocol,
        "chain": pool.chain,
        "assets": pool.pair,
        "tvl_usd": round(tvl),
        "apy_base_percent": base,
        "apy_reward_percent": extra,
        "apy_total_percent": round(base + extra, 3),
        "reward_token": pool.reward_token,
    }
