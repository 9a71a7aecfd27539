from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.errors import ConfigurationError
from core.runconfig import DatasetSpec
from core.suite.datasets import DatasetReader, read_dataset

Dataset = Callable[..., DatasetReader]


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    def make(rows: list[Any], *, fields: dict[str, str] | None = None, **options: Any) -> DatasetReader:
        path = tmp_path / "facts.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return read_dataset(DatasetSpec(path=str(path), **(fields or {})), **options)

    return make


def test_columns_are_guessed_and_the_guesses_said(dataset: Dataset) -> None:
    reader = dataset([{"uid": "x1", "Query": "2+2?", "gold": "4", "difficulty": "hard", "topic": "sums", "by": "me"}])
    (test,) = reader
    assert (test.source, test.domain, test.level, test.test_id) == ("facts", "sums", 5, "x1")
    assert (test.prompt, test.expected, test.evaluator_id) == ("2+2?", {"type": "numeric", "value": 4}, "two_pass")
    assert test.metadata == {"by": "me"}
    assert reader.guesses == [
        "question: column 'Query'",
        "answer: column 'gold'",
        "level: column 'difficulty'",
        "category: column 'topic'",
        "id: column 'uid'",
        "levels: 'hard' is 5",
        "answer type: numeric, from the first 1 answers",
    ]


def test_without_level_category_and_id_a_row_has_the_defaults(dataset: Dataset) -> None:
    tests = list(dataset([{"question": "a?", "answer": "x"}, {"question": "b?", "answer": "y"}]))
    assert [(test.domain, test.level, test.test_id, test.location.line) for test in tests] == [
        ("facts", 1, "0", 1),
        ("facts", 1, "1", 2),
    ]


def test_named_columns_reach_into_objects(dataset: Dataset) -> None:
    reader = dataset(
        [{"q": {"text": "a?"}, "meta": {"gold": ["x", "y"], "level": "Level 4"}}],
        fields={"question_field": "q.text", "answer_field": "meta.gold", "level_field": "meta.level"},
    )
    (test,) = reader
    assert (test.prompt, test.level, test.expected["value"]) == ("a?", 4, ["x", "y"])


def test_a_named_column_that_is_not_there_is_refused_with_a_suggestion(dataset: Dataset) -> None:
    with pytest.raises(ConfigurationError, match="did you mean 'question'"):
        dataset([{"question": "a?"}], fields={"question_field": "qestion"})


def test_no_question_column_says_how_to_name_one(dataset: Dataset) -> None:
    with pytest.raises(ConfigurationError, match="--question-field"):
        dataset([{"foo": "a?", "bar": 1}])


def test_a_guessed_level_that_is_none_is_left_alone(dataset: Dataset) -> None:
    reader = dataset([{"question": "a?", "answer": "x", "level": "B2"}])
    assert [test.level for test in reader] == [1]
    assert any("'B2' is not 1 to 5" in guess for guess in reader.guesses)


def test_rows_with_problems_are_named_by_line_and_the_rest_runs(dataset: Dataset) -> None:
    reader = dataset(
        [
            {"id": "a", "question": "a?", "answer": "x", "level": 1},
            {"id": "b", "question": "", "answer": "x"},
            {"id": "c", "question": "c?", "answer": None},
            {"id": "d", "question": "d?", "answer": "x", "level": 9},
            {"id": "a", "question": "e?", "answer": "x", "level": 1},
            {"id": "../f", "question": "f?", "answer": "x"},
            [1],
            {"id": "g\n", "question": "g?", "answer": "x"},
            {"id": "h\u202e", "question": "h?", "answer": "x"},
        ],
        fields={"level_field": "level"},
    )
    assert [test.test_id for test in reader] == ["a", "g"]
    assert [(problem.line, problem.message) for problem in reader.problems] == [
        (2, "the question ('question') is missing or no text"),
        (3, "the answer ('answer') is missing"),
        (4, "the level is '9'; it must be 1 to 5, or easy, medium, hard"),
        (5, "test id 'a' is there already, on line 1"),
        (6, "the id '../f' reads as a path"),
        (7, "a row must be an object"),
        (9, "the id holds control characters"),
    ]


def test_the_same_id_in_two_categories_is_two_tests(dataset: Dataset) -> None:
    reader = dataset([{"id": 1, "question": "a?", "answer": "x", "subject": name} for name in ("law", "art")])
    assert [(test.domain, test.test_id) for test in reader] == [("law", "1"), ("art", "1")]
    assert reader.problems == []


def test_filters_sample_and_limit_apply_in_that_order(dataset: Dataset) -> None:
    rows = [
        {"id": number, "question": "q", "answer": "x", "kind": "odd" if number % 2 else "even"} for number in range(100)
    ]
    taken = [test.test_id for test in dataset(rows, filters=["kind=odd"], sample=20, seed=3, limit=5)]
    again = [test.test_id for test in dataset(rows, filters=["kind=odd"], sample=20, seed=3)]
    assert taken == again[:5]
    assert len(again) == 20
    assert all(int(identity) % 2 for identity in again)
    assert again == sorted(again, key=int)


def test_filters_see_columns_that_became_fields(dataset: Dataset) -> None:
    rows = [{"question": "q", "answer": "x", "subject": "law"}, {"question": "q", "answer": "x", "subject": "art"}]
    assert [test.domain for test in dataset(rows, filters=["subject=art"])] == ["art"]


def test_chat_turns_may_be_the_question(dataset: Dataset) -> None:
    turns = [{"role": "user", "content": "a?"}]
    assert [test.prompt for test in dataset([{"prompt": turns, "answer": "x"}])] == [tuple(turns)]


def test_choices_are_shown_and_the_answer_is_a_letter(dataset: Dataset) -> None:
    (test,) = dataset([{"question": "Which?", "choices": ["red", "green"], "answer": 1}])
    assert test.prompt == "Which?\n\nA. red\nB. green"
    assert test.expected["value"] == "B"


def test_evaluator_and_rollout_are_those_of_the_command(dataset: Dataset) -> None:
    (test,) = dataset([{"question": "a?", "answer": 18}], evaluator="match", rollout="agentic")
    assert (test.evaluator_id, test.rollout, test.expected) == ("match", "agentic", "18")


@pytest.mark.parametrize("rows", [[], [[1], [2]]])
def test_a_file_without_a_row_is_refused(dataset: Dataset, rows: list[Any]) -> None:
    with pytest.raises(ConfigurationError, match="no row can be read"):
        dataset(rows)


def test_many_problems_are_counted_rather_than_kept(dataset: Dataset) -> None:
    reader = dataset([{"question": "a?", "answer": "x"}] + [{"question": ""}] * 1500)
    problems = reader.check()
    assert len(problems) == 1001
    assert problems[-1].message == "500 more rows have problems; correct these first"


def test_a_long_dataset_is_never_held(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    with path.open("w") as file:
        for number in range(4_000):
            file.write(json.dumps({"question": f"{number}? " + "pad " * 500, "answer": number}) + "\n")
    reader = read_dataset(DatasetSpec(path=str(path)))
    tracemalloc.start()
    count = sum(1 for _ in reader)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 4_000
    assert peak < 6_000_000 < path.stat().st_size


def test_rows_name_their_cluster(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_text('{"question": "a", "answer": "1", "cluster": 7}\n{"question": "b", "answer": "2"}\n')
    reader = read_dataset(DatasetSpec(path=str(path)))
    assert [test.cluster for test in reader] == ["7", None]
    assert any("drawn together" in guess for guess in reader.guesses)
