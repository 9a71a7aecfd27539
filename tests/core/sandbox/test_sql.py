from __future__ import annotations

import hashlib
import sqlite3
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from modex.core.sandbox.sql import MAX_QUERY_CHARS, Fixture, SqlResult, run_after, run_sql
from modex.core.sandbox.worker import ChildReply, shared_pool
from tests.pace import stretched
from tests.rows import each_row

SHOP = Fixture(
    "CREATE TABLE t (a INTEGER, b TEXT); CREATE VIEW v AS SELECT a FROM t; CREATE TABLE secret (x);",
    "INSERT INTO t VALUES (1, 'one'), (2, 'two'), (3, NULL); INSERT INTO secret VALUES ('s');",
)
NUMBERS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
DIGITS = "WITH d(x) AS (VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)) "

DENIED = {
    "insert": "INSERT INTO t VALUES (9, 'x')",
    "insert after a tab": "INSERT\tINTO t VALUES (9, 'x')",
    "insert after a comment": "/* SELECT */ INSERT INTO t VALUES (9, 'x')",
    "insert that returns": "INSERT INTO t VALUES (9, 'x') RETURNING a",
    "replace": "REPLACE INTO t VALUES (9, 'x')",
    "update": "UPDATE t SET a = 0",
    "delete": "DELETE FROM t",
    "with delete": "WITH q AS (SELECT 1) DELETE FROM t",
    "drop": "DROP TABLE t",
    "alter": "ALTER TABLE t RENAME TO u",
    "create": "CREATE TABLE u (x)",
    "create temp": "CREATE TEMP TABLE u (x)",
    "create view": "CREATE VIEW w AS SELECT 1",
    "create trigger": "CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM t; END",
    "create index": "CREATE INDEX i ON t (a)",
    "virtual table": "CREATE VIRTUAL TABLE f USING fts5(x)",
    "attach": "ATTACH DATABASE '{folder}/new.db' AS n",
    "attach memory": "ATTACH ':memory:' AS n",
    "vacuum into": "VACUUM INTO '{folder}/new.db'",
    "vacuum": "VACUUM",
    "query_only off": "PRAGMA query_only = 0",
    "writable schema": "PRAGMA writable_schema = 1",
    "journal mode": "PRAGMA journal_mode = WAL",
    "temp folder": "PRAGMA temp_store_directory = '{folder}'",
    "pragma function": "SELECT * FROM pragma_database_list",
    "begin": "BEGIN",
    "savepoint": "SAVEPOINT s",
    "reindex": "REINDEX",
    "analyze": "ANALYZE",
    "detach": "DETACH main",
    "load_extension": "SELECT load_extension('/tmp/x.so')",
    "readfile": "SELECT readfile('/etc/passwd')",
    "writefile": "SELECT writefile('{folder}/new', 'x')",
    "fts3_tokenizer": "SELECT fts3_tokenizer('simple')",
    "edit": "SELECT edit('x')",
    "zeroblob": "SELECT length(zeroblob(1000000000))",
    "randomblob": "SELECT hex(randomblob(1000000000))",
    "explain of a write": "EXPLAIN INSERT INTO t VALUES (1, 'x')",
}
BOUNDED = {
    "endless recursion": NUMBERS + "SELECT count(*) FROM c",
    "cross joins": DIGITS + f"SELECT count(*) FROM {', '.join(f'd d{i}' for i in range(12))}",
    "sort of endless rows": NUMBERS + "SELECT x FROM c ORDER BY -x",
    "distinct of endless rows": NUMBERS + "SELECT count(DISTINCT x || 'xxxxxxxxxxxxxxxxxxxxxxxxxxxx') FROM c",
    "group_concat of endless rows": NUMBERS + "SELECT length(group_concat(x)) FROM c",
    "doubling text": "WITH RECURSIVE c(s) AS (SELECT 'x' UNION ALL SELECT s || s FROM c) SELECT max(length(s)) FROM c",
    "slow instr": NUMBERS + "SELECT sum(instr(replace(hex(quote(x)), 'a', 'b'), 'zz')) FROM c",
    "like bomb": "SELECT 'a' LIKE '" + "%a" * 60 + "'",
    "instr between two progress calls": f"WITH s(h, n) AS (SELECT '{'a' * 90_000}', '{'a' * 9_000}' || 'b') SELECT "
    + " + ".join(["instr(h || h, replace(n, 'a', 'aaaaa'))"] * 45)
    + " FROM s",
    "printf width": "SELECT printf('%1000000000d', 1)",
    "printf star": "SELECT printf('%*d', 1000000000, 1)",
    "deep expression": "SELECT " + "1 + (" * 500 + "1" + ")" * 500,
    "deep json": "SELECT json('" + "[" * 20000 + "')",
    "many columns": "SELECT " + ", ".join(["1"] * 300),
    "many compounds": " UNION ALL ".join(["SELECT 1"] * 50),
    "long statement": "SELECT '" + "x" * 200_000 + "'",
    "huge limit": NUMBERS + "SELECT x FROM c LIMIT 1000000000 OFFSET 999999999",
    "json tree of endless rows": NUMBERS + "SELECT json_group_array(x) FROM c",
    "window over endless rows": NUMBERS + "SELECT sum(x) OVER (ORDER BY x) FROM c ORDER BY 1 DESC",
    "text with NUL": "SELECT 1\0; DROP TABLE t",
    "lone surrogate": "SELECT '\ud800",
}


