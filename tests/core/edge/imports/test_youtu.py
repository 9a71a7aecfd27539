"""youtu-agent's database and files of results, field by field, and as runs of ours."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from modex.core.edge.imports.records import ForeignRun, ForeignSample
from modex.core.edge.imports.youtu import read_youtu
from modex.core.foundation.errors import ConfigurationError
from tests.cli import call, reading
from tests.rows import each_row

ROW: dict[str, Any] = {
    "exp_id": "first", "dataset": "WebWalkerQA_15", "dataset_index": 3, "source": "WebWalkerQA", "level": 2,
    "raw_question": "When?", "augmented_question": "When?", "correct_answer": "May 3", "stage": "judged",
    "response": "It is May 3.", "time_cost": 1.5, "extracted_final_answer": "May 3", "judged_response": "GRADE: CORRECT",
    "reasoning": "the same day", "correct": True, "confidence": 90, "created_at": "2025-09-01 10:00:00.000000",
    "updated_at": "2025-09-01 10:00:09.000000",
    "trajectories": json.dumps([{"agent": "a", "trajectory": [
        {"role": "user", "content": "When?"},
        {"type": "function_call", "call_id": "c1", "name": "search", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "a page"},
        {"role": "assistant", "content": "It is May 3."},
    ]}]),
}  # fmt: skip


def runs(folder: Path, *rows: dict[str, Any], name: str = "r.jsonl") -> list[ForeignRun]:
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return list(read_youtu(folder / name, "m"))


def one(folder: Path, **fields: Any) -> ForeignSample:
    (run,) = runs(folder, {**ROW, **fields})
    (sample,) = run.samples()
    return sample


def database(path: Path, *rows: dict[str, Any]) -> Path:
    with closing(sqlite3.connect(path)) as made:
        names = [*dict.fromkeys(name for row in rows for name in row)]
        made.execute(f"CREATE TABLE evaluation_data (id INTEGER PRIMARY KEY, {', '.join(names)})")
        for row in rows:
            values = [json.dumps(row.get(n)) if isinstance(row.get(n), dict | list) else row.get(n) for n in names]
            made.execute(
                f"INSERT INTO evaluation_data ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})", values
            )
        made.commit()
    return path


def test_columns_that_hold_something_and_are_not_carried_over_are_counted(tmp_path: Path) -> None:
    given: list[Any] = [[], {}, ["x"], None]
    rows = [{**ROW, "dataset_index": n, "tags": tags, "host": "h" if n else ""} for n, tags in enumerate(given)]
    (run,) = runs(tmp_path, *rows)
    list(run.samples())
    assert run.notes == ["`host` (3), `tags` (1)"]
    (run,) = runs(tmp_path, ROW)
    list(run.samples())
    assert run.notes == []


def test_a_sample_has_its_verdict_its_way_and_its_times(tmp_path: Path) -> None:
    sample = one(tmp_path)
    assert (sample.test_id, sample.domain, sample.level, sample.question, sample.gold) == (
        "3", "WebWalkerQA", 2, "When?", "May 3",
    )  # fmt: skip
    assert (sample.score, sample.error, sample.why, sample.answer) == (1.0, None, "the same day", "May 3")
    assert (sample.duration_ms, sample.started_at) == (1500, "2025-09-01T10:00:00.000Z")
    assert [entry["role"] for entry in sample.transcript] == ["user", "assistant", "tool", "assistant"]
    assert sample.found["judged_response"] == "GRADE: CORRECT"
    assert sample.found["confidence"] == 90


@each_row(
    ("fields", "told"),
    [
        ({"correct": False}, {"score": 0.0, "error": None}),
        ({"correct": None, "reward": 0.4}, {"score": 0.4}),
        ({"correct": None, "reward": 3}, {"score": None, "error": None}),
        ({"correct": False, "judged_response": "invalid"},
         {"score": None, "error": "it has no gold answer: youtu-agent counts it as unknown"}),
        ({"correct_answer": "", "correct": False}, {"score": None, "gold": None}),
        ({"correct_answer": "unknown", "correct": False}, {"score": None}),
        ({"stage": "rollout"}, {"score": None, "error": "it stands at the stage 'rollout': not judged there"}),
        ({"level": 0}, {"level": 1}), ({"level": 7}, {"level": 5}), ({"level": "hard"}, {"level": 5}),
        ({"level": None}, {"level": 1}), ({"level": 99}, {"level": 5}), ({"level": "-1"}, {"level": 1}),
        ({"level": [2]}, {"level": 1}),
        ({"correct": 7}, {"score": None, "error": None}), ({"correct": 7, "reward": 0.5}, {"score": 0.5}),
        ({"correct": 0}, {"score": 0.0}), ({"correct": 1.0}, {"score": 1.0}), ({"correct": "yes"}, {"score": None}),
        ({"source": "", "dataset": "d"}, {"domain": "d"}), ({"source": "", "dataset": ""}, {"domain": "r"}),
        ({"dataset_index": None}, {"test_id": "1"}), ({"response": None}, {"response": None}),
        ({"trajectories": None}, {"transcript": []}),
        ({"trajectories": None, "trajectory": '[{"role": "user", "content": "q"}]'}, {}),
    ],
)  # fmt: skip
def test_a_field_is_read_so(
    fields: dict[str, Any], told: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    sample = one(tmp_path_factory.mktemp("read"), **fields)
    assert {name: getattr(sample, name) for name in told} == told


def test_what_is_read_in_another_way_than_it_says_is_told_a_kind_a_sentence(tmp_path: Path) -> None:
    rows = [
        {**ROW, "correct": 7}, {**ROW, "correct": "yes", "raw_question": " ", "level": 9}, {**ROW, "level": "odd"},
        {**ROW, "level": "hard", "correct": None}, {**ROW, "stage": "init", "correct": 7, "level": ""},
    ]  # fmt: skip
    (run,) = runs(tmp_path, *rows)
    assert (run.notes, run.bent) == (
        [],
        [
            "2 samples whose `correct` is neither true nor false: it is no verdict",
            "1 sample without a question",
            "levels outside 1 to 5 are taken as the nearest: 9 is 5",
            "what is no level is taken as 1: 'odd'",
            "where no level is given it is 1",
        ],
    )
    assert runs(tmp_path, ROW, {**ROW, "correct": 0})[0].bent == []


def test_a_database_with_odd_rows_is_imported_and_they_are_told(tmp_path: Path) -> None:
    path = database(tmp_path / "test.db", {**ROW, "correct": 7}, {**ROW, "dataset_index": 4, "raw_question": None}, ROW)
    called = call("import", "youtu", path, "--model", "mine", "--db", tmp_path / "m.db")
    assert (called.code, "first: 3 samples" in called.err) == (0, True), called.err
    assert (
        "; 1 sample whose `correct` is neither true nor false: it is no verdict; 1 sample without a question"
        in called.err
    )
    with reading(tmp_path / "m.db") as reader:
        found = [(one.status, one.error_type) for one in reader.samples(reader.run("first").id)]
    assert found == [("error", "imported_error"), ("passed", None), ("passed", None)]


@each_row("way", ["no json", "[1, 2]", '[{"x": 1}]', '{"a": 1}'])
def test_a_way_in_another_form_is_kept_and_said(way: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    (run,) = runs(tmp_path_factory.mktemp("way"), {**ROW, "trajectories": way, "mood": "good"})
    (sample,) = run.samples()
    assert sample.transcript == []
    assert "`mood` (1)" in run.notes[0]
    if way.startswith(("no", "[")):
        assert sample.found["trajectory"] == way
        assert "`trajectory in another form` (1)" in run.notes[0]


def test_experiments_are_runs_of_their_own_in_a_database_too(tmp_path: Path) -> None:
    rows = [ROW, {**ROW, "correct": 0}, {**ROW, "exp_id": "second", "stage": "init", "response": None, "correct": None}]
    path = database(tmp_path / "test.db", *rows)
    first, second = read_youtu(path, "m")
    assert (first.name, first.task, first.finished, first.reason) == ("first", "WebWalkerQA_15", True, None)
    assert (first.started_at, first.completed_at) == ("2025-09-01T10:00:00.000Z", "2025-09-01T10:00:09.000Z")
    assert [sample.score for sample in first.samples()] == [1.0, 0.0]
    assert (second.name, second.finished, second.reason) == ("second", False, "1 of its samples were not judged there")


def test_its_runs_are_stored_with_several_answers_as_epochs(tmp_path: Path) -> None:
    path = database(tmp_path / "test.db", ROW, {**ROW, "correct": 0}, {**ROW, "dataset_index": 4, "level": 0})
    called = call("import", "youtu", path, "--model", "mine", "--db", tmp_path / "m.db")
    assert called.code == 0, called.err
    with reading(tmp_path / "m.db") as reader:
        run = reader.run("first")
        samples = list(reader.samples(run.id))
    assert (run.model, run.kind, run.status) == ("mine", "imported", "completed")
    assert [(one.test_id, one.level, one.epoch, one.status) for one in samples] == [
        ("3", 2, 1, "passed"), ("3", 2, 2, "failed"), ("4", 1, 1, "passed"),
    ]  # fmt: skip
    assert "1 runs imported" in called.err
    again = call("import", "youtu", path, "--model", "mine", "--db", tmp_path / "m.db")
    assert "there already" in again.err


def test_a_row_that_is_no_sample_leaves_the_others_theirs(tmp_path: Path) -> None:
    good = [
        json.dumps({"exp_id": "e", "raw_question": f"q{n}", "stage": "judged", "dataset_index": n}) for n in range(2)
    ]
    (tmp_path / "r.jsonl").write_text("\n".join([good[0], '{"raw_question": "q"}', "{", '{"stage": "init"}', good[1]]))
    (run,) = read_youtu(tmp_path / "r.jsonl", "m")
    assert [sample.test_id for sample in run.samples()] == ["0", "1"]
    assert run.notes[-1].startswith("rows that are no samples: line 2: no stage; line 3: ")
    assert run.notes[-1].endswith("line 4: no raw_question")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("r.jsonl", '{"question": "q", "answer": "a"}\n', "this is no sample of youtu-agent"),
        ("r.jsonl", "[1\n", "r.jsonl:1: "),
        ("r.jsonl", "", "no sample of youtu-agent stands in it"),
        ("r.db", "SQLite format 3\x00 cut", "no `evaluation_data` of youtu-agent can be read"),
    ],
)
def test_what_is_none_of_its_files_is_refused(name: str, text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(ConfigurationError) as refused:
        list(read_youtu(tmp_path / name, "m"))
    assert said in str(refused.value)
    called = call("import", "youtu", tmp_path / name, "--db", tmp_path / "m.db")
    assert (called.code, said in called.err) == (2, True)
    with pytest.raises(ConfigurationError, match="cannot be read"):
        list(read_youtu(tmp_path / "none.db", "m"))


def test_the_level_0_that_youtu_gives_where_it_knows_none_is_said(tmp_path: Path) -> None:
    (run,) = runs(tmp_path, {**ROW, "level": 0})
    assert run.bent == ["levels outside 1 to 5 are taken as the nearest: 0 is 1"]
