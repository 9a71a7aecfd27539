"""Rows of benchmarks whose question, options or gold stand in several columns become one question, options and one gold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modex.core.config.runconfig import DatasetSpec
from modex.core.evaluators.code.evaluator import CodeTestsEvaluator
from modex.core.suite.datasets import shapes
from modex.core.suite.datasets.presets import PRESETS
from modex.core.suite.datasets.reader import DatasetReader
from modex.core.suite.definitions import EvaluatorConfig, TestCase
from tests.cli import call
from tests.rows import each_row

# One row of each benchmark in the columns of its published files; the contents are ours.
ROWS: dict[str, dict[str, Any]] = {
    "mmlu": {"question": "2 + 2?", "subject": "maths", "choices": ["3", "4", "5", "6"], "answer": 1},
    "mmlu_pro": {
        "question_id": 70, "question": "2 + 2?", "options": ["3", "4", "5", "6", "7", "8", "9", "10", "11", "12"], "answer": "B",
        "answer_index": 1, "cot_content": "", "category": "math", "src": "ours",
    },
    "mmlu_redux": {"question": "2 + 2?", "choices": ["3", "4", "5", "6"], "answer": 1, "error_type": "ok", "source": "None"},
    "gpqa": {
        "Record ID": "rec1", "Question": "2 + 2?", "Correct Answer": "4", "Incorrect Answer 1": "3", "Incorrect Answer 2": "5",
        "Incorrect Answer 3": "6", "High-level domain": "Maths", "Subdomain": "Sums",
    },
    "hellaswag": {
        "ind": 4, "activity_label": "Adding", "ctx_a": "She adds two and two.", "ctx_b": "she",
        "endings": ["gets 3.", "gets 4.", "gets 5.", "gets 6."],
        "ctx": "She adds two and two. she", "source_id": "x~1", "split": "val", "split_type": "indomain", "label": "1",
    },
    "winogrande": {"sentence": "Two and two make _.", "option1": "five", "option2": "four", "answer": "2"},
    "boolq": {"question": "do two and two make four", "title": "Sums", "answer": True, "passage": "Two and two make four."},
    "commonsenseqa": {
        "id": "c1", "question": "Two and two make?", "question_concept": "sum",
        "choices": {"label": ["A", "B", "C", "D", "E"], "text": ["3", "4", "5", "6", "7"]}, "answerKey": "B",
    },
    "bbh": {"input": "Two and two make?\nOptions:\n(A) 3\n(B) 4", "target": "(B)"},
    "math_500": {
        "problem": "What is $2+2$?", "solution": "It is $\\boxed{4}$.", "answer": "4", "subject": "Algebra", "level": 2,
        "unique_id": "test/algebra/1.json",
    },
    "aime": {"ID": "2024-I-1", "Problem": "What is 2 + 2?", "Solution": "4.", "Answer": 4},
    "mgsm": {"question": "Was ist 2 + 2?", "answer": None, "answer_number": 4, "equation_solution": None},
    "simpleqa": {"metadata": "{'topic': 'Maths'}", "problem": "What is 2 + 2?", "answer": "4"},
    "hle": {
        "id": "h1", "question": "What is 2 + 2?", "image": "", "answer": "4", "answer_type": "exactMatch", "category": "Math",
        "rationale": "2 + 2 = 4.",
    },
    "humaneval": {
        "task_id": "HumanEval/900", "prompt": "def double(x: int) -> int:\n    \"\"\"Twice x.\"\"\"\n", "entry_point": "double",
        "canonical_solution": "    return 2 * x\n", "test": "def check(candidate):\n    assert candidate(2) == 4\n",
    },
    "mbpp": {
        "task_id": 900, "text": "Write a function that doubles.", "code": "def double(x):\n    return 2 * x\n",
        "test_list": ["assert double(2) == 4", "assert double(0) == 0"], "test_setup_code": "", "challenge_test_list": [],
    },
    "arc": {
        "id": "a1", "answerKey": "B",
        "question": {"stem": "2 + 2?", "choices": [{"text": "3", "label": "A"}, {"text": "4", "label": "B"}]},
    },
    "gsm8k": {"question": "What is 2 + 2?", "answer": "2+2=<<2+2=4>>4\n#### 4"},
    "truthfulqa": {"Category": "Sums", "Question": "2 + 2?", "Best Answer": "4", "Correct Answers": "4; four"},
}  # fmt: skip
GOLDS = {
    "mmlu": "B", "mmlu_pro": "B", "mmlu_redux": "B", "hellaswag": "B", "winogrande": "B", "boolq": "yes",
    "commonsenseqa": "B", "bbh": "(B)", "math_500": {"type": "math", "value": "4"}, "aime": "4",
    "mgsm": "4", "simpleqa": "4", "hle": "4", "arc": "B", "gsm8k": "4",
    "truthfulqa": ["4", "four"],
}  # fmt: skip
ANSWERS = {"boolq": "Answer: yes", "bbh": "Answer: (B)", "math_500": "\\boxed{4}", "aime": "So \\boxed{4}."}


def read(name: str, folder: Path, row: dict[str, Any] | None = None) -> TestCase:
    folder.mkdir(exist_ok=True)
    path = folder / "rows.jsonl"
    path.write_text(json.dumps(ROWS[name] if row is None else row) + "\n")
    reader = DatasetReader(DatasetSpec(path=str(path), preset=name))
    (test,) = reader
    assert reader.problems == []
    return test


@each_row("name", sorted(ROWS))
def test_a_row_of_its_published_columns_is_a_test(name: str, tmp_path: Path) -> None:
    test = read(name, tmp_path)
    assert (test.source, test.level) == (name, 2 if name == "math_500" else 1)
    assert test.evaluator_id == PRESETS[name].evaluator
    if name in GOLDS:
        assert test.expected == GOLDS[name]
    assert "None" not in str(test.prompt)


@pytest.mark.long
@each_row("name", sorted(name for name in GOLDS if PRESETS[name].evaluator == "match"))
def test_its_right_answer_passes_and_another_fails(name: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    test = read(name, folder)
    right = ANSWERS.get(name, f"Answer: {test.expected}")
    wrong = {"boolq": "Answer: no", "math_500": "\\boxed{5}", "aime": "\\boxed{5}", "bbh": "Answer: (A)"}.get(
        name, "Answer: A" if test.expected == "B" else "Answer: 5"
    )
    rows = [{"id": test.test_id, "response": text, "epoch": n} for n, text in enumerate((right, wrong), 1)]
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    called = call(
        "import", "answers", folder / "a.jsonl", "--dataset", folder / "rows.jsonl", "--preset", name, "--epochs", "2",
        "--exp-id", "e", "--db", folder / "m.db",
    )  # fmt: skip
    assert called.code == 0, called.err
    samples = call("export", "e", "--format", "json", "--db", folder / "m.db").data["samples"]
    assert sorted((one["epoch"], one["status"]) for one in samples) == [(1, "passed"), (2, "failed")]


def test_gpqas_options_stand_in_an_order_that_the_id_draws(tmp_path: Path) -> None:
    tests = [read("gpqa", tmp_path, ROWS["gpqa"] | {"Record ID": f"rec{number}"}) for number in range(40)]
    places = [test.expected for test in tests]
    assert set(places) == set("ABCD")
    assert all(f"{test.expected}. 4" in str(test.prompt).splitlines() for test in tests)
    assert places == [
        read("gpqa", tmp_path, ROWS["gpqa"] | {"Record ID": f"rec{number}"}).expected for number in range(40)
    ]
    assert "Incorrect Answer 1" not in tests[0].metadata


@each_row("label", ["3", 3])
def test_hellaswags_label_counts_from_0(label: Any, tmp_path: Path) -> None:
    test = read("hellaswag", tmp_path, ROWS["hellaswag"] | {"label": label})
    assert (test.expected, test.domain) == ("D", "Adding")
    assert "She adds two and two. she …\n\nA. gets 3." in str(test.prompt)


def test_winograndes_answer_counts_from_1(tmp_path: Path) -> None:
    assert read("winogrande", tmp_path, ROWS["winogrande"] | {"answer": "1"}).expected == "A"


@each_row(("truth", "gold"), [(True, "yes"), (False, "no"), (1, "yes"), (0, "no"), ("yes", "yes")])
def test_boolqs_question_stands_below_its_passage(truth: Any, gold: str, tmp_path: Path) -> None:
    row = {"question": "is it so", "passage": "It is.", "answer": truth}
    test = read("boolq", tmp_path, row)
    assert (test.prompt, test.expected) == ("It is.\n\nIs it so?", gold)


@each_row("name", ["humaneval", "mbpp"])
def test_a_programs_own_assertions_are_its_gold(name: str, tmp_path: Path) -> None:
    test = read(name, tmp_path)
    config = EvaluatorConfig(id="code_tests", name="code", type="builtin")
    assert list(CodeTestsEvaluator().check(test, config, None)) == []
    assert test.expected["function"] == "double"
    assert ("def double" if name == "humaneval" else "assert double(2) == 4") in str(test.prompt)


@each_row(
    ("row", "name", "tests"),
    [
        (
            {"test_list": ["assert set(similar((1, 2))) == set((1,))"]},
            "similar",
            "assert set(similar((1, 2))) == set((1,))",
        ),
        ({"test_list": ["assert not is_prime(4)"]}, "is_prime", "assert not is_prime(4)"),
        ({"test_list": ["assert f(1)"], "test": "assert f(1) and f(2)"}, "f", "assert f(1) and f(2)"),
        ({"test_list": ["assert f(1)"], "test_imports": ["import math"]}, "f", "import math\nassert f(1)"),
    ],
)
def test_mbpps_function_is_the_one_that_its_assertions_call(row: dict[str, Any], name: str, tests: str) -> None:
    gold = shapes.mbpp({"prompt": "Do it.", **row})["answer"]
    assert gold == {"function": name, "test": tests}


@each_row(
    "shape",
    [
        shapes.lettered,
        shapes.stemmed,
        shapes.gpqa,
        shapes.hellaswag,
        shapes.winogrande,
        shapes.boolq,
        shapes.humaneval,
        shapes.mbpp,
        shapes.drop,
        shapes.aime,
        shapes.ifeval,
    ],
    ids=lambda shape: shape.__name__,
)
@each_row("row", [{}, {"question": None, "answer": 3}, {"question": "Q?", "options": ["a", "b"], "answer": "A"}])
def test_a_row_that_lacks_what_a_shape_needs_is_left_as_it_is(shape: shapes.Shape, row: dict[str, Any]) -> None:
    assert shape(dict(row)) == row


@each_row(
    ("told", "gold"),
    [("033", "33"), ("007", "7"), ("00", "0"), ("70", "70"), ("0.5", "0.5"), ("0336", "0336"), (33, 33)],
)
def test_aimes_three_digits_are_a_number(told: Any, gold: Any) -> None:
    assert shapes.aime({"problem": "How many?", "answer": told})["answer"] == gold


def test_what_simpleqa_knows_of_a_question_are_columns() -> None:
    told = "{'topic': 'Art', 'answer_type': 'Date', 'urls': ['https://example.org/1'], 'problem': 'Other?'}"
    row = {"metadata": told, "problem": "When?", "answer": "1931"}
    known = {"topic": "Art", "answer_type": "Date", "urls": ["https://example.org/1"]}
    assert shapes.simpleqa(row) == {**known, "problem": "When?", "answer": "1931"}
    assert shapes.simpleqa({**row, "metadata": known}) == {**known, "problem": "When?", "answer": "1931"}


@each_row("told", ["{'topic': open('x')}", "{", "[1]", "{1: 2}", None, "(" * 3000, "1" * 30_000])
def test_what_is_no_such_text_stays_where_it_is(told: Any) -> None:
    row = {"metadata": told, "problem": "When?"}
    assert shapes.simpleqa(row) == row


def test_the_column_of_the_category_is_kept_under_its_own_name(tmp_path: Path) -> None:
    test = read("mmlu", tmp_path)
    assert (test.domain, test.metadata["subject"]) == ("maths", "maths")


def test_another_evaluator_than_the_presets_is_given_a_plain_gold(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(ROWS["math_500"]))
    (test,) = DatasetReader(DatasetSpec(path=str(path), preset="math_500"), evaluator="llm_judge")
    assert test.expected == "4"


def test_drops_golds_are_read_in_each_of_its_forms() -> None:
    date = {"day": "", "month": "May", "year": "1931"}
    answer, other = {"number": "", "date": date, "spans": []}, {"number": "3", "date": {}, "spans": []}
    row = {"passage": " A game. ", "question": "When? ", "answer": answer, "query_id": "q"}
    for validated, golds in (
        ([other, other, answer], [["May 1931"], ["3"]]),
        ({"number": ["3"], "date": [{}], "spans": [[]]}, [["May 1931"], ["3"]]),
        ({"number": ["", "4"], "spans": [["a", "b"], []]}, [["May 1931"], ["a", "b"], ["4"]]),
        ({}, [["May 1931"]]),
        (None, [["May 1931"]]),
        ([3], [["May 1931"]]),
    ):
        shaped = shapes.drop({**row, "validated_answers": validated})
        assert shaped == {"question": "A game.\n\nWhen?", "answer": golds, "query_id": "q"}
    assert shapes.drop({"context": "A game. When?", "completion": "3", "ref_text": "3| three |"}) == {
        "completion": "3", "question": "A game. When?", "answer": ["3", "three"],
    }  # fmt: skip
    blank = shapes.drop({**row, "answer": {"number": "", "date": None, "spans": [" "]}})
    assert isinstance(blank, dict)
    assert blank["answer"] is None


@each_row(
    ("spans", "types", "golds"),
    [
        (["Chaz Schilens"], ["span"], [["Chaz Schilens"]]),
        (["Ann", "Ben", "Ann"], ["span"] * 3, [["Ann", "Ben"]]),
        (["JaMarcus Russell", "russell"], ["span"] * 2, [["JaMarcus Russell"], ["russell"]]),
        (["3", "4"], ["number"] * 2, [["3"], ["4"]]),
        (["9 June 1973", "in summer"], ["date", "span"], [["9 June 1973"], ["in summer"]]),
        ([], [], None),
    ],
)
def test_drops_flat_golds_are_read(spans: list[str], types: list[str], golds: Any) -> None:
    row = {"passage": "P.", "question": "Q?", "answers_spans": {"spans": spans, "types": types}}
    assert shapes.drop(row) == {"question": "P.\n\nQ?", "answer": golds}


def test_a_drop_row_without_its_passage_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    sound = {"query_id": "a", "passage": "P.", "question": "Q?", "answers_spans": {"spans": ["x"], "types": ["span"]}}
    path = tmp_path / "drop.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in (sound, {**sound, "query_id": "b", "passage": ""})))
    reader = DatasetReader(DatasetSpec(path=str(path), preset="drop"))
    assert [(test.prompt, test.expected) for test in reader] == [("P.\n\nQ?", [["x"]])]
    assert [(one.line, one.message) for one in reader.problems] == [(2, "the passage ('passage') is missing")]


@each_row(
    ("language", "gold"),
    [("de", {"type": "numeric", "value": "18", "locale": "de"}), ("ru", {"type": "numeric", "value": "18", "locale": "ru"}),
     ("en", "18"), ("ja", "18"), (None, "18")],
)  # fmt: skip
def test_mgsms_numbers_are_those_of_the_rows_language(language: str | None, gold: Any, tmp_path: Path) -> None:
    row = {"question": "18?", "answer_number": 18, "language": language}
    assert read("mgsm", tmp_path / str(language), row).expected == gold


def test_ifevals_lists_may_be_written_as_json(tmp_path: Path) -> None:
    lists: dict[str, Any] = {
        "instruction_id_list": ["keywords:forbidden_words"],
        "kwargs": [{"forbidden_words": ["fog"]}],
    }
    plain = {"key": 1, "prompt": "p", **lists}
    texts = plain | {name: json.dumps(value) for name, value in lists.items()}
    assert read("ifeval", tmp_path / "a", texts).expected == read("ifeval", tmp_path / "b", plain).expected == lists
    assert shapes.ifeval(plain | {"kwargs": "[{"}) == {"key": 1, "prompt": "p", "answer": {**lists, "kwargs": "[{"}}
