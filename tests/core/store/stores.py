"""Samples and runs for the tests of the store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.store import readers
from modex.core.store.database import open_database
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import ROLLOUT_FIELDS, VERDICT_FIELDS, EvaluationSample
from modex.core.store.writer import Writer

CONFIG = RunConfig(model=ModelSpec(model="openai/test-model"))
FINISHED = tuple(dict.fromkeys((*ROLLOUT_FIELDS, *VERDICT_FIELDS)))


def sample(test_id: str = "t", *, asked: str = "a", judged: str = "j", **fields: Any) -> EvaluationSample:
    """A planned sample with its two fingerprints."""
    base = EvaluationSample(
        domain="d",
        test_id=test_id,
        prompt="2+2?",
        expected=4,
        evaluator_id="keyword",
        rollout_fingerprint=asked,
        judge_fingerprint=judged,
    )
    return replace(base, **fields)


def finished(planned: EvaluationSample, *, score: float = 1.0, **fields: Any) -> EvaluationSample:
    """The sample as a rollout and a judgement leave it."""
    return replace(
        planned,
        **{
            "stage": "judged",
            "status": "passed" if score >= 0.7 else "failed",
            "score": score,
            "response": "4",
            "completed_at": "2026-01-01T00:00:00.000Z",
            **fields,
        },
    )


def store_finished(manager: DBDataManager, run_id: int, **fields: Any) -> None:
    """Store every sample of the run as finished."""
    with_writer(
        manager,
        run_id,
        lambda writer: [
            writer.save(finished(item, **fields), FINISHED, before=item.status)
            for item in list(manager.reader.samples(run_id))
        ],
    )


def with_writer(manager: DBDataManager, run_id: int, work: Callable[[Writer], object]) -> None:
    """Do something with a writer that is closed again."""
    writer = Writer(open_database(manager.path), run_id)
    try:
        work(writer)
    finally:
        writer.close()


def side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on two processes read any run, however small it is and however few cores there are."""
    monkeypatch.setattr(readers, "WORTH", 1)
    monkeypatch.setattr(readers, "cores", lambda: 2)
