"""Which parts a query has, how it orders, and what a gold's result is kept by."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.evaluators.sql.gold import GoldError, SqlGold
from modex.core.evaluators.sql.parsed import Ordering, asked_parts, found_parts, names_only, ordering, parse
from modex.core.evaluators.sql.wanted import Wanted, _keep, _kept, wanted_on
from modex.core.sandbox.sql import Fixture
from tests.rows import each_row


@each_row(
    ("query", "read"),
    [
        ("", False),
        (" \n", False),
        ("SELECT 1;;", True),
        ("SELECT 1; SELECT 2", False),
        ("SELECT 1" + " " * 19_992, True),
        ("SELECT 1" + " " * 19_993, False),
    ],
)
def test_one_statement_that_is_not_too_long_is_read(query: str, read: bool) -> None:
    assert (parse(query) is not None) is read


@each_row(
    ("query", "names", "columns", "probed", "known"),
    [
        ("SELECT a, b FROM t ORDER BY 2", ("a", "b"), (1,), False, True),
        ("SELECT a, b FROM t ORDER BY b, a", ("a", "b"), (1, 0), False, True),
        ("SELECT a FROM t ORDER BY 'x'", ("a",), (1,), True, True),
        ("SELECT a FROM t ORDER BY c, a, d", ("a",), (1, 0, 2), True, True),
        ("SELECT a, a + 1 FROM t ORDER BY a + 1", ("a", "a + 1"), (1,), False, True),
        ("SELECT *, a + 1 FROM t ORDER BY a + 1", ("a", "b", "a + 1"), (3,), True, True),
        ("SELECT a FROM t UNION SELECT a FROM u ORDER BY a", ("a",), (0,), False, True),
        ("SELECT a FROM t UNION SELECT a FROM u ORDER BY b", ("a",), (), False, False),
        ("SELECT DISTINCT a FROM t ORDER BY b", ("a",), (), False, False),
    ],
)
def test_the_sort_keys_are_columns_that_are_shown_or_asked_for_beside_them(
    query: str, names: tuple[str, ...], columns: tuple[int, ...], probed: bool, known: bool
) -> None:
    found = ordering(query, names)
    assert isinstance(found, Ordering)
    assert (found.columns, found.probe is not None, found.known) == (columns, probed, known)


@each_row(
    ("expected", "parts"),
    [
        ({}, {}),
        ({"table": "T"}, {"table": ["t"]}),
        ({"table": ["T", "u"], "selects": "A"}, {"table": ["t", "u"], "selects": ["a"]}),
        ({"clause": "group  by"}, {"clause": ["GROUP BY"]}),
        ({"functions": ["count", "group by"]}, {"functions": ["COUNT"], "clause": ["GROUP BY"]}),
        (
            {"functions": ["group by"], "clause": ["group by", "where"]},
            {"functions": [], "clause": ["GROUP BY", "WHERE"]},
        ),
        ({"query_type": "select"}, {"query_type": ["SELECT"]}),
        ({"table": 5}, None),
        ({"table": ["a", 5]}, None),
        ({"table": ["a", " "]}, None),
        ({"table": {"a": 1}}, None),
        ({"clause": "sideways"}, None),
    ],
)
def test_parts_are_texts_and_a_clause_is_one_that_is_known(expected: dict[str, Any], parts: Any) -> None:
    if parts is None:
        with pytest.raises(ValueError, match=r"is a text or a list of texts|'clause' knows"):
            asked_parts(expected)
    else:
        assert asked_parts(expected) == parts


@each_row(
    ("query", "asked", "found"),
    [
        ("SELECT a FROM t", {"selects": ["a", "b"]}, [True, False]),
        ("SELECT * FROM t", {"selects": ["a", "b"]}, [True, True]),
        ("SELECT a AS b FROM t", {"selects": ["a", "b"]}, [False, True]),
        ("SELECT a FROM t", {"table": ["t", "u"]}, [True, False]),
        ("WITH u AS (SELECT a FROM t) SELECT a FROM u", {"table": ["t", "u"]}, [True, False]),
        ("SELECT a FROM t", {"query_type": ["SELECT", "INSERT"]}, [True, False]),
        ("INSERT INTO t VALUES (1)", {"query_type": ["SELECT", "INSERT"]}, [False, True]),
        ("SELECT count(a), my_own(a) FROM t", {"functions": ["COUNT", "MY_OWN()", "SUM"]}, [True, True, False]),
        (
            "SELECT iif(a, 1, 2), strftime('%Y', a) FROM t",
            {"functions": ["IIF", "IF", "STRFTIME"]},
            [True] * 3,
        ),
        ("SELECT ifnull (a, 0) FROM t", {"functions": ["IFNULL", "NVL"]}, [True, False]),
        ("SELECT coalesce(a, 0), 'ifnull(' FROM t -- ifnull(a)", {"functions": ["IFNULL", "COALESCE"]}, [False, True]),
        ("SELECT a FROM t", {"clause": ["SUBQUERY", "WHERE", "GROUP BY", "ORDER BY"]}, [False] * 4),
        ("SELECT a FROM (SELECT a FROM t)", {"clause": ["SUBQUERY", "WHERE"]}, [True, False]),
        (
            "SELECT a FROM t WHERE a > 1 GROUP BY a HAVING a > 2 ORDER BY a LIMIT 3",
            {"clause": ["WHERE", "GROUP BY", "HAVING", "ORDER BY", "LIMIT", "SUBQUERY"]},
            [True] * 5 + [False],
        ),
    ],
)
def test_each_part_is_there_or_not(query: str, asked: dict[str, list[str]], found: list[bool]) -> None:
    there = found_parts(query, asked)
    assert there is not None
    assert list(there.values()) == found


def test_what_is_no_query_has_no_parts() -> None:
    assert found_parts("SELEC (", {"table": ["t"]}) is None


@each_row(
    ("gold", "said"),
    [
        (SqlGold((Fixture("CREATE TABEL t (a)"),), "SELECT 1"), "the fixture does not build: "),
        (SqlGold((Fixture("CREATE TABLE t (a)"),) * 2, "SELECT b FROM t"), "the gold query does not run on instance 1"),
        (SqlGold((Fixture("CREATE TABLE t (a)"),), "SELECT b FROM t"), "the gold query does not run: "),
        (
            SqlGold(
                (Fixture("CREATE TABLE t (a)"),),
                "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 2000) SELECT x FROM n",
            ),
            "the gold query gives more rows than can be compared",
        ),
    ],
)
def test_a_gold_that_gives_nothing_to_compare_with_is_named(gold: SqlGold, said: str) -> None:
    with pytest.raises(GoldError) as caught:
        wanted_on(gold, gold.instances[0], 1)
    assert str(caught.value).startswith(said)


def test_a_result_that_may_change_by_itself_is_not_kept() -> None:
    some = Wanted(("a",), ((1,),), 1)
    assert _keep(None, some) is some
    assert _kept.get(None) is None
    assert _keep("a key of this test", some) is some
    assert _kept.get("a key of this test") is some
    fixture = Fixture("CREATE TABLE t (a)")
    changing = SqlGold((fixture,), "SELECT random()")
    assert wanted_on(changing, fixture, 1).rows != wanted_on(changing, fixture, 1).rows


@each_row(
    ("query", "named"),
    [
        ('SELECT "a" FROM t;', "SELECT `a` FROM t;"),
        ('SELECT "a" AS "b" FROM t', 'SELECT `a` AS "b" FROM t'),
        ('SELECT a FROM t WHERE b = "c"', 'SELECT a FROM t WHERE b = "c"'),
        ('SELECT a FROM t GROUP BY "b" ORDER BY "c" DESC', "SELECT a FROM t GROUP BY `b` ORDER BY `c` DESC"),
        ('SELECT SUM("a"), "b"||"c" FROM t', 'SELECT SUM(`a`), "b"||"c" FROM t'),
        ('SELECT GROUP_CONCAT("a", "; ") FROM t', 'SELECT GROUP_CONCAT(`a`, "; ") FROM t'),
        ('SELECT a -- "b"\n, (SELECT "c" FROM u) FROM t', 'SELECT a -- "b"\n, (SELECT `c` FROM u) FROM t'),
        ("SELECT 'a' FROM t", "SELECT 'a' FROM t"),
        ('SELECT "a" FRM (', 'SELECT "a" FRM ('),
    ],
)
def test_what_a_query_selects_is_a_name_and_never_a_text(query: str, named: str) -> None:
    assert names_only(query) == named
