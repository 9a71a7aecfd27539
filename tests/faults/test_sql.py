"""SQL that attacks: the fixture stays as it was, no file appears, and time, memory and output are bounded."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from modex.core.sandbox.sql import Fixture, run_sql
from modex.core.sandbox.worker import WorkerPool
from tests.faults.harness import Modex, is_extraction, runners_of, write_suite
from tests.pace import stretched
from tests.server import Reply, Request, serve

SCHEMA = "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, price REAL);"
SEED = "INSERT INTO items VALUES (1, 'pen', 2.5), (2, 'book', 12.0), (3, 'lamp', 30.0);"
FOREVER = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "

WRITES = [
    "DROP TABLE items",
    "DELETE FROM items",
    "UPDATE items SET price = 0",
    "INSERT\tINTO items VALUES (9, 'x', 1)",
    "insert/**/into items values (9, 'x', 1)",
    "WITH t AS (SELECT 1) INSERT INTO items SELECT 9, 'x', 1 FROM t",
    "REPLACE INTO items VALUES (1, 'x', 1)",
    "INSERT INTO items VALUES (1, 'x', 1) ON CONFLICT (id) DO UPDATE SET price = 0",
    "CREATE TABLE evil (a)",
    "CREATE TEMP TABLE evil AS SELECT * FROM items",
    "CREATE VIEW evil AS SELECT 1",
    "CREATE TRIGGER evil AFTER INSERT ON items BEGIN DELETE FROM items; END",
    "CREATE VIRTUAL TABLE evil USING fts5(a)",
    "ALTER TABLE items ADD COLUMN evil",
    "ALTER TABLE items RENAME TO evil",
    "PRAGMA query_only = 0",
    "PRAGMA writable_schema = 1",
    "PRAGMA journal_mode = WAL",
    "PRAGMA temp_store_directory = '/tmp'",
    "PRAGMA hard_heap_limit = 0",
    "PRAGMA trusted_schema = 1",
    "ATTACH DATABASE '{there}' AS evil",
    "ATTACH DATABASE ':memory:' AS evil",
    "DETACH DATABASE main",
    "VACUUM",
    "VACUUM INTO '{there}'",
    "REINDEX",
    "ANALYZE",
    "BEGIN EXCLUSIVE",
    "SAVEPOINT a",
    "SELECT load_extension('{there}')",
    "SELECT writefile('{there}', 'x')",
    "SELECT readfile('/etc/passwd')",
    "SELECT edit('x', 'vi')",
    "SELECT fts3_tokenizer('simple', x'4141414141414141')",
    "SELECT * FROM pragma_query_only(0)",
    "SELECT sqlite_compileoption_used('x'); DROP TABLE items",
    "SELECT 1; DELETE FROM items",
    "SELECT 1;\x00 DELETE FROM items",
    "EXPLAIN DELETE FROM items",
    "-- SELECT\nDELETE FROM items",
    "/* SELECT */ DELETE FROM items",
    "SELECT * FROM sqlite_dbpage",
    "SELECT zeroblob(2000000000)",
]
HEAVY = [
    FOREVER + "SELECT count(*) FROM n",
    FOREVER + "SELECT x FROM n",
    FOREVER + "SELECT sum(length(randomblob(1000000))) FROM n",
    FOREVER + "SELECT group_concat(printf('%1000d', x)) FROM n",
    FOREVER + "SELECT * FROM n ORDER BY x DESC",
    "SELECT count(*) FROM items a, items b, items c, items d, items e, items f, items g, items h, items i, items j,"
    " items k, items l, items m, items n, items o, items p, items q, items r",
    "SELECT instr(hex(zeroblob(120000)), hex(zeroblob(60000)) || 'x'), "
    + "instr(hex(zeroblob(120000)), 'x'), " * 20
    + "1",
    "SELECT 'a' LIKE '" + "%a" * 5000 + "'",
    "SELECT " + "(" * 2000 + "1" + ")" * 2000,
    "SELECT " + " + ".join(["1"] * 20_000),
    "SELECT " + ", ".join(["1"] * 3000),
    " UNION ALL ".join(["SELECT 1"] * 5000),
    "SELECT replace(hex(zeroblob(100000)), '0', hex(zeroblob(100000)))",
    "SELECT printf('%.*c', 1000000000, 'x')",
    "SELECT json_group_array(value) FROM json_each('[" + "1," * 30_000 + "1]') a, items, items b, items c",
    "SELECT x" + "'" + "41" * 60_000 + "'",
    "SELECT '" + "a" * 200_000 + "'",
    "SELECT quote(zeroblob(100000000))",
    "SELECT * FROM items WHERE name REGEXP '(a+)+$'",
    "SELECT \ud800",
]


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    """One pool for all attacks, so that what one leaves behind would harm the next."""
    made = WorkerPool("modex.core.sandbox.sql_child", size=1)
    yield made
    made.close()


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real database file."""
    path = tmp_path_factory.mktemp("fixture") / "shop.db"
    with sqlite3.connect(path) as connection:
        connection.executescript(SCHEMA + SEED)
    connection.close()
    return path


