from __future__ import annotations

from tests.suite.crypto_golds.asking import JUNE, ask, close, gold, sql, top

EXPLOIT = "2026-05-14"


@gold("oc-01")
def latest_aurelia_block() -> str:
    return f"block {ask('block_information', chain='aurelia')['latest_block']}"


@gold("oc-02")
def time_of_borealis_block() -> str:
    return str(ask("time_conversion", chain="borealis", block_number=40_000_000)["time"])


@gold("oc-03")
def exploiter_aur_on_the_day() -> str:
    row = ask("address_balances", address="Causeway exploiter", symbol="AUR", date=EXPLOIT)["holdings"][0]
    return f"{row['amount']:,.2f} AUR"


@gold("oc-04")
def cinder_blocks_until_exploit() -> str:
    first = ask("time_conversion", chain="cinder", time="2026-05-01T00:00:00Z")["block_number"]
    last = ask("time_conversion", chain="cinder", time="2026-05-14T09:41:00Z")["block_number"]
    return f"{last - first:,} blocks"


@gold("oc-05")
def estuary_transactions_in_june() -> str:
    return f"{ask('network_activity', chain='estuary', **JUNE)['chains'][0]['transactions']:,} transactions"


@gold("oc-06")
def dovetail_transactions_a_block() -> str:
    day = {"start_date": "2026-06-15", "end_date": "2026-06-15"}
    count = ask("network_activity", chain="dovetail", **day)["chains"][0]["transactions"]
    blocks = ask("time_conversion", chain="dovetail", time="2026-06-15")["blocks_per_day"]
    return f"{count / blocks:.2f} transactions per block"


@gold("oc-07")
def value_of_the_exploit() -> str:
    rows = ask("transaction_lookup", address="Causeway exploiter", sort_by="oldest")["transactions"]
    taken = [row for row in rows if row["from_label"] == "Causeway bridge vault"]
    assert len(taken) == 3
    return f"{sum(row['amount'] * close(row['token'], EXPLOIT) for row in taken):,.0f} USD"


@gold("oc-08")
def failed_borealis_transactions() -> str:
    query = (
        "SELECT count(*) FROM transactions WHERE chain='borealis' AND status='failed' AND timestamp LIKE '2026-06-%'"
    )
    return f"{sql(query)[0][0]} transactions"


@gold("oc-09")
def exchange_with_most_hrn() -> str:
    held = {}
    for name in ("Nordhaven", "Cobalt Exchange", "Pelican Markets", "Tern"):
        answer = ask("address_balances", address=f"{name} hot wallet", chain="aurelia", symbol="HRN")
        held[name] = answer["holdings"][0]["amount"]
    best = top(held.items(), lambda item: item[1])
    return f"{best[0]}, {best[1]:,.2f} HRN"


@gold("oc-10")
def cinder_exchange_inflow() -> str:
    rows = sql(
        "SELECT a.label, sum(CASE WHEN t.to_address = a.address THEN t.amount ELSE -t.amount END) FROM addresses a "
        "JOIN transactions t ON a.address IN (t.to_address, t.from_address) WHERE a.chain='cinder' AND a.kind='exchange' "
        "AND t.token='CND' AND t.status='success' AND t.timestamp LIKE '2026-06-%' GROUP BY a.label"
    )
    best = top(rows, lambda row: float(row[1]))
    return f"{best[0]}, {best[1]:,.2f} CND"


@gold("oc-11")
def stolen_caus_still_held() -> str:
    row = ask("address_balances", address="Causeway exploiter", symbol="CAUS")["holdings"][0]
    return f"{row['amount'] / 210_000_000 * 100:.2f} percent"


@gold("oc-12")
def chain_with_most_fees() -> str:
    best = top(ask("network_activity", **JUNE)["chains"], lambda row: float(row["fees_usd"]))
    return f"{best['chain'].capitalize()}, {best['fees_usd']:,.0f} USD"


@gold("oc-13")
def synp_of_borealis_whales() -> str:
    total = 0.0
    for number in range(1, 5):
        held = ask("address_balances", address=f"Borealis whale {number}", symbol="SYNP")["holdings"]
        total += held[0]["amount"]
    return f"{total:,.0f} SYNP"


@gold("oc-14")
def nordhaven_bor_flow_in_dollars() -> str:
    rows = sql(
        "SELECT substr(t.timestamp, 1, 10), CASE WHEN t.to_address = a.address THEN t.amount ELSE -t.amount END "
        "FROM addresses a JOIN transactions t ON a.address IN (t.to_address, t.from_address) WHERE a.chain='borealis' "
        "AND a.label='Nordhaven hot wallet' AND t.token='BOR' AND t.status='success' AND t.timestamp LIKE '2026-06-%'"
    )
    return f"{sum(amount * close('BOR', day) for day, amount in rows):,.0f} USD"
