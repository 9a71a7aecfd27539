"""`spans`: texts, numbers and dates out of a passage by DROP's measure: exact match decides, F1 stands beside.

Texts are lowered and freed of articles and of the punctuation in words; numbers are compared as numbers. Exact match asks for all
spans of one gold and no others. F1 lays each span beside one of the gold's so that the sum is greatest; two spans of which the
gold's has numbers and the other none of them share nothing. Of several golds the best counts. https://arxiv.org/abs/1903.00161
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.provider_errors import answer_of
from modex.core.evaluators.tool_call.assignment import best_assignment
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, TestCase
from modex.core.verdict import Extra

TITLE = "spans"
"""The title of the part in which exact match and F1 stand."""
_LABEL = re.compile(r"(?i)answer\s*+:[ \t*]*+([^\n]++)")
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_MARKS = str.maketrans("", "", string.punctuation)
_MOST_CHARS, _MOST_SPANS = 20_000, 50
_SCALE = 10**9
"""F1 of two spans as the whole numbers that the assignment adds up."""


class SpansEvaluator(BaseEvaluator):
    """Passes where the answer's spans are those of one of the golds."""

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """What is wrong with `expected`."""
        del config, suite_root
        if not golds_in(test.expected):
            yield 'expected must be golds of which any is right, each a text or a list of texts: [["12"], ["Ann", "Ben"]]'

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Read the spans and compare them.

        Raises:
            JudgeError: `expected` holds no gold, or the answer is a provider's error text.
        """
        del context
        golds = golds_in(sample.expected)
        if not golds:
            raise JudgeError("the test's `expected` holds no gold; write some", ErrorType.INVALID_TEST)
        named = spans_of(answer_of(sample))
        if not named:
            return EvaluationResult(0.0, reason="the response is empty", parts=(_part(False, 0.0, golds[0]),))
        exact, f1, nearest = max(((*measured(named, gold), gold) for gold in golds), key=lambda one: (one[0], one[1]))
        said, asked = "; ".join(named), "; ".join(nearest)
        why = f"got {said} as expected" if exact else f"got {said}, expected {asked} (F1 {f1:.2f})"
        return EvaluationResult(float(exact), extracted_answer=said, reason=why, parts=(_part(exact, f1, nearest),))


def _part(exact: bool, f1: float, gold: Sequence[str]) -> Extra:
    return Extra({"exact": exact, "F1": f1, "nearest gold": list(gold)}, TITLE)


def golds_in(expected: Any) -> list[list[str]]:
    """The golds of which any is right, each a list of spans; empty where `expected` has another form."""
    listed = expected if isinstance(expected, list) else [expected]
    golds = [one if isinstance(one, list) else [one] for one in listed]
    if not all(gold and all(isinstance(span, str) and span.strip() for span in gold) for gold in golds):
        return []
    return golds


def spans_of(response: str) -> list[str]:
    """The spans of a response: what stands behind its last "Answer:", else all of it, apart at each `;`."""
    *_, last = [None, *_LABEL.finditer(response[-_MOST_CHARS:])]
    text = response[-_MOST_CHARS:] if last is None else last[1]
    return [span for part in text.split(";")[:_MOST_SPANS] if (span := part.strip().strip("*").strip())]


def measured(named: Sequence[str], gold: Sequence[str]) -> tuple[bool, float]:
    """Whether the spans are the gold's, and their F1 to two decimals."""
    got, wanted = [normal(span) for span in named], [normal(span) for span in gold]
    exact = set(got) == set(wanted) and len(got) == len(wanted)
    bags, golds = [set(text.split()) for text in got], [set(text.split()) for text in wanted]
    weights = [[round(_SCALE * _f1(bag, gold_bag)) for bag in bags] for gold_bag in golds]
    shared = sum(weights[row][column] for row, column in best_assignment(weights).items())
    return exact, round(shared / _SCALE / max(len(bags), len(golds)), 2)


def normal(text: str) -> str:
    """A span as it is compared: words in small letters without articles and punctuation, numbers as numbers."""
    words = (_word(word) for word in re.split("[ -]", text.lower()))
    return " ".join(word for word in words if word)


def _word(word: str) -> str:
    if not _is_number(word):
        word = word.translate(_MARKS)
    if _is_number(word):
        word = str(float(word))
    return " ".join(_ARTICLE.sub(" ", word).split())


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _f1(bag: set[str], gold: set[str]) -> float:
    numbers = {word for word in gold if _is_number(word)}
    if numbers and not numbers & bag:
        return 0.0
    shared = len(bag & gold)
    precision, recall = shared / len(bag) if bag else 1.0, shared / len(gold) if gold else 1.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
