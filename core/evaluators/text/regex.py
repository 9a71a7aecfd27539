"""`regex`: an answer taken out of the response by a pattern, and compared by rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from modex.core.answers.comparison import compare
from modex.core.answers.kinds import check_expected, expected_answer
from modex.core.answers.locate import locate
from modex.core.answers.text.text import contains_words
from modex.core.evaluators.answers.extraction import Extraction, extract_or_none, plain_answer
from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.provider_errors import answer_of
from modex.core.evaluators.text.patterns import matches, occurs, pattern_problem, trimmed
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, TestCase
from modex.core.verdict import Compared

COMPARISONS = ("exact", "exact_number", "choice", "use_expected_as_pattern", "required_keywords", "found", "by_gold")
_HELD = 0.6
"""The most that a text gets which lacks a required word."""
_TYPED = {"exact": "exact_match", "exact_number": "numeric", "choice": "choice"}


class RegexEvaluator(BaseEvaluator):
    """Scores by `config.comparison`; each is all or nothing but `required_keywords`: the share found, which
    stays below a pass until all are. `found` asks only that the pattern occurs; `by_gold` compares what it took as a number
    where the gold is one, else as a text, and asks only that it occurs where there is no gold. `config.required_keywords`
    are texts that must stand in the response as well.

    The answer is the first group of the last match of `extraction_regex` (else the whole match); without a pattern it is
    the whole response. `config.take: first` takes the first match; `config.ignore_case` is false by default;
    `config.trim_lines` drops the blanks at line ends first. With `uses_pass2` the pattern reads what PASS 2 extracted
    (`config.pass2_type`, default `text`).
    """

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """What is wrong with the patterns, the comparison or `expected`."""
        del suite_root
        comparison = comparison_of(config)
        if config.extraction_regex is not None and (problem := pattern_problem(config.extraction_regex)):
            yield f"extraction_regex: {problem}"
        if comparison not in COMPARISONS:
            yield f"config.comparison is one of {', '.join(COMPARISONS)}, not {comparison!r}"
        elif comparison == "use_expected_as_pattern":
            for pattern in _listed(test.expected):
                if problem := pattern_problem(pattern):
                    yield f"expected: {problem}"
        elif comparison == "required_keywords":
            keywords = _keywords(test.expected)
            if not keywords or not all(isinstance(word, str) and word.strip() for word in keywords):
                yield "expected must hold the required keywords: a text or a list of texts, at least one"
        elif comparison == "by_gold":
            if test.expected not in (None, ""):
                yield from check_expected(test.expected)
        elif comparison != "found":
            yield from check_expected(test.expected, _TYPED[comparison])
        elif config.extraction_regex is None:
            yield "config.comparison 'found' needs an extraction_regex"
        words = config.config.get("required_keywords", [])
        if not isinstance(words, list) or not all(isinstance(word, str) and word.strip() for word in words):
            yield "config.required_keywords must be a list of texts"

    def needs_extractor(self, expected: Any, config: EvaluatorConfig) -> bool:
        """Only with `uses_pass2`."""
        del expected
        return config.uses_pass2 is True

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Extract by pattern and compare.

        Raises:
            JudgeError: a pattern does not compile or takes too long, or `expected` cannot be used.
            ModelCallError: PASS 2 could not be asked.
        """
        config = context.config
        text = answer_of(sample)
        extraction: Extraction | None = None
        if config.uses_pass2:
            extraction = extract_or_none(sample, text, context, str(config.config.get("pass2_type", "text")))
            if extraction.answer is None:
                extraction = _by_pattern_alone(extraction, text, sample, config)
            text = extraction.answer or ""
        notes = (extraction.part(),) if extraction else ()
        asked = bool(extraction and extraction.asked)
        if missing_words := [
            word for word in config.config.get("required_keywords", []) if not contains_words(text, word)
        ]:
            why = f"missing: {', '.join(missing_words)}"
            lacking = Compared(sample.expected, None, comparison_of(config), why)
            return EvaluationResult(0.0, pass2_used=asked, parts=(lacking, *notes))
        answer = extracted_by_pattern(text, config)
        if answer is None:
            why = "the pattern does not occur in the response"
            missing = Compared(sample.expected, None, comparison_of(config), why)
            return EvaluationResult(0.0, pass2_used=asked, parts=(missing, *notes))
        score, part = compare_by_rule(answer, sample.expected, config)
        return EvaluationResult(score, extracted_answer=answer, pass2_used=asked, parts=(part, *notes))


