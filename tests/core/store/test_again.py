"""A query that is asked again and again."""

from __future__ import annotations

from pathlib import Path

import peewee as pw

from modex.core.store.again import Again
from modex.core.store.database import open_database
from modex.core.store.tables import EvaluationRun as Run


def _asked(first: int, second: int) -> pw.BaseQuery:
    words = pw.Select(columns=[pw.Value(second), pw.Value("as it is"), pw.Value(7), pw.Value(first), pw.Value(second)])
    return words.limit(first)


def test_each_number_stands_wherever_the_query_names_it_and_nothing_else_changes(tmp_path: Path) -> None:
    database, again = open_database(tmp_path / "a.db"), Again(_asked, 2)
    for first, second in ((1, 30), (2, 0), (1, -5)):
        assert again.rows(database, first, second) == [(second, "as it is", 7, first, second)]
        assert again.rows(database, first, second) == database.fetch(_asked(first, second))
    assert again.rows(database, 0, 3) == []
    database.close()


def test_its_sql_is_made_once_for_all_databases(tmp_path: Path) -> None:
    made: list[int] = []

    def run_of(run_id: int) -> pw.BaseQuery:
        made.append(run_id)
        return Run.select(Run.exp_id).where(Run.id == run_id)

    again = Again(run_of, 1)
    for name in ("a.db", "b.db"):
        database = open_database(tmp_path / name)
        database.add(Run.insert({"exp_id": name}))
        assert [again.rows(database, number) for number in (1, 2)] == [[(name,)], []]
        database.close()
    assert len(made) == 1
