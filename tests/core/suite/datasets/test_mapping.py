from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.config.runconfig import DatasetSpec
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.datasets.mapping import bent_level, bent_levels, level_of, map_columns, nearest_level
from tests.rows import each_row


@each_row(
    ("value", "level"),
    [
        (1, 1),
        (5.0, 5),
        ("3", 3),
        ("Level 4", 4),
        ("level_2", 2),
        ("L1", 1),
        ("lvl-5", 5),
        ("3.0", 3),
        ("Easy", 1),
        ("medium", 3),
        ("HARD", 5),
        ("very_hard", 5),
    ],
)
def test_levels_are_read_in_many_spellings(value: Any, level: int) -> None:
    assert level_of(value) == level


@each_row("value", [0, 6, 2.5, True, None, "", "B2", "33", [], "level"])
def test_what_is_no_level_is_none(value: Any) -> None:
    assert level_of(value) is None


@given(st.none() | st.booleans() | st.integers() | st.floats() | st.text())
def test_any_value_is_a_level_from_1_to_5_or_none(value: Any) -> None:
    assert level_of(value) in (None, 1, 2, 3, 4, 5)


@each_row(
    ("columns", "question", "answer"),
    [
        (["question", "answer"], "question", "answer"),
        (["Prompt", "Expected"], "Prompt", "Expected"),
        (["input", "target", "id"], "input", "target"),
        (["problem", "solution", "answer"], "problem", "answer"),
        (["context", "question", "answerKey"], "question", "answerKey"),
        (["text", "label"], "text", "label"),
    ],
)
def test_the_likeliest_columns_are_taken(columns: list[str], question: str, answer: str) -> None:
    found, _ = map_columns(DatasetSpec(path="x"), [dict.fromkeys(columns, "v")], "x")
    assert (found.question, found.answer) == (question, answer)


def test_named_columns_are_not_said_as_guesses() -> None:
    spec = DatasetSpec(
        path="x", question_field="a", answer_field="b", level_field="c", category_field="d", id_field="e"
    )
    found, guesses = map_columns(spec, [{"a": "q", "b": "x", "c": 1, "d": "k", "e": "1"}], "x")
    assert guesses == []
    assert found.used() == {"a", "b", "c", "d", "e"}


def test_a_missing_column_lists_those_there_are() -> None:
    with pytest.raises(ConfigurationError, match=r"no row has the answer column 'zzz'; there are question, other"):
        map_columns(DatasetSpec(path="x", answer_field="zzz"), [{"question": "q", "other": 1}], "x")


@each_row(
    ("value", "level"),
    [
        *((number, number) for number in range(1, 6)), (0, None), (6, None), (4.0, 4), (4.5, None), (True, None), (None, None),
        ("3", 3), ("Level 3", 3), ("6", None), (" Easy ", 1), ("medium", 3), ("HARD", 5), ("soon", None), ([3], None),
    ],
)  # fmt: skip
def test_levels_are_read_as_people_write_them(value: object, level: int | None) -> None:
    assert level_of(value) == level


_QA = {"question": "q?", "answer": "a"}
_QUESTION, _ANSWER = "question: column 'question'", "answer: column 'answer'"
_NO_LEVEL, _NO_CATEGORY, _NO_ID = (
    "level: no column; every row is level 1",
    "category: no column; the domain is the source",
    "id: no column; the row's index",
)
_REST = [_QUESTION, _ANSWER, _NO_LEVEL, _NO_CATEGORY, _NO_ID]
_LEVELS = [_QUESTION, _ANSWER, "level: column 'level'", _NO_CATEGORY, _NO_ID]
_LLAMA = "rows in LLaMA-Factory's form: the instruction, its input below it, the output as gold"


def _rows(column: str, *values: object) -> list[dict[str, object]]:
    return [{**_QA, column: value} for value in values]


