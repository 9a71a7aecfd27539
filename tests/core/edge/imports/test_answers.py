"""Answers of a file beside the tests that they may belong to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modex.core.edge.imports.answers import MatchedAnswers, meet, with_tests_of_file
from modex.core.foundation.errors import ConfigurationError
from modex.core.pipeline.rollout.answer_files import read_answers
from modex.core.suite.definitions import Location, TestCase
from tests.rows import each_row

_PASS_2 = "judged by match, without PASS 2; --extractor-model NAME or --evaluator ID for another way"
_OWN = "each row is a test of its own: its question, its gold and the response to it"


def _file(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize(
    ("row", "options", "chosen", "said"),
    [
        ({"id": "a", "question": "q", "gold": "g", "response": "r"}, {},
         {"dataset": True, "question_field": "question", "answer_field": "gold", "id_field": "id", "evaluator": "match"},
         [_OWN, _PASS_2]),
        ({"instruction": "q", "input": "c", "gold": "g", "output": "r"}, {},
         {"dataset": True, "question_field": None, "answer_field": "gold", "id_field": None, "evaluator": "match"},
         [_OWN, _PASS_2]),
        ({"question": "q", "gold": "g", "right": "g2", "response": "r"}, {"answer_field": "right", "evaluator": "regex"},
         {"dataset": True, "question_field": "question", "answer_field": "right", "id_field": None, "evaluator": "regex"},
         [_OWN]),
        ({"question": "q", "gold": "g", "response": "r"}, {"preset": "p"},
         {"dataset": True, "question_field": "question", "answer_field": "gold", "id_field": None, "preset": "p"}, [_OWN]),
        ({"question": "q", "gold": "g", "response": "r"}, {"extractor_model": "m"},
         {"dataset": True, "question_field": "question", "answer_field": "gold", "id_field": None, "extractor_model": "m"},
         [_OWN]),
        ({"question": "q", "gold": "g", "response": "r"}, {"suite": "s"}, {"suite": "s"}, []),
        ({"question": "q", "gold": "g", "response": "r"}, {"domain": ("d",)}, {"domain": ("d",)}, []),
        ({"question": "q", "gold": "g", "response": "r"}, {"dataset": ("other",)},
         {"dataset": ("other",), "evaluator": "match"}, [_PASS_2]),
        ({"id": "a", "response": "r"}, {}, {}, []),
        ({"source": "GAIA", "question": "q", "gold": "g", "response": "r"}, {"judge_model": "m"},
         {"dataset": True, "question_field": "question", "answer_field": "gold", "id_field": None, "judge_model": "m"},
         [_OWN]),
        ({"source": "mine", "question": "q", "gold": "g", "response": "r"}, {"judge_model": "m"},
         {"dataset": True, "question_field": "question", "answer_field": "gold", "id_field": None, "judge_model": "m",
          "evaluator": "match"}, [_OWN, _PASS_2]),
    ],
)  # fmt: skip
def test_a_file_is_its_own_dataset_where_it_can_be_and_nothing_else_is_named(
    row: dict[str, Any], options: dict[str, Any], chosen: dict[str, Any], said: list[str], tmp_path: Path
) -> None:
    path = _file(tmp_path, row)
    wanted = {**chosen, "dataset": (str(path),)} if chosen.get("dataset") is True else chosen
    given = dict(options)
    found, told = with_tests_of_file(path, options, None)
    assert (found, options) == (wanted, given)
    assert told[0].startswith("response: column ")
    assert told[1:] == said


def _tests(*names: str) -> list[TestCase]:
    return [TestCase("suite", "d", 1, name, f"What is {name}?", "e", "keyword", Location("t.json")) for name in names]


@pytest.mark.parametrize(
    ("rows", "met"),
    [
        ([{"id": "a", "response": "r"}], (1, 0, (), False)),
        ([{"id": "d/1/a", "response": "r"}], (1, 0, (), False)),
        ([{"id": "d/2/a", "response": "r"}, {"id": "x", "response": "r"}], (0, 0, ("d/2/a", "x"), False)),
        ([{"question": "What is b?", "response": "r"}, {"question": "Who?", "response": "r"}], (0, 1, ("line 2",), True)),
        ([{"question": "What is b?", "response": "r", "gold": "g"}], (0, 1, (), False)),
        ([{"id": "a", "response": "r", "epoch": 1}, {"id": "a", "response": "s", "epoch": 2}, {"id": "b", "response": "r"}],
         (3, 0, (), False)),
        ([{"id": "z", "question": "What is a?", "response": "r"}, {"id": "b", "response": "r"}], (1, 1, (), True)),
    ],
)  # fmt: skip
def test_an_answer_belongs_to_a_test_by_its_id_or_by_the_words_of_the_question(
    rows: list[dict[str, Any]], met: tuple[int, int, tuple[str, ...], bool], tmp_path: Path
) -> None:
    found = meet(read_answers(_file(tmp_path, *rows)), _tests("a", "b", "b"))
    assert (found.by_id, found.by_question, found.strangers, found.lacks_gold) == met
    assert found.tests == ("a", "b")


@each_row(
    ("found", "told"),
    [
        (MatchedAnswers(3, 0, (), ("a",)), []),
        (MatchedAnswers(3, 1, (), ("a",)), ["3 answers matched by id, 1 by the words of their question"]),
        (MatchedAnswers(1, 0, ("x", "d/alpha", "alphb"), ("alpha",)), [
            "3 answers belong to no test here: x, d/alpha (the test of this id asks another question), "
            "alphb (the nearest is 'alpha')"]),
        (MatchedAnswers(0, 0, tuple("12345"), ()), ["5 answers belong to no test here: 1, 2, 3, 4, 5"]),
        (MatchedAnswers(0, 0, tuple("123456"), ()), ["6 answers belong to no test here: 1, 2, 3, 4, 5 and 1 more"]),
    ],
)  # fmt: skip
def test_a_person_is_told_what_matched_by_words_and_what_belongs_nowhere(
    found: MatchedAnswers, told: list[str]
) -> None:
    assert list(found.told()) == told


@each_row(
    ("found", "fault"),
    [
        (MatchedAnswers(0, 0, ("line 1",), ("a",), lacks_gold=True), "no column with the right answers"),
        (MatchedAnswers(0, 0, ("z" * 81,), tuple("abcdef")),
         f"none of its 1 answers belongs to a test here: the first is '{'z' * 80}', and tests are called a, b, c, d, e; name"),
        (MatchedAnswers(0, 0, (), ()), "the first is '.', and tests are called nothing: there are none"),
        (MatchedAnswers(1, 0, ("z",), ("a",)), None),
        (MatchedAnswers(0, 1, ("z",), ("a",), lacks_gold=True), None),
    ],
)  # fmt: skip
def test_a_file_of_which_nothing_can_be_judged_is_refused(found: MatchedAnswers, fault: str | None) -> None:
    if fault is None:
        found.refuse_if_none(Path("f"))
        return
    with pytest.raises(ConfigurationError, match=fault):
        found.refuse_if_none(Path("f"))
