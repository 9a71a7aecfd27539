from __future__ import annotations

from modex.core.evaluators.sql.parsed import is_ordered, ordering, parse
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
