"""Every SQL gold runs on each of its databases, and each plausible wrong query is told apart from it on one of them."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from typing import Any

import pytest
import sqlglot

from tests.rows import each_row
from tests.suite.golds import golds

TESTS = golds("sql")
Rows = list[tuple[Any, ...]]


def answers(test: dict[str, Any], query: str) -> list[Rows]:
    """The rows of `query` on each of the test's databases, sorted unless the gold query orders its own."""
    expected = test["expected"]
    ordered = sqlglot.parse_one(expected["query"], dialect="sqlite").args.get("order") is not None
    found = []
    for seed in expected["seeds"]:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.executescript(expected["schema"])
            connection.executescript(seed)
            rows = [
                tuple(round(cell, 6) if isinstance(cell, float) else cell for cell in row)
                for row in connection.execute(query)
            ]
        found.append(rows if ordered else sorted(rows, key=repr))
    return found


@each_row("test_id", TESTS)
def test_the_gold_query_answers_on_every_database(test_id: str) -> None:
    results = answers(TESTS[test_id], TESTS[test_id]["expected"]["query"])
    assert len(results) >= 2
    assert all(results), "an empty answer would be weak evidence"
    assert results[0] != results[1], "an answer learnt from one database must not fit the other"


@pytest.mark.long
@pytest.mark.parametrize("test_id", TESTS)
def test_plausible_wrong_queries_are_told_apart(test_id: str) -> None:
    test = TESTS[test_id]
    gold = answers(test, test["expected"]["query"])
    wrong = test["metadata"]["wrong_queries"]
    assert len(wrong) >= 2
    for query in wrong:
        assert answers(test, query) != gold, query


@each_row("test_id", TESTS)
def test_the_question_shows_the_tables_it_is_about(test_id: str) -> None:
    test = TESTS[test_id]
    shown = re.findall(r"```sql\n(.*?)\n```", test["prompt"], re.S)
    assert shown == [test["expected"]["schema"]]
