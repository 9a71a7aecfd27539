"""`loglikelihood`: the likeliest option is right or not, by its sum, its length and its bytes."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.evaluators.answers.loglikelihood import LoglikelihoodEvaluator
from modex.core.evaluators.base import EvaluationResult
from modex.core.foundation.errors import JudgeError
from modex.core.suite.definitions import Location, TestCase
from modex.core.verdict import Likelihood
from tests.core.evaluators.conftest import config, context, part, sample


def option(name: str, logprob: float | None, text: str) -> dict[str, Any]:
    return {
        "name": name,
        "text": text,
        "logprob": logprob,
        "tokens": 1,
        "length": len(text),
        "bytes": len(text.encode()),
    }


def judged(expected: Any, *options: dict[str, Any], way: str = "continuation") -> EvaluationResult:
    one = sample("A", expected)
    one.transcript = [{"role": "user", "content": "x"}, {"role": "assistant", "options": list(options), "way": way}]
    return LoglikelihoodEvaluator().evaluate(one, context(config("loglikelihood")))


def test_the_highest_sum_is_chosen_and_the_highest_by_length_stands_beside() -> None:
    result = judged("B", option("A", -4.0, "no"), option("B", -5.0, "a longer one"), option("C", -6.0, "ééééééé"))
    found = part(result, Likelihood)
    assert (result.score, result.extracted_answer) == (0.0, "A")
    assert (found.chosen, found.by_length, found.by_bytes) == ("A", "B", "B")
    assert found.right(found.by_length)
    assert not found.right(found.chosen)
    assert result.why == "A is likeliest, right is B; by length B, right"


def test_characters_and_bytes_can_choose_otherwise() -> None:
    found = part(
        judged("A", option("A", -4.0, "four"), option("B", -4.1, "ééé"), option("C", -5.9, "sixsix")), Likelihood
    )
    assert (found.by_length, found.by_bytes) == ("C", "B")


def test_the_first_of_equal_ones_counts() -> None:
    assert judged("A", option("A", -4.0, "x"), option("B", -4.0, "y")).score == 1.0
    assert judged("B", option("A", -4.0, "x"), option("B", -4.0, "y")).score == 0.0


def test_any_of_several_right_ones_is_right() -> None:
    assert judged(["B", "C"], option("A", -9.0, "x"), option("B", -8.0, "y"), option("C", -1.0, "z")).score == 1.0


def test_letters_are_compared_by_themselves() -> None:
    result = judged("B", option("A", None, "x"), option("B", -3.0, "yy"), option("C", -2.0, "z"), way="letter")
    found = part(result, Likelihood)
    assert (found.chosen, found.by_length, found.by_bytes, found.options[0].logprob) == ("C", None, None, None)
    assert result.why == "C is likeliest by its letter, right is B"


def test_what_was_asked_for_an_answer_has_no_likelihood() -> None:
    with pytest.raises(JudgeError, match="--reading loglikelihood"):
        LoglikelihoodEvaluator().evaluate(sample("A", "A"), context(config("loglikelihood")))


def faults(expected: Any, likelihood: dict[str, Any]) -> list[str]:
    test = TestCase(
        source="suite", domain="d", level=1, test_id="t", prompt="x", expected=expected, evaluator_id="loglikelihood",
        location=Location("f", 1), likelihood=likelihood,
    )  # fmt: skip
    return list(LoglikelihoodEvaluator().check(test, config("loglikelihood"), None))


def test_options_and_gold_are_checked() -> None:
    form = {"context": "x", "options": ["a", "b"]}
    assert faults("A", form) == faults(["A", "B"], form) == []
    for wrong in ("C", None, [], 1, ["A", "C"]):
        assert faults(wrong, form) == ["expected must be the name of the right option, one of A, B, or a list of such"]
    assert faults("A", {}) == ["likelihood.options must be two texts or more, as a list or by name"]
