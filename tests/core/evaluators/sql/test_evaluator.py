from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.evaluators.base import EvaluationResult, JudgeContext
from modex.core.evaluators.sql import SQLExecutorEvaluator
from modex.core.evaluators.sql.compare import compare_results, values_equal
from modex.core.evaluators.sql.extraction import fenced_sql
from modex.core.foundation.errors import JudgeError
from modex.core.llm.types import Completion, Message
from modex.core.store.definition import Definition
from modex.core.store.sample import EvaluationSample
from modex.core.suite.checking import CheckNote
from modex.core.suite.definitions import EvaluatorConfig, Location, TestCase
from modex.core.suite.templates import Templates
from modex.core.verdict import Extracted, Rows
from tests.core.evaluators.conftest import part
from tests.rows import each_row

CONFIG = EvaluatorConfig("sql_executor", "sql_executor", "builtin")
TABLES = {
    "schema": "CREATE TABLE t (id INTEGER, name TEXT, price REAL);",
    "seed": "INSERT INTO t VALUES (1, 'a', 1.5), (2, 'b', NULL), (3, 'b', 2.0), (4, 'c', 2.0);",
}


class _Extractor:
    """A model that always says the same."""

    model = "scripted"

    def __init__(self, reply: str) -> None:
        self.reply = reply
        self.asked: list[str] = []

    def complete(
        self,
        messages: list[Message],
        *,
        tools: list[dict[str, Any]] | None = None,
        response_format: dict[str, Any] | None = None,
        temperature: float | None = None,
        max_tokens: int | None = None,
        timeout_s: float | None = None,
    ) -> Completion:
        self.asked.append(messages[-1]["content"])
        return Completion(self.reply)


def _judge(
    expected: dict[str, Any], response: str, extractor: _Extractor | None = None, root: Path | None = None
) -> EvaluationResult:
    context = JudgeContext(CONFIG, Templates().text, extractor=extractor, suite_root=root)
    sample = EvaluationSample(expected=expected, response=response, definition=Definition(file="d/level_1/t.json"))
    return SQLExecutorEvaluator().evaluate(sample, context)


def _score(gold: str, query: str, **more: Any) -> float:
    return _judge({**TABLES, "query": gold, **more}, f"```sql\n{query}\n```").score


@each_row(
    ("gold", "query", "right"),
    [
        ("SELECT id FROM t", "SELECT id FROM t ORDER BY id DESC", True),
        ("SELECT id FROM t ORDER BY id", "SELECT id FROM t ORDER BY id DESC", False),
        ("SELECT id FROM (SELECT id FROM t ORDER BY id)", "SELECT id FROM t ORDER BY id DESC", True),
        ("SELECT id FROM t ORDER BY price DESC", "SELECT id FROM t ORDER BY price DESC, id DESC", True),
        ("SELECT id FROM t ORDER BY price DESC", "SELECT id FROM t ORDER BY price", False),
        ("SELECT name AS n FROM t ORDER BY n", "SELECT name FROM t ORDER BY 1", True),
        ("SELECT id FROM t", "SELECT id AS other_name FROM t", True),
        ("SELECT id, name FROM t", "SELECT name, id FROM t", False),
        ("SELECT name FROM t", "SELECT DISTINCT name FROM t", False),
        ("SELECT id FROM t", "SELECT id, name FROM t", False),
        ("SELECT price FROM t", "SELECT coalesce(price, 0) FROM t", False),
        ("SELECT id FROM t", "SELECT id * 1.0 FROM t", True),
        ("SELECT 0.3", "SELECT 0.1 + 0.2", True),
        ("SELECT 5", "SELECT '5'", False),
        ("SELECT NULL", "SELECT ''", False),
        ("SELECT 'please UPDATE me'", "SELECT 'please UPDATE me';", True),
        ("SELECT id, name FROM t", "SELECT id, upper(name) AS name FROM t", False),
        ("SELECT id FROM t WHERE id > 9", "DELETE FROM t", False),
        ("SELECT id FROM t WHERE id > 9", "DROP TABLE t", False),
        ("SELECT count(*) FROM t", "SELECT 4; DROP TABLE t", False),
        ("SELECT 1", "SELEC 1", False),
    ],
)
def test_results_decide(gold: str, query: str, right: bool) -> None:
    assert _score(gold, query) == float(right)


