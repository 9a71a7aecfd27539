from __future__ import annotations

from typing import Any

import pytest

from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.text.fluency import measure_fluency
from modex.core.evaluators.text.keyword import (
    Keyword,
    KeywordEvaluator,
    _expected_problems,
    _keyword_problems,
    _settings,
    phrase_occurs,
)
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.verdict import Keywords
from tests.core.evaluators.conftest import config, context, part, sample
from tests.rows import each_row

GOOD = "Please drink plenty of water and rest at home. See a doctor if the fever lasts longer than three days."
INDONESIAN = "Sebaiknya pasien banyak minum air putih dan beristirahat di rumah. Segera ke dokter jika demam berlanjut."


def score(response: str, expected: Any, **settings: Any) -> EvaluationResult:
    return KeywordEvaluator().evaluate(sample(response, expected), context(config("keyword", config=settings)))


def test_every_keyword_in_fluent_text_is_full_marks() -> None:
    result = score(GOOD, {"keywords": ["water", ["rest", "sleep"], "doctor"], "language": "en"})
    assert result.score == pytest.approx(1.0)
    assert part(result, Keywords).missing == ()


def test_keywords_are_whole_words_unless_prefixes_are_asked_for() -> None:
    assert part(score("A party is fun for all of us today.", {"keywords": ["art"]}), Keywords).missing == ("art",)
    found = score("We were resting at home all day long.", {"keywords": [{"any": "rest", "prefix": True}]})
    assert part(found, Keywords).matched == ("rest",)


def test_a_missing_required_keyword_never_passes() -> None:
    keywords = ["water", "rest", "fever", {"any": ["hospital"], "required": True, "weight": 0.1}]
    result = score(GOOD, {"keywords": keywords})
    assert (result.score, result.status) == (0.6, "failed")
    assert "hospital" in result.why


def test_a_forbidden_keyword_fails() -> None:
    result = score(GOOD, {"keywords": ["water", {"regex": r"\bdoctors?\b", "forbidden": True}]})
    assert result.score <= 0.3


def test_a_forbidden_keyword_caps_even_a_text_that_has_everything() -> None:
    everything = {"keywords": ["water", "rest", "doctor", {"any": "fever", "forbidden": True}]}
    assert score(GOOD, everything).score == 0.3
    assert score(GOOD, everything, forbidden_cap=0.1).score == 0.1
    assert score(GOOD, {"keywords": [{"any": "fever", "forbidden": True}]}).score == 0.3


def test_relevance_is_the_share_of_the_keywords_and_correctness_that_of_their_weights() -> None:
    result = score(GOOD, {"keywords": [{"any": "water", "weight": 3}, "soup", "tea", "rest"]})
    assert part(result, Keywords).shares == {"relevance": 0.5, "correctness": 0.6667, "fluency": 1.0}
    assert result.score == pytest.approx(0.3 * 0.5 + 0.4 * 4 / 6 + 0.3)


@each_row("count", [1, 2, 3, 4, 5])
def test_half_of_the_keywords_is_no_pass(count: int) -> None:
    there = ["water", "rest", "home", "doctor", "fever"][:count]
    missing = ["soup", "tea", "honey", "sleep", "nurse"][:count]
    assert score(GOOD, {"keywords": there + missing, "language": "en"}).score == pytest.approx(0.65)


def test_everything_in_another_language_is_no_pass() -> None:
    assert score(GOOD, {"keywords": ["water", "rest"], "language": "id"}).score <= 0.3


