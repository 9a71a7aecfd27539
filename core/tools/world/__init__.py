"""One frozen, invented snapshot of a crypto market, and the tools that answer from it.

Every tool reads the same data, so that prices, supplies, blocks, unlocks, the ledger and the texts agree.
"""

from __future__ import annotations

from core.tools.base import ToolHandler
from core.tools.world import defi, discovery, market, onchain

SNAPSHOT_DATE = "2026-06-30"
"""The last day the world knows; the present, for whoever asks about it."""

HANDLERS: dict[str, ToolHandler] = {
    "historical_prices": market.historical_prices,
    "market_rankings": market.market_rankings,
    "trader_positioning": market.trader_positioning,
    "volatility_alerts": market.volatility_alerts,
    "technical_indicators": market.technical_indicators,
    "web_search": discovery.web_search,
    "url_content": discovery.url_content,
    "trending_topics": discovery.trending_topics,
    "social_search": discovery.social_search,
    "curated_streams": discovery.curated_streams,
    "protocol_engagement": defi.protocol_engagement,
    "protocol_revenue": defi.protocol_revenue,
    "network_activity": defi.network_activity,
    "exchange_overview": defi.exchange_overview,
    "defi_yields": defi.defi_yields,
    "token_supply": onchain.token_supply,
    "ledger_query": onchain.ledger_query,
    "time_conversion": onchain.time_conversion,
    "address_balances": onchain.address_balances,
    "transaction_lookup": onchain.transaction_lookup,
    "block_information": onchain.block_information,
    "unlock_schedule": onchain.unlock_schedule,
}
"""Handlers by the name after `world:`. The data are read on the first call, not on import."""