@pytest.mark.parametrize("attack", DENIED)
def test_anything_but_reading_is_refused_and_leaves_no_trace(attack: str, tmp_path: Path) -> None:
    result = run_sql(SHOP, DENIED[attack].replace("{folder}", str(tmp_path)))
    assert result.error is not None
    assert result.rows == ()
    assert list(tmp_path.iterdir()) == []
    assert run_sql(SHOP, "SELECT count(*), sum(a) FROM t").rows == ((3, 6),)


@pytest.mark.long
@pytest.mark.parametrize("attack", BOUNDED)
def test_a_greedy_query_ends_soon_and_in_little_memory(attack: str) -> None:
    before = time.monotonic()
    result = run_sql(SHOP, BOUNDED[attack], deadline_s=0.3)
    took = time.monotonic() - before
    assert took < 5 or took < stretched(5)
    assert result.error is not None
    for pid in shared_pool("modex.core.sandbox.sql_child").pids:
        assert _peak_megabytes(pid) < 200


@pytest.mark.long
@pytest.mark.parametrize(
    "query",
    [
        "SELECT a FROM t WHERE a > 1",
        "SELECT x'00ff', NULL, 9e999",
        "SELECT nothing FROM t",
        DENIED["delete"],
        BOUNDED["doubling text"],
        BOUNDED["instr between two progress calls"],
        BOUNDED["long statement"],
    ],
    ids=lambda query: query[:30],
)
def test_a_query_after_a_trusted_one_gives_what_it_gives_alone(query: str) -> None:
    trusted, found = run_after(SHOP, "SELECT count(*), sum(a) FROM t", query, deadline_s=0.1)
    assert trusted.rows == ((3, 6),)
    assert trusted.error is None
    assert _bounded_alike(found) == _bounded_alike(run_sql(SHOP, query, deadline_s=0.1))


def _bounded_alike(result: SqlResult) -> SqlResult:
    """Which of its bounds a query meets first is a matter of how busy the machine is."""
    return replace(result, error="bounded", fault="died") if result.fault in ("timeout", "died") else result


def _peak_megabytes(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return 0.0


@pytest.mark.parametrize("attack", ["insert", "vacuum into", "attach", "query_only off", "journal mode"])
def test_a_database_file_stays_as_it_is(attack: str, tmp_path: Path) -> None:
    file = tmp_path / "a b%20?#.sqlite"
    with sqlite3.connect(file) as database:
        database.executescript("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'one');")
    database.close()
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    assert run_sql(file, DENIED[attack].replace("{folder}", str(tmp_path))).error is not None
    assert run_sql(file, "SELECT a FROM t").rows == ((1,),)
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
    assert hashlib.sha256(file.read_bytes()).hexdigest() == digest


@each_row(
    ("query", "rows"),
    [
        ("SELECT 'please UPDATE me'", (("please UPDATE me",),)),
        ("SELECT 'a; b' -- DROP TABLE t", (("a; b",),)),
        ("SELECT a FROM v ORDER BY a;  ", ((1,), (2,), (3,))),
        ("SELECT printf('%.2f', 3.14159), format('%05d|%s', 42, 'x')", (("3.14", "00042|x"),)),
        ("SELECT NULL, 1.5, x'00ff', 9e999", ((None, 1.5, b"\x00\xff", float("inf")),)),
        ("SELECT date('2026-01-31', '+1 day'), json_extract('[1,2]', '$[1]')", (("2026-02-01", 2),)),
        ("SELECT cast(x'ff41' AS TEXT)", (("\ufffdA",),)),
        ("SELECT a FROM t WHERE a < 0", ()),
    ],
)
def test_honest_queries_work(query: str, rows: tuple[tuple[object, ...], ...]) -> None:
    result = run_sql(SHOP, query)
    assert result.error is None
    assert result.rows == rows


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("SELECT value FROM json_each('[1, 2]')", ((1,), (2,))),
        ("SELECT fullkey FROM json_tree('{\"a\": [3]}') WHERE type = 'integer'", (("$.a[0]",),)),
    ],
)
def test_json_can_be_taken_apart(query: str, rows: tuple[tuple[object, ...], ...]) -> None:
    assert run_sql(Fixture("CREATE TABLE t (a)"), query).rows == rows


def test_rows_and_bytes_out_are_capped_and_said_so() -> None:
    many = run_sql(SHOP, NUMBERS + "SELECT x FROM c LIMIT 2000")
    assert (len(many.rows), many.truncated) == (1000, True)
    wide = run_sql(SHOP, NUMBERS + f"SELECT '{'y' * 90_000}' FROM c LIMIT 100")
    assert wide.truncated
    assert len(wide.rows) < 20


def test_two_statements_are_refused_with_a_reason() -> None:
    result = run_sql(SHOP, "SELECT 1; SELECT 2")
    assert result.error == "there is more than one statement; only one SELECT query is run"


