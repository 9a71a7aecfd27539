from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modex.core.config.runconfig import DatasetSpec
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.datasets import DatasetReader

Dataset = Callable[..., DatasetReader]


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    def make(rows: list[Any], *, fields: dict[str, str] | None = None, **options: Any) -> DatasetReader:
        path = tmp_path / "facts.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return DatasetReader(DatasetSpec.model_validate({"path": str(path), **(fields or {})}), **options)

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
    reader = DatasetReader(DatasetSpec(path=str(path)))
    tracemalloc.start()
    count = sum(1 for _ in reader)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 4_000
    assert peak < 6_000_000 < path.stat().st_size


def test_rows_name_their_cluster(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_text('{"question": "a", "answer": "1", "cluster": 7}\n{"question": "b", "answer": "2"}\n')
    reader = DatasetReader(DatasetSpec(path=str(path)))
    assert [test.cluster for test in reader] == ["7", None]
    assert any("drawn together" in guess for guess in reader.guesses)


QA: dict[str, Any] = {"question": "a?", "answer": "x"}


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({**QA, "level": ""}, {"level": 1}),
        ({**QA, "category": "", "id": ""}, {"domain": "facts", "test_id": "0"}),
        ({**QA, "category": " a b ", "id": 3.0}, {"domain": "a b", "test_id": "3"}),
        ({**QA, "id": 3.5}, {"test_id": "3.5"}),
        ({**QA, "id": "a/b"}, {"test_id": "a/b"}),
        ({**QA, "id": "x" * 200}, {"test_id": "x" * 200}),
        ({**QA, "extra": 1},
         {"metadata": {"extra": 1}, "weight": 1.0, "tool_ids": (), "tools": (), "invalid": None, "disabled_by": None}),
        ({"instruction": "a", "input": "b", "output": "x"}, {"prompt": "a\n\nb"}),
        ({"instruction": "a", "input": "", "output": "x"}, {"prompt": "a"}),
    ],
)  # fmt: skip
def test_a_row_is_a_test_of_its_columns(dataset: Dataset, row: dict[str, Any], told: dict[str, Any]) -> None:
    (test,) = dataset([row])
    assert {name: getattr(test, name) for name in told} == told


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({**QA, "question": " "}, "the question ('question') is missing or no text"),
        ({**QA, "question": 3}, "the question ('question') is missing or no text"),
        ({**QA, "question": []}, "the question ('question') is missing or no text"),
        ({**QA, "answer": []}, "the answer ('answer') is missing; rows without one"),
        ({**QA, "level": 6}, "the level is '6'; it must be 1 to 5"),
        ({**QA, "id": True}, "the id is not a text or a number"),
        ({**QA, "id": [1]}, "the id is not a text or a number"),
        ({**QA, "id": "x" * 201}, "the id is longer than 200 characters"),
        ({**QA, "id": "/a"}, "the id '/a' reads as a path"),
        ({**QA, "category": "a/../b"}, "the category 'a/../b' reads as a path"),
        ({**QA, "id": "a\x07"}, "the id holds control characters"),
    ],
)
def test_what_is_wrong_with_a_row_is_told_with_its_line(dataset: Dataset, row: dict[str, Any], problem: str) -> None:
    reader = dataset([{**QA, "level": 1, "id": "first", "category": "c"}, row], fields={"level_field": "level"})
    assert [test.test_id for test in reader] == ["first"]
    (found,) = reader.problems
    assert (found.line, found.message[: len(problem)], reader.rows) == (2, problem, 2)


def test_the_hint_on_rows_without_an_answer_is_given_once(dataset: Dataset) -> None:
    reader = dataset([QA, {"question": "b?", "answer": ""}, {"question": "c?", "answer": None}])
    assert [";" in problem.message for problem in reader.check()] == [True, False]
    asked = dataset([QA, {"question": "b?", "answer": ""}], golds_needed=False)
    assert [(test.expected is None) for test in asked] == [False, True]
    assert (asked.without_gold, asked.check()) == (1, [])


def test_an_id_that_is_there_already_is_named_with_its_first_place(tmp_path: Path) -> None:
    rows = [{**QA, "id": "a"}, {**QA, "id": "a"}]
    for name, text, problem in (
        ("x.jsonl", "".join(json.dumps(row) + "\n" for row in rows), (2, "test id 'a' is there already, on line 1")),
        ("x.json", json.dumps(rows), (0, "row 2: test id 'a' is there already, on row 1")),
    ):
        (tmp_path / name).write_text(text)
        (found,) = DatasetReader(DatasetSpec(path=str(tmp_path / name))).check()
        assert (found.line, found.message) == problem


def test_rows_that_answer_a_question_again_are_one_test(dataset: Dataset) -> None:
    rows = [{**QA, "id": "a"}, {**QA, "id": "a"}, {**QA, "id": "a", "answer": "y"}, {**QA, "id": "b"}]
    reader = dataset(rows, answered=True)
    assert [test.test_id for test in reader] == ["a", "b"]
    assert [problem.line for problem in reader.problems] == [3]
    assert "with another question or gold" in reader.problems[0].message
    unnamed = dataset([{**QA, "epoch": 1}, {**QA, "epoch": 2}, {**QA, "epoch": ""}, QA], answered=True)
    assert [test.test_id for test in unnamed] == ["0", "2", "3"]