@each_row(
    ("columns", "query", "right"),
    [
        ("any_order", "SELECT name, id FROM t", True),
        ("any_order", "SELECT id, name, price FROM t", False),
        ("any_order", "SELECT id, id FROM t", False),
        ("superset", "SELECT price, name, id FROM t", True),
        ("superset", "SELECT id FROM t", False),
        ("superset", "SELECT price, name, 5 - id FROM t", False),
    ],
)
def test_columns_may_be_told_to_move(columns: str, query: str, right: bool) -> None:
    assert _score("SELECT id, name FROM t", query, columns=columns) == float(right)


def test_a_lucky_query_fails_on_another_instance() -> None:
    expected = {
        "schema": TABLES["schema"],
        "seeds": [TABLES["seed"], "INSERT INTO t VALUES (7, 'z', 9.0)"],
        "query": "SELECT count(*) FROM t",
    }
    lucky = _judge(expected, "```sql\nSELECT 4\n```")
    assert lucky.score == 0.0
    assert lucky.why.startswith("instance 2: ")
    assert [outcome.equal for outcome in part(lucky, Rows).instances] == [True, False]


def test_two_empty_results_are_equal_and_weak_evidence() -> None:
    result = _judge({**TABLES, "query": "SELECT id FROM t WHERE id > 9"}, "```sql\nSELECT id FROM t WHERE 0\n```")
    assert result.score == 1.0
    assert part(result, Rows).weak_evidence


@each_row(
    ("left", "right", "same"),
    [
        (1700000000, 1700000001, False), (1700000000, 1700000001.0, False), (1700000000.0, 1700000001.0, False),
        (2**70, 2**70 + 1, False), (2**70, 2**70, True), (1, 1.0, True), (0.1 + 0.2, 0.3, True), (5, 5.0000001, True),
        (1700000000.5, 1700000001.4, False), (1e300, 1e300 * (1 + 1e-14), True), ("1", 1, False), (None, 0, False),
    ],
)  # fmt: skip
def test_whole_numbers_are_exact_whatever_their_size(left: Any, right: Any, same: bool) -> None:
    assert values_equal(left, right) is same
    assert values_equal(right, left) is same


def test_a_tolerance_that_the_test_declares_holds_for_whole_numbers_too() -> None:
    assert values_equal(100, 101, tolerance=1)
    assert not values_equal(100, 102, tolerance=1)


def test_an_empty_gold_result_is_named_and_is_no_mistake() -> None:
    def said(query: str) -> list[str]:
        expected = {**TABLES, "query": query}
        test = TestCase("suite", "d", 1, "t", "p", expected, "sql_executor", Location("d/level_1/t.json"))
        return list(SQLExecutorEvaluator().check(test, CONFIG, None))

    (note,) = said("SELECT id FROM t WHERE id > 99")
    assert isinstance(note, CheckNote)
    assert "the gold result is empty" in note
    assert said("SELECT id FROM t") == []


def test_functions_that_are_clauses_are_looked_for_as_clauses() -> None:
    expected = {"query_type": "SELECT", "functions": ["COUNT", "GROUP BY"]}
    assert _judge(expected, "```sql\nSELECT count(*) FROM t GROUP BY name\n```").score == 1.0
    assert _judge(expected, "```sql\nSELECT count(*) FROM t\n```").score < 0.7


def test_gold_rows_need_no_gold_query() -> None:
    expected = {**TABLES, "rows": [["c", 1], ["a", 1], ["b", 2]]}
    query = "```sql\nSELECT name, count(*) FROM t GROUP BY name\n```"
    assert _judge(expected, query).score == 1.0
    assert _judge({**expected, "ordered": True}, query).score == 0.0


