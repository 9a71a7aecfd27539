"""What is wrong with the gold of a query, and what follows from rows that are empty or from parts of a query alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from modex.core.evaluators.base import EvaluationResult, JudgeContext
from modex.core.evaluators.sql import SQLExecutorEvaluator
from modex.core.evaluators.sql.evaluator import _cell
from modex.core.evaluators.sql.gold import MAX_INSTANCES, GoldError, read_gold
from modex.core.sandbox.sql import Fixture
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, Location, TestCase
from modex.core.verdict import Rows
from tests.core.evaluators.conftest import ScriptedClient, config, context, part
from tests.rows import each_row

SCHEMA = "CREATE TABLE t (id INTEGER, name TEXT);"
ONE, NONE = "INSERT INTO t VALUES (1, 'a');", "DELETE FROM t;"


@each_row(
    ("expected", "said"),
    [
        ("SELECT 1", "'expected' needs the tables too"),
        (["SELECT 1"], "'expected' must be an object with"),
        ({"rows": [[1]]}, "a gold 'query' or 'rows' needs tables"),
        ({"query": "SELECT 1"}, "a gold 'query' or 'rows' needs tables"),
        ({}, "'expected' has neither tables"),
        ({"schema": SCHEMA}, "give either a gold 'query' or gold 'rows'"),
        ({"schema": SCHEMA, "query": "SELECT 1", "rows": [[1]]}, "give either a gold 'query' or gold 'rows'"),
        ({"schema": SCHEMA, "query": " "}, "'query' must be a text with a SELECT in it"),
        ({"schema": SCHEMA, "query": 5}, "'query' must be a text with a SELECT in it"),
        ({"schema": 5, "query": "SELECT 1"}, "'schema' must be a text"),
        ({"fixture": "a.sql", "schema": SCHEMA, "query": "SELECT 1"}, "give either fixture files or 'schema' and"),
        ({"fixture": "a.sql", "seed": ONE, "query": "SELECT 1"}, "give either fixture files or 'schema' and"),
        ({"fixture": "a.sql", "fixtures": ["a.sql"], "query": "SELECT 1"}, "give either 'fixture' or 'fixtures'"),
        ({"schema": SCHEMA, "seed": ONE, "seeds": [ONE], "query": "SELECT 1"}, "give either 'seed' or 'seeds'"),
        ({"schema": SCHEMA, "seed": 5, "query": "SELECT 1"}, "'seed' must be a text or a list of texts"),
        ({"schema": SCHEMA, "seeds": [ONE, 5], "query": "SELECT 1"}, "'seeds' must be a text or a list of texts"),
        ({"schema": SCHEMA, "seeds": [ONE] * 33, "query": "SELECT 1"}, "at most 32 instances"),
        ({"fixtures": ["a.sql"] * 33, "query": "SELECT 1"}, "at most 32 instances"),
        ({"fixture": "a.sql", "query": "SELECT 1"}, "the fixture 'a.sql' needs a suite's folder"),
        ({**dict.fromkeys("zaybxc", 1)}, "'expected' does not know a, b, c, x, y, z"),
        ({"schema": SCHEMA, "rows": 5}, "'rows' is a list of lists"),
        ({"schema": SCHEMA, "rows": [[1], [1, 2]]}, "'rows' differ in their number of columns"),
        ({"schema": SCHEMA, "rows": [[{}]]}, "a value in 'rows' is a text, a number or null"),
        ({"schema": SCHEMA, "query": "SELECT 1", "columns": "some"}, "'columns' is 'exact', 'any_order' or"),
        ({"schema": SCHEMA, "query": "SELECT 1", "tolerance": float("inf")}, "'tolerance' is a number from 0"),
    ],
)
def test_what_is_wrong_with_a_gold_is_said(expected: Any, said: str) -> None:
    with pytest.raises(GoldError) as caught:
        read_gold(expected, None)
    assert str(caught.value).startswith(said)


def test_each_seed_is_an_instance_and_a_schema_alone_is_one() -> None:
    many = read_gold({"schema": SCHEMA, "seeds": [ONE] * MAX_INSTANCES, "query": "SELECT 1"}, None)
    assert many.instances == (Fixture(SCHEMA, ONE),) * 32
    assert read_gold({"schema": SCHEMA, "query": "SELECT 1"}, None).instances == (Fixture(SCHEMA),)
    assert read_gold({"seed": "CREATE TABLE t (a);", "query": "SELECT 1"}, None).instances == (
        Fixture("", "CREATE TABLE t (a);"),
    )
    plain = read_gold({"schema": SCHEMA, "query": "SELECT 1"}, None)
    assert (plain.columns, plain.ordered, plain.parts, plain.rows) == ("exact", False, None, None)
    assert read_gold({"schema": SCHEMA, "query": "SELECT 1", "ordered": True}, None).ordered is True
    assert read_gold({"schema": SCHEMA, "query": "SELECT 1", "ordered": "yes"}, None).ordered is False


def test_a_fixture_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(GoldError, match=r"^the fixture 'a\.sql' "):
        read_gold({"fixture": "a.sql", "query": "SELECT 1"}, tmp_path)
    with pytest.raises(GoldError, match=r"there is no fixture 'b\.sql'"):
        read_gold({"fixture": "b.sql", "query": "SELECT 1"}, tmp_path)
    with pytest.raises(GoldError, match=r"the fixture '\.\./b\.sql' lies outside the suite"):
        read_gold({"fixture": "../b.sql", "query": "SELECT 1"}, tmp_path)


def judged(expected: dict[str, Any], query: str) -> EvaluationResult:
    own = JudgeContext(EvaluatorConfig("sql_executor", "sql_executor", "builtin"), template=lambda name: name)
    return SQLExecutorEvaluator().evaluate(EvaluationSample(expected=expected, response=f"```sql\n{query}\n```"), own)


@each_row(
    ("gold", "query", "score"),
    [
        ({"query": "SELECT id FROM t WHERE id > 9"}, "SELECT id FROM t WHERE id > 8", 1.0),
        ({"query": "SELECT id FROM t WHERE id > 9"}, "SELECT id, name FROM t WHERE id > 8", 0.0),
        ({"rows": []}, "SELECT id, name FROM t WHERE id > 8", 1.0),
        ({"rows": []}, "SELECT id FROM t", 0.0),
        ({"rows": [[1]]}, "SELECT id FROM t WHERE id > 8", 0.0),
    ],
)
def test_an_empty_result_has_the_columns_of_the_gold_query(gold: dict[str, Any], query: str, score: float) -> None:
    result = judged({"schema": SCHEMA, "seed": ONE, **gold}, query)
    assert (result.score, result.pass2_used) == (score, False)
    empty = "> 8" in query and gold.get("rows") != [[1]]
    assert (part(result, Rows).weak_evidence != "") is empty


def test_one_instance_with_rows_is_evidence_enough() -> None:
    result = judged({"schema": SCHEMA, "seeds": [ONE, NONE], "query": "SELECT id FROM t"}, "SELECT id FROM t")
    assert (result.score, part(result, Rows).weak_evidence) == (1.0, "")
    none = judged({"schema": SCHEMA, "seeds": [NONE, NONE], "query": "SELECT id FROM t"}, "SELECT id FROM t")
    assert (none.score, part(none, Rows).weak_evidence) == (1.0, "both results are empty")
    wrong = judged({"schema": SCHEMA, "seeds": [NONE, ONE], "query": "SELECT id FROM t"}, "SELECT 2 FROM t")
    assert (wrong.score, part(wrong, Rows).why.startswith("instance 2: ")) == (0.0, True)


@each_row(
    ("seeds", "noted"),
    [
        ([ONE], ""),
        ([NONE], "the gold result is empty:"),
        ([ONE, NONE], ""),
        ([NONE, NONE], "the gold result is empty on"),
    ],
)
def test_a_gold_that_finds_nothing_anywhere_is_noted(seeds: list[str], noted: str) -> None:
    expected = {"schema": SCHEMA, "seeds": seeds, "query": "SELECT id FROM t"}
    test = TestCase("suite", "d", 1, "t", "?", expected, "sql_executor", Location("t.json"))
    found = list(SQLExecutorEvaluator().check(test, config("sql_executor"), None))
    assert len(found) == bool(noted)
    assert all(one.startswith(noted) for one in found)


def test_a_share_of_the_parts_has_six_places_and_counts_half_beside_tables() -> None:
    asked = {"query_type": "SELECT", "table": "t", "functions": ["COUNT"]}
    alone = judged(asked, "SELECT id FROM t")
    beside = judged({"schema": SCHEMA, "seed": ONE, "query": "SELECT id FROM t", **asked}, "SELECT id FROM t")
    assert (alone.score, beside.score) == (0.666667, 0.333333)
    assert judged(asked, "SELECT COUNT(*) FROM t").score == 1.0


@each_row(
    ("response", "reply", "state", "used"),
    [
        ("Use SELECT 1 here.", "ANSWER: SELECT 1", "found", True),
        ("SELECT 1", "SELECT 2", "not_in_response", True),
        ("I cannot.", "NO_ANSWER", "no_answer", True),
        ("I cannot.", "SELECT 2", "no_answer", True),
        ("", "", "empty_response", False),
    ],
)
def test_whether_pass_2_was_asked_for_the_query_is_told(response: str, reply: str, state: str, used: bool) -> None:
    from modex.core.evaluators.sql.extraction import find_sql

    asked = context("sql_executor", extractor=ScriptedClient(reply))
    found = find_sql(EvaluationSample(prompt="?", response=response), response, asked)
    assert (found.how, found.pass2_used) == (state, used)


@each_row(("uses", "needed"), [(None, True), (True, True), (False, False)])
def test_an_extractor_is_needed_unless_the_file_says_no(uses: bool | None, needed: bool) -> None:
    assert SQLExecutorEvaluator().needs_extractor({}, config("sql_executor", uses_pass2=uses)) is needed


def test_three_hundred_characters_of_a_cell_are_shown() -> None:
    assert _cell("a" * 300) == "a" * 300
    assert _cell("a" * 301) == "a" * 300 + "…"
    assert _cell(b"\x00" * 200) == "x'" + "00" * 149 + "…"


def test_a_datasets_fixture_lies_in_its_files_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("modex.core.evaluators.sql.gold.MAX_FIXTURE_BYTES", 3)
    folder = tmp_path / "data"
    (folder / "database").mkdir(parents=True)
    (folder / "database" / "a.sqlite").write_bytes(b"long enough")
    (folder / "b.sql").write_text("SELECT 1;")
    (tmp_path / "c.sqlite").write_bytes(b"")
    for root in (None, tmp_path):
        gold = read_gold({"fixture": "database/a.sqlite", "query": "SELECT 1"}, root, str(folder))
        assert gold.instances == (folder / "database" / "a.sqlite",)
        with pytest.raises(GoldError, match=r"the fixture '\.\./c\.sqlite' lies outside the dataset's folder"):
            read_gold({"fixture": "../c.sqlite", "query": "SELECT 1"}, root, str(folder))
        with pytest.raises(
            GoldError, match=r"there is no fixture 'd\.sqlite' beside the test or in the dataset's folder"
        ):
            read_gold({"fixture": "d.sqlite", "query": "SELECT 1"}, root, str(folder))
        with pytest.raises(GoldError, match="has more than 3 bytes"):
            read_gold({"fixture": "b.sql", "query": "SELECT 1"}, root, str(folder))
