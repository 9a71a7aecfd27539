"""What the scripted demo model is told about a judgement; no other provider sees it."""

from __future__ import annotations

from typing import Any, Literal

from core.llm.types import Cue
from core.store.sample import EvaluationSample


def cue_for(role: Literal["pass2", "judge"], sample: EvaluationSample, kind: str, response: str, **context: Any) -> Cue:
    """The cue of one PASS 2 or judge call about `sample`."""
    return Cue(
        role=role,
        key=f"{sample.domain}/{sample.level}/{sample.test_id}/{sample.epoch}",
        level=sample.level,
        expected=sample.expected,
        evaluator_id=sample.evaluator_id,
        context={"response": response, "type": kind, "expected": sample.expected, **context},
    )