def test_a_refusal_says_what_is_not_allowed() -> None:
    result = run_sql(SHOP, "DELETE FROM t")
    assert result.fault == "denied"
    assert result.error == "not allowed here: DELETE; only SELECT queries are run"


@each_row(
    "fixture",
    [
        Fixture("CREATE TABLE t ("),
        Fixture("CREATE TABLE t (a)", "INSERT INTO u VALUES (1)"),
        Fixture("ATTACH '/tmp/modex-attack.db' AS x"),
        Fixture(f"CREATE TABLE t AS {NUMBERS} SELECT x FROM c"),
        Path("/no/such/file.sqlite"),
    ],
)
def test_a_fixture_that_does_not_build_is_the_suite_s_fault(fixture: Fixture | Path) -> None:
    result = run_sql(fixture, "SELECT 1", deadline_s=0.3)
    assert result.fault == "fixture"
    assert not Path("/tmp/modex-attack.db").exists()


def test_a_query_never_sees_what_another_one_did() -> None:
    assert run_sql(SHOP, "CREATE TEMP TABLE x AS SELECT 1").error is not None
    assert run_sql(SHOP, "SELECT name FROM sqlite_master ORDER BY name").rows == (("secret",), ("t",), ("v",))


class Pool:
    """A child that says what it is told to; what it was asked stands in `asked`."""

    def __init__(self, *answers: ChildReply | Exception) -> None:
        self.answers, self.asked = list(answers), []  # type: ignore[var-annotated]

    def ask(self, request: dict[str, Any], *, wall_s: float, cpu_s: float) -> ChildReply:
        self.asked.append((request, wall_s, cpu_s))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def rows(*found: Any, **more: Any) -> dict[str, Any]:
    return {"columns": ["a"], "rows": [*found], "truncated": False, "blobs": False, **more}


@each_row(
    ("reply", "result"),
    [
        (
            ChildReply("ok", {"results": [rows([1], [None], truncated=True)]}),
            SqlResult(("a",), ((1,), (None,)), truncated=True),
        ),
        (
            ChildReply("ok", {"results": [rows([{"hex": "00ff"}, "x"], blobs=True)]}),
            SqlResult(("a",), ((b"\x00\xff", "x"),)),
        ),
        (ChildReply("ok", {"results": [{"error": "e", "kind": "denied"}]}), SqlResult(error="e", fault="denied")),
        (ChildReply("ok", {"failed": "f"}), SqlResult(error="f", fault="sql")),
        (ChildReply("timeout"), SqlResult(error="the query takes too long", fault="timeout")),
        (
            ChildReply("died"),
            SqlResult(error="the query ended its process: it needs more time or memory than it may have", fault="died"),
        ),
        (ValueError("big"), SqlResult(error="the fixture is too large: big", fault="fixture")),
    ],
)
def test_what_a_child_says_is_the_result(reply: ChildReply | Exception, result: SqlResult) -> None:
    pool = Pool(reply)
    assert run_sql(SHOP, "q" * MAX_QUERY_CHARS, pool=pool) == result  # type: ignore[arg-type]
    fixture = {"schema": SHOP.schema, "seed": SHOP.seed}
    request = {"fixture": fixture, "queries": ("q" * MAX_QUERY_CHARS,), "max_rows": 1000, "deadline_s": 2.0}
    assert pool.asked == [(request, 40.0, 3.0)]


def test_a_query_may_be_so_long() -> None:
    assert len("q" * 102_400) == MAX_QUERY_CHARS
    pool = Pool()
    found = run_sql(Path("x.db"), "q" * (MAX_QUERY_CHARS + 1), pool=pool)  # type: ignore[arg-type]
    assert (found.fault, found.error) == ("sql", "the query is longer than 102,400 characters")


def test_two_queries_are_asked_together_and_each_alone_where_the_child_ended() -> None:
    pool = Pool(ChildReply("ok", {"results": [rows([1]), rows([2])]}))
    one, two = run_after(Path("x.db"), "a", "b", max_rows=5, deadline_s=1.5, pool=pool)  # type: ignore[arg-type]
    assert (one.rows, two.rows) == (((1,),), ((2,),))
    ((request, wall_s, cpu_s),) = pool.asked
    assert (request["queries"], wall_s, cpu_s, request["fixture"]) == (
        ("a", "b"),
        60.0,
        4.0,
        {"file": str(Path("x.db").absolute())},
    )
    pool = Pool(ChildReply("died"), ChildReply("ok", {"results": [rows([1])]}), ChildReply("timeout"))
    one, two = run_after(SHOP, "a", "b", max_rows=5, deadline_s=1.5, pool=pool)  # type: ignore[arg-type]
    assert (one.rows, two.fault) == (((1,),), "timeout")
    assert [(ask[0]["queries"], ask[0]["max_rows"], ask[0]["deadline_s"], *ask[1:]) for ask in pool.asked[1:]] == [
        (("a",), 5, 1.5, 30.0, 2.5),
        (("b",), 5, 1.5, 30.0, 2.5),
    ]