@each_row(
    ("rows", "named", "columns", "said"),
    [
        (
            [{"text": "q?"}],
            {},
            {"question": "text"},
            [
                "question: column 'text'",
                "answer: no column found; answers are left empty",
                _NO_LEVEL,
                _NO_CATEGORY,
                _NO_ID,
            ],
        ),
        (
            [{"instruction": "i", "input": "c", "output": "o", "answer": "x"}],
            {},
            {"question": "instruction", "answer": "output", "context": "input"},
            [_LLAMA, "question: column 'instruction'", "answer: column 'output'", _NO_LEVEL, _NO_CATEGORY, _NO_ID],
        ),
        (
            [{"instruction": "i", "output": "o"}],
            {},
            {"question": "instruction", "answer": "output"},
            [_LLAMA, "question: column 'instruction'", "answer: column 'output'", _NO_LEVEL, _NO_CATEGORY, _NO_ID],
        ),
        (
            [{"Instruction": "i", "Output": "o", "answer": "x"}],
            {},
            {"question": "Instruction", "answer": "answer"},
            [_LLAMA, "question: column 'Instruction'", _ANSWER, _NO_LEVEL, _NO_CATEGORY, _NO_ID],
        ),
        (
            [{"instruction": "i", "input": "c", "output": "o", "x": "y"}],
            {"answer_field": "x"},
            {"question": "instruction", "answer": "x", "context": "input"},
            [_LLAMA, "question: column 'instruction'", _NO_LEVEL, _NO_CATEGORY, _NO_ID],
        ),
        (
            [{"instruction": "i", "input": "c", "output": "o"}],
            {"question_field": "input"},
            {"question": "input", "answer": "output"},
            ["answer: column 'output'", _NO_LEVEL, _NO_CATEGORY, _NO_ID],
        ),
        ([{"question": "q", "Question": "r", "answer": "a"}], {}, {"question": "question", "answer": "answer"}, _REST),
        (
            [{"Question-Text": "q"}, {"Final Answer": "r"}],
            {},
            {"question": "Question-Text", "answer": "Final Answer"},
            ["question: column 'Question-Text'", "answer: column 'Final Answer'", _NO_LEVEL, _NO_CATEGORY, _NO_ID],
        ),
        (_rows("level", "hard", None, ""), {}, {"level": "level"}, [*_LEVELS, "levels: 'hard' is 5"]),
        (_rows("level", 1, 2), {}, {"level": "level"}, _LEVELS),
        (_rows("level", "Level 1", "2"), {}, {"level": "level"}, _LEVELS),
        (
            _rows("level", "hard", 3, "Level 2", "easy"),
            {},
            {"level": "level"},
            [*_LEVELS, "levels: 'easy' is 1, 'hard' is 5"],
        ),
        (
            _rows("level", "easy", "hard", "basic", "simple", "normal", "expert", "trivial"),
            {},
            {"level": "level"},
            [*_LEVELS, "levels: 'basic' is 1, 'easy' is 1, 'expert' is 5, 'hard' is 5, 'normal' is 3, 'simple' is 1"],
        ),
        (
            _rows("level", "hard", "x" * 50),
            {},
            {},
            [f"column 'level' is not taken as the level: '{'x' * 40}' is not 1 to 5", *_REST],
        ),
        (
            _rows("level", "hard", "odd"),
            {"level_field": "level"},
            {"level": "level"},
            [_QUESTION, _ANSWER, _NO_CATEGORY, _NO_ID, "levels: 'hard' is 5"],
        ),
        (
            _rows("cluster", "c"),
            {},
            {"cluster": "cluster"},
            [*_REST, "cluster: column 'cluster'; its questions are drawn together"],
        ),
        (_rows("cluster", "c"), {"cluster_field": "cluster"}, {"cluster": "cluster"}, _REST),
        (_rows("choices", ["a", "b"]), {}, {"options": "choices"}, _REST),
        (_rows("source", "b", None, "a", ""), {}, {"source": "source"}, ["source: column 'source' (a, b)", *_REST]),
        (_rows("source", *"gfedcba"), {}, {"source": "source"}, ["source: column 'source' (a, b, c, d, e, f)", *_REST]),
        (
            _rows("source", *map(str, range(20))),
            {},
            {"source": "source"},
            ["source: column 'source' (0, 1, 10, 11, 12, 13)", *_REST],
        ),
        (
            _rows("source", *map(str, range(21))),
            {},
            {},
            ["column 'source' is not taken as the source: it holds no plain names", *_REST],
        ),
        (
            _rows("source", "a", "https://a/b"),
            {},
            {},
            ["column 'source' is not taken as the source: it holds no plain names", *_REST],
        ),
        (
            _rows("source", "a", 7.5),
            {},
            {},
            ["column 'source' is not taken as the source: it holds no plain names", *_REST],
        ),
        (_rows("source", None, ""), {}, {}, _REST),
        (
            _rows("files", "a.png", None, "", [], ["b.png"]),
            {},
            {"files": "files"},
            ["attachments: column 'files', sent with the questions", *_REST],
        ),
        (_rows("files", None, ""), {}, {"files": "files"}, _REST),
        (
            _rows("image", "a.png", 7),
            {},
            {},
            ["column 'image' holds no names of files: nothing of it is sent with the questions", *_REST],
        ),
    ],
)
def test_columns_are_chosen_by_their_names_and_what_they_hold_and_each_choice_is_said(
    rows: list[dict[str, Any]], named: dict[str, str], columns: dict[str, str], said: list[str]
) -> None:
    found, guesses = map_columns(DatasetSpec.model_validate({"path": "x", **named}), rows, "x")
    expected = columns if "question" in columns else {**_QA_COLUMNS, **columns}
    assert {role: path for role, path in asdict(found).items() if path is not None} == expected
    assert guesses == said


