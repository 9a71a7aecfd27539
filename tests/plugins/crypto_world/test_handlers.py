from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modex import ToolSession
from plugins.crypto_world import HANDLERS
from tests.plugins.crypto_world.calling import ask, refusal
from tests.rows import each_row

ROOT = Path(__file__).parents[3]
FILES = {name: json.loads((ROOT / "tool_mocks" / f"{name}.json").read_text(encoding="utf-8")) for name in HANDLERS}
EXAMPLES: dict[str, dict[str, Any]] = {
    "historical_prices": {"symbol": "AUR", "interval": "weekly"},
    "market_rankings": {"sort_by": "change_7d", "category": "dex"},
    "trader_positioning": {"symbol": "SYNP"},
    "volatility_alerts": {"days": 90, "threshold_percent": 15.5},
    "technical_indicators": {"symbol": "Heron", "indicator": "macd"},
    "web_search": {"query": "bridge exploit"},
    "url_content": {"url": "https://almanac.example/tokens/aur"},
    "trending_topics": {},
    "social_search": {"symbol": "$MOTH", "sort_by": "likes"},
    "curated_streams": {"stream": "security", "days": 90},
    "protocol_engagement": {"protocol": "heron", "daily": True},
    "protocol_revenue": {},
    "network_activity": {"chain": "cinder", "daily": True},
    "exchange_overview": {"exchange": "tern"},
    "defi_yields": {"symbol": "USDM", "min_tvl_usd": 1_000_000},
    "token_supply": {"symbol": "mAUR", "date": "2026-01-31"},
    "time_conversion": {"chain": "estuary", "time": "2026-06-30T12:00:00+02:00"},
    "address_balances": {"address": "Tern hot wallet", "chain": "aurelia"},
    "transaction_lookup": {"address": "Causeway exploiter"},
    "block_information": {"chain": "borealis"},
    "unlock_schedule": {"symbol": "VOLT"},
}


@each_row("name", list(HANDLERS))
def test_every_tool_file_is_strict_and_names_its_handler(name: str) -> None:
    file = FILES[name]
    schema = file["function"]["parameters"]
    assert (file["id"], file["function"]["name"], file["handler"]) == (name, name, f"world:{name}")
    assert schema["additionalProperties"] is False
    assert set(schema["required"]) <= set(schema["properties"])
    assert all(spec.get("description") for spec in schema["properties"].values())
    assert len(file["function"]["description"]) > 80
    jsonschema_rs.meta.validate(schema)


def test_there_are_23_tools_in_eight_categories_with_the_code_workspace() -> None:
    workspace = json.loads((ROOT / "tool_mocks" / "code_workspace.json").read_text(encoding="utf-8"))
    counts = Counter(file["category"] for file in [*FILES.values(), workspace])
    assert counts == {
        "market_data": 4,
        "technical_analysis": 1,
        "discovery_and_search": 3,
        "social_sentiment": 2,
        "defi_metrics": 5,
        "on_chain_data": 6,
        "token_analytics": 1,
        "execution": 1,
    }
    assert sum(counts.values()) == 23


@each_row("name", list(EXAMPLES))
def test_an_ordinary_call_is_answered_and_fits_the_schema(name: str) -> None:
    assert jsonschema_rs.is_valid(FILES[name]["function"]["parameters"], EXAMPLES[name])
    answer = ask(name, **EXAMPLES[name])
    assert answer["snapshot_date"] == "2026-06-30"
    assert len(answer) > 1


@each_row("name", list(EXAMPLES))
def test_defaults_of_the_schema_are_those_of_the_handler(name: str) -> None:
    given_ = EXAMPLES[name]
    properties = FILES[name]["function"]["parameters"]["properties"]
    defaults = {key: spec["default"] for key, spec in properties.items() if "default" in spec}
    if given_.get("indicator") != "macd" and name == "technical_indicators":
        defaults = {key: value for key, value in defaults.items() if key == "points"}
    assert ask(name, **{**defaults, **given_}) == ask(name, **given_)


def test_the_same_call_gives_the_same_answer() -> None:
    first = HANDLERS["defi_yields"]({"limit": 20}, ToolSession(seed="a")).content
    assert first == HANDLERS["defi_yields"]({"limit": 20}, ToolSession(seed="b")).content


def test_pages_of_results_join_without_gap_or_overlap() -> None:
    whole = ask("market_rankings", limit=50)["rows"]
    parts: list[Any] = []
    while True:
        page = ask("market_rankings", limit=7, offset=len(parts))
        parts += page["rows"]
        if "next_offset" not in page:
            break
    assert parts == whole
    assert page["total"] == len(whole) == 25


def test_weeks_and_months_are_made_of_days() -> None:
    days = ask("historical_prices", symbol="CND", start_date="2026-05-01", end_date="2026-05-31")["rows"]
    month = ask("historical_prices", symbol="CND", start_date="2026-05-01", end_date="2026-05-31", interval="monthly")
    assert month["rows"] == [
        [
            "2026-05-01",
            days[0][1],
            max(row[2] for row in days),
            min(row[3] for row in days),
            days[-1][4],
            sum(row[5] for row in days),
        ]
    ]


def test_time_and_blocks_convert_back_and_forth() -> None:
    block = ask("time_conversion", chain="dovetail", time="2026-06-30T23:59:59Z")
    assert block["block_number"] == ask("block_information", chain="dovetail")["latest_block"]
    again = ask("time_conversion", chain="dovetail", block_number=block["block_number"])
    assert again["block_time"] == block["block_time"]
    assert ask("time_conversion", chain="dovetail", time=str(block["unix_seconds"]))["time"] == block["time"]
    parent = ask("block_information", chain="dovetail", block_number=block["block_number"] - 1)
    assert parent["hash"] == ask("block_information", chain="dovetail")["parent_hash"]


