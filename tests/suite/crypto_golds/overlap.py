from __future__ import annotations

from plugins.crypto_world.snapshot import world
from tests.suite.crypto_golds.asking import JUNE, ask, close, gold, page, revenue, top

TODAY = "2026-06-30"


def cap(symbol: str, day: str = TODAY) -> float:
    return float(ask("token_supply", symbol=symbol, date=day)["market_cap_usd"])


def tvl(protocol: str) -> float:
    return float(ask("protocol_engagement", protocol=protocol)["tvl_usd"])


@gold("ov-01")
def take_rate_of_voltaic() -> str:
    return f"{ask('protocol_revenue', protocol='voltaic')['protocols'][0]['take_rate'] * 100:.0f} percent"


@gold("ov-02")
def home_of_granary() -> str:
    chain = ask("token_supply", symbol="GRNY")["chain"]
    seconds = ask("time_conversion", chain=chain, time=TODAY)["seconds_per_block"]
    return f"{chain.capitalize()}, {seconds} seconds"


@gold("ov-03")
def moorings_against_aur() -> str:
    return f"{tvl('moorings') / cap('AUR') * 100:.2f} percent"


@gold("ov-04")
def collateral_of_keel() -> str:
    return f"{tvl('keel') / ask('token_supply', symbol='USDK')['circulating_supply'] * 100:.2f} percent"


@gold("ov-05")
def tidepool_value_locked_to_cap() -> str:
    return f"{tvl('tidepool') / cap('TIDE'):.3f}"


@gold("ov-06")
def heron_multiple() -> str:
    return f"{cap('HRN') / (revenue('heron', **JUNE) / 30 * 365):.2f}"


@gold("ov-07")
def maur_rate() -> str:
    return f"{close('mAUR', TODAY) / close('AUR', TODAY):.4f} AUR"


@gold("ov-08")
def ninety_days_in_a_pool() -> str:
    pools = ask("defi_yields", protocol="heron")["pools"]
    pool = next(pool for pool in pools if pool["pool"] == "heron-bor-usdm")
    return f"{10_000 * pool['apy_total_percent'] / 100 * 90 / 365:.2f} USD"


@gold("ov-09")
def moth_on_listing_day() -> str:
    story = ask("web_search", query="Nordhaven lists MOTH")["results"]
    day = next(result["published"] for result in story if result["title"] == "Nordhaven lists Mothball")
    markets = ask("exchange_overview", exchange="nordhaven", start_date=day, end_date=day, limit=50)["markets"]
    return f"{next(row for row in markets if row['symbol'] == 'MOTH')['volume_usd']:,.0f} USD"


@gold("ov-10")
def cheapest_revenue() -> str:
    multiples = {
        spec.name: cap(spec.token) / (revenue(spec.id, **JUNE) / 30 * 365)
        for spec in world().protocols.values()
        if spec.token is not None
    }
    best = top(multiples.items(), lambda item: -item[1])
    return f"{best[0]}, {best[1]:.2f}"


@gold("ov-11")
def loss_against_loot() -> str:
    loss = cap("CAUS", "2026-05-13") - cap("CAUS", "2026-05-14")
    return f"{loss:,.0f} USD"


@gold("ov-12")
def unlocks_against_fees() -> str:
    period = {"start_date": "2026-07-01", "end_date": "2026-09-30"}
    value = ask("unlock_schedule", symbol="BOR", **period)["value_at_snapshot_price_usd"]
    fees = ask("network_activity", chain="borealis", **JUNE)["chains"][0]["fees_usd"]
    return f"{value / fees:.2f}"


@gold("ov-13")
def best_large_pool() -> str:
    pools = ask("defi_yields", min_tvl_usd=100_000_000, limit=50)["pools"]
    best = top(pools, lambda row: float(row["apy_total_percent"]))
    share = ask("token_supply", symbol=best["reward_token"])["circulating_percent_of_max"]
    return f"{best['pool']}, {share:.2f} percent"


@gold("ov-14")
def loot_against_bridge() -> str:
    loot = ask("address_balances", address="Causeway exploiter")["total_value_usd"]
    return f"{loot / tvl('causeway') * 100:.2f} percent"


@gold("ov-15")
def nordhaven_share_of_june() -> str:
    rows = ask("exchange_overview", kind="centralised", **JUNE)["exchanges"]
    total = sum(row["volume_usd"] for row in rows)
    share = next(row["volume_usd"] for row in rows if row["exchange"] == "nordhaven") / total * 100
    markets = ask("exchange_overview", exchange="nordhaven", **JUNE)["markets"]
    second = top(markets[1:], lambda row: float(row["volume_usd"]))["symbol"]
    assert markets[0]["symbol"] == "AUR"
    return f"{share:.2f} percent, {second}"


@gold("ov-16")
def volt_buyback() -> str:
    text = page("Voltaic VGP-19 buyback vote", "Voltaic voters keep the buyback")
    assert "30 percent of Voltaic's revenue" in text
    period = {"start_date": "2026-06-18", "end_date": TODAY}
    spent = revenue("voltaic", **period) * 0.3
    before = ask("token_supply", symbol="VOLT", date="2026-06-17")["burned"]
    return f"{spent:,.0f} USD, {ask('token_supply', symbol='VOLT')['burned'] - before:,.2f} VOLT"
