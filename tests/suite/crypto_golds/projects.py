from __future__ import annotations

import re
from datetime import date

from tests.suite.crypto_golds.asking import JUNE, ask, gold, page, revenue


def found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    assert match is not None, (pattern, text)
    return match.group(1)


def whole(text: str) -> int:
    return int(text.replace(",", ""))


def led_by(investor: str) -> dict[str, int]:
    """Project → USD raised, for the projects whose profile names `investor` as the lead of their round."""
    raised = {}
    for result in ask("web_search", query=f"round led by {investor}", site="almanac.example", limit=20)["results"]:
        text = ask("url_content", url=result["url"])["text"]
        if f"led by {investor}" in text:
            raised[result["title"]] = whole(found(r"raised ([\d,]+) USD", text))
    return raised


@gold("pj-01")
def founder_of_heron() -> str:
    return found(r"founded by ([^.]+?) in ", page("Heron HRN founded by", "Heron (HRN)"))


@gold("pj-02")
def city_of_quarry() -> str:
    return found(r"founded by .+? in (\w+)\.", page("Quarry QRY founded in", "Quarry (QRY)"))


@gold("pj-03")
def raised_by_finchpay() -> str:
    return found(r"raised ([\d,]+ USD)", page("Finchpay raised", "Finchpay (FNCH)"))


@gold("pj-04")
def quarry_audit() -> str:
    text = page("Quarry 1.4 audit", "Plumbline finds Quarry sound")
    return f"{found('by (Plumbline Security)', text)}, {found(r'(five) medium', text)} medium issues"


@gold("pj-05")
def growth_of_terminals() -> str:
    text = page("Finchpay terminals", "Finchpay reaches 85,000 terminals")
    now, before = whole(found(r"([\d,]+) terminals in", text)), whole(found(r"up from ([\d,]+)", text))
    return f"{(now / before - 1) * 100:.1f} percent"


@gold("pj-06")
def challenge_period_of_borealis() -> str:
    text = page("Kestrel upgrade challenge period", "Borealis ships the Kestrel upgrade")
    return f"from {found('from (seven) days', text)} to {found('to (four)', text)} days"


@gold("pj-07")
def investor_behind_the_refusing_lender() -> str:
    text = page("proposal to list EMBR as collateral failed", "Lendra's proposal LIP-58 fails")
    assert "LNDR" in text
    return found(r"led by ([^.]+)\.", page("Lendra LNDR founded raised", "Lendra (LNDR)"))


@gold("pj-08")
def bonded_orac() -> str:
    text = page("Oraculum node operators bond", "Oraculum halves its update time")
    bonded = whole(found(r"bond ([\d,]+) ORAC", text)) * whole(found(r"and (\d+) of them", text))
    share = bonded / ask("token_supply", symbol="ORAC")["circulating_supply"] * 100
    return f"{bonded:,} ORAC, {share:.2f} percent"


@gold("pj-09")
def heron_burn_budget() -> str:
    assert "a quarter of the protocol's revenue" in page("HIP-31 Heron vote", "Heron turns on version 4")
    return f"{revenue('heron', **JUNE) * 0.25:,.0f} USD"


@gold("pj-10")
def raised_with_kestrel() -> str:
    raised = led_by("Kestrel Capital")
    assert len(raised) == 4
    return f"{sum(raised.values()):,} USD"


@gold("pj-11")
def days_from_launch_to_exploit() -> str:
    launch = date.fromisoformat(ask("unlock_schedule", symbol="CAUS")["token_generation_date"])
    story = ask("web_search", query="Causeway bridge drained on Aurelia", limit=1)["results"][0]
    return f"{(date.fromisoformat(story['published']) - launch).days:,} days"


@gold("pj-12")
def accelerator_hours() -> str:
    text = page("Synapse Grid Hallmark Robotics", "Synapse Grid signs Hallmark Robotics")
    hours = whole(found(r"with ([\d,]+) accelerator", text))
    return f"{hours * 730:,} accelerator hours"


@gold("pj-13")
def first_block_of_the_tarn_day() -> str:
    day = found(r"planned for (\S+)\.", page("Tarn hard fork", "Estuary schedules the Tarn hard fork"))
    head = ask("block_information", chain="estuary")
    clock = ask("time_conversion", chain="estuary", block_number=head["latest_block"])
    midnight = (date.fromisoformat(day) - date(1970, 1, 1)).days * 86_400
    number = clock["block_number"] + (midnight - clock["unix_seconds"]) // clock["seconds_per_block"]
    return f"block {number}"


@gold("pj-14")
def best_funded_by_hearthstone() -> str:
    raised = led_by("Hearthstone Ventures")
    assert len(raised) == 4
    title = max(raised, key=lambda name: raised[name])
    symbol = found(r"\((\w+)\)", title)
    return f"{title.split(' (')[0]}, {ask('token_supply', symbol=symbol)['market_cap_usd']:,} USD"
