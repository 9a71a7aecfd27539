"""`match`: the response's own final answer against the gold, without PASS 2 (exact, number or choice)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from modex.core.answers.asked import asked_answer, right_by_letter, right_by_value, stated_otherwise
from modex.core.answers.asked_units import is_percent_unasked
from modex.core.answers.comparison import compare, compared
from modex.core.answers.enumerated import judge_list
from modex.core.answers.free_text import is_free_text, judge_text
from modex.core.answers.golds import COMPARISONS, answer_type, bare_gold
from modex.core.answers.kinds import ExpectedAnswer, check_expected
from modex.core.answers.lists import same_joined
from modex.core.answers.output import judge_output
from modex.core.answers.own import OwnAnswer, read_own
from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.provider_errors import answer_of
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, TestCase
from modex.core.verdict import Compared, Extracted


class MatchEvaluator(BaseEvaluator):
    """Scores 1 or 0.

    `config.comparison` is `exact`, `number`, `choice`, `boolean`, `math` or `date`; without it the gold decides.
    """

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """What is wrong with `expected` or with `config.comparison`."""
        del suite_root
        comparison = config.config.get("comparison")
        if comparison is not None and comparison not in COMPARISONS:
            yield f"config.comparison is one of {', '.join(COMPARISONS)}, not {comparison!r}"
            return
        yield from check_expected(bare_gold(test.expected), answer_type(test.expected, comparison))

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Find the final answer and compare it.

        Raises:
            JudgeError: `expected` cannot be used.
        """
        response = answer_of(sample)
        comparison = context.config.config.get("comparison")
        kind = answer_type(sample.expected, comparison)
        expected = asked_answer(bare_gold(sample.expected), kind, sample.prompt)
        return read_by_rules(response, expected, sample.prompt, strict=comparison == "exact")


def read_by_rules(response: str, expected: ExpectedAnswer, prompt: str, *, strict: bool = False) -> EvaluationResult:
    """The verdict on `response` by its own final answer, without a model; `strict` asks for that answer's own words."""
    if expected.exact:
        printed = judge_output(response, expected, prompt)
        parts = (printed.compared, printed.extracted)
        return EvaluationResult(1.0 if printed.right else 0.0, extracted_answer=printed.answer or None, parts=parts)
    if not strict and (listed := judge_list(response, expected, prompt)) is not None:
        parts = (listed.compared, listed.extracted)
        return EvaluationResult(1.0 if listed.right else 0.0, extracted_answer=listed.answer, parts=parts)
    if not strict and is_free_text(expected, prompt) and response.strip():
        verdict = judge_text(response, expected, prompt)
        parts = (verdict.compared, verdict.extracted)
        if not verdict.right and (other := _otherwise(response, expected, prompt)) is not None:
            return other
        return EvaluationResult(1.0 if verdict.right else 0.0, extracted_answer=verdict.answer or None, parts=parts)
    found = read_own(response, expected, prompt)
    if found is None and (other := _stated_otherwise(response, expected, prompt, None)) is not None:
        return other
    if found is None:
        blank = not response.strip()
        why = "the response is empty" if blank else "the response gives no answer"
        state = "empty_response" if blank else "no_answer"
        return EvaluationResult(0.0, parts=(compared(expected, None, {"why": why}), Extracted(state)))
    right, part = compare(found.answer, expected)
    if right and expected.type == "numeric" and is_percent_unasked(found.answer, expected, prompt):
        right, part = False, compared(expected, found.answer, {"why": "a percentage where a count is asked"})
    if not right and expected.type == "exact_match":
        right, part = _joined(found.answer, expected, part)
    if not right and (other := _stated_otherwise(response, expected, prompt, found)) is not None:
        return other
    extracted = Extracted("found", (found.start, found.start + len(found.text)), source=found.how)
    return EvaluationResult(1.0 if right else 0.0, extracted_answer=found.answer, parts=(part, extracted))


def _otherwise(response: str, expected: ExpectedAnswer, prompt: str) -> EvaluationResult | None:
    """The gold by its option's letter, or by its value as a formula, where the response gives it so."""
    found = right_by_letter(response, expected, prompt) or right_by_value(response, expected, prompt)
    if found is None:
        return None
    own, part = found
    extracted = Extracted("found", (own.start, own.start + len(own.text)), source=own.how)
    return EvaluationResult(1.0, extracted_answer=own.answer, parts=(part, extracted))


def _stated_otherwise(
    response: str, expected: ExpectedAnswer, prompt: str, found: OwnAnswer | None
) -> EvaluationResult | None:
    """The gold's number in the question said again as a statement, or its quantity in another unit."""
    stated = stated_otherwise(response, expected, prompt, found)
    if stated is None:
        return None
    return EvaluationResult(1.0, extracted_answer=stated.answer, parts=(stated.compared, stated.extracted))


def _joined(answer: str, expected: ExpectedAnswer, part: Compared) -> tuple[bool, Compared]:
    """Words that differ in blanks only (`sea gull`) are one where no test asks for their exact form."""
    gold = next((gold for gold in expected.golds if same_joined(gold, answer, expected.locale)), None)
    return (False, part) if gold is None else (True, compared(expected, answer, {"why": "equal", "matched": gold}))
