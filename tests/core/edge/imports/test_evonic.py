"""evonic's database of past runs, in the tables that its own code makes, field by field and as runs of ours."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from modex.core.edge.imports.evonic import read_evonic
from modex.core.edge.imports.records import ForeignSample
from modex.core.foundation.errors import ConfigurationError
from tests.cli import call, reading
from tests.rows import each_row

TABLES = """
CREATE TABLE evaluation_runs (run_id INTEGER PRIMARY KEY AUTOINCREMENT, started_at DATETIME NOT NULL, completed_at DATETIME,
 model_name TEXT, summary TEXT, overall_score REAL, total_tokens INTEGER DEFAULT 0, total_duration_ms INTEGER DEFAULT 0,
 notes TEXT,
 status TEXT DEFAULT 'running', selected_domains TEXT);
CREATE TABLE test_results (id INTEGER PRIMARY KEY AUTOINCREMENT, run_id INTEGER NOT NULL, timestamp DATETIME DEFAULT
 CURRENT_TIMESTAMP, model_name TEXT, domain TEXT NOT NULL, level INTEGER NOT NULL, prompt TEXT, response TEXT, expected TEXT,
 score REAL, status TEXT NOT NULL, details TEXT, duration_ms INTEGER);
CREATE TABLE individual_test_results (id INTEGER PRIMARY KEY AUTOINCREMENT, run_id INTEGER NOT NULL, test_id TEXT NOT NULL,
 domain TEXT NOT NULL, level INTEGER NOT NULL, prompt TEXT, response TEXT, expected TEXT, score REAL, status TEXT NOT NULL,
 details TEXT, duration_ms INTEGER, model_name TEXT, system_prompt TEXT, system_prompt_mode TEXT, created_at TIMESTAMP);
