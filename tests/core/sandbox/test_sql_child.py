"""What the child behind SQL says to each query, and what it keeps between two."""

from __future__ import annotations

import sqlite3
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from modex.core.sandbox import sql_child
from modex.core.sandbox.sql_child import handle

SCHEMA, SEED = "CREATE TABLE t (a, b)", "INSERT INTO t VALUES (1, 'one'), (2, x'00ff')"


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    kept: OrderedDict[str, Any] = OrderedDict()
    monkeypatch.setattr(sql_child, "HEAP_BYTES", 0)  # SQLite's limit would hold for this whole process
    monkeypatch.setattr(sql_child, "_kept", kept)
    monkeypatch.setattr(sql_child, "_fixtures", OrderedDict())
    yield
    for database, _ in kept.values():
        database.close()


def asked(
    *queries: str,
    schema: str = SCHEMA,
    seed: str = SEED,
    max_rows: int = 10,
    deadline_s: float = 30.0,
    file: Path | None = None,
) -> list[Any]:
    fixture = {"schema": schema, "seed": seed} if file is None else {"file": str(file)}
    request = {"fixture": fixture, "queries": queries, "max_rows": max_rows, "deadline_s": deadline_s}
    found: list[Any] = handle(request)["results"]
    return found


def test_rows_come_as_json_can_hold_them_and_no_more_than_asked_for() -> None:
    plain, blobs, cut, none = asked(
        "SELECT a, 'é' AS x FROM t", "SELECT b FROM t", "SELECT a FROM t LIMIT 10", "SELECT 1 WHERE 0", max_rows=2
    )
    assert plain == {"columns": ["a", "x"], "rows": [(1, "é"), (2, "é")], "truncated": False, "blobs": False}
    assert blobs == {"columns": ["b"], "rows": [("one",), [{"hex": "00ff"}]], "truncated": False, "blobs": True}
    assert (len(cut["rows"]), cut["truncated"], none["rows"], none["truncated"]) == (2, False, [], False)
    (cut,) = asked("SELECT a FROM t", max_rows=1)
    assert (cut["rows"], cut["truncated"]) == ([(1,)], True)


@pytest.mark.parametrize(("each", "rows", "truncated"), [(65_536, 16, False), (65_537, 15, True)])
def test_an_answer_holds_a_megabyte(each: int, rows: int, truncated: bool) -> None:
    many = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 16) "
    (found,) = asked(f"{many} SELECT substr(hex(replace('{'a' * 40_000}', 'a', 'bb')), 1, {each}) FROM c", max_rows=100)
    assert (len(found["rows"]), found["truncated"]) == (rows, truncated)
    (numbers,) = asked(f"{many} SELECT x, NULL FROM c", max_rows=100)
    assert len(numbers["rows"]) == 16


@pytest.mark.parametrize(
    ("query", "kind", "said"),
    [
        ("SELECT absent FROM t", "sql", "no such column: absent"),
        ("SELECT 1; SELECT 2", "sql", "more than one statement"),
        ("", "sql", "returns no rows"),
        ("DELETE FROM t", "denied", "not allowed here: DELETE; only SELECT"),
        ("PRAGMA user_version", "denied", "not allowed here: PRAGMA"),
        ("SELECT LOAD_EXTENSION('x')", "denied", "the function load_extension"),
        ("SELECT printf('%100d', 1)", "sql", "user-defined function raised exception"),
        ("SELECT printf('%*d', 5, 1)", "sql", "raised exception"),
        ("SELECT '" + "x" * 600 + "' FROM nowhere", "sql", "no such table: nowhere"),
        ("SELECT " + "y" * 600, "sql", "no such column"),
        ("SELECT abs(-9223372036854775808)", "sql", "integer overflow"),
        ("SELECT * FROM sqlite_dbpage", "sql", "no such table"),
    ],
)
def test_what_is_wrong_with_a_query_is_said_by_its_kind(query: str, kind: str, said: str) -> None:
    (found,) = asked(query)
    assert (found["kind"], said.lower() in found["error"].lower(), len(found["error"]) <= 500) == (kind, True, True)


def _sum(terms: int) -> str:
    return "SELECT " + " + ".join("1" * terms)


def _compound(terms: int) -> str:
    return " UNION ALL ".join(["SELECT 1"] * terms)


