"""Questions to databases (Spider, BIRD): their rows name a database, which lies beside the file as SQLite.

The question is shown with the statements that made the tables; the gold is a query, run on that database. Databases are opened
read-only, in a child process, as every other that nobody vouches for.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from modex.core.sandbox.sql import MADE_TABLES, run_sql

_NAME = re.compile(r"\w[\w .-]{0,100}")
_GOLDS = ("query", "SQL", "sql")


def with_database(row: dict[str, Any], pattern: str, folder: Path) -> dict[str, Any] | str:
    """The row with its tables above the question and its query as gold, or what is wrong with it.

    `pattern` is where the database lies below `folder`, with `{db_id}` for its name. A row that lacks a name, a question or a
    query is returned as it is, so that the reader says what is missing.
    """
    name, question = row.get("db_id"), row.get("question")
    query = next((value for key in _GOLDS if isinstance(value := row.get(key), str) and value.strip()), None)
    if not isinstance(name, str) or not isinstance(question, str) or query is None:
        return row
    if _NAME.fullmatch(name) is None:
        return f"the database {name[:60]!r} is no name of a file"
    where = pattern.format(db_id=name)
    path = folder / where
    if not path.is_file():
        return f"its database is not here: put {where} into {folder}"
    stated = tables_of(path, path.stat().st_mtime_ns)
    if not stated:
        return f"its database {where} holds no table that can be read; bring it anew"
    told = f"{stated}\n\n{question.strip()}"
    if isinstance(evidence := row.get("evidence"), str) and evidence.strip():
        told += f"\n\nWhat is known: {evidence.strip()}"
    kept = {key: value for key, value in row.items() if key not in (*_GOLDS, "evidence")}
    return {**kept, "question": told, "answer": {"fixture": where, "query": query.strip().rstrip(";")}}


@lru_cache(maxsize=512)
def tables_of(path: Path, changed_ns: int) -> str:
    """The statements that made a database's tables; empty where it has none, or is no database. `changed_ns` is its mtime."""
    del changed_ns
    found = run_sql(path, MADE_TABLES)
    return "\n\n".join(str(sql).strip() for (sql,) in found.rows)