def test_the_details_show_both_results_and_the_first_difference() -> None:
    result = _judge({**TABLES, "query": "SELECT id FROM t"}, "```sql\nSELECT id + 1 FROM t\n```")
    outcome = part(result, Rows).instances[0]
    assert outcome.expected.rows == ((1,), (2,), (3,), (4,))
    assert outcome.got.rows == ((2,), (3,), (4,), (5,))
    assert result.why == "expected (1,), got (5,)"
    assert result.extracted_answer == "SELECT id + 1 FROM t"


@each_row(
    ("text", "query"),
    [
        ("```sql\nSELECT 1\n```", "SELECT 1"),
        ("First:\n```sql\nSELECT 1\n```\nno:\n```SQL\nSELECT 2\n```\n", "SELECT 2"),
        ("```sql\nSELECT 'a; b', '```' FROM t;\n```", "SELECT 'a; b', '```' FROM t;"),
        ("```sql\nSELECT 1\n```\n\nresult:\n```\nid\n1\n```", "SELECT 1"),
        ("```\nSELECT 3\n```\n```\nplain output\n```", "SELECT 3"),
        ("```python\nprint(1)\n```", None),
        ("~~~sql\nSELECT 4\n~~~", "SELECT 4"),
        ("````sql\nSELECT '\n```\n'\n````", "SELECT '\n```\n'"),
        ("```sql\nSELECT 5", "SELECT 5"),
        ("SELECT 1", None),
    ],
)
def test_the_last_fenced_query_is_taken_whole(text: str, query: str | None) -> None:
    assert fenced_sql(text) == query


def test_without_a_fence_pass_2_copies_the_query_out() -> None:
    extractor = _Extractor("```sql\nSELECT id FROM t WHERE name <> 'a; b'\n```")
    response = "Use SELECT id FROM t WHERE name <> 'a; b' and you are done."
    result = _judge({**TABLES, "query": "SELECT id FROM t"}, response, extractor)
    assert result.score == 1.0
    assert result.pass2_used
    assert part(result, Extracted).state == "found"
    assert response in extractor.asked[0]


def test_a_query_of_the_extractors_own_is_named_and_never_run() -> None:
    result = _judge(
        {**TABLES, "query": "SELECT id FROM t"}, "I'd list them.", _Extractor("```sql\nSELECT id FROM t\n```")
    )
    assert (result.score, part(result, Extracted).fault) == (0.0, "not_in_response")
    assert "which is not in the response" in result.why


def test_no_query_is_a_zero_and_an_unreadable_extractor_an_error() -> None:
    expected = {**TABLES, "query": "SELECT 1"}
    assert _judge(expected, "I cannot.", _Extractor("NO_ANSWER")).score == 0.0
    assert _judge(expected, "  ").why == "the response is empty"
    with pytest.raises(JudgeError, match="PASS 2 gave no SQL"):
        _judge(expected, "I cannot.", _Extractor("Hm, let me think."))
    with pytest.raises(JudgeError, match="--extractor-model"):
        _judge(expected, "I cannot.")


@pytest.mark.parametrize("response", ["DELETE FROM t", "SELEC id FROM t", "drop table t;"])
def test_a_response_that_is_another_statement_and_nothing_else_is_wrong(response: str) -> None:
    """PASS 2 has nothing to copy out of it but itself: the model's fault, and no error of the extractor."""
    result = _judge({**TABLES, "query": "SELECT id FROM t"}, response, _Extractor(f"ANSWER: {response}"))
    assert (result.score, part(result, Extracted).state) == (0.0, "found")


@each_row(
    ("query", "score", "why"),
    [
        ("SELECT id FROM t WHERE id > 1", 1.0, "every part is there"),
        ("SELECT id FROM t WHERE id > 9", 0.0, "the query finds nothing in the tables"),
        ("SELECT id FROM t WHERE nope > 1", 0.0, "the query does not run on instance 1: no such column: nope"),
        ("SELECT id FROM t", 0.5, "missing: clause WHERE"),
        ('SELECT "nope" FROM t WHERE id > 1', 0.0, "the query does not run on instance 1: no such column: nope"),
        ('SELECT COUNT("nope") FROM t WHERE id > 1', 0.0, "the query does not run on instance 1: no such column: nope"),
        ('SELECT "id" AS "n" FROM t WHERE id > 1 ORDER BY "n"', 1.0, "every part is there"),
        ('SELECT id FROM t WHERE "x" = "x"', 1.0, "every part is there"),
    ],
)
def test_parts_of_a_query_are_asked_for_on_tables_in_which_it_finds_something(
    query: str, score: float, why: str
) -> None:
    result = _judge({**TABLES, "query_type": "SELECT", "clause": "WHERE"}, f"```sql\n{query}\n```")
    assert (result.score, result.why) == (score, why)


