"""`custom`: an LLM judge with the suite's own prompt (`eval_prompt`) and its own range."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from modex.core.evaluators.answers.extraction import Extraction, extract_or_none
from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.judging.judge import Question, fenced, judged, material, rating_question
from modex.core.evaluators.judging.scale import scale_of
from modex.core.evaluators.judging.verdict import Verdict
from modex.core.evaluators.provider_errors import answer_of
from modex.core.evaluators.text.patterns import pattern_problem
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, TestCase
from modex.core.suite.templates import render


class CustomEvaluator(BaseEvaluator):
    """Scores where the verdict lies between `config.min_score` and `config.max_score` (0 and 1 by default).

    The verdict is a JSON object, or what `config.verdict_regex` finds (`extraction_regex` where there is none);
    `config.binary` allows the two ends only. With `uses_pass2` the judge reads the answer that PASS 2 extracted
    (`config.pass2_type`, default `text`), and the whole response where PASS 2 finds none.
    """

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """What is wrong with the evaluator's file."""
        del test, suite_root
        return _problems(config)

    def needs_judge(self, expected: Any, config: EvaluatorConfig) -> bool:
        """Always."""
        del expected, config
        return True

    def needs_extractor(self, expected: Any, config: EvaluatorConfig) -> bool:
        """Only with `uses_pass2`."""
        del expected
        return config.uses_pass2 is True

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Ask the judges; an empty response scores 0 without asking.

        Raises:
            JudgeError: the evaluator's file cannot be used, or no verdict could be reached.
            ModelCallError: a model could not be asked.
        """
        config = context.config
        if problem := next(_problems(config), None):
            raise JudgeError(f"evaluator {config.id!r}: {problem}", ErrorType.EVALUATOR_ERROR)
        response = answer_of(sample)
        if not response.strip():
            return EvaluationResult(0.0, reason="the response is empty")
        extraction: Extraction | None = None
        if config.uses_pass2:
            extraction = extract_or_none(sample, response, context, str(config.config.get("pass2_type", "text")))
            response = response if extraction.answer is None else extraction.answer
        result = judged(context, _question(sample, response, context), scale_of(config))
        if extraction is not None:
            if extraction.answer is None:  # the judge was shown the whole response
                fault = extraction.fault or ("found_nothing" if result.status == "passed" else "")
                extraction = replace(extraction, status="by_rules", source="whole response", fault=fault)
            result.parts += (extraction.part(),)
            result.extracted_answer, result.pass2_used = extraction.answer, True
        return result


def verdict_pattern(config: EvaluatorConfig) -> str | None:
    """The pattern that finds a judge's verdict: `config.verdict_regex`, else `extraction_regex`; None for JSON."""
    given = config.config.get("verdict_regex")
    return given if isinstance(given, str) else config.extraction_regex


def verdict_pattern_problems(config: EvaluatorConfig) -> Iterator[str]:
    """What is wrong with `config.verdict_regex`."""
    given = config.config.get("verdict_regex")
    if given is not None and not isinstance(given, str):
        yield f"config.verdict_regex is a text, not {given!r}"
    elif given is not None and (problem := pattern_problem(given)):
        yield f"config.verdict_regex: {problem}"


def _question(sample: EvaluationSample, response: str, context: JudgeContext) -> Question[Verdict]:
    """The suite's prompt with the material fenced, in the template that adds the rules and the form of the verdict."""
    config = context.config
    scale, pattern = scale_of(config), verdict_pattern(config)
    asked = config.eval_prompt
    assert asked is not None
    values, delimiter = material(sample, response, asked)
    instructions = render(asked, **fenced(values))
    bounds = {"min_score": f"{scale.minimum:g}", "max_score": f"{scale.maximum:g}"}
    kind = "pattern" if pattern else "binary" if scale == type(scale)(binary=True) else "rating"
    form = render(context.template(f"judge/form_{kind}").strip(), pattern=pattern or "", **bounds)
    frame = context.template("judge/pattern" if pattern else "judge/rating")
    message = render(frame, instructions=instructions, delimiter=delimiter, form=form, **bounds)
    return rating_question(message, form, scale, response=response, delimiter=delimiter, pattern=pattern)


def _problems(config: EvaluatorConfig) -> Iterator[str]:
    if not config.eval_prompt or "{response}" not in config.eval_prompt:
        yield "eval_prompt must hold {response}, the text to judge"
    yield from verdict_pattern_problems(config)
    if config.extraction_regex is not None and (problem := pattern_problem(config.extraction_regex)):
        yield f"extraction_regex: {problem}"
    try:
        scale_of(config)
    except ValueError as problem_:
        yield str(problem_)
