"""Answers that are there already become a run of their own, judged like rollouts of ours."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli import Called, call, reading, write_suite

TESTS = [
    {"id": f"t{number}", "prompt": f"What is {number} + 1?", "expected": str(number + 1), "evaluator_id": "match"}
    for number in range(4)
]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    return write_suite(tmp_path / "suite", TESTS)


def imported(tmp_path: Path, suite: Path, lines: list[dict[str, Any]], *flags: str) -> tuple[Called, dict[str, Any]]:
    file = tmp_path / "answers.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines))
    called = call("import", "answers", file, "--suite", suite, "--exp-id", "e", "--db", tmp_path / "m.db", *flags)
    if not (tmp_path / "m.db").exists():
        return called, {}
    with reading(tmp_path / "m.db") as reader:
        run = reader.find_run("e")
        return called, {} if run is None else {sample.test_id: sample for sample in reader.samples(run.id)}


def test_answers_are_judged_and_tests_without_one_left_out(tmp_path: Path, suite: Path) -> None:
    lines: list[dict[str, Any]] = [
        {"test_id": "t0", "answer": "Answer: 1", "usage": {"prompt": 7, "completion": 3}, "cost_usd": 0.25},
        {"test_id": "d/1/t1", "answer": "Answer: 9"},
        {"task_id": "t2", "error": "the provider was down"},
        {"test_id": "nobody", "answer": "x"},
    ]
    called, samples = imported(tmp_path, suite, lines, "--model", "my-system")
    assert {name: sample.status for name, sample in samples.items()} == {"t0": "passed", "t1": "failed", "t2": "error"}
    assert (samples["t0"].prompt_tokens, samples["t0"].cost_usd) == (7, 0.25)
    assert "the provider was down" in (samples["t2"].error_message or "")
    assert "1 answers belong to no test here: nobody" in called.err
    with reading(tmp_path / "m.db") as reader:
        assert reader.run("e").model == "my-system"


def test_transcripts_and_steps_are_kept(tmp_path: Path, suite: Path) -> None:
    transcript: list[dict[str, Any]] = [
        {"role": "user", "content": "What is 0 + 1?"},
        {"role": "assistant", "content": None, "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "add", "arguments": '{"x": 0}'}}]},
        {"role": "tool", "tool_call_id": "a", "name": "add", "content": "1"},
        {"role": "assistant", "content": "Answer: 1"},
    ]  # fmt: skip
    steps: list[dict[str, Any]] = [{"tool": "add", "arguments": {"x": 1}, "result": 2}]
    lines: list[dict[str, Any]] = [
        {"test_id": "t0", "answer": "Answer: 1", "transcript": transcript},
        {"test_id": "t1", "answer": "Answer: 2", "steps": steps, "reasoning": "one more"},
    ]
    _, samples = imported(tmp_path, suite, lines)
    assert [entry["role"] for entry in samples["t0"].transcript] == ["user", "assistant", "tool", "assistant"]
    assert samples["t0"].transcript[1]["tool_calls"][0] == {"id": "a", "name": "add", "arguments": '{"x": 0}'}
    assert [entry["role"] for entry in samples["t1"].transcript] == ["user", "assistant", "tool", "assistant"]
    assert samples["t1"].reasoning == "one more"


def test_the_same_command_judges_only_answers_that_changed(tmp_path: Path, suite: Path) -> None:
    first = [{"test_id": "t0", "answer": "Answer: 9"}, {"test_id": "t1", "answer": "Answer: 2"}]
    _, before = imported(tmp_path, suite, first)
    _, after = imported(tmp_path, suite, [{"test_id": "t0", "answer": "Answer: 1"}, first[1]])
    assert (before["t0"].status, after["t0"].status) == ("failed", "passed")
    assert before["t1"].started_at == after["t1"].started_at


@pytest.mark.parametrize("names", [("d/1/t0", "t0"), ("t0", "d/1/t0")])
def test_both_names_of_a_test_find_its_epochs(tmp_path: Path, suite: Path, names: tuple[str, str]) -> None:
    lines = [{"test_id": name, "answer": f"Answer: {n}", "epoch": n} for n, name in enumerate(names, 1)]
    called, _ = imported(tmp_path, suite, lines)
    assert called.code == 0, called.err
    with reading(tmp_path / "m.db") as reader:
        samples = list(reader.samples(reader.run("e").id))
    assert [(sample.epoch, sample.status) for sample in samples] == [(1, "passed"), (2, "failed")]
    called, _ = imported(
        tmp_path / "again", write_suite(tmp_path / "again" / "suite", TESTS), [{**one, "epoch": 1} for one in lines]
    )
    assert (called.code, "is answered already" in called.err) == (2, True)


def test_epochs(tmp_path: Path, suite: Path) -> None:
    lines = [{"test_id": "t0", "answer": f"Answer: {n}", "epoch": n} for n in (1, 2)]
    imported(tmp_path, suite, lines)
    with reading(tmp_path / "m.db") as reader:
        samples = list(reader.samples(reader.run("e").id))
    assert [(sample.epoch, sample.status) for sample in samples] == [(1, "passed"), (2, "failed")]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"answer": "x"}, "names no test"),
        ({"test_id": "t0", "answer": "x", "epoch": 0}, "`epoch`"),
    ],
)
def test_a_line_that_is_no_answer_is_named(line: dict[str, Any], said: str, tmp_path: Path, suite: Path) -> None:
    called, samples = imported(tmp_path, suite, [{"test_id": "t1", "answer": "x"}, line])
    assert (called.code, samples) == (2, {})
    assert f"answers.jsonl:2: {said}" in called.err or (":2:" in called.err and said in called.err)


def test_two_answers_to_one_test_are_a_mistake(tmp_path: Path, suite: Path) -> None:
    called, _ = imported(tmp_path, suite, [{"test_id": "t1", "answer": "x"}, {"test_id": "t1", "answer": "y"}])
    assert (called.code, "answered already" in called.err) == (2, True)


ROWS = [
    {"question": "What is the capital of France?", "gold": "Paris", "response": "Answer: Paris"},
    {"question": "What is 2 + 3?", "gold": "5", "response": "<think>2 + 3 = 6?</think>Answer: 5"},
    {"question": "What is 2 + 2?", "gold": "4", "response": "Answer: 5"},
]


def written(tmp_path: Path, name: str, rows: list[dict[str, Any]]) -> Path:
    """`rows` as a file in the form that its name says."""
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    if path.suffix == ".csv":
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    elif path.suffix == ".parquet":
        pyarrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    else:
        path.write_text(json.dumps(rows) if path.suffix == ".json" else "\n".join(map(json.dumps, rows)))
    return path


def run_of(tmp_path: Path, *words: str | Path) -> tuple[Called, list[Any]]:
    """`modex import answers` with these words, and the samples of its run."""
    called = call("import", "answers", *words, "--exp-id", "e", "--db", tmp_path / "m.db")
    if not (tmp_path / "m.db").exists():
        return called, []
    with reading(tmp_path / "m.db") as reader:
        run = reader.find_run("e")
        return called, [] if run is None else list(reader.samples(run.id))


@pytest.mark.long
@pytest.mark.parametrize("name", ["all.jsonl", "all.json", "all.csv", "all.parquet"])
def test_a_file_of_questions_golds_and_responses_is_judged_by_itself(name: str, tmp_path: Path) -> None:
    called, samples = run_of(tmp_path, written(tmp_path, name, ROWS))
    assert [sample.status for sample in samples] == ["passed", "passed", "failed"]
    assert [sample.expected for sample in samples] == ["Paris", "5", "4"]
    assert (samples[1].response, samples[1].reasoning) == ("Answer: 5", "2 + 3 = 6?")
    assert "each row is a test of its own" in called.err


@pytest.mark.long
@pytest.mark.parametrize(
    ("response", "gold"),
    [("response", "answer"), ("output", "expected"), ("answer", "reference"), ("prediction", "answer"),
     ("Model Output", "Target")],
)  # fmt: skip
def test_columns_are_found_by_the_names_that_other_tools_give_them(response: str, gold: str, tmp_path: Path) -> None:
    rows = [{"input": row["question"], response: row["response"], gold: row["gold"]} for row in ROWS]
    called, samples = run_of(tmp_path, written(tmp_path, "all.jsonl", rows))
    assert [sample.status for sample in samples] == ["passed", "passed", "failed"], called.err
    assert f"response: column '{response}'" in called.err
    assert f"gold: column '{gold}'" in called.err


def test_the_column_of_the_responses_can_be_named(tmp_path: Path) -> None:
    rows = [{**row, "said": row.pop("response"), "output": "?"} for row in map(dict, ROWS)]
    path = written(tmp_path, "all.jsonl", rows)
    _, samples = run_of(tmp_path, path, "--response-field", "said")
    assert [sample.status for sample in samples] == ["passed", "passed", "failed"]
    called, _ = run_of(tmp_path, path, "--response-field", "sayd")
    assert (called.code, "did you mean 'said'?" in called.err) == (2, True)


def test_answers_find_their_tests_by_the_words_of_the_question_where_ids_differ(tmp_path: Path) -> None:
    questions = [{"id": f"q{n}", "question": row["question"], "answer": row["gold"]} for n, row in enumerate(ROWS)]
    dataset = written(tmp_path, "questions.jsonl", questions)
    shuffled = [{"id": n, "prompt": f"  {row['question'].upper()}\n", "output": row["response"]}
                for n, row in enumerate(reversed(ROWS))]  # fmt: skip
    called, samples = run_of(tmp_path, written(tmp_path, "answers.jsonl", shuffled), "--dataset", dataset)
    assert [(sample.test_id, sample.status) for sample in samples] == [
        ("q0", "passed"),
        ("q1", "passed"),
        ("q2", "failed"),
    ]
    assert "0 answers matched by id, 3 by the words of their question" in called.err


def test_an_id_that_means_another_question_answers_nothing(tmp_path: Path) -> None:
    questions = [{"id": str(n), "question": row["question"], "answer": row["gold"]} for n, row in enumerate(ROWS)]
    answers = [{"id": "0", "question": "Who wrote Hamlet, and in which year was it first played?", "output": "Paris"},
               {"id": "2", "question": ROWS[1]["question"], "output": "5"}]  # fmt: skip
    called, samples = run_of(
        tmp_path, written(tmp_path, "a.jsonl", answers), "--dataset", written(tmp_path, "q.jsonl", questions)
    )
    assert [(sample.test_id, sample.status) for sample in samples] == [("1", "passed")]
    assert "1 answers belong to no test here: 0 (the test of this id asks another question)" in called.err


def test_a_question_in_another_template_keeps_its_id(tmp_path: Path) -> None:
    questions = [{"id": "a", "question": f"Answer briefly.\n\n{ROWS[0]['question']}", "answer": "Paris"}]
    answers = [{"id": "a", "question": ROWS[0]["question"], "output": "Paris"}]
    _, samples = run_of(
        tmp_path, written(tmp_path, "a.jsonl", answers), "--dataset", written(tmp_path, "q.jsonl", questions)
    )
    assert [(sample.test_id, sample.status) for sample in samples] == [("a", "passed")]


def test_a_file_of_which_no_answer_belongs_to_a_test_is_refused_with_the_nearest_id(
    tmp_path: Path, suite: Path
) -> None:
    path = written(tmp_path, "answers.jsonl", [{"test_id": "T-1", "answer": "2"}])
    called, samples = run_of(tmp_path, path, "--suite", suite)
    assert (called.code, samples) == (2, [])
    assert "none of its 1 answers belongs to a test here: the first is 'T-1' (the nearest is 't1')" in called.err


def test_conversations_and_responses_in_the_form_of_openai_are_read(tmp_path: Path, suite: Path) -> None:
    chat = [
        {"role": "developer", "content": "Add."},
        {"role": "user", "content": [{"type": "text", "text": "What is 0 + 1?"}]},
        {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "add", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c", "content": "1"},
        {"role": "assistant", "content": [{"type": "text", "text": "Answer: 1"}]},
    ]
    lines: list[dict[str, Any]] = [
        {"test_id": "t0", "messages": chat},
        {"custom_id": "t1", "response": {"status_code": 200, "body": {"choices": [{"message": {"content": "Answer: 2"}}]}}},
        {"test_id": "t2", "response": {"choices": [{"message": {"role": "assistant", "content": "Answer: 9"}}]}},
    ]  # fmt: skip
    _, samples = imported(tmp_path, suite, lines)
    assert {name: sample.status for name, sample in samples.items()} == {"t0": "passed", "t1": "passed", "t2": "failed"}
    assert [entry["role"] for entry in samples["t0"].transcript] == ["system", "user", "assistant", "tool", "assistant"]
    assert samples["t0"].transcript[3]["name"] == "add"
    assert samples["t0"].response == "Answer: 1"


def test_a_row_asked_twice_without_ids_wants_epochs(tmp_path: Path) -> None:
    rows = [{"question": "What is 2 + 3?", "output": "5"}, {"question": "What is 2 + 3? ", "output": "6"}]
    dataset = written(tmp_path, "q.jsonl", [{"question": "What is 2 + 3?", "answer": "5"}])
    called, _ = run_of(tmp_path, written(tmp_path, "a.jsonl", rows), "--dataset", dataset)
    assert (called.code, "a.jsonl:2: the same question (epoch 1) is answered already" in called.err) == (2, True)
    told = [{**row, "epoch": n} for n, row in enumerate(rows, 1)]
    _, samples = run_of(tmp_path, written(tmp_path, "a.jsonl", told), "--dataset", dataset)
    assert [(sample.epoch, sample.status) for sample in samples] == [(1, "passed"), (2, "failed")]


def test_columns_of_any_name_and_fields_of_fields_are_named_as_for_datasets(tmp_path: Path) -> None:
    rows = [{"meta": {"nr": n}, "in": {"q": row["question"]}, "ref": row["gold"], "out": {"said": row["response"]}}
            for n, row in enumerate(ROWS)]  # fmt: skip
    flags = (
        "--question-field",
        "in.q",
        "--answer-field",
        "ref",
        "--id-field",
        "meta.nr",
        "--response-field",
        "out.said",
    )
    called, samples = run_of(tmp_path, written(tmp_path, "all.jsonl", rows), *flags)
    assert [(one.test_id, one.status) for one in samples] == [("0", "passed"), ("1", "passed"), ("2", "failed")], (
        called.err
    )
    assert (
        "response: column 'out.said', id: column 'meta.nr', question: column 'in.q', gold: column 'ref'" in called.err
    )


def test_candidates_that_were_not_taken_are_named(tmp_path: Path) -> None:
    rows = [{**row, "output": "?", "input": "context", "answer": row["gold"]} for row in ROWS]
    called, samples = run_of(tmp_path, written(tmp_path, "all.jsonl", rows))
    assert [sample.status for sample in samples] == ["passed", "passed", "failed"]
    assert "not 'output', 'answer', 'input' (--response-field, " in called.err


def test_conversations_with_golds_are_judged_by_themselves(tmp_path: Path) -> None:
    rows = [
        {"gold": row["gold"], "messages": [{"role": "user", "content": row["question"]},
                                           {"role": "assistant", "content": row["response"]}]}
        for row in ROWS
    ]  # fmt: skip
    called, samples = run_of(tmp_path, written(tmp_path, "all.jsonl", rows))
    assert [sample.status for sample in samples] == ["passed", "passed", "failed"], called.err
    assert ROWS[0]["question"] in samples[0].prompt
    assert str(ROWS[0]["response"]) not in samples[0].prompt


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.csv", b"id,question,gold,response\n1,q,a,\xe9\n", "a.csv:2: is not UTF-8 text; save it as UTF-8"),
        ("a.csv", "id,question,gold,response\n".encode("utf-16"), "a.csv:1: is not UTF-8 text (it looks like UTF-16)"),
        ("a.csv", b'{"id": 1, "response": "x"}\n', "a.csv:1: is JSON where a CSV file has its header; name the file .jsonl"),
        ("a.csv", b"id,question,gold,response\n1,q,a\n", "a.csv:2: has 3 columns where the header has 4"),
        ("a.jsonl", b'{"nr": 1, "said": "x"}\n', "a.jsonl:1: the answer names no test: it has 'nr', 'said'; give its id"),
        ("a.jsonl", b'{"id": 1, "response": null}\n{"id": 2, "gold": "x"}\n', "a.jsonl:1: there is no text in 'answer'"),
        ("a.jsonl", b'{"question": "q?", "gold": null, "response": "x"}\n{"question": "r?", "gold": "1", "response": "1"}\n',
         "a.jsonl:1: the answer ('gold') is missing; rows without one can be left out (--skip-invalid)"),
        ("a.json", b"id,response\n1,x\n", "a.json:1: is not valid JSON"),
        ("a.csv", b"", "a.csv: no answer stands in it"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_said_with_its_line(name: str, content: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    called, samples = run_of(tmp_path, path)
    assert (called.code, samples) == (2, [])
    assert said in called.err


def test_rows_below_a_key_of_one_object_are_read(tmp_path: Path) -> None:
    path = tmp_path / "all.json"
    path.write_text(json.dumps({"version": 1, "results": ROWS}))
    called, samples = run_of(tmp_path, path)
    assert [sample.status for sample in samples] == ["passed", "passed", "failed"], called.err


def test_an_error_beside_a_response_is_an_error_and_never_a_score(tmp_path: Path) -> None:
    asked = {"question": "What is 2 + 3?", "gold": "5"}
    rows = [
        {**asked, "response": "", "error": "timeout"},
        {**asked, "response": "5", "error": "boom"},
        {**asked, "response": "5", "error": ""},
        {**asked, "response": "", "error": ""},
        {**asked, "response": "5", "error": "None"},
    ]
    expected = [
        ("error", "the answer failed where it was made: timeout"),
        ("error", "the answer failed where it was made: boom"),
        ("passed", None),
        ("failed", None),
        ("passed", None),
    ]
    for name in ("jsonl/a.jsonl", "csv/a.csv"):
        called, samples = run_of(tmp_path / name.partition("/")[0], written(tmp_path, name, rows))
        assert [(one.status, one.error_message) for one in samples] == expected, called.err
        assert "a response beside the error is not judged" in called.err


def test_a_row_without_a_response_is_an_error_and_shuts_out_no_other(tmp_path: Path, suite: Path) -> None:
    broken: dict[str, Any] = {"status_code": 429, "body": {"error": {"message": "rate limited"}}}
    lines: list[dict[str, Any]] = [
        {"custom_id": "t0", "response": {"status_code": 200, "body": {"choices": [{"message": {"content": "Answer: 1"}}]}}},
        {"id": "batch_req_2", "custom_id": "t1", "response": broken, "error": None},
        {"custom_id": "t2", "response": None},
        {"custom_id": "t3", "response": {"status_code": 200, "body": {"choices": []}}},
    ]  # fmt: skip
    called, samples = imported(tmp_path, suite, lines)
    assert {name: (one.status, one.error_message) for name, one in samples.items()} == {
        "t0": ("passed", None),
        "t1": ("error", "the answer failed where it was made: rate limited"),
        "t2": ("error", "the row holds no response"),
        "t3": ("error", "the row holds no response"),
    }
    assert "2 rows, the first in line 3: no response, an error, never a score" in called.err


def test_figures_are_read_from_texts_and_one_that_cannot_be_read_costs_no_row(tmp_path: Path) -> None:
    asked = {"question": "What is 2 + 3?", "gold": "5", "response": "5"}
    rows = [
        {**asked, "cost_usd": "0.25", "usage": '{"prompt_tokens": 7, "completion_tokens": 3}'},
        {**asked, "cost_usd": "$0.5", "usage": ""},
        {**asked, "cost_usd": "cheap", "usage": "few"},
    ]
    for name in ("jsonl/a.jsonl", "csv/a.csv"):
        called, samples = run_of(tmp_path / name.partition("/")[0], written(tmp_path, name, rows))
        assert [(one.status, one.cost_usd, one.prompt_tokens, one.completion_tokens) for one in samples] == [
            ("passed", 0.25, 7, 3),
            ("passed", 0.5, 0, 0),
            ("passed", 0.0, 0, 0),
        ], called.err
        assert called.err.count("`cost_usd` cannot be read and is left out") == 1
        assert called.err.count("`usage` cannot be read and is left out") == 1


def verdicts(samples: list[Any]) -> list[tuple[str, int, str]]:
    return sorted((one.test_id, one.epoch, one.status) for one in samples)


FRANCE = {"id": "q1", "question": "What is the capital of France?", "gold": "Paris"}
THREE = [("q1", 1, "passed"), ("q1", 2, "failed"), ("q1", 3, "passed")]


@pytest.mark.long
def test_rows_of_one_test_are_its_epochs(tmp_path: Path) -> None:
    said = ("Paris", "Lyon", "Paris")
    told = [{**FRANCE, "epoch": number, "response": one} for number, one in enumerate(said, 1)]
    called, samples = run_of(tmp_path, written(tmp_path, "a.jsonl", told))
    assert verdicts(samples) == THREE, called.err
    in_order = [{**FRANCE, "response": one} for one in said]
    called, samples = run_of(tmp_path / "b", written(tmp_path, "b/b.jsonl", in_order))
    assert verdicts(samples) == THREE, called.err
    assert "2 rows, the first in line 2: the same test and question again, without an `epoch`: " in called.err
    unnamed = [{name: value for name, value in row.items() if name != "id"} for row in told]
    called, samples = run_of(tmp_path / "c", written(tmp_path, "c/c.csv", unnamed))
    assert verdicts(samples) == [("0", *rest) for _, *rest in THREE], called.err


def test_one_id_for_two_questions_is_refused_with_the_line(tmp_path: Path) -> None:
    spain = {"id": "q1", "question": "What is the capital of Spain?", "gold": "Madrid", "response": "Madrid"}
    for name, first, second, why in (
        ("a.jsonl", {}, {}, "a.jsonl:2: test 'q1' asks another question on line 1"),
        ("b.jsonl", {"epoch": 1}, {"epoch": 2}, "b.jsonl:2: test id 'q1' is there already, on line 1, with another question"),
    ):  # fmt: skip
        rows = [{**FRANCE, "response": "Paris", **first}, {**spain, **second}]
        called, samples = run_of(tmp_path, written(tmp_path, name, rows))
        assert (called.code, samples, why in called.err) == (2, [], True), called.err


def test_each_test_has_the_epochs_that_it_was_answered_in(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {**FRANCE, "response": "Paris"},
        {**FRANCE, "id": "q2", "epoch": 2, "response": "Lyon"},
        {**FRANCE, "id": "q3", "epoch": 1, "response": "Paris"},
        {**FRANCE, "id": "q3", "epoch": 2, "response": "Paris"},
    ]
    called, samples = run_of(tmp_path, written(tmp_path, "a.jsonl", rows))
    assert verdicts(samples) == [
        ("q1", 1, "passed"), ("q2", 1, "failed"), ("q3", 1, "passed"), ("q3", 2, "passed"),
    ], called.err  # fmt: skip
    assert "line 2: the test lacks epochs before its last: its epochs are numbered from 1" in called.err


def with_tools(asked: str, answer: str) -> list[dict[str, Any]]:
    """A conversation in which the assistant calls a tool before it answers."""
    call = {"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    return [
        {"role": "user", "content": asked},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": answer},
        {"role": "assistant", "content": answer},
    ]


def test_what_the_user_asked_is_the_question_of_a_conversation(tmp_path: Path) -> None:
    asked = "What is the capital of Spain?"
    several = [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hello. What would you like to know?"},
        *with_tools(asked, "Madrid"),
        {"role": "user", "content": "thanks"},
    ]
    rows: list[dict[str, Any]] = [
        {"messages": with_tools(asked, "Madrid"), "gold": "Madrid"},
        {"messages": several, "gold": "Madrid"},
        {"messages": json.dumps(with_tools(asked, "Paris")), "gold": "Madrid"},
    ]
    called, samples = run_of(tmp_path, written(tmp_path, "a.jsonl", rows))
    assert [one.status for one in samples] == ["passed", "passed", "failed"], called.err
    assert [[turn["role"] for turn in one.definition.turns] for one in samples] == [
        ["user"],
        ["user", "assistant", "user"],
        ["user"],
    ]
    assert [entry["role"] for entry in samples[0].transcript] == ["user", "assistant", "tool", "assistant"]


def test_conversations_find_their_tests_by_what_the_user_asked(tmp_path: Path) -> None:
    questions = [{"id": f"q{n}", "question": row["question"], "answer": row["gold"]} for n, row in enumerate(ROWS)]
    dataset = written(tmp_path, "questions.jsonl", questions)
    rows: list[dict[str, Any]] = [
        {"messages": with_tools(row["question"].upper(), row["gold"])} for row in reversed(ROWS)
    ]
    rows[0]["id"] = "chat-1"  # an id of another tool
    called, samples = run_of(tmp_path, written(tmp_path, "a.jsonl", rows), "--dataset", dataset)
    assert verdicts(samples) == [("q0", 1, "passed"), ("q1", 1, "passed"), ("q2", 1, "passed")], called.err


def test_a_response_in_parts_is_joined(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{**FRANCE, "response": ["Paris"]}, {**FRANCE, "id": "q2", "response": [1, 2]}]
    called, samples = run_of(tmp_path, written(tmp_path, "a.jsonl", rows))
    assert [(one.test_id, one.status, one.error_message) for one in samples] == [
        ("q1", "passed", None),
        ("q2", "error", "the row holds no response"),
    ], called.err


def test_an_instruction_and_its_input_are_the_question_together(tmp_path: Path) -> None:
    rows = [{"instruction": "Translate to French", "input": one, "output": "chat", "expected": gold}
            for one, gold in (("cat", "chat"), ("dog", "chien"), ("", "chat"))]  # fmt: skip
    called, samples = run_of(tmp_path, written(tmp_path, "a.jsonl", rows))
    assert [(one.prompt, one.status) for one in samples] == [
        ("Translate to French\n\ncat", "passed"),
        ("Translate to French\n\ndog", "failed"),
        ("Translate to French", "passed"),
    ], called.err
    assert "question: columns 'instruction' and 'input' together, gold: column 'expected'" in called.err
    ours = [{"instruction": row["instruction"], "input": row["input"], "output": "chat"} for row in reversed(rows)]
    golds = [{"id": row["input"] or "-", "question": "\n\n".join(filter(None, (row["instruction"], row["input"]))),
              "answer": row["expected"]} for row in rows]  # fmt: skip
    answers, dataset = written(tmp_path, "b/b.jsonl", ours), written(tmp_path, "b/q.jsonl", golds)
    called, samples = run_of(tmp_path / "b", answers, "--dataset", dataset)
    assert verdicts(samples) == [("-", 1, "passed"), ("cat", 1, "passed"), ("dog", 1, "failed")], called.err
