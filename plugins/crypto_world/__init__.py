"""One frozen, invented snapshot of a crypto market, and the tools that answer from it.

Every tool reads the same data, so that prices, supplies, blocks, unlocks, the ledger and the texts agree. A tool's code is
compiled, and its data are read, on the first call.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, cast

from modex import ToolHandler, ToolResult, ToolSession, register_handler, register_present

SNAPSHOT_DATE = "2026-06-30"
"""The last day the world knows; the present, for whoever asks about it."""

_TOOLS = {
    "market": (
        "historical_prices",
        "market_rankings",
        "trader_positioning",
        "volatility_alerts",
        "technical_indicators",
    ),
    "discovery": ("web_search", "url_content", "trending_topics", "social_search", "curated_streams"),
    "defi": ("protocol_engagement", "protocol_revenue", "network_activity", "exchange_overview", "defi_yields"),
    "onchain": (
        "token_supply",
        "ledger_query",
        "time_conversion",
        "address_balances",
        "transaction_lookup",
        "block_information",
        "unlock_schedule",
    ),
}


def _tool(module: str, name: str) -> ToolHandler:
    def answer(arguments: dict[str, Any], session: ToolSession) -> ToolResult:
        handler = cast(ToolHandler, getattr(import_module(f".{module}", __name__), name))
        return handler(arguments, session)

    return answer


HANDLERS: dict[str, ToolHandler] = {name: _tool(module, name) for module, names in _TOOLS.items() for name in names}
"""Handlers by the name after `world:`."""

for _name, _handler in HANDLERS.items():
    register_handler(f"world:{_name}")(_handler)
register_present(SNAPSHOT_DATE, handlers="world:", sources=("crypto_qa",))
