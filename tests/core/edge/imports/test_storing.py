"""An answer of another program becomes a sample: what it holds, and what is made of one without a verdict."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from modex.core.edge.imports import storing
from modex.core.store.sample import ELSEWHERE, EvaluationSample

GIVEN: dict[str, Any] = {
    "response": "4", "reasoning": None, "transcript": [], "answer": "4", "prompt_tokens": 1, "completion_tokens": 2,
    "reasoning_tokens": 3, "cached_tokens": 4, "cost_usd": 0.5, "duration_ms": 6, "finish_reason": "stop",
    "started_at": "2026-01-01T00:00:00.000Z", "completed_at": None, "error": None, "score": 1.0, "found": {"a": 1, "b": None},
    "why": "odd",
}  # fmt: skip
RUN: dict[str, Any] = {"completed_at": None, "tool": "inspect_ai", "scorer": "match"}


def filled(run: dict[str, Any] | None = None, **changed: Any) -> EvaluationSample:
    sample = EvaluationSample()
    foreign: Any = SimpleNamespace(**{**GIVEN, **changed})
    storing._fill(sample, foreign, SimpleNamespace(**{**RUN, **(run or {})}))  # type: ignore[arg-type]
    return sample


@pytest.mark.parametrize(
    ("own", "of_run", "said"), [("a", "b", "a"), (None, "b", "b"), (None, None, "now"), ("", "", "now")]
)
def test_when_it_was_done_is_what_is_known_of_it(
    monkeypatch: pytest.MonkeyPatch, own: str | None, of_run: str | None, said: str
) -> None:
    monkeypatch.setattr(storing, "now", lambda: "now")
    assert filled({"completed_at": of_run}, completed_at=own).completed_at == said


@pytest.mark.parametrize(
    ("score", "status", "why"), [(0.7, "passed", None), (0.69, "failed", "odd"), (0.0, "failed", "odd")]
)
def test_a_verdict_is_that_of_the_other_program(score: float, status: str, why: str | None) -> None:
    sample = filled(score=score)
    assert (sample.stage, sample.status, sample.score, sample.reason) == ("judged", status, score, why)
    assert sample.judge_fingerprint == ELSEWHERE
    assert (sample.prompt_tokens, sample.cached_tokens, sample.cost_usd, sample.attempts) == (1, 4, 0.5, 1)
    assert "match of inspect_ai" in str(sample.details)


@pytest.mark.parametrize(
    ("changed", "stage", "message"),
    [
        ({"error": "late"}, "rollout", "late"),
        ({"error": "late", "response": None}, "init", "late"),
        ({"score": None}, "rollout", "inspect_ai stored no verdict"),
    ],
)
def test_without_a_verdict_it_is_an_error_that_says_why(changed: dict[str, Any], stage: str, message: str) -> None:
    sample = filled(**changed)
    assert (sample.stage, sample.status, sample.error_type) == (stage, "error", "imported_error")
    assert (sample.error_message, sample.score) == (message, None)
