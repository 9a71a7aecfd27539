"""The metrics that every processer gives."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.pipeline.processers import BaseMatchProcesser, SuiteProcesser
from modex.core.statistics.intervals import wilson
from modex.core.store.sample import EvaluationSample

SAMPLE = st.builds(
    EvaluationSample,
    domain=st.sampled_from(["a", "b"]),
    level=st.integers(1, 3),
    status=st.sampled_from(["passed", "failed", "error", "skipped", "pending"]),
    flags=st.lists(st.sampled_from(["empty_answer", "tool_limit"]), max_size=1),
    prompt_tokens=st.integers(0, 9),
    completion_tokens=st.integers(0, 9),
    duration_ms=st.integers(0, 9),
    cost_usd=st.one_of(st.none(), st.just(0.5)),
)


def metrics(samples: list[EvaluationSample]) -> dict[str, Any]:
    return BaseMatchProcesser().calculate_metrics(iter(samples))


@given(st.lists(SAMPLE, max_size=20))
def test_the_sums_are_those_of_the_samples(samples: list[EvaluationSample]) -> None:
    for number, sample in enumerate(samples):
        sample.test_id = str(number)
    found = metrics(samples)
    scored = [sample for sample in samples if sample.status in ("passed", "failed")]
    passed = sum(sample.status == "passed" for sample in scored)
    assert (found["accuracy"]["passed"], found["accuracy"]["n"]) == (passed, len(scored))
    interval = wilson(passed, len(scored))
    assert (found["accuracy"]["ci_low"], found["accuracy"]["ci_high"]) == (
        pytest.approx(interval) if interval else (None, None)
    )
    assert found["total"] == len(samples)
    assert found["errors"] == sum(sample.status == "error" for sample in samples)
    assert found["no_answer"] == sum("empty_answer" in sample.flags for sample in samples)
    assert found["tokens"] == sum(sample.prompt_tokens + sample.completion_tokens for sample in samples)
    known = [sample.cost_usd for sample in samples]
    assert found["cost_usd"] == (None if None in known else pytest.approx(sum(cost or 0 for cost in known)))
    for name, key in (("by_level", "level"), ("by_category", "domain")):
        for group, rate in found[name].items():
            members = [sample for sample in scored if str(getattr(sample, key)) == group]
            assert rate["n"] == len(members)
            assert rate["rate"] == sum(sample.status == "passed" for sample in members) / len(members)


def test_nothing_scored_has_no_rate() -> None:
    assert metrics([])["accuracy"] == {"rate": None, "passed": 0, "n": 0, "ci_low": None, "ci_high": None}


def test_the_epochs_of_a_test_are_one_draw() -> None:
    def accuracy(epochs: int) -> dict[str, Any]:
        return metrics(  # type: ignore[no-any-return]
            [
                EvaluationSample(domain="a", test_id=str(test), epoch=epoch, status="passed" if test % 3 else "failed")
                for test in range(12)
                for epoch in range(epochs)
            ]
        )["accuracy"]

    once, often = accuracy(1), accuracy(10)
    assert (often["n"], often["rate"]) == (120, once["rate"])
    assert (often["ci_low"], often["ci_high"]) == pytest.approx((once["ci_low"], once["ci_high"]))


def test_a_processer_judges_by_its_own_evaluator_and_else_by_the_samples() -> None:
    class Own(BaseMatchProcesser):
        source = "own"
        evaluator_id = "regex"

    sample = EvaluationSample(evaluator_id="keyword")
    assert Own().judged_by(sample) == "regex"
    assert SuiteProcesser().judged_by(sample) == "keyword"