_QA_COLUMNS = {"question": "question", "answer": "answer"}


def test_a_column_counts_as_there_where_some_row_has_it() -> None:
    rows: list[dict[str, Any]] = [{"question": "q"}, {"question": "q", "x": {"y": 1}}]
    assert map_columns(DatasetSpec(path="x", answer_field="x.y"), rows, "x")[0].answer == "x.y"


@each_row(
    ("columns", "listed"),
    [
        (20, ", ".join(f"c{number}" for number in range(20))),
        (21, ", ".join(f"c{number}" for number in range(20)) + ", …"),
    ],
)
def test_of_the_columns_there_are_twenty_are_listed(columns: int, listed: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        map_columns(DatasetSpec(path="x"), [{f"c{number}": 1 for number in range(columns)}], "f.csv")
    assert str(refused.value).endswith(
        f"f.csv: no column looks like a question; name it with --question-field; there are {listed}"
    )


def test_a_long_name_of_a_column_is_cut_at_forty_characters_and_a_near_one_is_suggested() -> None:
    with pytest.raises(ConfigurationError) as refused:
        map_columns(DatasetSpec(path="x", question_field="questoin"), [{"question": 1, "x" * 50: 1}], "f.csv")
    assert str(refused.value).endswith(
        f"f.csv: no row has the question column 'questoin'; did you mean 'question'?; there are question, {'x' * 40}"
    )


@each_row(
    ("text", "level"),
    [("3" + " " * 39, 3), ("3" + " " * 39 + "x", 3), (" " * 40 + "3", None), ("3" + " " * 38 + "x", None)],
)
def test_of_a_levels_text_forty_characters_are_read_for_a_number(text: str, level: int | None) -> None:
    assert level_of(text) == level


@each_row(
    ("value", "level"),
    [
        (0, 1), (-1, 1), (6, 5), (10, 5), ("0", 1), (" 7 ", 5), ("-1", 1), (3, 3), (0.0, 1),
        (-2, None), (11, None), ("1200", None), (2.5, None), (True, None), (None, None), ("B2", None), ("", None),
    ],
)  # fmt: skip
def test_a_number_near_the_levels_is_taken_as_the_nearest(value: object, level: int | None) -> None:
    assert nearest_level(value) == level


def test_bent_levels_are_said_once() -> None:
    assert bent_levels([1, "hard", 3]) == []
    assert bent_levels([1, "hard", 3, None, ""]) == ["where no level is given it is 1"]
    assert bent_levels([0, 7, 0, 2, "0"]) == ["levels outside 1 to 5 are taken as the nearest: 0 is 1, 7 is 5"]


@each_row(("values", "column"), [((1, 0), "level"), ((0, 0), "level"), ((1, 1200), None), ((3, "B2"), None)])
def test_numbers_far_from_the_levels_are_no_levels(values: tuple[object, ...], column: str | None) -> None:
    rows = [{"question": "a?", "answer": "x", "level": value} for value in values]
    assert map_columns(DatasetSpec(path="x"), rows, "x")[0].level == column


@each_row(
    ("value", "level"),
    [
        (-3, 1),
        (99, 5),
        (2.7, 3),
        (1e9, 5),
        ("-1", 1),
        ("99", 5),
        ("unknown", 1),
        (True, 1),
        ([2], 1),
        (float("nan"), 1),
        (float("inf"), 5),
        ("1" * 40 + "x", 1),
        (10**400, 5),
    ],
)
def test_an_odd_level_leaves_the_other_rows_theirs(value: object, level: int) -> None:
    rows = [{"question": "a?", "answer": "x", "level": each} for each in (3, 2, value)]
    fields, guesses = map_columns(DatasetSpec(path="x"), rows, "x")
    assert (fields.level, bent_level(value)) == ("level", level)
    assert not any("levels:" in guess for guess in guesses)


def test_what_is_no_level_is_said() -> None:
    assert bent_levels([3, -3, "unknown", [2], True, ""]) == [
        "levels outside 1 to 5 are taken as the nearest: -3 is 1",
        "what is no level is taken as 1: 'True', '[2]', 'unknown'",
        "where no level is given it is 1",
    ]
    assert bent_levels(range(6, 14)) == [
        "levels outside 1 to 5 are taken as the nearest: 10 is 5, 11 is 5, 12 is 5, 13 is 5, 6 is 5, 7 is 5, …"
    ]


def test_empty_levels_are_none_that_is_read_from_a_word() -> None:
    rows = [{"question": "a?", "answer": "x", "level": each} for each in (3, "")]
    assert not any(guess.startswith("levels") for guess in map_columns(DatasetSpec(path="x"), rows, "x")[1])


@each_row(("value", "level"), [("-1", None), ("-3", None), ("_2", None), ("level-2", 2)])
def test_a_sign_is_no_separator(value: str, level: int | None) -> None:
    assert level_of(value) == level


@pytest.mark.parametrize(
    ("sources", "column"),
    [
        (["GAIA", 5], "source"),
        ([5, 6], None),
        (["GAIA", 5.5], None),
        (["GAIA", True], None),
        (["GAIA", "https://example.org/a"], None),
    ],
)
def test_a_number_beside_names_is_a_source_too(sources: list[object], column: str | None) -> None:
    rows = [{"question": "q", "answer": "a", "source": source} for source in sources]
    assert map_columns(DatasetSpec(path="f.jsonl"), rows, "f.jsonl")[0].source == column


@each_row(("source", "column"), [("GAIA", "level"), ("BrowseComp_ZH", "level"), ("nobody", None), (5, None)])
def test_rows_of_known_benchmarks_have_a_level_however_odd(source: object, column: str | None) -> None:
    rows = [
        {"source": source, "question": "a?", "answer": "x", "level": value} for value in (3, -3, 99, "unknown", [2])
    ]
    assert map_columns(DatasetSpec(path="x"), rows, "x")[0].level == column
