"""`match`: the response's own final answer against the gold, without PASS 2 (exact, number or choice)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from core.evaluators.answers.comparison import compare, compared
from core.evaluators.answers.forms import asks_for_form
from core.evaluators.answers.free_text import is_free_text, judge_quantity, judge_stated_number, judge_text
from core.evaluators.answers.golds import COMPARISONS, answer_type, bare_gold, is_formula
from core.evaluators.answers.kinds import ExpectedAnswer, check_expected, expected_answer
from core.evaluators.answers.lists import same_joined
from core.evaluators.answers.own import OwnAnswer, read_own
from core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from core.evaluators.provider_errors import answer_of
from core.evaluators.text.choice import options_in
from core.evaluators.text.text import comparable
from core.store.sample import EvaluationSample
from core.suite.definitions import EvaluatorConfig, TestCase
from core.verdict import Compared, Extracted


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
        yield from check_expected(bare_gold(test.expected), answer_type(test.expected, config))

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Find the final answer and compare it.

        Raises:
            JudgeError: `expected` cannot be used.
        """
        response = answer_of(sample)
        expected = expected_answer(bare_gold(sample.expected), answer_type(sample.expected, context.config))
        if asks_for_form(sample.prompt, expected.golds):
            expected = replace(expected, as_written=True)
        if expected.type == "choice" and not expected.options and expected.golds[0] in options_in(sample.prompt):
            expected = replace(expected, options=options_in(sample.prompt))
        strict = context.config.config.get("comparison") == "exact"
        if not strict and is_free_text(expected, sample.prompt) and response.strip():
            verdict = judge_text(response, expected, sample.prompt)
            parts = (verdict.compared, verdict.extracted)
            if not verdict.right:
                other = _by_letter(response, expected, sample.prompt) or _by_value(response, expected, sample.prompt)
                if other is not None:
                    return other
            return EvaluationResult(1.0 if verdict.right else 0.0, extracted_answer=verdict.answer or None, parts=parts)
        found = read_own(response, expected, sample.prompt)
        if found is None and (other := _stated_otherwise(response, expected, sample.prompt, None)) is not None:
            return other
        if found is None:
            blank = not response.strip()
            why = "the response is empty" if blank else "the response gives no answer"
            state = "empty_response" if blank else "no_answer"
            return EvaluationResult(0.0, parts=(compared(expected, None, {"why": why}), Extracted(state)))
        right, part = compare(found.text, expected)
        if not right and expected.type == "exact_match":
            right, part = _joined(found.text, expected, part)
        if not right and (other := _stated_otherwise(response, expected, sample.prompt, found)) is not None:
            return other
        extracted = Extracted("found", (found.start, found.start + len(found.text)), source=found.how)
        return EvaluationResult(1.0 if right else 0.0, extracted_answer=found.text, parts=(part, extracted))


def _by_letter(response: str, expected: ExpectedAnswer, prompt: str) -> EvaluationResult | None:
    """The gold's letter, where the gold is the text of an option that the question lists and the response chooses that one."""
    options = options_in(prompt)
    golds = {comparable(gold) for gold in expected.golds}
    letters = [letter for letter, text in options.items() if comparable(text) in golds]
    if len(letters) != 1:
        return None
    wanted = replace(expected, type="choice", golds=(letters[0],), options=options)
    found = read_own(response, wanted, prompt)
    if found is None:
        return None
    right, part = compare(found.text, wanted)
    extracted = Extracted("found", (found.start, found.start + len(found.text)), source=found.how)
    return EvaluationResult(1.0, extracted_answer=found.text, parts=(part, extracted)) if right else None


def _by_value(response: str, expected: ExpectedAnswer, prompt: str) -> EvaluationResult | None:
    """A gold that is a formula, where the response's answer equals it in value."""
    if expected.as_written or not all(map(is_formula, expected.golds)):
        return None
    wanted = replace(expected, type="math")
    found = read_own(response, wanted, prompt)
    if found is None:
        return None
    right, part = compare(found.text, wanted)
    extracted = Extracted("found", (found.start, found.start + len(found.text)), source=found.how)
    return EvaluationResult(1.0, extracted_answer=found.text, parts=(part, extracted)) if right else None


def _stated_otherwise(
    response: str, expected: ExpectedAnswer, prompt: str, found: OwnAnswer | None
) -> EvaluationResult | None:
    """The gold's number in the question said again as a statement, or its quantity in another unit."""
    if expected.type != "numeric" or not response.strip():
        return None
    stated = None
    if found is None or found.how == "last_line":
        stated = judge_stated_number(response, expected, prompt, found.start if found else None)
    stated = stated or judge_quantity(response, expected, prompt, found.start if found else None)
    if stated is None:
        return None
    return EvaluationResult(1.0, extracted_answer=stated.answer, parts=(stated.compared, stated.extracted))


def _joined(answer: str, expected: ExpectedAnswer, part: Compared) -> tuple[bool, Compared]:
    """Words that differ in blanks only (`sea gull`) are one where no test asks for their exact form."""
    gold = next((gold for gold in expected.golds if same_joined(gold, answer, expected.locale)), None)
    return (False, part) if gold is None else (True, compared(expected, answer, {"why": "equal", "matched": gold}))
