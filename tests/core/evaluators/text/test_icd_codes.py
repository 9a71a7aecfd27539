from __future__ import annotations

import json
from typing import Any

import pytest

from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.registry import get_evaluator
from modex.core.foundation.errors import JudgeError
from modex.core.suite.definitions import Location, TestCase
from tests.core.evaluators.conftest import config, context, sample

GOLD = {"codes": [{"code": "K29.80", "type": "PRIMARY"}, {"code": "I10", "type": "SECONDARY"}]}


def _score(response: str, expected: Any = GOLD) -> EvaluationResult:
    judged = context("icd_codes")
    return get_evaluator(judged.config).evaluate(sample(response, expected), judged)


def _named(*codes: str) -> str:
    return json.dumps({"codes": [{"code": code} for code in codes]})


@pytest.mark.parametrize(
    ("response", "score"),
    [
        (_named("K29.80", "I10"), 1.0),
        (f"Here they are:\n```json\n{_named('i10', ' k29.80 ')}\n```", 1.0),
        (_named("K29.8", "I10"), 1.0),  # its own beginning is the same code
        (_named("K29.80", "I10", "Z00"), 0.9583),  # two of three named codes were expected
        (_named("K29.80", "I10", "E11.9", "Z00", "R11"), 0.875),
        (_named("K29.80"), 0.625),  # ½ accuracy, completeness and specificity; nothing named in vain
        (_named("K29.90", "I10"), 0.69),  # the right category of one alone: 0.7063 there, which is no pass
        (_named("K29", "I99"), 0.5313),
        (_named("Z99.9"), 0.0),
        ('{"codes": [{"code":al "K29.80"}, {"code": "I10"}', 0.625),  # broken JSON: what can be read of it
        ("K29.80 and I10", 0.0),
        ("", 0.0),
    ],
)
def test_codes_are_scored_by_the_four_shares(response: str, score: float) -> None:
    assert _score(response).score == pytest.approx(score, abs=0.0001)


def test_a_shorter_code_that_is_no_beginning_is_less_specific() -> None:
    assert _score(_named("K29.1"), ["K29.80"]).details["specificity"] == 0.5


def test_what_is_missing_and_what_was_not_expected_is_said() -> None:
    assert _score(_named("I10", "Z00")).why == "missing: K29.80; not expected: Z00"
    assert _score(_named("I10", "K29.8")).why == "every code is there"
    assert (_score(" ").why, _score("none").why) == ("the response is empty", "the response names no code")


@pytest.mark.parametrize(("expected", "wrong"), [(GOLD, 0), (["A90"], 0), ({"codes": []}, 1), ("A90", 1), (None, 1)])
def test_an_expected_value_without_codes_is_a_mistake(expected: Any, wrong: int) -> None:
    test = TestCase("suite", "d", 1, "t", "q", expected, "icd_codes", Location("t.json"))
    evaluator = get_evaluator(config("icd_codes"))
    assert len(list(evaluator.check(test, config("icd_codes"), None))) == wrong
    if wrong:
        with pytest.raises(JudgeError):
            _score(_named("A90"), expected)
