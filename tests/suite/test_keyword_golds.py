"""Every keyword gold of conversation and health tells a good answer from a plausible bad one."""

from __future__ import annotations

import re
from typing import Any

import pytest
import regex

from tests.suite.golds import DEFINITIONS, golds

KEYWORD_EVALUATORS = {None, "keyword", "facts_and_tone"}
TESTS = {
    f"{domain}/{test_id}": test
    for domain in ("conversation", "health")
    for test_id, test in golds(domain).items()
    if test.get("evaluator_id") in KEYWORD_EVALUATORS
}
LANGUAGES = {"de", "en", "es", "fr", "id", "ja"}


def says(keyword: Any, text: str) -> bool:
    """Whether a text has a keyword: a word, one of several, or a pattern; read here independently of the evaluator."""
    if isinstance(keyword, dict) and "regex" in keyword:
        return regex.search(keyword["regex"], text, timeout=2) is not None
    words = keyword["any"] if isinstance(keyword, dict) else keyword if isinstance(keyword, list) else [keyword]
    end = "" if isinstance(keyword, dict) and keyword.get("prefix") else r"(?!\w)"
    return any(re.search(rf"(?<!\w){re.escape(word)}{end}", text, re.IGNORECASE) for word in words)


def verdict(expected: dict[str, Any], text: str) -> bool:
    """Whether everything required is said, nothing forbidden is, and the length fits."""
    for keyword in expected["keywords"]:
        if isinstance(keyword, dict):
            if keyword.get("forbidden") and says(keyword, text):
                return False
            if keyword.get("required") and not says(keyword, text):
                return False
    count = len(text.split())
    return bool(expected.get("min_words", 0) <= count <= expected.get("max_words", count))


@pytest.mark.parametrize("name", TESTS)
def test_the_good_answer_says_everything(name: str) -> None:
    expected = TESTS[name]["expected"]
    good = TESTS[name]["metadata"]["good_answer"]
    assert verdict(expected, good)
    missing = [
        keyword
        for keyword in expected["keywords"]
        if not (isinstance(keyword, dict) and keyword.get("forbidden")) and not says(keyword, good)
    ]
    assert missing == []


@pytest.mark.parametrize("name", TESTS)
def test_the_bad_answer_is_refused(name: str) -> None:
    test = TESTS[name]
    bad = test["metadata"]["bad_answer"]
    assert not verdict(test["expected"], bad)
    assert not verdict(test["expected"], "I don't know.")


@pytest.mark.parametrize("name", [name for name in TESTS if name.startswith("health/")])
def test_health_questions_do_not_give_the_keywords_away(name: str) -> None:
    test = TESTS[name]
    required = [k for k in test["expected"]["keywords"] if isinstance(k, dict) and k.get("required")]
    assert not required or not all(says(keyword, test["prompt"]) for keyword in required)


@pytest.mark.parametrize("name", TESTS)
def test_languages_and_lengths_are_declared(name: str) -> None:
    expected = TESTS[name]["expected"]
    assert expected["language"] in LANGUAGES
    assert expected.get("min_words", 1) < expected.get("max_words", 10_000)


def test_every_health_question_about_a_person_is_in_reach_of_help() -> None:
    """Free answers at level 3 and 4 have to name a place or person to turn to."""
    help_words = ("doctor", "emergency", "notaufnahme", "rumah sakit", "secours", "119")
    for name, test in TESTS.items():
        if name.startswith("health/") and test["level"] in (3, 4):
            written = str(test["expected"]).casefold()
            assert any(word in written for word in help_words), name


def test_judged_conversations_are_few() -> None:
    judged = [
        test
        for test in golds("conversation").values()
        if test.get("evaluator_id") in ("rubric_check", "facts_and_tone")
    ]
    assert 1 <= len(judged) <= 4
    for test in judged:
        assert (DEFINITIONS / f"evaluators/{test['evaluator_id']}.json").is_file()
