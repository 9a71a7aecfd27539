"""Prices, supplies, blocks, unlocks, the ledger and the texts tell the same story, whichever tool is asked."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal

import pytest

from plugins.crypto_world import SNAPSHOT_DATE, chains, discovery
from plugins.crypto_world.onchain import balances
from plugins.crypto_world.snapshot import data_path, world
from plugins.crypto_world.supply import market_cap, revenue, supply, unlocks
from tests.plugins.crypto_world.calling import ask
from tests.plugins.crypto_world.making.ledger import GAS
from tests.rows import each_row

SYMBOLS = list(world().tokens)
CHAINS = list(world().chains)
LAST = world().days - 1


@pytest.fixture(name="ledger")
def opened_ledger() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"{data_path('ledger.sqlite').as_uri()}?mode=ro", uri=True)) as connection:
        yield connection


def test_the_snapshot_date_is_one() -> None:
    assert world().today.isoformat() == SNAPSHOT_DATE
    assert ask("trending_topics")["snapshot_date"] == SNAPSHOT_DATE


@each_row("symbol", SYMBOLS)
def test_candles_enclose_opens_and_closes(symbol: str) -> None:
    rows = world().prices[symbol]
    assert {len(values) for values in rows.values()} == {world().days}
    for index in range(world().days):
        assert 0 < rows["low"][index] <= min(rows["open"][index], rows["close"][index])
        assert rows["high"][index] >= max(rows["open"][index], rows["close"][index])
        assert index == 0 or rows["open"][index] == rows["close"][index - 1]


@each_row("symbol", SYMBOLS)
def test_market_cap_is_price_times_circulating_supply_in_every_tool(symbol: str) -> None:
    supplied = ask("token_supply", symbol=symbol)
    ranked = next(row for row in ask("market_rankings", limit=50)["rows"] if row["symbol"] == symbol)
    candle = ask("historical_prices", symbol=symbol, days=1)["rows"][0]
    assert supplied["price_usd"] == ranked["price_usd"] == candle[4]
    assert supplied["market_cap_usd"] == round(candle[4] * supplied["circulating_supply"])
    assert ranked["market_cap_usd"] == supplied["market_cap_usd"] == market_cap(world().tokens[symbol], LAST)
    assert ranked["volume_24h_usd"] == candle[5]


@each_row("symbol", SYMBOLS)
def test_supply_parts_add_up(symbol: str) -> None:
    token = world().tokens[symbol]
    for index in (0, 200, LAST):
        amount = supply(token, index)
        assert 0 < amount.circulating <= amount.total
        assert amount.circulating + amount.locked == pytest.approx(amount.total, abs=0.02)
        if token.max_supply is not None:
            assert amount.total + amount.burned == pytest.approx(token.max_supply, abs=0.02)


@each_row("symbol", [symbol for symbol in SYMBOLS if world().tokens[symbol].allocations])
def test_unlocks_add_up_to_the_maximum_and_to_what_is_still_locked(symbol: str) -> None:
    token = world().tokens[symbol]
    rows = unlocks(token)
    assert sum(part.percent for part in token.allocations) == 100
    assert sum(row.amount for row in rows) == token.max_supply
    answer = ask("unlock_schedule", symbol=symbol, start_date="2026-07-01", end_date="2040-01-01")
    assert answer["unlocked_in_period"] == round(ask("token_supply", symbol=symbol)["locked_supply"])
    assert sum(row["still_locked"] for row in answer["allocations"]) == answer["unlocked_in_period"]


def test_vesting_contracts_hold_what_is_locked_and_their_fees(ledger: sqlite3.Connection) -> None:
    rows = ledger.execute("SELECT address, chain, label FROM addresses WHERE kind = 'vesting'").fetchall()
    assert len(rows) >= 15
    for address, chain, label in rows:
        token = world().token(label.removesuffix(" vesting contract"))
        held = balances(address, chain, SNAPSHOT_DATE).get(token.symbol, Decimal(0))
        fees = GAS if world().chains[chain].native == token.symbol else 0
        assert 0 <= held - Decimal(str(supply(token, LAST).locked)) <= fees


def test_no_labelled_address_ever_spends_more_than_it_has(ledger: sqlite3.Connection) -> None:
    held: dict[tuple[str, str], Decimal] = {
        (address, token): Decimal(str(amount))
        for address, token, amount in ledger.execute("SELECT address, token, amount FROM opening_balances")
    }
    query = (
        "SELECT chain, from_address, to_address, token, amount, fee_native, status FROM transactions ORDER BY timestamp"
    )
    for chain, source, target, token, amount, fee, status in ledger.execute(query):
        moved = Decimal(str(amount)) if status == "success" else Decimal(0)
        native = world().chains[chain].native
        for key, change in (
            ((source, native), -Decimal(str(fee))),
            ((source, token), -moved),
            ((target, token), moved),
        ):
            held[key] = held.get(key, Decimal(0)) + change
        assert held[source, token] >= 0
        assert held[source, native] >= 0


@pytest.mark.long
@pytest.mark.parametrize("symbol", SYMBOLS)
def test_labelled_addresses_hold_no_more_than_circulates(symbol: str, ledger: sqlite3.Connection) -> None:
    query = (
        "SELECT a.address, a.chain FROM addresses a JOIN opening_balances o USING (address) "
        "WHERE o.token = ? AND a.kind <> 'vesting'"
    )
    held = sum(
        balances(address, chain, SNAPSHOT_DATE).get(symbol, Decimal(0))
        for address, chain in ledger.execute(query, (symbol,))
    )
    assert 0 < held < supply(world().tokens[symbol], LAST).circulating


def test_ledger_transactions_stand_in_the_block_of_their_time(ledger: sqlite3.Connection) -> None:
    for chain, number, timestamp in ledger.execute("SELECT chain, block_number, timestamp FROM transactions"):
        assert chains.block_time(world().chains[chain], number).strftime("%Y-%m-%dT%H:%M:%SZ") == timestamp


def test_blocks_hold_at_least_the_ledgers_transactions(ledger: sqlite3.Connection) -> None:
    query = (
        "SELECT chain, block_number, count(*) FROM transactions GROUP BY chain, block_number ORDER BY 3 DESC LIMIT 50"
    )
    for chain, number, count in ledger.execute(query):
        assert count <= (chains.transaction_count(world().chains[chain], number) or 0)


@pytest.mark.parametrize("chain_id", CHAINS)
def test_a_days_blocks_add_up_to_its_transactions(chain_id: str) -> None:
    chain, day = world().chains[chain_id], world().today
    first = chains.first_block(chain, day)
    counts = [chains.transaction_count(chain, number) for number in range(first, chains.head(chain) + 1)]
    assert len(counts) == chains.SECONDS_A_DAY // chain.block_seconds
    assert sum(count or 0 for count in counts) == world().network[chain_id]["transactions"][LAST]


def test_the_ledgers_daily_tables_are_the_tools_series(ledger: sqlite3.Connection) -> None:
    for day, symbol, close, volume in ledger.execute("SELECT day, symbol, close, volume_usd FROM daily_prices"):
        index = (world().start.fromisoformat(day) - world().start).days
        assert (close, volume) == (world().close(symbol, index), world().prices[symbol]["volume"][index])
    for day, protocol, fees, kept in ledger.execute("SELECT day, protocol, fees_usd, revenue_usd FROM daily_protocols"):
        index = (world().start.fromisoformat(day) - world().start).days
        assert fees == world().activity[protocol]["fees_usd"][index]
        assert kept == revenue(protocol, index)
    stored = set(ledger.execute("SELECT symbol, day, allocation, amount FROM unlocks"))
    assert stored == {
        (token.symbol, row.day.isoformat(), row.allocation, row.amount)
        for token in world().tokens.values()
        for row in unlocks(token)
    }


def test_exchanges_share_out_the_whole_centralised_volume() -> None:
    venues = [spec for spec in world().exchanges.values() if spec.shares]
    for symbol in SYMBOLS:
        assert sum(spec.shares.get(symbol, 0) for spec in venues) == pytest.approx(1)
    volumes = sum(row["volume_usd"] for row in ask("exchange_overview", kind="centralised")["exchanges"])
    assert volumes == pytest.approx(sum(world().prices[symbol]["volume"][-1] for symbol in SYMBOLS), rel=1e-9)


def test_what_protocols_report_fits_their_tokens() -> None:
    tvl = ask("protocol_engagement", protocol="moorings")["tvl_usd"]
    assert tvl == pytest.approx(ask("token_supply", symbol="mAUR")["market_cap_usd"], abs=2)
    for index in range(world().days):
        assert world().activity["keel"]["tvl_usd"][index] > 1.5 * supply(world().tokens["USDK"], index).circulating


@each_row("protocol", list(world().protocols))
def test_pools_and_chains_share_out_no_more_than_the_protocol_has(protocol: str) -> None:
    pools = [pool for pool in world().pools.values() if pool.protocol == protocol]
    assert sum(pool.share for pool in pools) <= 1
    assert sum(pool.fee_share for pool in pools) <= 1
    assert sum(world().protocols[protocol].chains.values()) == pytest.approx(1)
    assert {pool.chain for pool in pools} <= set(world().protocols[protocol].chains)


def test_the_exploit_is_the_same_on_the_ledger_in_the_news_and_in_the_price() -> None:
    rows = ask("transaction_lookup", address="Causeway exploiter", sort_by="oldest")["transactions"]
    text = ask("url_content", url="https://ledgerpost.example/2026/05/14/causeway-exploit")["text"]
    stolen = [row for row in rows if row["from_label"] == "Causeway bridge vault"]
    assert [f"{row['amount']:,.0f} {row['token']}" in text for row in stolen] == [True] * 3
    assert stolen[0]["timestamp"].startswith("2026-05-14T09:41")
    alerts = ask("volatility_alerts", symbol="CAUS", start_date="2026-05-14", end_date="2026-05-14")["alerts"]
    assert alerts[0]["change_percent"] < -20


def test_project_pages_state_the_supplies_that_the_tools_know() -> None:
    for symbol, token in world().tokens.items():
        page = next(page for page in discovery.pages() if page["url"].endswith(f"/tokens/{symbol.lower()}"))
        if token.max_supply is not None:
            assert f"{token.max_supply:,} {symbol}" in page["text"]


def test_texts_are_dated_within_the_snapshot() -> None:
    assert all(page["published"] <= SNAPSHOT_DATE for page in discovery.pages())
    assert all(post["time"][:10] <= SNAPSHOT_DATE for post in discovery.posts())
    assert len({page["url"] for page in discovery.pages()}) == len(discovery.pages())
