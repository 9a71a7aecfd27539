"""`icd_codes`: a list of codes of the International Classification of Diseases, compared by rules.

score = 0.4 · accuracy + 0.25 · completeness + 0.1 · specificity + 0.25 · precision, as evonic's `icd_code_judge` weighs them:
the share of the expected codes that are there (a code and its own beginning, `K29.8` and `K29.80`, are one), the share of
their categories (the first three characters), how few are named less exactly than asked, and the share of the named codes
that were expected (0.8 of them are enough). A score below 0.85 is no pass, as there: it is held at 0.69.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.provider_errors import answer_of
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.llm.jsontext import parse_json_answer
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, TestCase

PASSES = 0.85
HELD = 0.69
"""What a score from the pass mark of every evaluator (0.7) up to `PASSES` becomes."""
_ENOUGH = 0.8
"""The share of expected ones among the codes that are named from which on nothing is lost by the others."""
_CATEGORY = 3
_CODE = re.compile(r'"code"\s*:\s*"([A-Z][0-9A-Z.]+)"')
_MOST_CODES = 500


class IcdCodesEvaluator(BaseEvaluator):
    """Scores the codes that a response names; see the module for the formula."""

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """What is wrong with `expected`."""
        del config, suite_root
        if not _codes_in(test.expected):
            yield 'expected must name codes: {"codes": [{"code": "K35.80"}, …]}, or a list of texts'

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Read the codes and compare them.

        Raises:
            JudgeError: `expected` names no code.
        """
        del context
        wanted = _codes_in(sample.expected)
        if not wanted:
            raise JudgeError("the test's `expected` names no code; write some", ErrorType.INVALID_TEST)
        response = answer_of(sample)
        named = _codes_of(response)
        if not named:
            why = "the response is empty" if not response.strip() else "the response names no code"
            return EvaluationResult(0.0, {"expected": wanted}, reason=why)
        shares = _shares(wanted, named)
        total = round(
            0.4 * shares["accuracy"]
            + 0.25 * shares["completeness"]
            + 0.1 * shares["specificity"]
            + 0.25 * shares["precision"],
            4,
        )
        missing = [code for code in dict.fromkeys(wanted) if not any(_same(code, other) for other in named)]
        extra = [code for code in dict.fromkeys(named) if not any(_same(code, other) for other in wanted)]
        said = [f"missing: {', '.join(missing)}"] if missing else []
        said += [f"not expected: {', '.join(extra)}"] if extra else []
        details = {"expected": wanted, "named": named, **{name: round(share, 4) for name, share in shares.items()}}
        score = total if total >= PASSES else min(total, HELD)
        return EvaluationResult(
            score, details, extracted_answer=", ".join(named), reason="; ".join(said) or "every code is there"
        )


def _shares(wanted: Sequence[str], named: Sequence[str]) -> dict[str, float]:
    """The four shares, each from 0 to 1."""
    codes, categories = set(wanted), {code[:_CATEGORY] for code in wanted}
    met = sum(any(_same(code, other) for other in named) for code in codes)
    lost = sum(_vague(code, named) for code in wanted)
    right = len({code for code in named if any(_same(code, other) for other in wanted)})
    return {
        "accuracy": met / len(codes),
        "completeness": len(categories & {code[:_CATEGORY] for code in named}) / len(categories),
        "specificity": max(0.0, 1 - lost / len(wanted)),
        "precision": min(1.0, right / len(named) / _ENOUGH),
    }


def _same(left: str, right: str) -> bool:
    """Whether one code is the other, or its beginning."""
    return left.startswith(right) or right.startswith(left)


def _vague(code: str, named: Sequence[str]) -> float:
    """What is lost by how exactly a code is named: 1 without one of its category, ½ by a shorter one, not its beginning."""
    near = [other for other in named if other[:_CATEGORY] == code[:_CATEGORY]]
    if not near:
        return 1.0
    best = max(near, key=len)
    return 0.5 if len(best) < len(code) and not code.startswith(best) else 0.0


def _codes_in(value: Any) -> list[str]:
    """The codes of a JSON value: `codes` of an object, or a list, of texts or of objects with `code`; in capitals."""
    given = value.get("codes") if isinstance(value, dict) else value
    if not isinstance(given, list):
        return []
    texts = [item.get("code") if isinstance(item, dict) else item for item in given[:_MOST_CODES]]
    return [text.strip().upper() for text in texts if isinstance(text, str) and text.strip()]


def _codes_of(response: str) -> list[str]:
    """The codes that a response names in JSON; what only looks like it is read by its `code` keys."""
    if "{" not in response and "[" not in response:
        return []
    if found := _codes_in(parse_json_answer(response).value):
        return found
    try:
        found = _codes_in(json.loads(response))
    except (ValueError, RecursionError):
        found = []
    return found or [code.upper() for code in _CODE.findall(response)[:_MOST_CODES]]
