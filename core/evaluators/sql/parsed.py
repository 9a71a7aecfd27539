"""What can be known of a query without running it: its order, and the parts that a test may ask for."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

MAX_PARSED_CHARS = 20_000
_OUTLINE = re.compile(
    r"""'(?:[^']|'')*(?:'|\Z)|"(?:[^"]|"")*(?:"|\Z)|`[^`]*(?:`|\Z)|\[[^\]]*(?:\]|\Z)|--[^\n]*|/\*.*?(?:\*/|\Z)"""
    r"""|[()]|(?<![\w$])order(?![\w$])""",
    re.IGNORECASE | re.DOTALL,
)
"""Brackets and the word `order`; quoted names, texts and comments are taken whole, so that nothing is found in them.

One that is never closed reaches to the end: a search for its end from each of its openings would take quadratic time.
"""
_CLAUSES = {
    "SELECT": "expressions", "WHERE": "where", "GROUP BY": "group", "HAVING": "having", "ORDER BY": "order",
    "LIMIT": "limit", "OFFSET": "offset", "DISTINCT": "distinct", "FROM": "from_", "WITH": "with_",
}  # fmt: skip
_NODES = {
    "JOIN": "Join",
    "UNION": "Union",
    "INTERSECT": "Intersect",
    "EXCEPT": "Except",
    "CASE": "Case",
    "OVER": "Window",
    "SUBQUERY": "Subquery",
}


def parse(query: str) -> Any | None:
    """The one statement as a sqlglot tree (SQLite's dialect), or None where it is none."""
    import sqlglot
    from sqlglot.errors import SqlglotError

    if not query.strip() or len(query) > MAX_PARSED_CHARS:
        return None
    logging.getLogger("sqlglot").setLevel(logging.ERROR)
    try:
        trees = [tree for tree in sqlglot.parse(query, read="sqlite") if tree is not None]
    except (SqlglotError, RecursionError, ValueError):
        return None
    return trees[0] if len(trees) == 1 else None


def is_query(text: str) -> bool:
    """Whether `text` is one SELECT, or a set of them."""
    from sqlglot import expressions as exp

    return isinstance(parse(text), exp.Query)


@dataclass(frozen=True, slots=True)
class Ordering:
    """The outermost ORDER BY: each key is a column of the result, or the last ones that `probe` adds to it.

    `probe` is None where the result itself holds every key; `known` is False where a key cannot be added, and every
    row must then stand in its place.
    """

    columns: tuple[int, ...] = ()
    probe: str | None = None
    known: bool = True


def is_ordered(query: str) -> bool:
    """Whether the outermost query has an ORDER BY, by its words alone: outside brackets `order` can be nothing else."""
    if "order" not in query.lower():
        return False
    depth = 0
    for found in _OUTLINE.finditer(query):
        piece = found[0]
        if piece == "(":
            depth += 1
        elif piece == ")":
            depth -= 1
        elif depth == 0 and piece.lower() == "order":
            return True
    return False


@lru_cache(maxsize=256)
def ordering(query: str, names: tuple[str, ...]) -> Ordering | None:
    """How the result of `query`, whose columns are `names`, is ordered; None where the outermost query has no ORDER BY,
    or cannot be read.
    """
    from sqlglot import expressions as exp

    tree = parse(query)
    order = tree.args.get("order") if tree is not None else None
    if tree is None or order is None:
        return None
    lowered = [name.lower() for name in names]
    shown = [item.unalias().sql("sqlite") for item in getattr(tree, "expressions", [])]
    columns: list[int] = []
    added: list[Any] = []
    for item in order.expressions:
        key = item.this if isinstance(item, exp.Ordered) else item
        column = _column_of(key, lowered, shown)
        if column is None:
            column = len(names) + len(added)
            added.append(key)
        columns.append(column)
    if not added:
        return Ordering(tuple(columns))
    if not isinstance(tree, exp.Select) or tree.args.get("distinct"):
        return Ordering(known=False)
    probe = tree.copy()
    for key in added:
        probe = probe.select(key.copy())
    return Ordering(tuple(columns), probe.sql("sqlite"))


def _column_of(key: Any, names: list[str], shown: list[str]) -> int | None:
    from sqlglot import expressions as exp

    if isinstance(key, exp.Literal) and key.is_int:
        number = int(key.this) - 1
        return number if 0 <= number < len(names) else None
    text = key.sql("sqlite")
    if isinstance(key, exp.Column) and not key.table and names.count(key.name.lower()) == 1:
        return names.index(key.name.lower())
    return shown.index(text) if text in shown and len(shown) == len(names) else None


def runs_of(rows: Sequence[Sequence[Any]], columns: Sequence[int]) -> list[int]:
    """The lengths of the stretches of rows with equal keys."""
    runs: list[int] = []
    last: list[Any] | None = None
    for row in rows:
        key = [row[column] for column in columns]
        if key == last:
            runs[-1] += 1
        else:
            runs.append(1)
        last = key
    return runs


