"""SQL as the scripted model writes it: the gold query, or one with a typical mistake."""

from __future__ import annotations

import re
from typing import Any

from modex.core.llm.demo.ability import Dice

_SLIPS = (
    (re.compile(r"\bDESC\b", re.IGNORECASE), "ASC"),
    (re.compile(r">="), "<"),
    (re.compile(r"(?<![<>=!])>(?!=)"), "<"),
    (re.compile(r"\bLEFT JOIN\b", re.IGNORECASE), "JOIN"),
    (re.compile(r"\bAVG\s*\(", re.IGNORECASE), "MAX("),
    (re.compile(r"\bSUM\s*\(", re.IGNORECASE), "COUNT("),
    (re.compile(r"\bCOUNT\s*\(\s*\*\s*\)", re.IGNORECASE), "MAX(1)"),
)


def is_sql(expected: dict[str, Any]) -> bool:
    """Whether `expected` is about a query."""
    return any(
        isinstance(expected.get(name), kind) for name, kind in (("query", str), ("rows", list), ("query_type", str))
    )


def right_sql(expected: dict[str, Any]) -> str:
    """A query that gives the gold's rows."""
    if isinstance(expected.get("query"), str):
        return str(expected["query"]).strip()
    rows = expected.get("rows")
    if isinstance(rows, list) and rows:
        return "VALUES " + ", ".join(f"({', '.join(map(_literal, row))})" for row in rows if isinstance(row, list))
    return _from_outline(expected)


def wrong_sql(expected: dict[str, Any], dice: Dice, near_misses: Any = None) -> str:
    """One of the test's own near misses, where it keeps some; else the gold with one slip in it, or without rows."""
    kept = [query for query in near_misses if isinstance(query, str)] if isinstance(near_misses, list) else []
    if kept:
        return kept[dice.pick("sql", len(kept))]
    query = right_sql(expected).rstrip(";")
    slips = [slip for slip in _SLIPS if slip[0].search(query)]
    if not slips or "rows" in expected:
        return f"SELECT * FROM ({query}) WHERE 1 = 0"
    pattern, instead = slips[dice.pick("sql", len(slips))]
    return pattern.sub(instead, query, count=1)


def _from_outline(expected: dict[str, Any]) -> str:
    """A query that has the parts which `query_type`, `table`, `clause` and `functions` name."""
    clauses = {str(clause).upper() for clause in expected.get("clause") or []}
    functions = [f"{name}(1)" for name in expected.get("functions") or []]
    parts = [f"{expected.get('query_type') or 'SELECT'} {', '.join(functions) or '*'}"]
    parts.append(f"FROM {expected.get('table') or 't'}")
    known = {
        "WHERE": "WHERE 1 = 1",
        "GROUP BY": "GROUP BY 1",
        "HAVING": "HAVING COUNT(*) > 0",
        "ORDER BY": "ORDER BY 1",
        "LIMIT": "LIMIT 10",
    }
    return " ".join(parts + [text for name, text in known.items() if name in clauses])


def _literal(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(int(value))
    return str(value) if isinstance(value, int | float) else "'" + str(value).replace("'", "''") + "'"