CREATE TABLE chat (id TEXT);
"""
"""The columns of its `models/schema.py` that runs have."""
LOG = [
    {"turn": 1, "thinking": "the date first", "tool_calls": [{"name": "get_date", "arguments": {}}],
     "tool_results": [{"result": {"date": "2026-04-04"}}]},
    {"turn": 2, "content": "It is April.", "tool_calls": [{"function": {"name": "tell", "arguments": "{\"to\": 1}"}}],
     "tool_results": ["told"]},
    {"turn": 3, "content": "Done."},
]  # fmt: skip
ROW: dict[str, Any] = {
    "run_id": 1, "test_id": "math_add_1", "domain": "math", "level": 1, "prompt": "7 + 3?", "response": "It is 10.",
    "expected": '{"answer": 10.0, "type": "numeric"}', "score": 1.0, "status": "passed", "duration_ms": 420,
    "details": json.dumps({"details": "Correct: 10.0", "pass2": {"extracted_answer": "10"}, "thinking": "7 + 3 = 10"}),
    "model_name": "qwen", "system_prompt": "Be brief.", "system_prompt_mode": "overwrite", "created_at": "2026-04-04 10:00:01",
}  # fmt: skip
RUN: dict[str, Any] = {
    "run_id": 1, "started_at": "2026-04-04 10:00:00.000000", "completed_at": "2026-04-04 10:00:09", "model_name": "qwen",
    "overall_score": 1.0, "total_tokens": 50, "total_duration_ms": 9000, "status": "completed",
}  # fmt: skip


def database(path: Path, *rows: dict[str, Any], runs: tuple[dict[str, Any], ...] = (RUN,), cells: bool = False) -> Path:
    with closing(sqlite3.connect(path)) as made:
        made.executescript(TABLES)
        for table, entries in (
            ("evaluation_runs", runs),
            ("test_results" if cells else "individual_test_results", rows),
        ):
            for entry in entries:
                marks = ", ".join("?" * len(entry))
                made.execute(f"INSERT INTO {table} ({', '.join(entry)}) VALUES ({marks})", list(entry.values()))
        made.commit()
    return path


def one(folder: Path, **fields: Any) -> ForeignSample:
    (run,) = read_evonic(database(folder / "evonic.db", {**ROW, **fields}))
    (sample,) = run.samples()
    return sample


def test_a_result_has_its_answer_its_verdict_and_what_its_evaluator_said(tmp_path: Path) -> None:
    sample = one(tmp_path)
    assert (sample.test_id, sample.domain, sample.level, sample.question, sample.gold) == (
        "math_add_1", "math", 1, "7 + 3?", 10.0,
    )  # fmt: skip
    assert (sample.score, sample.error, sample.why, sample.answer) == (1.0, None, "Correct: 10.0", "10")
    assert (sample.system_prompt, sample.response, sample.reasoning) == ("Be brief.", "It is 10.", "7 + 3 = 10")
    assert (sample.duration_ms, sample.started_at, sample.transcript) == (420, "2026-04-04T10:00:01.000Z", [])
    assert sample.found == {
        "details": "Correct: 10.0", "pass2": {"extracted_answer": "10"}, "status there": "passed",
        "expected there": {"answer": 10.0, "type": "numeric"},
    }  # fmt: skip


def test_calls_stand_between_question_and_answer(tmp_path: Path) -> None:
    way = one(tmp_path, details=json.dumps({"conversation_log": LOG})).transcript
    assert [entry["role"] for entry in way] == ["user", "assistant", "tool", "assistant", "tool", "assistant"]
    assert way[1]["reasoning"] == "the date first"
    assert [(call["name"], call["arguments"]) for entry in way for call in entry.get("tool_calls", ())] == [
        ("get_date", "{}"), ("tell", '{"to": 1}'),
    ]  # fmt: skip
    assert [entry["content"] for entry in way if entry["role"] == "tool"] == ['{"date": "2026-04-04"}', "told"]
    assert [way[2]["tool_call_id"], way[4]["tool_call_id"]] == [
        entry["tool_calls"][0]["id"] for entry in (way[1], way[3])
    ]
    assert (way[3]["content"], "reasoning" in way[3], way[-1]["content"]) == ("It is April.", False, "It is 10.")


@each_row(
    ("fields", "told"),
    [
        ({"status": "failed", "score": 0.4}, {"score": 0.4, "error": None}),
        ({"status": "partial", "score": 0.6}, {"score": 0.6, "error": None}),
        ({"status": "passed", "score": 7}, {"score": None, "error": None}),
        ({"status": "passed", "score": None}, {"score": None}),
        ({"status": "error", "details": '{"error": "timeout"}'},
         {"score": None, "error": "its status there is 'error': timeout", "why": "timeout"}),
        ({"status": "running", "details": None}, {"score": None, "error": "its status there is 'running': not judged"}),
        ({"expected": '"ya"'}, {"gold": "ya"}), ({"expected": "ya"}, {"gold": "ya"}), ({"expected": None}, {"gold": None}),
        ({"expected": '{"tools": ["a"]}'}, {"gold": None}), ({"expected": "[3, 7]"}, {"gold": [3, 7]}),
        ({"expected": '{"value": "x"}'}, {"gold": "x"}), ({"expected": '{"answer": ""}'}, {"gold": None}),
        ({"level": 0}, {"level": 1}), ({"level": 9}, {"level": 5}), ({"level": "x"}, {"level": 1}),
        ({"details": "no json"}, {"why": None, "answer": None}), ({"details": '{"reasoning": "so"}'}, {"why": "so"}),
        ({"details": '{"conversation_log": [1, {"turn": 1}]}'}, {"reasoning": None}),
        ({"response": None}, {"response": None}), ({"system_prompt": ""}, {"system_prompt": None}),
    ],
)  # fmt: skip
def test_a_field_is_read_so(
    fields: dict[str, Any], told: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    sample = one(tmp_path_factory.mktemp("read"), **fields)
    assert {name: getattr(sample, name) for name in told} == told


def test_a_run_says_how_it_ended_and_what_is_not_carried_over(tmp_path: Path) -> None:
    second = {**RUN, "run_id": 2, "completed_at": None, "status": "interrupted", "notes": "try", "summary": "good"}
    rows = (
        ROW,
        {**ROW, "run_id": 2, "status": "partial", "score": 0.75},
        {**ROW, "run_id": 2, "test_id": "b", "score": 0.5},
    )
    first, other = read_evonic(database(tmp_path / "evonic.db", *rows, runs=(RUN, second)))
    assert (first.name, first.task, first.model, first.finished, first.reason, first.notes) == (
        "evonic-1", "evonic", "qwen", True, None, [],
    )  # fmt: skip
    assert (first.started_at, first.completed_at, first.duration_ms) == (
        "2026-04-04T10:00:00.000Z", "2026-04-04T10:00:09.000Z", 9000,
    )  # fmt: skip
    assert (other.name, other.finished, other.reason) == ("evonic-2", False, "its status there is 'interrupted'")
    assert other.notes == [
        "its note: try", "its `summary` in words", "1 of status 'partial' there: here 0.7 and more passes",
        "1 of status 'passed' there: here 0.7 and more passes",
    ]  # fmt: skip


def test_what_was_not_judged_there_leaves_the_run_open(tmp_path: Path) -> None:
    (run,) = read_evonic(database(tmp_path / "evonic.db", ROW, {**ROW, "test_id": "b", "status": "error"}))
    assert (run.finished, run.reason) == (False, "1 of its tests were not judged there")


@pytest.mark.parametrize("older", [True, False])
def test_a_run_of_an_older_version_has_a_row_for_each_level(older: bool, tmp_path: Path) -> None:
    cell = {
        name: value
        for name, value in ROW.items()
        if name not in ("test_id", "system_prompt", "system_prompt_mode", "created_at")
    }
    path = database(tmp_path / "evaluation.db", {**cell, "timestamp": "2026-04-04 10:00:02"}, cells=True)
    if older:
        with closing(sqlite3.connect(path)) as made:
            made.execute("DROP TABLE individual_test_results")
            made.commit()
    (run,) = read_evonic(path)
    (sample,) = run.samples()
    assert (run.name, sample.test_id, sample.score, sample.started_at) == (
        "evaluation-1", "math_1", 1.0, "2026-04-04T10:00:02.000Z",
    )  # fmt: skip


def test_its_runs_are_stored_and_shown(tmp_path: Path) -> None:
    path = database(tmp_path / "evonic.db", ROW, {**ROW, "test_id": "b", "status": "failed", "score": 0.0})
    called = call("import", "evonic-db", path, "--db", tmp_path / "m.db")
    assert called.code == 0, called.err
    with reading(tmp_path / "m.db") as reader:
        run = reader.run("evonic-1")
        samples = list(reader.samples(run.id))
    assert (run.model, run.kind, run.status) == ("qwen", "imported", "completed")
    assert [(sample.test_id, sample.status, sample.response) for sample in samples] == [
        ("math_add_1", "passed", "It is 10."), ("b", "failed", "It is 10."),
    ]  # fmt: skip
    assert "there already" in call("import", "evonic-db", path, "--db", tmp_path / "m.db").err


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: None, "there is no such file"),
        (lambda path: path.write_text("no database, but long enough to be read as one" * 40), "no runs of evonic can be read"),
        (lambda path: database(path, runs=()), "no run of evonic stands in it"),
        (lambda path: sqlite3.connect(path).execute("CREATE TABLE a (b)").connection.close(), "no runs of evonic can be read"),
    ],
)  # fmt: skip
def test_what_is_none_of_its_databases_is_refused(make: Any, said: str, tmp_path: Path) -> None:
    make(tmp_path / "e.db")
    with pytest.raises(ConfigurationError, match=said):
        list(read_evonic(tmp_path / "e.db"))
    called = call("import", "evonic-db", tmp_path / "e.db", "--db", tmp_path / "m.db")
    assert (called.code, said in called.err) == (2, True)