def asked_parts(expected: dict[str, Any]) -> dict[str, list[str]]:
    """The parts that a test without a fixture asks for, by kind, upper case but for tables.

    Raises:
        ValueError: a part is neither a text nor a list of texts, or a clause that nobody knows.
    """
    asked: dict[str, list[str]] = {}
    for kind in ("query_type", "table", "clause", "functions", "selects"):
        value = expected.get(kind)
        if value is None:
            continue
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, list) or not all(isinstance(item, str) and item.strip() for item in values):
            raise ValueError(f"'{kind}' is a text or a list of texts")
        asked[kind] = [
            item.lower() if kind in ("table", "selects") else " ".join(item.upper().split()) for item in values
        ]
    # Suites list `GROUP BY` beside the functions too, where it can only mean the clause.
    clauses = [name for name in asked.get("functions", []) if name in _CLAUSES or name in _NODES]
    if clauses:
        asked["clause"] = list(dict.fromkeys([*asked.get("clause", []), *clauses]))
        asked["functions"] = [name for name in asked["functions"] if name not in clauses]
    for clause in asked.get("clause", []):
        if clause not in _CLAUSES and clause not in _NODES:
            raise ValueError(f"'clause' knows {', '.join([*_CLAUSES, *_NODES])}; not {clause}")
    return asked


def found_parts(query: str, asked: dict[str, list[str]]) -> dict[str, bool] | None:
    """Each asked part and whether the parsed query has it; None where the query does not parse."""
    from sqlglot import expressions as exp

    tree = parse(query)
    if tree is None or isinstance(tree, exp.Command):
        return None
    kind = "SELECT" if isinstance(tree, exp.Query) else tree.key.upper()
    ctes = {cte.alias.lower() for cte in tree.find_all(exp.CTE)}
    tables = {table.name.lower() for table in tree.find_all(exp.Table)} - ctes
    functions: set[str] = set()
    for function in tree.find_all(exp.Func):
        functions.add(function.name.upper() if isinstance(function, exp.Anonymous) else function.sql_name().upper())
        functions.add(function.sql("sqlite").split("(")[0].strip().upper())
    functions |= _written_functions(query)
    found: dict[str, bool] = {}
    for type_ in asked.get("query_type", []):
        found[f"query_type {type_}"] = type_ == kind
    for table in asked.get("table", []):
        found[f"table {table}"] = table in tables
    for clause in asked.get("clause", []):
        found[f"clause {clause}"] = _has_clause(tree, clause)
    for function_name in asked.get("functions", []):
        found[f"function {function_name}"] = function_name.removesuffix("()") in functions
    selected = {
        item.alias_or_name.lower() if not item.is_star else "*"
        for item in getattr(tree, "selects", ())
        if not isinstance(item, exp.Literal)  # a text is no column of its words
    }
    for column in asked.get("selects", []):
        found[f"column {column}"] = column in selected or "*" in selected
    return found


def names_only(query: str) -> str:
    """The query with what it selects, counts, groups and orders by as names alone: SQLite takes a double-quoted name that is
    no column for a text (https://www.sqlite.org/quirks.html#dblquote), so that any such name would run.

    Elsewhere (`WHERE city = "Bali"`) it stays, since there a text may be meant.
    """
    from sqlglot import expressions as exp

    tree = parse(query) if '"' in query else None
    if tree is None:
        return query
    places: list[tuple[Any, Any]] = [
        (name.this.meta.get("start"), name.this.meta.get("end"))
        for item in _shown_items(tree)
        for name in [item, *(each.this for each in item.find_all(exp.AggFunc))]
        if isinstance(name, exp.Column) and isinstance(name.this, exp.Identifier) and name.this.quoted
    ]
    for start, end in sorted({place for place in places if None not in place}, reverse=True):
        if query[start] == query[end] == '"':
            query = f"{query[:start]}`{query[start + 1 : end].replace(chr(96), chr(96) * 2)}`{query[end + 1 :]}"
    return query


def _shown_items(tree: Any) -> Iterator[Any]:
    from sqlglot import expressions as exp

    for select in tree.find_all(exp.Select):
        yield from (item.unalias() for item in select.expressions)
    for kind in (exp.Group, exp.Order):
        for clause in tree.find_all(kind):
            yield from (item.this if isinstance(item, exp.Ordered) else item for item in clause.expressions)


def _written_functions(query: str) -> set[str]:
    """The functions of a query by the names that it writes, upper case: `IFNULL` is parsed as COALESCE."""
    from sqlglot import TokenType, exp, tokenize

    tokens = tokenize(query, read="sqlite")
    return {
        name.text.upper()
        for name, opening in pairwise(tokens)
        if opening.token_type == TokenType.L_PAREN
        and name.token_type not in (TokenType.STRING, TokenType.IDENTIFIER)
        and name.text.upper() in exp.FUNCTION_BY_NAME
    }


def _has_clause(tree: Any, clause: str) -> bool:
    from sqlglot import expressions as exp

    if clause == "SUBQUERY":
        return sum(1 for _ in tree.find_all(exp.Select)) > 1
    if clause in _NODES:
        return tree.find(getattr(exp, _NODES[clause])) is not None
    key = _CLAUSES[clause]
    return any(bool(node.args.get(key) or node.args.get(key.rstrip("_"))) for node in tree.walk())
