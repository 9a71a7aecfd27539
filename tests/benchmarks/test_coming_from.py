"""The table of `docs/coming-from.md`, on the small suite in evonic's form that stands in tests/fixtures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.coming_from import REASONS, evonic, main
from tests.core.suite.conftest import write_files

_SUITE: dict[str, Any] = {
    "tools/look.json": {"id": "look", "name": "look", "mock_response": {"ok": True}},
    "seed/test_db.sql": "CREATE TABLE people (name TEXT, age INTEGER); INSERT INTO people VALUES ('Ada', 36);",
    "test_definitions/evaluators/judge.json": {
        "id": "judge", "name": "Judge", "type": "hybrid", "eval_prompt": "From 0-100: {response}",
        "extraction_regex": "SCORE: (\\d+)",
    },
    "test_definitions/mixed/domain.json": {"id": "mixed", "evaluator_id": "two_pass", "tool_ids": ["skill:far:look"]},
    "test_definitions/mixed/level_1/sum.json": {"id": "sum", "prompt": "7 + 8?", "expected": {"answer": 15.0, "type": "numeric"}},
    "test_definitions/mixed/level_1/printed.json": {
        "id": "printed", "prompt": "What does print(x, 41) print?", "expected": {"answer": "True 41", "type": "exact_match"},
    },
    "test_definitions/mixed/level_1/rated.json": {
        "id": "rated", "prompt": "Write.", "expected": "a", "evaluator_id": "judge",
    },
    "test_definitions/mixed/level_2/query.json": {
        "id": "query", "prompt": "Who?", "expected": {"query_type": "SELECT", "clause": "WHERE"}, "evaluator_id": "sql_executor",
    },
    "test_definitions/mixed/level_2/calls.json": {
        "id": "calls", "prompt": "Look, then tell.", "expected": {"chain": ["look", "send_notification"]},
        "evaluator_id": "tool_call", "tool_ids": ["look", "send_notification"],
    },
    "test_definitions/mixed/level_2/codes.json": {
        "id": "codes", "prompt": "Code it.", "expected": {"codes": [{"code": "A90"}]}, "evaluator_id": "icd_code_judge",
    },
    "test_definitions/evaluators/icd_code_judge.json": {"id": "icd_code_judge", "name": "ICD", "type": "builtin"},
    "test_definitions/mixed/level_3/none.json": {"id": "none", "prompt": "Why?", "expected": {"reasoning": "causal"}},
}  # fmt: skip


def _row(identity: str, response: str, theirs: str, **more: Any) -> dict[str, Any]:
    evaluator = {"query": "sql_executor", "sum": "two_pass", "printed": "two_pass"}.get(identity, identity)
    return {
        "id": identity, "kind": "k", "evaluator": evaluator, "response": response, "pass2": response, "their_status": theirs,
        "their_score": 0, "their_details": "", **more,
    }  # fmt: skip


def _called(*names: str) -> str:
    return f"{{'called_tools': {list(names)}, 'expected_tools': ["


def _found(tmp_path: Path, *rows: dict[str, Any]) -> tuple[dict[str, str], list[str]]:
    suite = write_files(tmp_path / "suite", _SUITE)
    verdicts = tmp_path / "verdicts.jsonl"
    verdicts.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    tables, unexplained = evonic(suite, verdicts)
    return {f"{what} {why}".strip(): count for what, count, why in tables[0].rows}, [one.why for one in unexplained]


def test_verdicts_are_as_there_or_explained(tmp_path: Path) -> None:
    counted, unexplained = _found(
        tmp_path,
        _row("sum", "15", "passed"),
        _row("sum", "Jadi, jawaban akhirnya adalah 15.", "passed", pass2="15"),
        _row("sum", "157", "failed"),
        _row("sum", "Awalnya saya kira 15, tetapi itu salah. Jawaban akhirnya adalah 157.", "passed", pass2="157"),
        _row("sum", "Jawaban: 15", "failed", pass2="Jawaban: 15"),
        _row("printed", "true 41", "passed"),
        _row("rated", "Text.", "passed", pass2="SCORE: 80"),
        _row("rated", "Text.", "failed", pass2="I cannot say."),
        _row("query", "```sql\nSELECT name FROM people WHERE age > 3\n```", "passed"),
        _row("query", "```sql\nSELECT name FROM people\n```", "passed"),
        _row("query", "```sql\nSELECT name FROM people WHERE height > 3\n```", "failed"),
        _row("calls", "Done.", "passed", pass2="NONE", their_details=_called("look", "send_notification")),
        _row("calls", "Done.", "failed", pass2="NONE", their_details=_called("send_notification", "look")),
        _row("calls", "Done.", "failed", pass2="NONE", their_details=_called("NONE")),
        _row("codes", '{"codes": [{"code": "A90"}]}', "passed"),
        _row("codes", '{"codes": [{"code": "B90"}]}', "failed"),
    )
    assert unexplained == []
    assert (counted["tests"], counted["asked"], counted["scripted answers"]) == ("7", "6", "16")
    assert counted["not asked no gold: the test names no answer"] == "1"
    assert counted["verdict as by its own code"] == "11"
    assert [counted[f"differs {reason.words}"] for reason in REASONS] == ["1", "1", "1", "1", "1"]


@pytest.mark.parametrize(("response", "theirs"), [("15", "failed"), ("16", "passed")])
def test_a_difference_without_a_reason_is_named(tmp_path: Path, response: str, theirs: str) -> None:
    counted, unexplained = _found(tmp_path, _row("sum", response, theirs))
    assert (len(unexplained), counted["differs not explained"]) == (1, "1")


def test_one_command_makes_the_table_and_ends_with_1_where_a_difference_stands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for response, theirs, code in (("15", "passed", 0), ("16", "passed", 1)):
        _found(tmp_path, _row("sum", response, theirs))
        assert main(["evonic", str(tmp_path / "suite"), str(tmp_path / "verdicts.jsonl")]) == code
    said = capsys.readouterr()
    assert "| verdict as by its own code | 1 |" in said.out
    assert "sum (k): there passed, here failed" in said.err
