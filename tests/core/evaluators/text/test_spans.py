"""Spans are compared as DROP's own measure compares them; what passes is an exact match."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.registry import get_evaluator
from modex.core.evaluators.text.spans import TITLE, golds_in, measured, normal, spans_of
from modex.core.foundation.errors import JudgeError
from modex.core.suite.definitions import Location, TestCase
from modex.core.verdict import Extra
from tests.core.evaluators.conftest import config, context, sample
from tests.rows import each_row


def score(response: str, expected: Any) -> EvaluationResult:
    judged = context("spans")
    return get_evaluator(judged.config).evaluate(sample(response, expected), judged)


@each_row(
    ("text", "same"),
    [
        ("The  Big-Apple", "big apple"),
        ("U.S.", "us"),
        ("1,205", "1205.0"),
        ("12.50", "12.5"),
        ("-7", "7.0"),
        ("12 yards", "12.0 yards"),
        ("an apple a day", "apple day"),
        ("the", ""),
        ("Then", "then"),
        ("don't", "dont"),
    ],
)
def test_a_span_is_compared_without_what_does_not_matter(text: str, same: str) -> None:
    assert normal(text) == same


@each_row(
    ("named", "gold", "exact", "f1"),
    [
        (["12"], ["12"], True, 1.0),
        (["12.0"], ["12"], True, 1.0),
        (["12 yards"], ["12"], False, 0.67),
        (["13"], ["12"], False, 0.0),
        (["13 yards"], ["12 yards"], False, 0.0),
        (["yards"], ["12 yards"], False, 0.0),
        (["the Bears"], ["Bears"], True, 1.0),
        (["Chicago Bears"], ["Bears"], False, 0.67),
        (["Bears Chicago"], ["Chicago Bears"], False, 1.0),
        (["Ann", "Ben"], ["Ben", "Ann"], True, 1.0),
        (["Ann"], ["Ben", "Ann"], False, 0.5),
        (["Ann", "Ben"], ["Ann"], False, 0.5),
        (["Ann", "Ann"], ["Ann", "Ben"], False, 0.5),
        (["Ann", "Ann"], ["Ann"], False, 0.5),
        (["Ann Lee", "Ben"], ["Ann Lee", "Ann Ben"], False, 0.83),
        (["Cem"], ["Ann", "Ben"], False, 0.0),
        (["the"], ["12"], False, 0.0),
        (["the"], ["a"], True, 1.0),
    ],
)
def test_exact_match_and_f1(named: list[str], gold: list[str], exact: bool, f1: float) -> None:
    assert measured(named, gold) == (exact, f1)


@each_row(
    ("response", "spans"),
    [
        ("They ran.\n\nAnswer: 12", ["12"]),
        ("Answer: 12\nNo.\nanswer : Ann; Ben ;", ["Ann", "Ben"]),
        ("**Answer:** 12 yards", ["12 yards"]),
        ("**Answer: 12**", ["12"]),
        ("12", ["12"]),
        ("Answer:\n12", ["Answer:\n12"]),
        (" ; ", []),
        ("", []),
    ],
)
def test_spans_stand_behind_the_last_label(response: str, spans: list[str]) -> None:
    assert spans_of(response) == spans


@each_row(
    ("expected", "golds"),
    [
        ("12", [["12"]]),
        (["12", "twelve"], [["12"], ["twelve"]]),
        ([["Ann", "Ben"], "both"], [["Ann", "Ben"], ["both"]]),
        ([], []),
        ([[]], []),
        (["12", " "], []),
        ([["12", " "]], []),
        ([12], []),
        (None, []),
        ({"value": "12"}, []),
    ],
)
def test_golds_are_texts_or_lists_of_texts(expected: Any, golds: list[list[str]]) -> None:
    assert golds_in(expected) == golds
    test = TestCase("suite", "d", 1, "t", "q", expected, "spans", Location("t.json"))
    assert len(list(get_evaluator(config("spans")).check(test, config("spans"), None))) == (not golds)


def test_the_best_of_several_golds_counts_and_is_told() -> None:
    right = score("Answer: the twelve", [["12"], ["twelve"], ["twelve", "yards"]])
    assert (right.score, right.extracted_answer, right.why) == (1.0, "the twelve", "got the twelve as expected")
    assert right.parts == (Extra({"exact": True, "F1": 1.0, "nearest gold": ["twelve"]}, TITLE),)
    wrong = score("Answer: 12 yards; 3", [["12"], ["13", "3"], ["nine"]])
    assert (wrong.score, wrong.why) == (0.0, "got 12 yards; 3, expected 13; 3 (F1 0.50)")
    assert wrong.parts == (Extra({"exact": False, "F1": 0.5, "nearest gold": ["13", "3"]}, TITLE),)


def test_an_exact_match_comes_before_a_greater_f1() -> None:
    assert score("Answer: Bears Chicago", [["Chicago Bears"], ["bears chicago"]]).score == 1.0
    assert score("Answer: Bears Chicago", [["Chicago Bears"]]).score == 0.0


def test_an_empty_response_has_no_share() -> None:
    empty = score("", [["12"]])
    assert (empty.score, empty.why) == (0.0, "the response is empty")
    assert empty.parts == (Extra({"exact": False, "F1": 0.0, "nearest gold": ["12"]}, TITLE),)


def test_without_a_gold_there_is_no_verdict() -> None:
    with pytest.raises(JudgeError, match="holds no gold"):
        score("12", [])


def test_of_a_long_response_the_end_is_read() -> None:
    assert spans_of("Answer: 1\n" + "x" * 20_000 + "\nAnswer: 2") == ["2"]
    assert len(spans_of("Answer: " + "a;" * 80)) == 50