def test_a_transaction_found_by_address_is_found_by_hash_and_in_its_block() -> None:
    row = ask("transaction_lookup", address="Causeway exploiter", sort_by="amount")["transactions"][0]
    assert ask("transaction_lookup", hash=row["hash"].upper().replace("0X", "0x"))["transaction"] == row
    block = ask("block_information", chain=row["chain"], block_number=row["block_number"])
    assert row in block["transactions_of_labelled_addresses"]


@each_row(
    ("tool", "arguments", "message"),
    [
        ("token_supply", {"symbol": "HERN"}, "did you mean HRN"),
        ("token_supply", {"symbol": "ZZZZZZZZ"}, "known: AUR, CND"),
        ("token_supply", {"symbol": ""}, "non-empty"),
        ("token_supply", {"symbol": "AUR", "date": "2024-01-01"}, "the snapshot covers 2025-05-27 to 2026-06-30"),
        ("token_supply", {"symbol": "AUR", "date": "yesterday"}, "must be a date like"),
        (
            "historical_prices",
            {"symbol": "AUR", "start_date": "2026-06-02", "end_date": "2026-06-01"},
            "after end_date",
        ),
        ("historical_prices", {"symbol": "AUR", "days": 0}, "from 1 to 400"),
        ("historical_prices", {"symbol": "AUR", "interval": "hourly"}, "daily, weekly, monthly"),
        ("market_rankings", {"category": "bakery"}, "categories: artificial intelligence"),
        ("trader_positioning", {"symbol": "USDM"}, "has no perpetual future"),
        ("trader_positioning", {"symbol": "AUR", "end_date": "2025-06-01"}, "known from 2026-04-02"),
        ("volatility_alerts", {"threshold_percent": 0}, "above 0"),
        ("technical_indicators", {"symbol": "AUR", "indicator": "sma", "end_date": "2025-05-30"}, "too few days"),
        ("technical_indicators", {"symbol": "AUR", "indicator": "macd", "fast": 30, "slow": 20}, "smaller than slow"),
        ("url_content", {"url": "https://ledgerpost.example/causeway"}, "2026/05/14/causeway-exploit"),
        ("social_search", {}, "at least one of"),
        ("curated_streams", {"stream": "gossip"}, "core-devs"),
        ("exchange_overview", {"exchange": "heron", "kind": "centralised"}, "not centralised"),
        ("defi_yields", {"date": "2025-06-01"}, "the first date is 2025-06-25"),
        ("time_conversion", {"chain": "cinder"}, "either block_number or time"),
        ("time_conversion", {"chain": "cinder", "time": "2026-07-01"}, "ends with 2026-06-30"),
        ("time_conversion", {"chain": "cinder", "time": "2020-01-01"}, "began on 2022-09-15"),
        ("time_conversion", {"chain": "cinder", "time": "99999999999999999"}, "not a moment"),
        ("time_conversion", {"chain": "cinder", "block_number": 10**11}, "must be a whole number from 0"),
        ("block_information", {"chain": "cindr"}, "did you mean cinder"),
        ("transaction_lookup", {"hash": "0xabc"}, "no transaction"),
        ("transaction_lookup", {"address": "Causeway"}, "Causeway exploiter"),
        ("address_balances", {"address": "Tern hot wallet"}, "name the chain"),
        ("address_balances", {"address": "Causeway exploiter", "date": "2026-03-31"}, "begins on 2026-04-01"),
        ("unlock_schedule", {"symbol": "VOLT", "start_date": "9999-12-31"}, "from 2000 to 2100"),
        ("market_rankings", {"limit": float("inf")}, "whole number from 1 to 50"),
        ("market_rankings", {"limit": True}, "whole number"),
        ("unlock_schedule", {"symbol": "AUR"}, "no vesting schedule"),
        ("unlock_schedule", {"symbol": "VOLT", "allocation": "Friends"}, "Traders, Team"),
    ],
)
def test_a_mistake_is_answered_with_what_to_do(tool: str, arguments: dict[str, Any], message: str) -> None:
    assert message in refusal(tool, **arguments)


TEXTS = st.text(max_size=30) | st.sampled_from(
    ["AUR", "2026-06-01", "cinder", "heron", "nordhaven", "0x12", "-1", "1e9"]
)


@given(st.data())
@settings(max_examples=150)
def test_arguments_of_the_right_types_never_raise(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(EXAMPLES)))
    arguments = {}
    for key, spec in FILES[name]["function"]["parameters"]["properties"].items():
        if not data.draw(st.booleans()):
            continue
        if "enum" in spec:
            arguments[key] = data.draw(st.sampled_from(spec["enum"]))
        elif spec["type"] in ("integer", "number"):
            arguments[key] = data.draw(st.integers(-5, 10**13))
        elif spec["type"] == "boolean":
            arguments[key] = data.draw(st.booleans())
        else:
            arguments[key] = data.draw(TEXTS)
    result = HANDLERS[name](arguments, ToolSession())
    assert isinstance(json.loads(result.content), dict)


@pytest.mark.process
def test_importing_the_tools_reads_no_data_and_no_heavy_library() -> None:
    code = (
        "import sys, plugins.crypto_world as w; from plugins.crypto_world.snapshot import world; "
        "assert world.cache_info().currsize == 0; "
        "heavy = {'litellm', 'sqlglot', 'pydantic_monty', 'textual', 'jsonschema_rs'} & set(sys.modules); assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, timeout=60)
