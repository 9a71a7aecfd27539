"""`gaia`: the final answer by GAIA's published rules, without any model.

A gold that is a number is compared as one, once `$`, `%` and commas are dropped. A gold with a comma or semicolon is a list: as
many items, in their order, each a number or a text. Any other gold is a text: no blanks, no punctuation, any case.
Several golds are alternatives, each compared by these rules; where all of them are asked for, they are the items of one list.

GAIA: https://arxiv.org/abs/2311.12983; its rules: https://huggingface.co/spaces/gaia-benchmark/leaderboard/blob/main/scorer.py.
"""

from __future__ import annotations

import math
import re
import string
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from modex.core.answers.final_answer import find_final_answer
from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.provider_errors import answer_of
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, TestCase
from modex.core.verdict import Compared, Extracted

_PUNCTUATION = str.maketrans("", "", string.punctuation)


def same_by_gaia(gold: str, answer: str) -> bool:
    """Whether an answer is right by GAIA's rules (Mialon et al. 2023, and the scorer published with its leaderboard)."""
    if _number(gold) is not None:
        return _same_number(gold, answer)
    if "," in gold or ";" in gold:
        wanted, given = re.split("[,;]", gold), re.split("[,;]", answer)
        return len(wanted) == len(given) and all(map(_same_item, wanted, given))
    return _plain(gold).translate(_PUNCTUATION) == _plain(answer).translate(_PUNCTUATION)


def _same_item(gold: str, answer: str) -> bool:
    """An item of a list; its punctuation counts, as in the published scorer."""
    return _same_number(gold, answer) if _number(gold) is not None else _plain(gold) == _plain(answer)


def _same_number(gold: str, answer: str) -> bool:
    wanted, given = _number(gold), _number(re.sub("[$%,]", "", answer))
    return wanted is not None and wanted == given


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _plain(text: str) -> str:
    return re.sub(r"\s", "", text).lower()


class GaiaEvaluator(BaseEvaluator):
    """Scores 1 or 0; the answer is what stands behind the last `FINAL ANSWER:`, else what the response marks or ends with."""

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """There must be a gold answer."""
        del config, suite_root
        if not _golds(test.expected):
            yield "expected is empty; write the final answer, which GAIA's matcher compares with"

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Find the final answer and compare it."""
        del context
        response, golds = answer_of(sample), _golds(sample.expected) or [""]
        shown, others = golds[0], tuple(golds[1:])
        found = find_final_answer(response)
        if found is None:
            why = "the response is empty"
            return EvaluationResult(
                0.0, parts=(Compared(shown, None, "gaia", why, aliases=others), Extracted("empty_response"))
            )
        right = any(same_by_gaia(gold, found.text) for gold in golds)
        part = Compared(shown, found.text, "gaia", "equal" if right else "the answers differ", aliases=others)
        span = (found.start, found.start + len(found.text))
        return EvaluationResult(
            1.0 if right else 0.0, extracted_answer=found.text, parts=(part, Extracted("found", span, source=found.how))
        )


def _golds(expected: Any) -> list[str]:
    """The golds that each are right alone, `aliases` among them; a list of which all parts are asked is one gold."""
    document = expected if isinstance(expected, dict) else {"value": expected}
    value = document.get("value")
    listed = value if isinstance(value, list) else [value]
    if document.get("gold") == "parts":
        listed = [", ".join(str(item) for item in listed)]
    golds = [*listed, *(document.get("aliases") or [])]
    return [str(gold) for gold in golds if gold is not None and str(gold).strip()]