def _by_pattern_alone(
    extraction: Extraction, response: str, sample: EvaluationSample, config: EvaluatorConfig
) -> Extraction:
    """What the pattern takes out of the whole response, where PASS 2 gave nothing and the gold decides whether it is right.

    Only what the response asserts counts, and only what is right: a pattern finds something in most texts.
    """
    if comparison_of(config) not in (*_TYPED, "by_gold", "use_expected_as_pattern") or sample.expected in (None, ""):
        return extraction
    found = extracted_by_pattern(response, config)
    if found is None or config.extraction_regex is None or compare_by_rule(found, sample.expected, config)[0] < 1:
        return extraction
    located = locate(found, response, plain_answer("exact_match"), sample.prompt)
    if not located.found or located.standing is not None:
        return extraction
    fault = extraction.fault or "found_nothing"
    return replace(extraction, answer=response, status="by_rules", span=located.span, source="pattern", fault=fault)


def comparison_of(config: EvaluatorConfig) -> str:
    """The configured comparison; `exact` where none is named."""
    return str(config.config.get("comparison", "exact"))


def extracted_by_pattern(text: str, config: EvaluatorConfig) -> str | None:
    """What `extraction_regex` takes out of `text`; None where it does not occur.

    Raises:
        JudgeError: the pattern does not compile or takes too long.
    """
    if config.config.get("trim_lines"):
        text = trimmed(text)
    if config.extraction_regex is None:
        return text.strip()
    found = None
    for match in matches(config.extraction_regex, text, ignore_case=bool(config.config.get("ignore_case"))):
        if found is not None and not match.group():
            continue  # `.*` also matches the nothing behind its last match, which is no answer
        found = match
        if match.group() and config.config.get("take") == "first":
            break
    if found is None:
        return None
    group = next((value for value in found.groups() if value is not None), None)
    return str(group if group is not None else found.group()).strip()


def compare_by_rule(answer: str, expected: Any, config: EvaluatorConfig) -> tuple[float, Compared]:
    """Score `answer` by `config.comparison`.

    Raises:
        JudgeError: the comparison is unknown, or `expected` cannot be used with it.
    """
    comparison = comparison_of(config)
    if comparison == "found" or (comparison == "by_gold" and expected in (None, "")):
        return 1.0, Compared(None, answer, comparison, "the pattern occurs")
    if comparison == "by_gold":
        right, part = compare(answer, expected_answer(expected))
        return (1.0 if right else 0.0), part
    special = _SPECIAL.get(comparison)
    if special is not None:
        score, why, facts = special(answer, expected, bool(config.config.get("ignore_case")))
        return score, Compared(expected, answer, comparison, why, facts=facts)
    if comparison not in _TYPED:
        raise JudgeError(
            f"config.comparison is one of {', '.join(COMPARISONS)}, not {comparison!r}", ErrorType.EVALUATOR_ERROR
        )
    right, part = compare(answer, expected_answer(expected, _TYPED[comparison]))
    return (1.0 if right else 0.0), part


_Outcome = tuple[float, str, dict[str, Any]]
"""The score, why, and facts beside it."""


def _by_pattern(answer: str, expected: Any, ignore_case: bool) -> _Outcome:
    patterns = [str(pattern) for pattern in _listed(expected)]
    if isinstance(expected, dict) and expected.get("gold") == "parts":
        missing = [pattern for pattern in patterns if not occurs(pattern, answer, ignore_case=ignore_case)]
        return (0.0, f"does not occur: {', '.join(missing)}", {}) if missing else (1.0, "equal", {})
    found = next((pattern for pattern in patterns if occurs(pattern, answer, ignore_case=ignore_case)), None)
    return (0.0, "no expected pattern occurs", {}) if found is None else (1.0, "equal", {"matched": found})


def _by_keywords(answer: str, expected: Any, ignore_case: bool) -> _Outcome:
    del ignore_case
    required = [str(word) for word in _keywords(expected)]
    missing = [word for word in required if not contains_words(answer, word)]
    share = (len(required) - len(missing)) / len(required) if required else 0.0
    share = min(share, _HELD) if missing else share
    return share, f"missing: {', '.join(missing)}" if missing else "all found", {}


_SPECIAL: dict[str, Callable[[str, Any, bool], _Outcome]] = {
    "use_expected_as_pattern": _by_pattern,
    "required_keywords": _by_keywords,
}


def _listed(expected: Any) -> list[Any]:
    if isinstance(expected, dict):
        expected = expected.get("value", expected.get("pattern"))
    return expected if isinstance(expected, list) else [expected]


def _keywords(expected: Any) -> list[Any]:
    if isinstance(expected, dict):
        expected = expected.get("keywords", expected.get("value"))
    return expected if isinstance(expected, list) else [expected]
