"""`two_pass`: PASS 2 extracts the bare answer from the response, and the answer is compared by its type."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from modex.core.answers.asked import asked_answer, right_by_letter, right_by_value
from modex.core.answers.asked_units import is_percent_unasked
from modex.core.answers.comparison import compare, compared
from modex.core.answers.enumerated import judge_list
from modex.core.answers.free_text import TextVerdict, golds_of, is_free_text, judge_text, refuses
from modex.core.answers.golds import answer_type, bare_gold
from modex.core.answers.kinds import ExpectedAnswer, check_expected
from modex.core.answers.locate import asserts
from modex.core.answers.output import judge_output
from modex.core.answers.text.choice import options_in
from modex.core.answers.text.text import words
from modex.core.evaluators.answers.contradiction import contradicted, is_quoted, refused_text, typed_gold
from modex.core.evaluators.answers.extraction import Extraction, extract, own_answer
from modex.core.evaluators.answers.match import read_by_rules
from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.provider_errors import answer_of
from modex.core.foundation.errors import JudgeError
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, TestCase
from modex.core.verdict import Extracted


class TwoPassEvaluator(BaseEvaluator):
    """Scores 1 or 0. `config.type` is the answer type of tests that name none; `uses_pass2: false` reads the response's
    own final answer instead of asking.
    """

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """What is wrong with `expected`."""
        del suite_root
        return check_expected(test.expected, config.config.get("type"))

    def needs_extractor(self, expected: Any, config: EvaluatorConfig) -> bool:
        """PASS 2 is asked unless the configuration says no."""
        del expected
        return config.uses_pass2 is not False

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Extract and compare; where PASS 2 is no use, what the rules read is compared.

        Raises:
            JudgeError: `expected` cannot be used, or neither PASS 2 nor the rules gave anything to compare.
            ModelCallError: the extractor could not be asked.
        """
        response = answer_of(sample)
        expected = asked_answer(bare_gold(sample.expected), _kind(sample, context.config), sample.prompt)
        if context.config.uses_pass2 is False:
            found = own_answer(response, expected, sample.prompt)
            return _judged(found, response, expected, sample.prompt, asked=False)
        try:
            found = extract(sample, response, context, expected)
        except JudgeError as problem:
            listed = None if context.extractor is None else judge_list(response, expected, sample.prompt)
            free = expected.exact or is_free_text(expected, sample.prompt)
            if context.extractor is None or not (free or listed):
                raise
            found = Extraction(None, "no_answer", form="none", fault="unreadable")
            if listed is not None and not free:
                return _by_list(found, listed, expected, asked=True)
            if expected.exact:
                return _by_output(found, judge_output(response, expected, sample.prompt), asked=True)
            verdict = judge_text(response, expected, sample.prompt)
            if not verdict.answer:
                raise problem from None
            return _by_assertion(found, verdict)
        return _judged(found, response, expected, sample.prompt, asked=found.asked)


def _kind(sample: EvaluationSample, config: EvaluatorConfig) -> str | None:
    """The answer type that the test or the configuration names, else the one that `match` gives such a gold."""
    named = config.config.get("type")
    if named is not None or (isinstance(sample.expected, dict) and sample.expected.get("type")):
        return cast(str | None, named)
    kind = answer_type(sample.expected, config.config.get("comparison"))
    listed = kind != "choice" or isinstance(sample.expected, dict) or bool(options_in(sample.prompt))
    return kind if listed else None


def _judged(
    found: Extraction, response: str, expected: ExpectedAnswer, prompt: str, *, asked: bool
) -> EvaluationResult:
    """Compare what was found; a free-text gold counts where the extractor was no use and the response asserts it."""
    if expected.exact and found.status != "empty_response":
        return _by_output(found, judge_output(response, expected, prompt, found.span), asked=asked)
    if (listed := judge_list(response, expected, prompt)) is not None:
        return _by_list(found, listed, expected, asked=asked)
    free = is_free_text(expected, prompt)
    right, part = (False, None) if found.answer is None else compare(found.answer, expected)
    if not right and free and found.answer is not None:
        asserted = judge_text(found.answer, expected, prompt)
        right, part = asserted.right, asserted.compared if asserted.right else part
    against = False
    if right and found.status == "found" and asked:
        if (refused := refused_text(found, response, expected, prompt)) is not None:
            source, named = refused.extracted.source, refuses(refused)
            unheld = replace(found, offered=found.answer or "", fault="not_asserted" if named else "contradicted")
            return _by_assertion(replace(unheld, stance=source) if named else unheld, refused)
        if (other := contradicted(found, response, expected, prompt)) is not None:
            found, against = other, True
            right, part = (False, None) if found.answer is None else compare(found.answer, expected)
    if (
        not right
        and not against
        and free
        and asked
        and (found.fault or found.answer is None or _echoes(found.answer, expected, prompt))
    ):
        verdict = judge_text(response, expected, prompt)
        if verdict.right:
            return _by_assertion(found, verdict)
    if right and asked and expected.type == "numeric" and is_percent_unasked(found.answer or "", expected, prompt):
        right, part = False, compared(expected, found.answer, {"why": "a percentage where a count is asked"})
    if not right and not against and asked and (read := _read_instead(found, response, expected, prompt)) is not None:
        return read
    if not right and not against and expected.type == "exact_match" and not expected.parts:
        formed = right_by_letter(response, expected, prompt) or right_by_value(response, expected, prompt)
        if formed is not None:
            own, part = formed
            span = (own.start, own.start + len(own.text))
            right, found = True, replace(found, answer=own.answer, status="by_rules", span=span, source=own.how)
    if part is None:
        why = "the response is empty" if found.status == "empty_response" else "the response gives no answer"
        return EvaluationResult(0.0, pass2_used=asked, parts=(compared(expected, None, {"why": why}), found.part()))
    return EvaluationResult(
        1.0 if right else 0.0, extracted_answer=found.answer, pass2_used=asked, parts=(part, found.part())
    )


