"""SQL as the scripted model writes it, right and wrong."""

from __future__ import annotations

from typing import Any

from modex.core.llm.demo.ability import Dice
from modex.core.llm.demo.sql import is_sql, right_sql, wrong_sql
from tests.rows import each_row

DICE = Dice("default", "k")


@each_row(
    ("expected", "sql"),
    [({"query": "SELECT 1"}, True), ({"rows": []}, True), ({"query_type": "SELECT"}, True), ({}, False),
     ({"query": ["SELECT 1"], "rows": "1", "query_type": 1}, False)],
)  # fmt: skip
def test_what_is_about_a_query(expected: dict[str, Any], sql: bool) -> None:
    assert is_sql(expected) is sql


@each_row(
    ("expected", "query"),
    [
        ({"query": " SELECT 1 ", "rows": [[2]]}, "SELECT 1"),
        (
            {"rows": [[1, "a'b", None, True, 2.5], "odd", [False]]},
            "VALUES (1, 'a''b', NULL, 1, 2.5), (0)",
        ),
        ({"rows": []}, "SELECT * FROM t"),
        ({}, "SELECT * FROM t"),
        (
            {"query_type": "SELECT", "table": "orders", "functions": ["SUM", "AVG"], "clause": ["limit", "Where", "x"]},
            "SELECT SUM(1), AVG(1) FROM orders WHERE 1 = 1 LIMIT 10",
        ),
        (
            {"clause": ["GROUP BY", "HAVING", "ORDER BY"]},
            "SELECT * FROM t GROUP BY 1 HAVING COUNT(*) > 0 ORDER BY 1",
        ),
    ],
)
def test_a_right_query_gives_the_golds_rows(expected: dict[str, Any], query: str) -> None:
    assert right_sql(expected) == query


@each_row(
    ("query", "wrong"),
    [
        ("SELECT a FROM t ORDER BY a desc, b DESC;", "SELECT a FROM t ORDER BY a ASC, b DESC"),
        ("SELECT a FROM t WHERE a >= 1", "SELECT a FROM t WHERE a < 1"),
        ("SELECT a FROM t WHERE a > 1", "SELECT a FROM t WHERE a < 1"),
        ("SELECT a FROM t LEFT JOIN u", "SELECT a FROM t JOIN u"),
        ("SELECT avg (a) FROM t", "SELECT MAX(a) FROM t"),
        ("SELECT SUM(a) FROM t", "SELECT COUNT(a) FROM t"),
        ("SELECT COUNT( * ) FROM t", "SELECT MAX(1) FROM t"),
        ("SELECT a FROM t WHERE a <> 1", "SELECT * FROM (SELECT a FROM t WHERE a <> 1) WHERE 1 = 0"),
    ],
)
def test_a_wrong_query_has_one_slip_in_it_or_no_rows(query: str, wrong: str) -> None:
    assert wrong_sql({"query": query}, DICE) == wrong


def test_where_the_rows_are_given_a_wrong_query_has_none_and_near_misses_of_the_test_come_first() -> None:
    given = {"query": "SELECT a FROM t WHERE a > 1", "rows": [[1]]}
    assert wrong_sql(given, DICE) == f"SELECT * FROM ({given['query']}) WHERE 1 = 0"
    assert wrong_sql(given, DICE, [3, "SELECT 2"]) == "SELECT 2"
    assert wrong_sql({"query": "SELECT a > 1"}, DICE, "SELECT 2") == "SELECT a < 1"
    drawn = {wrong_sql(given, Dice("default", f"k{number}"), ["SELECT 2", "SELECT 3"]) for number in range(20)}
    assert drawn == {"SELECT 2", "SELECT 3"}