@pytest.mark.parametrize(
    ("question", "roles"),
    [
        ([("system", "s"), ("user", "u")], ["system", "user"]),
        ([("user", "u"), ("assistant", "a")], ["user"]),
        ([("user", "u"), ("assistant", "a"), ("user", "v"), ("assistant", "a"), ("assistant", "b")],
         ["user", "assistant", "user"]),
        ([("system", "s")], ["user"]),
        ([("user", "u"), ("system", "s")], ["user", "user"]),
        ([("assistant", "a")], None),
        ([("critic", "u")], None),
        ([("user", 3)], None),
        ([("user", [])], None),
        (["u"], None),
    ],
)  # fmt: skip
def test_turns_are_asked_up_to_the_last_one_of_the_user(
    dataset: Dataset, question: list[Any], roles: list[str] | None
) -> None:
    turns = [{"role": one[0], "content": one[1]} if isinstance(one, tuple) else one for one in question]
    found = list(dataset([QA, {**QA, "question": turns}]))[1:]
    asked = [[turn["role"] for turn in test.prompt if isinstance(turn, dict)] for test in found]
    assert asked == ([] if roles is None else [roles])


def test_columns_of_letters_and_choices_are_options_where_the_preset_says_so(dataset: Dataset) -> None:
    letters = {"question": "Which?", "answer": "B", "A": "1", "B": "2", "C": "3", "D": "4"}
    (test,) = dataset([letters], fields={"preset": "mmlu"})
    assert "B) 2" in test.prompt or "B. 2" in test.prompt or "(B) 2" in test.prompt
    (plain,) = dataset([letters])
    assert plain.prompt == "Which?"
    (without,) = dataset([{name: value for name, value in letters.items() if name != "D"}], fields={"preset": "mmlu"})
    assert without.prompt == "Which?\n\nA. 1\nB. 2\nC. 3"
    (neither,) = dataset([{"question": "Which?", "answer": "B", "A": "1"}], fields={"preset": "mmlu"})
    assert neither.prompt == "Which?"


def test_a_limit_counts_tests_and_no_limit_takes_all(dataset: Dataset) -> None:
    rows = [{"question": f"{number}?", "answer": "x"} for number in range(5)]
    assert [len(list(dataset(rows, limit=limit))) for limit in (None, 0, 2, 9)] == [5, 0, 2, 5]
    assert len(list(dataset(rows, sample=3))) == 3
    reader = dataset(rows)
    assert (list(reader) == list(reader), reader.rows, reader.kind, reader.has_prompt) == (True, 5, reader.kind, False)
    assert dataset(rows, evaluator="match").kind is None


def test_every_filter_must_hold_and_a_row_that_cannot_be_read_is_told_all_the_same(tmp_path: Path) -> None:
    rows = [{"question": f"{n}?", "answer": "x", "level": 1 + n % 2, "by": "me" if n < 3 else "you"} for n in range(6)]
    path = tmp_path / "d.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows) + "no JSON\n")
    reader = DatasetReader(DatasetSpec(path=str(path)), filters=["level=2", "by=me"])
    assert [test.prompt for test in reader] == ["1?"]
    assert [problem.line for problem in reader.problems] == [7]


def test_a_task_whose_rubric_cannot_be_read_waits_for_one_and_it_is_said(dataset: Dataset) -> None:
    odd = {"target": "FOO", "points": 9, "criteria": "d"}
    reader = dataset(
        [
            {"task_id": "t", "question": "a?", "evaluate": {"items": [{"target": "ANSWER", "points": 10}]}, "by": "x"},
            {
                "question": "b?",
                "evaluate": {"items": [{"points": "3", "criteria": "c"}, odd]},
                "tags": ["x"],
                "by": "y",
            },
            {"question": "c?", "evaluate": "Paris"},
        ],
        fields={"preset": "caia"},
    )
    first, second, third = reader
    assert (first.expected, first.lacks_gold, third.expected) == (None, True, "Paris")
    assert second.expected == {"items": [{"id": "item_1", "says": "c", "points": 3, "group": "answer"}]}
    assert [guess for guess in reader.guesses if "rubrics" in guess or "FOO" in guess or "not read" in guess] == [
        "rubrics that cannot be read: 1 (t: item 1 says nothing); their tasks are asked and not judged",
        "items for FOO: 1 (row 2 item 2), left out, since nobody judges them there: they are for none of answer, "
        "reasoning and tool use",
        "not read, kept with the tests: `by` (2), `tags` (1)",
    ]


def test_columns_that_are_read_are_not_named_as_unread(dataset: Dataset) -> None:
    row = {
        "task_id": "t",
        "question": "a?",
        "evaluate": "x",
        "level": 2,
        "category": "c",
        "source": "caia",
        "topic": "",
    }
    for fields in ({"answer_field": "evaluate", "preset": "caia"}, {"answer_field": "evaluate"}):
        reader = dataset([{**row, "evaluate": {"items": []}, "by": "x"}], fields=fields)
        assert [guess for guess in reader.guesses if "read" in guess] == [
            "rubrics that cannot be read: 1 (t: it has no items); their tasks are asked and not judged",
            "not read, kept with the tests: `by` (1)",
        ]
        assert [test.lacks_gold for test in reader] == [True]
        assert not [guess for guess in dataset([row], fields=fields).guesses if "read" in guess]


def test_the_empty_places_of_a_list_are_no_golds(dataset: Dataset) -> None:
    rows = [
        {"question": f"{n}?", "answer": gold} for n, gold in enumerate([["a", None, "b", " "], [None, ""], [3, None]])
    ]
    for evaluator in ("match", "gaia", "llm_judge"):
        found = list(dataset(rows[::2], evaluator=evaluator))
        assert [test.expected for test in found] == [["a", "b"], ["3"]]
    reader = dataset(rows)
    assert [test.test_id for test in reader] == ["0", "2"]
    assert "the answer ('answer') is missing" in reader.problems[0].message
    kept = dataset([{"question": "a?", "answer": ["a", None]}], evaluator="own")
    assert [test.expected for test in kept] == [["a", None]]