def _read_instead(found: Extraction, response: str, expected: ExpectedAnswer, prompt: str) -> EvaluationResult | None:
    """The rules' verdict, where the response is right by it and what PASS 2 gave is no answer by itself.

    It gave nothing that can be used, a sentence or a step where a value is asked, or a piece of what the rules read.
    """
    typed = typed_gold(expected, prompt) or expected
    if found.answer is not None and not (found.fault or is_quoted(found, response, typed, prompt)):
        return None
    read = read_by_rules(response, typed, prompt)
    if not read.score:
        return None
    own = next(part for part in read.parts if isinstance(part, Extracted))
    if found.fault == "not_asserted" and not (own.span and asserts(response, own.span[0], own.span[1], prompt)):
        return None
    told = replace(found, status="by_rules", source=own.source, span=None, offered=found.offered or found.answer or "")
    parts = tuple(replace(told.part(), span=own.span) if part is own else part for part in read.parts)
    return EvaluationResult(read.score, extracted_answer=read.extracted_answer, pass2_used=True, parts=parts)


def _by_assertion(found: Extraction, verdict: TextVerdict) -> EvaluationResult:
    """The verdict by what the response asserts, in place of the extractor's answer."""
    own, read = verdict.extracted, found
    if not found.fault:  # it found nothing, or quoted the question
        read = replace(found, fault="found_nothing") if found.answer is None else _echoed(found)
    part = replace(read, status="by_rules", source=own.source, span=None).part()
    part = replace(part, span=own.span)
    score = 1.0 if verdict.right else 0.0
    return EvaluationResult(
        score, extracted_answer=verdict.answer or None, pass2_used=True, parts=(verdict.compared, part)
    )


def _by_output(found: Extraction, verdict: TextVerdict, *, asked: bool) -> EvaluationResult:
    """The verdict on a program's output, which is read in the response as it stands; PASS 2 points to the place."""
    own = verdict.extracted
    part = found.part()
    if found.span is None or own.span != found.span:
        offered = found.offered or found.answer or ""
        told = replace(found, status="by_rules", source=own.source, span=None, offered=offered, fault=found.fault)
        part = replace(told.part(), span=own.span) if asked else own
    score = 1.0 if verdict.right else 0.0
    return EvaluationResult(
        score, extracted_answer=verdict.answer or None, pass2_used=asked, parts=(verdict.compared, part)
    )


def _by_list(found: Extraction, verdict: TextVerdict, expected: ExpectedAnswer, *, asked: bool) -> EvaluationResult:
    """The verdict by what the response enumerates, in place of the extractor's answer where that compares otherwise."""
    own, read = verdict.extracted, found
    if found.answer is None or compare(found.answer, expected)[0] is not verdict.right:
        fault = found.fault or ("found_nothing" if found.answer is None else "contradicted")
        offered = found.offered or found.answer or ""
        told = replace(found, answer=verdict.answer, status="by_rules", span=None, source=own.source)
        read = replace(told, fault=fault if asked else found.fault, offered=offered)
    part = read.part() if read is found else replace(read.part(), span=own.span)
    score = 1.0 if verdict.right else 0.0
    return EvaluationResult(score, extracted_answer=read.answer, pass2_used=asked, parts=(verdict.compared, part))


def _echoed(found: Extraction) -> Extraction:
    return replace(found, offered=found.answer or "", fault="not_asserted", stance="echoed")


def _echoes(answer: str, expected: ExpectedAnswer, prompt: str) -> bool:
    """Whether the extractor's answer only says words of the question, and no gold does."""
    asked = frozenset(words(prompt))
    return set(words(answer)) <= asked and not any(set(words(gold)) <= asked for gold in golds_of(expected))
