from __future__ import annotations

import json

from modex.core.evaluators.sql.parsed import is_ordered, is_query, ordering, parse, runs_of
from tests.core.answers.tables import differing
from tests.rows import each_row

QUERIES = {
    "SELECT a FROM t ORDER BY a": True,
    "select a from t order\nby 1 desc limit 3": True,
    "SELECT a FROM t UNION SELECT b FROM u ORDER BY 1": True,
    "WITH c AS (SELECT a FROM t) SELECT a FROM c ORDER BY a": True,
    "SELECT ')' FROM t ORDER BY a": True,
    "SELECT a -- (\nFROM t ORDER BY a": True,
    "SELECT a FROM orders": False,
    'SELECT order_id, "order", [order], `order` FROM t': False,
    "SELECT 'order by' FROM t": False,
    "SELECT 'it''s order by' FROM t": False,
    "SELECT a FROM (SELECT a FROM t ORDER BY a)": False,
    "SELECT row_number() OVER (ORDER BY a) FROM t": False,
    "SELECT a FROM t WINDOW w AS (ORDER BY a)": False,
    "WITH c AS (SELECT a FROM t ORDER BY a LIMIT 3) SELECT a FROM c": False,
    "SELECT group_concat(a ORDER BY a) FROM t": False,
    "SELECT a FROM t -- order by a": False,
    "SELECT a /* order by a */ FROM t": False,
}


@each_row("query", QUERIES)
def test_whether_a_query_is_ordered_is_seen_without_reading_it(query: str) -> None:
    assert is_ordered(query) is QUERIES[query]
    assert parse(query) is not None
    assert (ordering(query, ("a",)) is not None) is QUERIES[query]


def test_an_order_that_cannot_be_read_is_seen_too() -> None:
    query = "SELECT a FROM t ORDER/* so */BY a"
    assert is_ordered(query)
    assert ordering(query, ("a",)) is None


_QUERIES = r"""
SELECT 1 => True
select a from t => True
WITH x AS (SELECT 1) SELECT * FROM x => True
INSERT INTO t VALUES (1) => False
SELECT 1; SELECT 2 => False
SELECT 1; => True
hello => False
 => False
DELETE FROM t => False
SELECT a FROM t UNION SELECT b FROM u => True
VALUES (1) => False
I SELECT 1 => False
SELEC a => False
"""
_ORDERED = r"""
SELECT a FROM t ORDER BY a => True
SELECT a FROM t => False
SELECT a FROM (SELECT a FROM t ORDER BY a) => False
SELECT (SELECT 1 ORDER BY 1) FROM t => False
SELECT a FROM t ORDER BY (a) => True
SELECT 'order' FROM t => False
SELECT "order" FROM t => False
SELECT a -- order by\nFROM t => False
SELECT a /* order */ FROM t => False
SELECT ROW_NUMBER() OVER (ORDER BY a) FROM t => False
select a from t order by a => True
SELECT orders FROM t => False
SELECT a FROM (SELECT 1) ORDER BY 1 => True
"""
_ORDERINGS = r"""
SELECT a, b FROM t ORDER BY a|a,b => ((0,), None, True)
SELECT a, b FROM t ORDER BY b DESC, a|a,b => ((1, 0), None, True)
SELECT a, b FROM t ORDER BY 2|a,b => ((1,), None, True)
SELECT a, b FROM t ORDER BY 3|a,b => ((2,), 'SELECT a, b, 3 FROM t ORDER BY 3', True)
SELECT a, b FROM t ORDER BY 0|a,b => ((2,), 'SELECT a, b, 0 FROM t ORDER BY 0', True)
SELECT a FROM t ORDER BY c|a => ((1,), 'SELECT a, c FROM t ORDER BY c', True)
SELECT DISTINCT a FROM t ORDER BY c|a => ((), None, False)
SELECT a FROM t UNION SELECT b FROM u ORDER BY c|a => ((), None, False)
SELECT a+1 FROM t ORDER BY a+1|a+1 => ((0,), None, True)
SELECT t.a FROM t ORDER BY t.a|a => ((0,), None, True)
SELECT t.a FROM t ORDER BY a|a => ((0,), None, True)
SELECT a, a FROM t ORDER BY a|a,a => ((0,), None, True)
SELECT A FROM t ORDER BY a|A => ((0,), None, True)
SELECT a FROM t|a => None
nonsense (|a => None
SELECT a AS x FROM t ORDER BY x|x => ((0,), None, True)
SELECT a AS x FROM t ORDER BY a|x => ((0,), None, True)
"""
"""A query and the names of its columns: the columns that it is ordered by, what shows the others, whether that is known."""
_RUNS = r"""
[]|0 => []
[[1],[1],[2]]|0 => [2, 1]
[[1,2],[1,3],[1,3]]|0,1 => [1, 2]
[[1,2],[1,3],[1,3]]|0 => [3]
[[1],[2],[1]]|0 => [1, 1, 1]
"""


def order(line: str) -> str:
    query, names = line.split("|")
    found = ordering(query, tuple(names.split(",")))
    return str(None if found is None else (found.columns, found.probe, found.known))


def runs(line: str) -> str:
    rows, columns = line.split("|")
    return str(runs_of(json.loads(rows), [int(one) for one in columns.split(",")]))


def test_a_query_reads_and_may_be_ordered() -> None:
    assert differing(_QUERIES, lambda query: str(is_query(query))) == []
    assert differing(_ORDERED, lambda query: str(is_ordered(query))) == []
    assert differing(_ORDERINGS, order) == []
    assert differing(_RUNS, runs) == []
