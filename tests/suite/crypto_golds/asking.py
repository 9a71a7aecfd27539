from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from modex import ToolSession
from plugins.crypto_world import HANDLERS

Gold = Callable[[], str]
Row = TypeVar("Row")
GOLDS: dict[str, Gold] = {}
JUNE = {"start_date": "2026-06-01", "end_date": "2026-06-30"}


def gold(question_id: str) -> Callable[[Gold], Gold]:
    def register(function: Gold) -> Gold:
        assert question_id not in GOLDS
        GOLDS[question_id] = function
        return function

    return register


def ask(tool: str, **arguments: Any) -> dict[str, Any]:
    result = HANDLERS[tool](arguments, ToolSession())
    assert not result.is_error, result.content
    answer: dict[str, Any] = json.loads(result.content)
    return answer


def sql(query: str) -> list[list[Any]]:
    answer = ask("ledger_query", sql=query, limit=200)
    assert not answer["truncated"]
    rows: list[list[Any]] = answer["rows"]
    return rows


def top(rows: Iterable[Row], key: Callable[[Row], float]) -> Row:
    """The row with the largest key; the runner-up must be clearly behind, else the question is ambiguous."""
    ranked = sorted(rows, key=key, reverse=True)
    assert key(ranked[0]) - key(ranked[1]) > abs(key(ranked[0])) * 1e-4
    return ranked[0]


def close(symbol: str, day: str) -> float:
    rows = ask("historical_prices", symbol=symbol, start_date=day, end_date=day)["rows"]
    return float(rows[0][4])


def closes(symbol: str, first: str, last: str) -> list[float]:
    found: list[float] = []
    while True:
        page = ask("historical_prices", symbol=symbol, start_date=first, end_date=last, offset=len(found))
        found += [row[4] for row in page["rows"]]
        if "next_offset" not in page:
            return found


def revenue(protocol: str, **period: Any) -> float:
    return float(ask("protocol_revenue", protocol=protocol, **period)["protocols"][0]["revenue_usd"])


def page(query: str, title: str) -> str:
    """The text of the page that a search for `query` finds, which must be the one titled so."""
    results = ask("web_search", query=query)["results"]
    hit = next(result for result in results if result["title"] == title)
    return str(ask("url_content", url=hit["url"])["text"])
