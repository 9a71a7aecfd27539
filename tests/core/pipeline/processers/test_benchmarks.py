"""Numbers of known benchmarks beside the metrics: how far the confidence that answers state agrees with being right."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.pipeline.processers.base import BaseProcesser
from modex.core.pipeline.processers.benchmarks import (
    BrowseCompProcesser,
    BrowseCompZHProcesser,
    GaiaProcesser,
    WebWalkerQAProcesser,
    XBenchProcesser,
)
from modex.core.store.sample import EvaluationSample


def _sample(status: Any, response: str | None) -> EvaluationSample:
    score = {"passed": 1.0, "failed": 0.0}.get(status)
    return EvaluationSample(
        domain="d", level=1, test_id=f"{status}{response}", status=status, score=score, response=response
    )


SAMPLES = [
    _sample("passed", "Exact Answer: a\nConfidence: 90%"),
    _sample("failed", "Exact Answer: b\nConfidence: 70%"),
    _sample("failed", "Exact Answer: c"),
    _sample("error", "Confidence: 10%"),
    _sample("skipped", "Confidence: 20%"),
    _sample("pending", "Confidence: 30%"),
    _sample("passed", None),
]


@pytest.mark.parametrize(
    ("processer", "source"),
    [
        (BrowseCompProcesser, "browsecomp"),
        (BrowseCompZHProcesser, "browsecomp_zh"),
        (WebWalkerQAProcesser, "webwalkerqa"),
        (XBenchProcesser, "xbench"),
    ],
)
def test_scored_answers_that_say_how_sure_they_are_are_held_against_being_right(
    processer: type[BrowseCompProcesser], source: str
) -> None:
    assert processer.source == source
    metrics = processer().calculate_metrics(iter(SAMPLES))
    assert metrics.pop("calibration") == {"n": 2, "confidence": 0.8, "accuracy": 0.5, "error": 0.4}
    assert metrics == BaseProcesser.calculate_metrics(processer(), SAMPLES)


def test_without_such_an_answer_there_is_nothing_to_hold_and_other_benchmarks_have_no_such_number() -> None:
    assert BrowseCompProcesser().calculate_metrics(SAMPLES[2:])["calibration"] is None
    assert GaiaProcesser.source == "gaia"
    assert "calibration" not in GaiaProcesser().calculate_metrics(SAMPLES)