@each_row(
    ("selected", "tables", "score", "why"),
    [
        ("id, x", {}, 1.0, "every part is there"),
        ("*", {}, 1.0, "every part is there"),
        ("id AS X, x AS id", {}, 1.0, "every part is there"),
        ("id", {}, 0.6, "missing: column x"),
        ("id", TABLES, 0.6, "missing: column x"),
        ("'id', 'x'", {}, 0.5, "missing: column id, column x"),
        ("id, 'a' AS x", {}, 1.0, "every part is there"),
    ],
)
def test_a_column_that_is_asked_must_be_selected(selected: str, tables: dict[str, str], score: float, why: str) -> None:
    asked = {"query_type": "SELECT", "table": "t", "selects": ["id", "x"]}
    result = _judge({**tables, **asked}, f"```sql\nSELECT {selected} FROM t\n```")
    assert (result.score, result.why) == (score, why)


def test_a_part_that_lacks_ends_a_query_that_is_run_and_counts_as_a_share_of_one_that_is_not() -> None:
    asked = {"query_type": "SELECT", "table": "t", "clause": ["FROM", "WHERE"]}
    scores = [_judge({**tables, **asked}, "```sql\nSELECT id FROM t\n```").score for tables in (TABLES, {})]
    assert scores == [0.6, 0.75]


@each_row(
    ("seed", "score"),
    [("", 1.0), ("INSERT INTO o VALUES (1);", 0.0), ('INSERT INTO "a""b" VALUES (1);', 0.0)],
)
def test_in_tables_without_rows_a_query_need_not_find_anything(seed: str, score: float) -> None:
    tables = {"schema": 'CREATE TABLE t (id INTEGER); CREATE TABLE o (id INTEGER); CREATE TABLE "a""b" (id INTEGER);'}
    expected = {**tables, "seed": seed, "query_type": "SELECT", "clause": "WHERE"}
    assert _judge(expected, "```sql\nSELECT id FROM t WHERE id > 1\n```").score == score


@each_row(
    ("query", "score"),
    [
        ("SELECT COUNT(*) FROM users WHERE age > 3", 1.0),
        ("SELECT 'users WHERE COUNT('", 0.25),
        ("SELECT id FROM users", 0.5),
        ("DELETE FROM users WHERE id = 1", 0.5),
        ("not sql at all (", 0.0),
    ],
)
def test_parts_are_looked_for_in_the_parsed_query(query: str, score: float) -> None:
    expected = {"query_type": "SELECT", "table": "users", "clause": ["where"], "functions": ["COUNT"]}
    assert _judge(expected, f"```sql\n{query}\n```").score == score


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        ("SELECT 1", "needs the tables too"),
        ({"query": "SELECT 1"}, "needs tables"),
        ({}, "neither tables"),
        ({**TABLES}, "either a gold 'query' or gold 'rows'"),
        ({**TABLES, "query": "SELECT 1", "rows": [[1]]}, "either a gold"),
        ({**TABLES, "query": "SELECT nope FROM t"}, "gold query does not run: no such column: nope"),
        ({**TABLES, "query": "DELETE FROM t"}, "gold query does not run: not allowed here: DELETE"),
        ({"schema": "CREATE TABL t (x)", "query": "SELECT 1"}, "the schema does not run"),
        ({**TABLES, "seed": "INSERT INTO u VALUES (1)", "query": "SELECT 1"}, "no such table: u"),
        ({**TABLES, "query": "SELECT 1", "columns": "some"}, "'columns' is"),
        ({**TABLES, "query": "SELECT 1", "tolerance": -1}, "'tolerance'"),
        ({**TABLES, "rows": [[1], [1, 2]]}, "differ in their number"),
        ({**TABLES, "query": "SELECT 1", "quer": 1}, "does not know quer"),
        ({"fixture": "../../outside.sql", "query": "SELECT 1"}, "outside the suite"),
        ({"fixture": "none.sql", "query": "SELECT 1"}, "there is no fixture"),
        ({"clause": ["NOPE"]}, "'clause' knows"),
    ],
)
def test_a_gold_that_cannot_be_used_is_named(expected: Any, said: str, tmp_path: Path) -> None:
    test = TestCase("suite", "d", 1, "t", "p", expected, "sql_executor", Location("d/level_1/t.json"))
    (message,) = SQLExecutorEvaluator().check(test, CONFIG, tmp_path)
    assert said in message


