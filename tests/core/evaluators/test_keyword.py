from __future__ import annotations

from typing import Any

import pytest

from core.errors import ErrorType, JudgeError
from core.evaluators.base import EvaluationResult
from core.evaluators.fluency import measure_fluency
from core.evaluators.keyword import KeywordEvaluator

from .conftest import config, context, sample

GOOD = "Please drink plenty of water and rest at home. See a doctor if the fever lasts longer than three days."
INDONESIAN = "Sebaiknya pasien banyak minum air putih dan beristirahat di rumah. Segera ke dokter jika demam berlanjut."


def score(response: str, expected: Any, **settings: Any) -> EvaluationResult:
    return KeywordEvaluator().evaluate(sample(response, expected), context(config("keyword", config=settings)))


def test_every_keyword_in_fluent_text_is_full_marks() -> None:
    result = score(GOOD, {"keywords": ["water", ["rest", "sleep"], "doctor"], "language": "en"})
    assert result.score == pytest.approx(1.0)
    assert result.details["missing"] == []


def test_keywords_are_whole_words_unless_prefixes_are_asked_for() -> None:
    assert score("A party is fun for all of us today.", {"keywords": ["art"]}).details["missing"] == ["art"]
    found = score("We were resting at home all day long.", {"keywords": [{"any": "rest", "prefix": True}]})
    assert found.details["matched"] == ["rest"]


def test_a_missing_required_keyword_never_passes() -> None:
    keywords = ["water", "rest", "fever", {"any": ["hospital"], "required": True, "weight": 0.1}]
    result = score(GOOD, {"keywords": keywords})
    assert (result.score, result.status) == (0.6, "failed")
    assert "hospital" in result.details["why"]


def test_a_forbidden_keyword_fails() -> None:
    result = score(GOOD, {"keywords": ["water", {"regex": r"\bdoctors?\b", "forbidden": True}]})
    assert result.score <= 0.3


def test_the_wrong_language_loses_the_fluency() -> None:
    right = score(INDONESIAN, {"keywords": ["air"], "language": "id"})
    wrong = score(INDONESIAN, {"keywords": ["air"], "language": "de"})
    assert right.details["fluency"] == 1.0
    assert wrong.details["fluency"] == 0.0


def test_weights_come_from_the_evaluator_file() -> None:
    result = score("water water water water water", {"keywords": ["water", "rest"]}, weights={"correctness": 1})
    assert result.score == 0.5


@pytest.mark.parametrize("text", ["Error code: 429 - {'error': 'water'}", "litellm.Timeout: water rest doctor"])
def test_a_providers_error_text_is_never_scored(text: str) -> None:
    with pytest.raises(JudgeError) as caught:
        score(text, {"keywords": ["water"]})
    assert caught.value.error_type == ErrorType.ERROR_BODY


@pytest.mark.parametrize(
    "expected",
    [
        None,
        {},
        {"keywords": []},
        {"keywords": [1]},
        {"keywords": [{}]},
        {"keywords": [{"regex": "("}]},
        {"keywords": [""]},
        {"keywords": ["a"], "min_words": 0},
        {"keywords": ["a"], "langauge": "en"},
        {"keywords": [{"any": "a", "weight": 0}]},
    ],
)
def test_a_faulty_expected_is_an_error_of_the_test(expected: Any) -> None:
    with pytest.raises(JudgeError) as caught:
        score(GOOD, expected)
    assert caught.value.error_type == ErrorType.INVALID_TEST


def test_fluency_counts_length_repetition_and_signs() -> None:
    assert measure_fluency(GOOD, "en", 10, 60).score == 1.0
    assert measure_fluency(GOOD, "en", 40).length < 0.6
    assert measure_fluency("word " * 100).form < 0.5
    assert measure_fluency("").score == 0.0
    assert measure_fluency("{}[]()<>?!@#$%^&*-=+ a1").form < 0.6


def test_an_enormous_response_is_scored_in_bounded_time() -> None:
    result = score("water and rest. " * 700_000, {"keywords": ["water", "doctor"], "language": "en"})
    assert result.details["scored_characters"] == 200_000
    assert result.details["missing"] == ["doctor"]