def _text(length: int) -> str:
    """A text of so many characters, four of which stand in the query for each of a literal."""
    return f"SELECT length(replace(hex('{'x' * 65_000}'), '8', '888') || '{'y' * (length - 260_000)}')"


@pytest.mark.parametrize(
    ("query", "most", "said"),
    [
        (_sum, 50, "Expression tree is too large"),
        (_compound, 20, "too many terms in compound SELECT"),
        (lambda n: "SELECT " + ", ".join("1" * n), 100, "too many columns"),
        (lambda n: f"SELECT max({', '.join('1' * n)})", 16, "too many arguments"),
        (lambda n: f"SELECT 'a' LIKE '{'b' * n}'", 50, "pattern too complex"),
        (lambda n: f"SELECT 1 --{' ' * (n - 11)}", 100 * 1024, "query string is too large"),
        (_text, 256 * 1024, "too big"),
    ],
    ids=["depth", "compound", "columns", "arguments", "like", "query", "text"],
)
def test_a_query_may_be_as_large_as_its_limits_and_no_larger(query: Callable[[int], str], most: int, said: str) -> None:
    within, beyond = asked(query(most), query(most + 1))
    assert "error" not in within, within
    assert said in beyond["error"]


def test_every_door_of_a_database_is_closed_before_a_query_runs() -> None:
    with closing(sqlite3.connect(":memory:")) as database:
        sql_child._close_doors(database)
        pragmas = ("query_only", "trusted_schema", "temp_store")
        assert [database.execute(f"PRAGMA {name}").fetchone()[0] for name in pragmas] == [1, 0, 2]


def test_a_fixture_is_built_in_memory_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    class Told(sqlite3.Connection):
        def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
            said.append(sql)
            return super().execute(sql, *given)

    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Told))
    asked("SELECT 1", schema="CREATE TABLE alone (a)", seed="")
    assert said[:2] == ["PRAGMA hard_heap_limit=0", "PRAGMA temp_store=2"]


def test_json_can_be_read_as_a_table() -> None:
    each, tree = asked("SELECT value FROM json_each('[1, 2]')", "SELECT count(*) FROM json_tree('[1, [2]]')")
    assert (each["rows"], tree["rows"]) == ([(1,), (2,)], [(4,)])


@pytest.mark.parametrize(
    "query", ["SELECT printf('%99d', 1)", "SELECT format('%d%%', 1)", "SELECT printf(NULL)", "SELECT printf()"]
)
def test_formats_without_long_padding_are_sqlites_own(query: str) -> None:
    (found,) = asked(query)
    with sqlite3.connect(":memory:") as plain:
        assert [*found["rows"]] == plain.execute(query).fetchall()
    plain.close()


def test_a_query_that_lasts_is_ended_at_its_deadline_and_the_next_one_answered() -> None:
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
    late, after = asked(endless, "SELECT count(*) FROM t", deadline_s=0.05)
    assert late == {"error": "the query takes too long", "kind": "timeout"}
    assert after["rows"] == [(2,)]


def test_a_query_ends_with_who_asked_it(monkeypatch: pytest.MonkeyPatch) -> None:
    over = sql_child._over(time.process_time() + 60)
    assert over() == 0
    monkeypatch.setattr(sql_child, "_PARENT", -1)
    assert over() == 1
    monkeypatch.undo()
    assert sql_child._over(time.process_time() - 1)() == 1


@pytest.mark.parametrize(
    ("schema", "seed", "said"),
    [
        ("CREATE TABLE t (a", "", "the schema does not run: incomplete input"),
        ("CREATE TABLE t (a)", "INSERT INTO u VALUES (1)", "the seed does not run: no such table"),
        ("ATTACH '/tmp/x' AS x", "", "the schema does not run: not authorized"),
        ("PRAGMA journal_mode = WAL", "", "not authorized"),
        ("CREATE VIRTUAL TABLE f USING fts5(x)", "", "not authorized"),
        ("CREATE TABLE t AS SELECT ZEROBLOB(5)", "", "not authorized"),
        ("CREATE TABLE t (a); DETACH main", "", "not authorized"),
    ],
)
def test_a_fixture_builds_what_it_likes_in_its_own_database_alone(schema: str, seed: str, said: str) -> None:
    (found,) = asked("SELECT 1", schema=schema, seed=seed)
    assert (found["kind"], said in found["error"]) == ("fixture", True)