def test_fixture_files_stand_beside_the_test(tmp_path: Path) -> None:
    folder = tmp_path / "d" / "level_1"
    folder.mkdir(parents=True)
    (folder / "shop.sql").write_text(TABLES["schema"] + TABLES["seed"])
    expected = {"fixture": "shop.sql", "query": "SELECT count(*) FROM t"}
    assert _judge(expected, "```sql\nSELECT 4\n```", root=tmp_path).score == 1.0


def test_a_broken_gold_is_an_error_and_no_zero() -> None:
    with pytest.raises(JudgeError, match="gold query does not run"):
        _judge({**TABLES, "query": "SELECT nope"}, "```sql\nSELECT 1\n```")


VALUES = st.none() | st.integers(-3, 3) | st.sampled_from([0.5, 1.0, 1.0000001]) | st.sampled_from(["a", "b", "1"])
ROWS = st.lists(st.tuples(VALUES, VALUES), max_size=8)


@given(ROWS, st.randoms(use_true_random=False))
def test_any_shuffle_is_equal_and_any_lost_row_is_not(rows: list[tuple[Any, Any]], shuffler: random.Random) -> None:
    shuffled = list(rows)
    shuffler.shuffle(shuffled)
    assert compare_results(rows, shuffled, 2, 2).equal
    assert compare_results(rows, [(b, a) for a, b in shuffled], 2, 2, columns="any_order").equal
    assert not compare_results([*rows, ("extra", 1)], shuffled, 2, 2).equal


def test_near_numbers_are_paired_as_well_as_can_be() -> None:
    gold, got = [(1.0,), (1.4,)], [(1.3,), (0.7,)]
    assert compare_results(gold, got, 1, 1, tolerance=0.35).equal
    assert not compare_results(gold, got, 1, 1, tolerance=0.2).equal


@given(VALUES, VALUES)
def test_equality_of_values_is_symmetric(left: Any, right: Any) -> None:
    assert values_equal(left, right) == values_equal(right, left)


def test_equal_rows_by_a_query_without_the_parts_asked_for_are_worth_half_their_share() -> None:
    expected = {**TABLES, "query": "SELECT id FROM t WHERE id > 0", "clause": ["WHERE"], "table": "t"}
    assert _judge(expected, "```sql\nSELECT id FROM t WHERE id > 0\n```").score == 1.0
    assert _judge(expected, "```sql\nSELECT id FROM t\n```").score == 0.25


def test_the_first_instance_that_differs_is_the_one_that_is_named() -> None:
    seeds = [f"INSERT INTO t VALUES (1, 'a', {price});" for price in (1, 2, 3)]
    expected = {"schema": TABLES["schema"], "seeds": seeds, "query": "SELECT price FROM t"}
    assert _judge(expected, "```sql\nSELECT 1\n```").why == "instance 2: expected (2.0,), got (1,)"


def test_a_result_that_was_cut_at_the_gold_s_length_is_not_equal() -> None:
    def counting(last: int) -> str:
        return f"WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {last}) SELECT n FROM c"

    expected = {**TABLES, "query": counting(1000)}
    assert _judge(expected, f"```sql\n{counting(1000)}\n```").score == 1.0
    longer = _judge(expected, f"```sql\n{counting(1001)}\n```")
    assert (longer.score, longer.why) == (0.0, "more rows than the 1000 expected")
