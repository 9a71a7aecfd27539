from __future__ import annotations

from typing import Any

import pytest

from modex.core.evaluators.registry import get_evaluator
from modex.core.evaluators.text.mentions import held, lacking, mention_shares
from modex.core.suite.definitions import Location, TestCase
from tests.core.evaluators.conftest import config, context, sample
from tests.rows import each_row

WORDS = ["harbour", "light", "keeper", "storm"]
FEW = "too few words or sentences to pass so"
TALE = (
    "The keeper of the light went down to the shore in the evening. He had seen the weather change over the water for "
    "many hours. Nobody else was there to help him with the boats that night."
)


def _score(response: str, *keywords: str, **more: Any) -> float:
    judged = context("keyword")
    expected = {"keywords": list(keywords), "formula": "mentions", **more}
    return get_evaluator(judged.config).evaluate(sample(response, expected), judged).score


def test_half_of_the_keywords_in_sentences_is_a_pass_and_a_bare_list_of_all_is_none() -> None:
    assert _score(TALE, *WORDS) == pytest.approx(0.3 * 0.6 + 0.4 * 0.9 + 0.3)
    assert _score(" ".join(WORDS), *WORDS) < 0.7
    assert _score(" ".join(WORDS * 9), *WORDS) < 0.7
    assert _score(TALE, "desert", "camel") == pytest.approx(0.3 * 0.2 + 0.4 * 0.3 + 0.3)


@pytest.mark.parametrize(
    ("text", "matched", "wanted", "shares"),
    [
        ("one two three four", 2, 4, {"relevance": 0.44, "correctness": 0.9, "fluency": 0.04}),
        ("Ask dr. No", 0, 1, {"relevance": 0.03, "correctness": 0.3, "fluency": 0.03}),  # a title ends no sentence
        ("It is so. Yes it is!", 0, 0, {"relevance": 0.06, "correctness": 0.3, "fluency": 0.06}),
        # a text that repeats itself has a form of 0.4
        ("It is fine and good. " * 20, 1, 1, {"relevance": 1.0, "correctness": 0.9, "fluency": 0.4 * 0.4 + 0.6}),
        ("That is how. Then comes more.", 1, 1, {"relevance": 0.86, "correctness": 0.9, "fluency": 0.66}),
    ],
)
def test_the_shares_are_those_of_the_page(text: str, matched: int, wanted: int, shares: dict[str, float]) -> None:
    found = mention_shares(text, matched, wanted, None)
    assert found == {name: pytest.approx(share, abs=0.001) for name, share in shares.items()}


def test_more_words_and_sentences_than_enough_add_nothing() -> None:
    assert mention_shares(f"{TALE} {TALE.lower()} Another day came.", 1, 1, None) == mention_shares(TALE, 1, 1, None)


def test_a_text_in_another_language_than_the_declared_one_has_no_form() -> None:
    assert mention_shares(TALE, 1, 1, "id")["fluency"] == pytest.approx(0.6)


@each_row(
    ("text", "score", "why"),
    [
        ("Yes.", 0.69, "too few words or sentences to pass so: 1 word and 1 sentence, where 30 and 3 are enough"),
        ("no end", 0.799, "too few words or sentences to pass so: 2 words and 0 sentences, where 30 and 3 are enough"),
        ("Yes it is.", 0.8, ""),
        (TALE, 0.69, ""),
        (
            TALE.replace(".", ","),
            0.69,
            "too few words or sentences to pass so: 37 words and 0 sentences, where 30 and 3 are enough",
        ),
    ],
)
def test_what_holds_a_short_text_below_a_pass_is_said(text: str, score: float, why: str) -> None:
    assert lacking(text, score) == why


@each_row(
    ("response", "keywords", "why"),
    [
        (
            "Kucing adalah hewan peliharaan.",
            ["kucing"],
            "too few words or sentences to pass so: 4 words and 1 sentence, where 30 and 3 are enough",
        ),
        ("Anjing adalah hewan peliharaan.", ["kucing"], "does not mention kucing"),
        (TALE, WORDS[1:3], "mentions everything asked for"),
    ],
)
def test_the_reason_of_a_verdict_names_what_decided_it(response: str, keywords: list[str], why: str) -> None:
    judged = context("keyword")
    result = get_evaluator(judged.config).evaluate(
        sample(response, {"keywords": keywords, "formula": "mentions"}), judged
    )
    assert result.why == why


@pytest.mark.parametrize(("score", "here"), [(0.8, 0.8), (0.95, 0.95), (0.799, 0.69), (0.7, 0.69), (0.5, 0.5)])
def test_what_passes_from_eight_tenths_on_there_passes_here(score: float, here: float) -> None:
    assert held(score) == here


def test_another_formula_is_a_mistake() -> None:
    test = TestCase("suite", "d", 1, "t", "q", {"keywords": ["a"], "formula": "other"}, "keyword", Location("t.json"))
    assert [*get_evaluator(config("keyword")).check(test, config("keyword"), None)] == [
        '`formula` can only be "mentions"; leave it out for the shares of keywords'
    ]