def test_a_fixture_may_set_what_concerns_itself_and_use_functions() -> None:
    schema = "PRAGMA Foreign_Keys = 1; PRAGMA user_version = 5; PRAGMA encoding = 'UTF-8'; "
    schema += 'CREATE TABLE t AS SELECT abs(-5) AS "zeroblob"'
    (found,) = asked("SELECT zeroblob FROM t", schema=schema, seed="BEGIN; INSERT INTO t VALUES (6)")
    assert found["rows"] == [(5,), (6,)]


def test_small_fixtures_stay_open_until_a_query_fails_and_the_newest_few_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    built: list[str] = []
    image = sql_child._image

    def counted(key: str, schema: str, seed: str, deadline: float) -> bytes:
        built.append(schema)
        return image(key, schema, seed, deadline)

    monkeypatch.setattr(sql_child, "_image", counted)
    names = ["one", "two", "three", "four", "five"]
    for name in (*names[:4], "one", "five", "one", "two"):
        asked("SELECT 1", schema=f"CREATE TABLE {name} (a)", seed="")
    assert [schema.split()[2] for schema in built] == [*names, "two"]
    assert len(sql_child._kept) == 4
    asked("SELECT nothing", schema="CREATE TABLE two (a)", seed="")
    assert len(sql_child._kept) == 3
    assert asked("SELECT count(*) FROM two", schema="CREATE TABLE two (a)", seed="")[0]["rows"] == [(0,)]


def test_a_large_fixture_is_opened_anew_and_the_images_of_eight_are_kept() -> None:
    for number in range(10):
        asked("SELECT 1", schema=f"CREATE TABLE t{number} (a)", seed="")
    assert len(sql_child._fixtures) == 8
    sql_child._kept.clear()
    many = (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < {}) INSERT INTO t SELECT '{}' FROM c"
    )
    for number, kept in ((50, 1), (100, 1)):
        asked("SELECT 1", schema="CREATE TABLE t (a)", seed=many.format(number, "x" * 3000))
        assert len(sql_child._kept) == kept


def test_a_file_is_read_as_it_is_and_one_that_is_none_is_the_suites_fault(tmp_path: Path) -> None:
    path = tmp_path / "a b?.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE t (a)")
        database.execute("INSERT INTO t VALUES (CAST(x'ff41' AS TEXT))")
    database.close()
    assert asked("SELECT a FROM t", file=path)[0]["rows"] == [("\ufffdA",)]
    assert asked("DELETE FROM t", file=path)[0]["kind"] == "denied"
    assert asked("SELECT 1", file=tmp_path / "none.db")[0]["kind"] == "fixture"


@pytest.mark.parametrize(
    ("action", "first", "second", "allowed"),
    [
        (sqlite3.SQLITE_FUNCTION, None, "Load_Extension", False),
        (sqlite3.SQLITE_FUNCTION, None, "abs", True),
        (sqlite3.SQLITE_FUNCTION, None, None, True),
        (sqlite3.SQLITE_READ, "load_extension", "load_extension", True),
        (sqlite3.SQLITE_READ, "DBSTAT", "x", False),
        (sqlite3.SQLITE_READ, None, "x", True),
        (sqlite3.SQLITE_SELECT, "dbstat", None, True),
        (sqlite3.SQLITE_UPDATE, "t", "a", False),
        (999, None, None, False),
    ],
)
def test_a_query_may_read_and_call_what_is_harmless(
    action: int, first: str | None, second: str | None, allowed: bool
) -> None:
    given: list[Any] = []

    class Database:
        def set_authorizer(self, authorize: Any) -> None:
            given.append(authorize)

        def set_progress_handler(self, handler: Any, steps: int) -> None:
            given.append(steps)

    denied: list[str] = []
    sql_child._guard(Database(), denied, 0.0)  # type: ignore[arg-type]
    authorize, steps = given
    assert (authorize(action, first, second, "main", None) == sqlite3.SQLITE_OK, len(denied)) == (
        allowed,
        int(not allowed),
    )
    assert steps == 1000
    if action in (sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_UPDATE):
        built = sql_child._fixture_authorizer(action, first, second, "main", None) == sqlite3.SQLITE_OK
        assert built == (allowed or action == sqlite3.SQLITE_UPDATE)
