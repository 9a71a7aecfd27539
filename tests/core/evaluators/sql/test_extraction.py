"""Which block of a response is its query."""

from __future__ import annotations

from modex.core.evaluators.sql.extraction import fenced_sql
from tests.rows import each_row


@each_row(
    ("text", "query"),
    [
        ("```sql\nSELECT 1\n```", "SELECT 1"),
        ("```SQLite\nSELECT 1\n```", "SELECT 1"),
        ("```sql\nSELECT 1\n```\n```sql\nSELECT 2\n```", "SELECT 2"),
        ("```sql\nSELECT 1\n```\n```sql\n \n```", "SELECT 1"),
        ("```sql\nSELECT 1\n```\n```\nSELECT 2\n```", "SELECT 1"),
        ("```\nSELECT 1\n```\n```\nSELECT 2\n```\n```\nnot a query\n```", "SELECT 2"),
        ("```python\nSELECT 1\n```", None),
        ("```\nhello there\n```", None),
        ("~~~sql\nSELECT 1\n~~~", "SELECT 1"),
        ("````sql\nSELECT 1\n```\n````", "SELECT 1\n```"),
        ("```sql\nSELECT 1\n``` x\n```", "SELECT 1\n``` x"),
        ("```sql\nSELECT\n 1", "SELECT\n 1"),
        ("SELECT 1", None),
        ("", None),
    ],
)
def test_the_last_tagged_block_counts_else_the_last_that_is_a_query(text: str, query: str | None) -> None:
    assert fenced_sql(text) == query
