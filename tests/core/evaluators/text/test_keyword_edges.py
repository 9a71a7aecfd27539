"""What keywords come to at the edges: nothing wanted, no weight said, settings that cannot be used."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.text.keyword import KeywordEvaluator, _expected_problems, _settings
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.suite.definitions import Location, TestCase
from modex.core.verdict import Keywords
from tests.core.evaluators.conftest import config, context, part, sample
from tests.rows import each_row

GOOD = "Please drink plenty of water and rest at home. See a doctor if the fever lasts longer than three days."


def score(expected: Any, **settings: Any) -> EvaluationResult:
    return KeywordEvaluator().evaluate(sample(GOOD, expected), context(config("keyword", config=settings)))


@each_row(
    ("keywords", "relevance", "correctness"),
    [
        ([{"any": "butter", "forbidden": True}], 1.0, 1.0),
        ([{"any": "water"}, "soup"], 0.5, 0.5),
        ([{"any": "water"}, "soup", "tea"], 0.3333, 0.3333),
        ([{"any": "water", "weight": 2}, {"any": "soup"}], 0.5, 0.6667),
        ([{"any": ["soup", "water"]}, ["tea", "rest"], "doctor"], 1.0, 1.0),
        ([{"regex": "WAT.R"}, {"any": "doct", "prefix": True}, {"any": "doct"}], 0.6667, 0.6667),
    ],
)
def test_a_keyword_without_a_weight_weighs_one(keywords: list[Any], relevance: float, correctness: float) -> None:
    shares = part(score({"keywords": keywords}), Keywords).shares
    assert (shares["relevance"], shares["correctness"]) == (relevance, correctness)


def test_form_and_length_are_told_with_four_places() -> None:
    found = part(score({"keywords": ["water"], "min_words": 60}), Keywords)
    assert found.facts == {"form": 1.0, "length": 0.3333}
    assert found.shares["fluency"] == 0.6667
    assert (found.detected, found.language, found.why) == ("en", None, "")


def test_settings_that_cannot_be_used_are_an_error_of_the_evaluator_and_told_by_the_check() -> None:
    with pytest.raises(JudgeError) as caught:
        score(["water"], weights={"relevance": 0})
    assert caught.value.error_type == ErrorType.EVALUATOR_ERROR
    own = config("keyword", config={"required_cap": 2})
    test = TestCase("suite", "d", 1, "t", "?", ["water"], "keyword", Location("t.json"))
    assert len(list(KeywordEvaluator().check(test, own, None))) == 1


@each_row("weights", [["relevance"], "relevance", {"other": 1, "relevance": 1}, None])
def test_weights_are_an_object_of_the_three_that_there_are(weights: Any) -> None:
    with pytest.raises(ValueError, match=r"config\.weights names relevance, correctness, fluency only"):
        _settings(config("keyword", config={"weights": weights}))


@each_row(
    ("expected", "said"),
    [
        ({"keywords": ["a", {}]}, "keyword 2: it needs either"),
        ({"keywords": [3]}, "keyword 1: it is a text"),
        ({"keywords": ["a"], **dict.fromkeys("zyxwabc", 1)}, "expected has no key 'a' here"),
        ({"keywords": [{"any": "a", **dict.fromkeys("zyxwbc", 1)}]}, "keyword 1: unknown key 'b'"),
        ({"keywords": ["a"], "min_words": 0}, "`min_words` is a whole number of 1 or more"),
        ({"keywords": ["a"], "max_words": -1}, "`max_words` is a whole number of 1 or more"),
    ],
)
def test_the_first_mistake_is_named_with_its_place(expected: Any, said: str) -> None:
    assert next(iter(_expected_problems(expected))).startswith(said)


def test_weights_whose_shares_sum_to_a_little_more_than_one_give_a_full_score() -> None:
    for first in range(1, 12):
        for last in range(1, 12):
            weights = {"relevance": first, "correctness": 7, "fluency": last}
            assert score(["water"], weights=weights).score == pytest.approx(1.0)
