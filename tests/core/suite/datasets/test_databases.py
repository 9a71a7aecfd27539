"""Questions to databases are shown with their tables; a database that is not there is named."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from modex.core.config.runconfig import DatasetSpec
from modex.core.suite.datasets.databases import with_database
from modex.core.suite.datasets.reader import DatasetReader
from tests.cli import call
from tests.rows import each_row

SPIDER, BIRD = "database/{db_id}/{db_id}.sqlite", "dev_databases/{db_id}/{db_id}.sqlite"
TABLE = "CREATE TABLE singer (name TEXT, age INT)"


def database(path: Path, *statements: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with sqlite3.connect(path) as made:
        for statement in statements or (TABLE, "INSERT INTO singer VALUES ('Ann', 30), ('Ben', 40)"):
            made.execute(statement)


def spider(number: int) -> dict[str, Any]:
    query = f"SELECT name FROM singer WHERE age > {25 + number}"
    return {"db_id": "concert", "query": query, "question": f"Who is older than {25 + number}?", "query_toks": query.split(),
            "query_toks_no_value": [], "question_toks": [], "sql": {"from": {}}}  # fmt: skip


def bird(number: int) -> dict[str, Any]:
    return {"question_id": number, "db_id": "concert", "question": "How many are there?", "evidence": f"old means {number}",
            "SQL": f"SELECT COUNT(*) FROM singer WHERE age > {25 + number}",
            "difficulty": ("simple", "moderate", "challenging")[number % 3]}  # fmt: skip


@pytest.mark.parametrize(("preset", "row", "pattern"), [("spider", spider, SPIDER), ("bird", bird, BIRD)])
def test_ten_rows_are_read_run_and_judged_on_the_database_beside_them(
    preset: str, row: Any, pattern: str, tmp_path: Path
) -> None:
    where = pattern.format(db_id="concert")
    database(tmp_path / where)
    rows = [row(number) for number in range(10)]
    path, db = tmp_path / "dev.json", tmp_path / "m.db"
    path.write_text(json.dumps(rows))
    reader = DatasetReader(DatasetSpec(path=str(path), preset=preset))
    tests = list(reader)
    assert reader.problems == []
    assert [test.expected for test in tests] == [
        {"fixture": where, "query": one.get("query") or one["SQL"]} for one in rows
    ]
    assert str(tests[0].prompt).startswith(f"{TABLE}\n\n{rows[0]['question']}")
    assert {test.domain for test in tests} == {"concert"}
    assert {test.level for test in tests} == ({1} if preset == "spider" else {1, 3, 5})
    asked = ("--dataset", path, "--preset", preset, "--db", db)
    ran = call("run", "--model", "demo", *asked, "--headless", "--exp-id", "demo")
    assert ran.code == 0, ran.err
    answers = [
        {"id": test.test_id, "epoch": epoch, "response": f"```sql\n{query}\n```"}
        for test, gold in zip(tests, rows, strict=True)
        for epoch, query in enumerate((gold.get("query") or gold["SQL"], "SELECT 'nobody'"), 1)
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(one) + "\n" for one in answers))
    more = ("--epochs", "2", "--exp-id", "e", "--extractor-model", "demo")
    brought = call("import", "answers", tmp_path / "a.jsonl", *asked, *more)
    assert brought.code == 0, brought.err
    found = call("export", "e", "--format", "json", "--db", db).data["samples"]
    assert sorted((one["epoch"], one["status"]) for one in found) == [(1, "passed")] * 10 + [(2, "failed")] * 10


def test_a_database_that_is_not_there_is_named_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "dev.json"
    path.write_text(json.dumps([spider(0)]))
    ran = call(
        "run", "--model", "demo", "--dataset", path, "--preset", "spider", "--headless", "--db", tmp_path / "m.db"
    )
    assert ran.code == 2
    assert f"its database is not here: put database/concert/concert.sqlite into {tmp_path}" in ran.err


@each_row("name", ["..", ".", "a/b", "../x", "a\\b", "", "a\nb", "{0}", "x" * 102])
def test_a_name_that_is_no_file_is_refused(name: str, tmp_path: Path) -> None:
    assert (
        with_database({**spider(0), "db_id": name}, SPIDER, tmp_path)
        == f"the database {name[:60]!r} is no name of a file"
    )


def test_a_database_without_tables_is_named(tmp_path: Path) -> None:
    place = tmp_path / "database" / "concert" / "concert.sqlite"
    database(place, "PRAGMA user_version = 1")
    told = "its database database/concert/concert.sqlite holds no table that can be read; bring it anew"
    assert with_database(spider(0), SPIDER, tmp_path) == told
    place.write_bytes(b"no database at all" * 100)
    assert with_database(spider(0), SPIDER, tmp_path) == told


def test_a_database_that_changed_is_read_anew(tmp_path: Path) -> None:
    place = tmp_path / "database" / "concert" / "concert.sqlite"
    database(place)
    first = with_database(spider(0), SPIDER, tmp_path)
    assert isinstance(first, dict)
    assert first["question"] == f"{TABLE}\n\nWho is older than 25?"
    assert "query" not in first
    database(place, "CREATE TABLE band (id INT)")
    second = with_database({**spider(0), "evidence": " Ann is old. ", "query": "SELECT 1; "}, SPIDER, tmp_path)
    assert isinstance(second, dict)
    assert second["question"] == (
        f"{TABLE}\n\nCREATE TABLE band (id INT)\n\nWho is older than 25?\n\nWhat is known: Ann is old."
    )
    assert second["answer"] == {"fixture": "database/concert/concert.sqlite", "query": "SELECT 1"}


@each_row("name", ["db_id", "question", "query"])
def test_a_row_that_lacks_what_is_needed_is_left_as_it_is(name: str, tmp_path: Path) -> None:
    row = {**spider(0), name: None}
    assert with_database(row, SPIDER, tmp_path) == row
