from __future__ import annotations

from plugins.crypto_world.snapshot import world
from tests.suite.crypto_golds.asking import ask, close, gold, top

NINETY_DAYS = {"start_date": "2026-07-01", "end_date": "2026-09-28"}


@gold("tk-01")
def max_volt() -> str:
    return f"{ask('token_supply', symbol='VOLT')['max_supply']:,} VOLT"


@gold("tk-02")
def daily_cnd() -> str:
    return f"{ask('token_supply', symbol='CND')['daily_issue']:,} CND"


@gold("tk-03")
def circulating_usdm() -> str:
    return f"{ask('token_supply', symbol='USDM')['circulating_supply']:,.0f} USDM"


@gold("tk-04")
def circulating_share_of_qry() -> str:
    return f"{ask('token_supply', symbol='QRY')['circulating_percent_of_max']:.2f} percent"


@gold("tk-05")
def last_lore_team_unlock() -> str:
    rows = ask("unlock_schedule", symbol="LORE")["allocations"]
    return str(next(row for row in rows if row["allocation"] == "Team")["fully_unlocked"])


@gold("tk-06")
def bor_unlocks_of_the_quarter() -> str:
    answer = ask("unlock_schedule", symbol="BOR", start_date="2026-07-01", end_date="2026-09-30")
    return f"{answer['unlocked_in_period']:,} BOR"


@gold("tk-07")
def locked_synp_of_investors() -> str:
    rows = ask("unlock_schedule", symbol="SYNP")["allocations"]
    locked = next(row for row in rows if row["allocation"] == "Investors")["still_locked"]
    return f"{locked * close('SYNP', '2026-06-30'):,.0f} USD"


@gold("tk-08")
def net_aur_issue_of_june() -> str:
    before = ask("token_supply", symbol="AUR", date="2026-05-31")["circulating_supply"]
    after = ask("token_supply", symbol="AUR", date="2026-06-30")["circulating_supply"]
    return f"{after - before:,.2f} AUR"


@gold("tk-09")
def brik_dilution() -> str:
    supply = ask("token_supply", symbol="BRIK", date="2026-06-30")
    return f"{supply['max_supply'] / supply['circulating_supply']:.3f}"


@gold("tk-10")
def largest_relative_unlock() -> str:
    shares = {}
    for symbol in ("QRY", "SYNP", "SIGL"):
        coming = ask("unlock_schedule", symbol=symbol, **NINETY_DAYS)["unlocked_in_period"]
        shares[symbol] = coming / ask("token_supply", symbol=symbol)["circulating_supply"] * 100
    best = top(shares.items(), lambda item: item[1])
    return f"{best[0]}, {best[1]:.2f} percent"


@gold("tk-11")
def hrn_burned_in_the_quarter() -> str:
    before = ask("token_supply", symbol="HRN", date="2026-03-31")["burned"]
    after = ask("token_supply", symbol="HRN", date="2026-06-30")["burned"]
    return f"{after - before:,.2f} HRN"


@gold("tk-12")
def first_volt_team_unlock() -> str:
    answer = ask("unlock_schedule", symbol="VOLT", allocation="Team", start_date="2024-01-01", end_date="2026-06-30")
    day, _, amount = answer["events"][0]
    return f"{day}, {amount * close('VOLT', day):,.0f} USD"


@gold("tk-13")
def annualised_aur_inflation() -> str:
    before = ask("token_supply", symbol="AUR", date="2026-05-31")["circulating_supply"]
    after = ask("token_supply", symbol="AUR", date="2026-06-30")["circulating_supply"]
    return f"{(after / before - 1) * 365 / 30 * 100:.3f} percent"


@gold("tk-14")
def largest_july_unlock() -> str:
    values = {}
    for symbol, token in world().tokens.items():
        if token.allocations:
            period = {"start_date": "2026-07-01", "end_date": "2026-07-31"}
            values[symbol] = ask("unlock_schedule", symbol=symbol, **period)["value_at_snapshot_price_usd"]
    best = top(values.items(), lambda item: item[1])
    return f"{best[0]}, {best[1]:,} USD"
