"""What the gold of a query may be, and what is shown of the rows that it gives."""

from __future__ import annotations

import json

from modex.core.evaluators.sql.evaluator import _cell
from modex.core.evaluators.sql.gold import GoldError, read_gold
from tests.core.answers.tables import differing

_GOLDS = r"""
{} => none
5 => none
{"schema": "CREATE TABLE t (a)", "query": "SELECT 1"} => fine
{"schema": "CREATE TABLE t (a)", "rows": [[1]]} => fine
{"schema": "CREATE TABLE t (a)", "rows": [[1], [1, 2]]} => none
{"schema": "CREATE TABLE t (a)", "rows": [1]} => none
{"schema": "CREATE TABLE t (a)", "rows": 5} => none
{"schema": "CREATE TABLE t (a)", "rows": [[{}]]} => none
{"schema": "CREATE TABLE t (a)", "rows": [[null, "x", 1.5, true]]} => fine
{"schema": "CREATE TABLE t (a)"} => none
{"query": "SELECT 1"} => none
{"schema": "CREATE TABLE t (a)", "query": "SELECT 1", "columns": "any_order"} => fine
{"schema": "CREATE TABLE t (a)", "query": "SELECT 1", "columns": "some"} => none
{"schema": "CREATE TABLE t (a)", "query": "SELECT 1", "tolerance": 0} => fine
{"schema": "CREATE TABLE t (a)", "query": "SELECT 1", "tolerance": -1} => none
{"schema": "CREATE TABLE t (a)", "query": "SELECT 1", "tolerance": true} => none
{"schema": "CREATE TABLE t (a)", "query": "SELECT 1", "tolerance": "x"} => none
{"schema": "CREATE TABLE t (a)", "query": "SELECT 1", "foo": 1} => none
"""


def gold(text: str) -> str:
    try:
        read_gold(json.loads(text), None)
    except GoldError:
        return "none"
    return "fine"


def test_a_gold_has_tables_and_a_query_or_rows() -> None:
    assert differing(_GOLDS, gold) == []


def test_a_truth_in_rows_is_a_number() -> None:
    found = read_gold({"schema": "CREATE TABLE t (a)", "rows": [[True, None]]}, None).rows
    assert found == ((1, None),)
    assert type(found[0][0]) is int


def test_a_cell_is_shown_as_json_can_hold_it() -> None:
    assert [_cell(value) for value in (1, 1.5, None, "x", b"\x00\xff")] == [1, 1.5, None, "x", "x'00ff'"]
    assert [_cell(value) for value in (float("inf"), float("-inf"))] == ["inf", "-inf"]
    long = _cell("a" * 10_000)
    assert long.endswith("a…")
    assert len(long) < 10_000