def _state(folder: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir())}


@pytest.mark.parametrize("attack", WRITES)
def test_an_attack_changes_no_fixture_and_makes_no_file(pool: WorkerPool, database: Path, attack: str) -> None:
    there = database.parent / "evil.db"
    before = _state(database.parent)
    query = attack.replace("{there}", str(there))
    result = run_sql(database, query, pool=pool)
    assert _state(database.parent) == before
    if not query.startswith("EXPLAIN"):
        assert result.error is not None
    assert run_sql(Fixture(SCHEMA, SEED), query, pool=pool).fault != "fixture"
    assert _state(database.parent) == before
    assert run_sql(database, "SELECT count(*) FROM items", pool=pool).rows == ((3,),)


@pytest.mark.parametrize("attack", HEAVY, ids=range(len(HEAVY)))
def test_a_heavy_query_ends_in_time_and_the_next_one_works(pool: WorkerPool, attack: str) -> None:
    begun = time.monotonic()
    result = run_sql(Fixture(SCHEMA, SEED), attack, pool=pool, deadline_s=0.5)
    assert time.monotonic() - begun < stretched(5)
    assert result.error is not None or len(result.rows) <= 1000
    assert sum(len(str(value)) for row in result.rows for value in row) < 2_000_000
    assert run_sql(Fixture(SCHEMA, SEED), "SELECT name FROM items WHERE id = 2", pool=pool).rows == (("book",),)


def test_a_child_may_not_grow_beyond_200_mb(pool: WorkerPool) -> None:
    result = run_sql(Fixture(SCHEMA), FOREVER + "SELECT group_concat(hex(randomblob(100000))) FROM n", pool=pool)
    assert result.error is not None
    from modex.core.sandbox.child import Confinement

    assert Confinement().memory_bytes <= 200 * 1024 * 1024


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("SELECT 'please UPDATE me'", (("please UPDATE me",),)),
        ("SELECT 'DROP TABLE items; --'", (("DROP TABLE items; --",),)),
        ('SELECT name AS "delete" FROM items WHERE id = 1', (("pen",),)),
        ("WITH insert_ AS (SELECT 1 AS a) SELECT a FROM insert_", ((1,),)),
        ("SELECT count(*) FROM items;", ((3,),)),
        ("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 4) SELECT sum(x) FROM n", ((10,),)),
    ],
)
def test_harmless_queries_with_frightening_words_work(
    pool: WorkerPool, query: str, rows: tuple[tuple[object, ...], ...]
) -> None:
    assert run_sql(Fixture(SCHEMA, SEED), query, pool=pool).rows == rows


@pytest.mark.long
@pytest.mark.process
def test_hostile_sql_from_a_model_is_scored_the_run_goes_on_and_nothing_survives(modex: Modex, tmp_path: Path) -> None:
    there = tmp_path / "evil.db"
    attacks = [
        FOREVER + "SELECT count(*) FROM n",
        f"VACUUM INTO '{there}'",
        "DROP TABLE items",
        "SELECT 1; DELETE FROM items",
    ]
    expected = {"schema": SCHEMA, "seed": SEED, "query": "SELECT name FROM items WHERE price > 10 ORDER BY id"}
    tests = [
        {"id": f"t{n}", "prompt": f"sql {n}", "expected": expected, "evaluator_id": "sql_executor"}
        for n in range(len(attacks) + 1)
    ]
    suite = write_suite(tmp_path / "suite", tests, "sql")

    def behave(request: Request) -> Reply:
        number = 0 if is_extraction(request) else int(request.prompt.split()[-1])
        good = "SELECT name FROM items WHERE price > 10 ORDER BY id"
        return Reply(content=f"```sql\n{attacks[number] if number < len(attacks) else good}\n```")

    with serve(behave) as server:
        ended = modex.run(*modex.headless(server.url, suite))
    assert ended.code in (0, 1), ended.err
    rows = modex.rows("status, score, error_message")
    assert [row["status"] for row in rows[:-1]] == ["failed"] * len(attacks), rows
    assert rows[-1]["status"] == "passed"
    assert not there.exists()
    assert not runners_of(modex.db)
    survivors = [path for path in Path("/proc").glob("[0-9]*") if _runs_sql(path)]
    assert not [path for path in survivors if _parent(path) == 1], "no orphaned SQL child"


def _runs_sql(process: Path) -> bool:
    try:
        return b"modex.core.sandbox.sql_child" in (process / "cmdline").read_bytes()
    except OSError:
        return False


def _parent(process: Path) -> int:
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return os.getpid()
