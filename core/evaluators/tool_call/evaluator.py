"""`tool_call`: were the right tools called with the right arguments, in the right order, and nothing else?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.provider_errors import answer_of
from modex.core.evaluators.tool_call.calls import made_calls
from modex.core.evaluators.tool_call.checking import call_faults
from modex.core.evaluators.tool_call.expectations import ExpectationError, Expectations, read_expectations
from modex.core.evaluators.tool_call.final_state import compare_state, untold_state
from modex.core.evaluators.tool_call.final_text import claims_fault, text_faults
from modex.core.evaluators.tool_call.prose import described_calls
from modex.core.evaluators.tool_call.scoring import PARTIAL_CAP, score_calls
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.store.sample import PASS_SCORE, EvaluationSample
from modex.core.suite.checking import prefixed
from modex.core.suite.definitions import EvaluatorConfig, TestCase
from modex.core.verdict import Extra, Part

_ANSWERS = EvaluatorConfig("two_pass", "two_pass", "builtin")


class ToolCallEvaluator(BaseEvaluator):
    """Scores `sample.transcript`; a pass means that everything is right and nothing is too much.

    `config.extra_call_penalty` declares otherwise: each extra call costs that much then, and does not fail the test by
    itself. With `uses_pass2` a response that called nothing is read by PASS 2 for calls that it describes. What the final
    text says counts too: what `expected.text` demands, and no claim (the tools' `claims`) of a call that was not made.
    `config.answer_weight` (0.5) is the share of the final text's answer, where the test expects one.
    """

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """What is wrong with `expected`, the tools' schemas considered."""
        try:
            _number(config, "extra_call_penalty", None)
            _number(config, "answer_weight", 0.5)
            wanted = read_expectations(test.expected)
        except ExpectationError as error:
            yield str(error)
            return
        tools = {tool.name: tool for tool in test.tools}
        for call in wanted.calls:
            yield from call_faults(call, tools)
        for name in sorted(wanted.forbidden - set(tools)):
            yield f"forbids '{name}', which the test does not offer; leave it out"
        yield from (f"'claims' of tool '{tool.id}': {fault}" for tool in test.tools if (fault := claims_fault(tool)))
        if wanted.has_answer:
            from modex.core.evaluators.answers.two_pass import TwoPassEvaluator

            asked = replace(test, expected=wanted.answer)
            yield from (
                prefixed("'answer': ", fault) for fault in TwoPassEvaluator().check(asked, _ANSWERS, suite_root)
            )

    def needs_extractor(self, expected: Any, config: EvaluatorConfig) -> bool:
        """PASS 2 is asked for the final text's answer, and with `uses_pass2` for calls that were only described."""
        if not isinstance(expected, dict):
            return False
        return "answer" in expected or (config.uses_pass2 is True and "no_call" not in expected)

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Score the calls, then the answer where one is expected.

        Raises:
            JudgeError: `expected` cannot be read, or the answer cannot be judged.
            ModelCallError: the extractor could not be asked.
        """
        try:
            wanted = read_expectations(sample.expected)
            penalty = _number(context.config, "extra_call_penalty", None)
            weight = _number(context.config, "answer_weight", 0.5) or 0.0
        except ExpectationError as error:
            raise JudgeError(f"the test cannot be judged: {error}", ErrorType.INVALID_TEST) from error
        made = made_calls(sample, context.tools, wanted.language, values_by_gold=wanted.form == "bfcl")
        described = False
        if not made and context.config.uses_pass2 is True and not wanted.no_call and (sample.response or "").strip():
            made, described = described_calls(sample, answer_of(sample), context), True
        calls_score, part = score_calls(wanted, made, context.tools, extra_call_penalty=penalty)
        score = calls_score
        done = {call.name for call in made if call.fault is None}
        faults = list(text_faults(wanted.text, sample.response or "", done, context.tools))
        said: tuple[Part, ...] = (Extra({"why": "; ".join(faults)}, "final text"),) if faults else ()
        if wanted.state is not None:
            score, state = _with_state(sample, wanted, score)
            said = (state, *said)
        if described:
            note = "no tool was called: these calls stand in the response as prose, and PASS 2 copied them"
            said = (*said, Extra({"note": note, "calls": len(made)}, "pass 2"))
        if not wanted.has_answer:
            if not said:
                return EvaluationResult(score, parts=(part,))
            held = min(score, PARTIAL_CAP) if faults else score
            names = ", ".join(call.name for call in made) if described else None
            return EvaluationResult(held, {}, names, described, (replace(part, score=calls_score), *said))
        answer = _judge_answer(sample, wanted.answer, context)
        total = score * (1 - weight) + answer.score * weight
        if faults or min(score, answer.score) < PASS_SCORE:
            total = min(total, PARTIAL_CAP)
        return EvaluationResult(
            round(total, 6),
            extracted_answer=answer.extracted_answer,
            pass2_used=answer.pass2_used or described,
            parts=(replace(part, score=calls_score), *said, *answer.parts),
        )


def _with_state(sample: EvaluationSample, wanted: Expectations, score: float) -> tuple[float, Extra]:
    """The score with what the mocks know at the end; anything wrong there is no pass.

    Raises:
        JudgeError: nobody can say what they know.
    """
    if why := untold_state(sample):
        words = f"the state at the end cannot be told: {why}"
        raise JudgeError(words, ErrorType.AGENT_ERROR)
    found = compare_state(sample, wanted.state or {}, partial=wanted.partial_state)
    facts: dict[str, Any] = {"places right": found.right, "places": found.total}
    if not found.faults:
        return score, Extra({**facts, "why": "the state at the end is as expected"}, "final state")
    facts |= {"why": "; ".join(found.faults)[:1000]}
    return round(min(score, PARTIAL_CAP) * found.share, 6), Extra(facts, "final state")


def _judge_answer(sample: EvaluationSample, expected: Any, context: JudgeContext) -> EvaluationResult:
    """`two_pass` on the final text, its calls recorded in the same context."""
    from modex.core.evaluators.answers.two_pass import TwoPassEvaluator

    own = context.config
    context.config = context.configs.get("two_pass", _ANSWERS)
    try:
        return TwoPassEvaluator().evaluate(replace(sample, expected=expected), context)
    finally:
        context.config = own


def _number(config: EvaluatorConfig, key: str, default: float | None) -> float | None:
    value = config.config.get(key, default)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ExpectationError(f"'{key}' of evaluator '{config.id}' must be a number from 0 to 1, not {value!r}")
    return float(value)