@each_row(
    ("text", "language", "denied"),
    [
        ("You should drink no water today.", "en", True),
        ("Do not drink water today.", "en", True),
        ("Don't drink any water today.", "en", True),
        ("It works without water.", "en", True),
        ("You need neither water nor rest.", "en", True),
        ("Not only water, also tea.", "en", False),
        ("Drink no more than one litre of water.", "en", False),
        ("There is no doubt water helps.", "en", False),
        ("If it does not help, water is next.", "en", False),
        ("Do not wait, drink water.", "en", False),
        ("No milk but water.", "en", False),
        ("No water. Well, water is fine.", "en", False),
        ("Jangan minum air hari ini.", "id", True),
        ("Jika tidak membaik, air putih membantu.", "id", False),
        ("Trinken Sie kein Wasser.", "de", True),
        ("Ne buvez pas d'eau.", "fr", True),
        ("不喝水", "zh", True),
        ("喝水", "zh", False),
    ],
)
def test_a_denied_keyword_does_not_count(text: str, language: str, denied: bool) -> None:
    words = ["water", "air", "Wasser", "eau", "水"]
    found = part(score(text, {"keywords": [words], "language": language}), Keywords)
    assert bool(found.negated) is denied
    assert (found.shares["correctness"] == 0.0) is denied


def test_a_denied_word_is_not_a_forbidden_one_and_may_be_said_to_count() -> None:
    assert (
        part(score("Do not take aspirin.", {"keywords": [{"any": "aspirin", "forbidden": True}]}), Keywords).forbidden
        == ()
    )
    counting = score("Do not take aspirin.", {"keywords": [{"any": "aspirin", "denied": "counts"}]})
    assert part(counting, Keywords).matched == ("aspirin",)


def test_the_wrong_language_loses_the_fluency() -> None:
    right = score(INDONESIAN, {"keywords": ["air"], "language": "id"})
    wrong = score(INDONESIAN, {"keywords": ["air"], "language": "de"})
    assert part(right, Keywords).shares["fluency"] == 1.0
    assert part(wrong, Keywords).shares["fluency"] == 0.0


def test_weights_come_from_the_evaluator_file() -> None:
    result = score("water water water water water", {"keywords": ["water", "rest"]}, weights={"correctness": 1})
    assert result.score == 0.5


@pytest.mark.parametrize("text", ["Error code: 429 - {'error': 'water'}", "litellm.Timeout: water rest doctor"])
def test_a_providers_error_text_is_never_scored(text: str) -> None:
    with pytest.raises(JudgeError) as caught:
        score(text, {"keywords": ["water"]})
    assert caught.value.error_type == ErrorType.ERROR_TEXT


