"""Our own verdicts: `match`, as a run of a dataset gives them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from benchmarks.parity.rows import Answer
from modex.core.evaluators.base import JudgeContext
from modex.core.evaluators.registry import find_config, get_evaluator
from modex.core.store.sample import EvaluationSample


def verdicts(answers: Iterable[Answer]) -> list[bool]:
    """Whether `match` passes each answer."""
    config = find_config("match", {})
    assert config is not None
    context = JudgeContext(config, template=lambda name: name)
    evaluator = get_evaluator(config)
    return [evaluator.evaluate(_sample(answer), context).score >= 0.7 for answer in answers]


def _sample(answer: Answer) -> EvaluationSample:
    expected: Any = answer.golds
    if answer.kind == "choice":
        expected = {"type": "choice", "value": answer.golds[0], "options": answer.options}
    elif len(answer.golds) == 1:
        expected = answer.golds[0]
    return EvaluationSample(
        prompt=answer.question, expected=expected, response=answer.text, evaluator_id="match", domain=answer.set
    )