@each_row(
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
        {"keywords": [{"any": "a", "denied": True}]},
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
    assert part(result, Keywords).facts["scored_characters"] == 200_000
    assert part(result, Keywords).missing == ("doctor",)


def test_weights_of_the_configuration_count_by_their_ratio() -> None:
    half = score(GOOD, {"keywords": ["water", "soup"]}, weights={"relevance": 3, "correctness": 4, "fluency": 3})
    assert half.score == pytest.approx(0.65)


def test_a_forbidden_keyword_that_is_not_said_takes_nothing() -> None:
    result = score(GOOD, {"keywords": ["water", {"any": "butter", "forbidden": True}]})
    assert result.score == pytest.approx(1.0)
    assert part(result, Keywords).missing == ()


def test_a_denial_is_read_in_the_language_of_the_text_where_none_is_declared() -> None:
    text = "Sebaiknya pasien tidak minum air putih malam ini dan segera beristirahat di rumah sampai demam turun."
    assert part(score(text, {"keywords": ["air"]}), Keywords).negated == ("air",)


@each_row(
    ("phrase", "text", "whole", "beginning"),
    [
        ("rest", "rest well", True, True),
        ("rest", "resting", False, True),
        ("rest", "arrest", False, False),
        ("rest", "arrest and rest", True, True),
        ("rest", "a-resting", False, True),
        ("-a", "b-a", True, True),
        ("rest", "", False, False),
    ],
)
def test_a_phrase_stands_as_whole_words_or_begins_one(phrase: str, text: str, whole: bool, beginning: bool) -> None:
    assert phrase_occurs(phrase, text, prefix=False) is whole
    assert phrase_occurs(phrase, text, prefix=True) is beginning


def test_a_keyword_is_said_where_one_of_its_phrases_is_and_denied_where_each_is() -> None:
    both = Keyword(("water", "tea"))
    assert both.occurs("no water but tea", "", "en") == "said"
    assert both.occurs("no water and no tea", "", "en") == "denied"
    assert both.occurs("no water, water", "", "en") == "said"
    assert both.occurs("milk", "", "en") is None
    assert Keyword(regex="w.t").occurs("", "no WATER", "en") == "said"
    assert Keyword(regex="w.t").occurs("wat", "milk", "en") is None
    assert (both.label, Keyword(regex="w.t").label) == ("water | tea", "/w.t/")


@each_row(
    ("item", "problem"),
    [
        ("a", None),
        (["a", "b"], None),
        ([], "alternatives"),
        (["a", " "], "alternatives"),
        (["a", 1], "alternatives"),
        ({"any": "a"}, None),
        ({"any": {"a": 1}}, "alternatives"),
        ({"regex": "a+"}, None),
        ({"any": "a", "regex": "a"}, "either `any` or `regex`"),
        ({"weight": 1}, "either `any` or `regex`"),
        (3, "a text, a list"),
        ({"any": "a", "wight": 1}, "unknown key"),
        ({"any": "a", "weight": 0.01}, None),
        ({"any": "a", "weight": -1}, "above 0"),
        ({"any": "a", "weight": True}, "above 0"),
        ({"any": "a", "weight": "1"}, "above 0"),
        ({"any": "a", "weight": float("inf")}, "above 0"),
        ({"any": "a", "denied": "counts"}, None),
        ({"any": "a", "denied": "x"}, "`denied`"),
        ({"any": "a", "required": True, "forbidden": True}, "both required and forbidden"),
        ({"any": "a", "required": True, "forbidden": False}, None),
    ],
)
def test_what_is_wrong_with_a_keyword(item: Any, problem: str | None) -> None:
    found = list(_keyword_problems(item))
    assert found == [] if problem is None else len(found) == 1 and problem in found[0]


@each_row(
    ("expected", "problems"),
    [
        (["a"], 0),
        ({"keywords": ["a"], "language": "en", "min_words": 1, "max_words": 1}, 0),
        ({"keywords": ["a"], "language": "e"}, 1),
        ({"keywords": ["a"], "language": 3}, 1),
        ({"keywords": ["a"], "max_words": 0}, 1),
        ({"keywords": ["a"], "max_words": True}, 1),
        ({"keywords": ["a"], "min_words": 1.5, "max_words": "x"}, 2),
        ({"keywords": "a"}, 1),
        ({"keywords": [1, {}]}, 2),
    ],
)
def test_how_much_is_wrong_with_expected(expected: Any, problems: int) -> None:
    assert len(list(_expected_problems(expected))) == problems


def test_weights_sum_to_one_and_caps_are_one_at_most() -> None:
    weights, caps = _settings(config("keyword", config={"weights": {"relevance": 1, "fluency": 3}, "required_cap": 1}))
    assert weights == {"relevance": 0.25, "correctness": 0.0, "fluency": 0.75}
    assert caps == {"required_cap": 1.0, "forbidden_cap": 0.3}
    for faulty in (
        {"weights": {"other": 1}},
        {"weights": [1]},
        {"weights": {"relevance": 0}},
        {"weights": {"relevance": -1, "fluency": 3}},
        {"weights": {"relevance": True}},
        {"weights": {"relevance": "1"}},
        {"weights": {"relevance": float("inf")}},
        {"required_cap": 1.01},
        {"forbidden_cap": -0.1},
    ):
        with pytest.raises(ValueError, match="config"):
            _settings(config("keyword", config=faulty))


def test_a_cap_lifts_no_score_that_lies_below_it() -> None:
    missing = {"keywords": ["soup", "tea", {"any": "hospital", "required": True}], "language": "en"}
    assert score(GOOD, missing).score == pytest.approx(0.3)
    assert (
        score(GOOD, {"keywords": ["soup", {"any": "fever", "forbidden": True}]}, weights={"correctness": 1}).score
        == 0.0
    )


def test_an_empty_response_and_the_question_said_again_are_wrong() -> None:
    asked = "Please tell me what I should do about the fever that has lasted for three days now."
    for response in ("", "  \n", asked):
        judged = KeywordEvaluator().evaluate(sample(response, ["fever"], asked), context(config("keyword")))
        assert judged.score == 0.0
