"""A judged rate corrected by labels, and what is said of planted judges."""

from __future__ import annotations

import math
from random import Random
from statistics import variance

import pytest

from benchmarks.statistics.judges import PLANTED, corrected_holds, named
from core.statistics.corrected import LEAST_LABELS, corrected_rate
from core.statistics.distributions import t_quantile


def test_a_perfect_judge_lends_its_number_to_the_labels() -> None:
    draw = Random(1)
    truth = [float(draw.random() < 0.8) for _ in range(1000)]
    found = corrected_rate([(y, y) for y in truth[:100]], truth[100:])
    alone = corrected_rate([(y, y) for y in truth[:100]], [])
    assert found is not None
    assert alone is not None
    assert found.rate == pytest.approx(sum(truth) / 1000, abs=0.005)
    assert found.trust == pytest.approx(0.9, abs=0.06)
    assert found.interval[1] - found.interval[0] < (alone.interval[1] - alone.interval[0]) / 2


def test_a_judge_that_guesses_is_not_trusted() -> None:
    draw = Random(2)
    labelled = [(float(draw.random() < 0.3), float(draw.random() < 0.9)) for _ in range(200)]
    found = corrected_rate(labelled, [float(draw.random() < 0.9) for _ in range(2000)])
    assert found is not None
    assert found.judged > 0.85
    assert found.interval[0] < 0.3 < found.interval[1]
    assert found.trust < 0.2


def test_few_labels_correct_nothing() -> None:
    assert corrected_rate([(1.0, 1.0)] * (LEAST_LABELS - 1), [1.0] * 100) is None


def test_epochs_of_a_test_are_one_label() -> None:
    draw = Random(5)
    truth = [float(draw.random() < 0.7) for _ in range(20)]
    pairs = [(y, y if draw.random() < 0.8 else 1 - y) for y in truth for _ in range(5)]
    units = [number for number in range(20) for _ in range(5)]
    alone, together = corrected_rate(pairs, []), corrected_rate(pairs, [], (units, []))
    assert alone is not None
    assert together is not None
    assert together.rate == alone.rate
    assert together.interval[1] - together.interval[0] > 1.8 * (alone.interval[1] - alone.interval[0])
    assert corrected_rate(pairs, [], ([unit // 3 for unit in units], [])) is None


def test_the_corrected_interval_holds_the_truth() -> None:
    draw = Random(3)
    assert sum(corrected_holds(draw) for _ in range(400)) >= 0.92 * 400


@pytest.mark.parametrize("judge", PLANTED, ids=lambda judge: judge.name)
def test_planted_judges_are_named_as_what_they_are(judge: object) -> None:
    draw = Random(f"4 {judge}")
    assert sum(named(draw, judge) for _ in range(100)) >= 94  # type: ignore[arg-type]


def test_whole_units_vary_as_their_means_do_with_one_more_that_disagreed_wholly() -> None:
    means = [0.0, 0.5, 1.0, 0.5, 1.0, 1.0, 0.0, 0.5, 1.0, 0.5, 1.0, 0.5]
    pairs = [(y, 1.0) for mean in means for y in (float(mean > 0), float(mean == 1.0))]
    units = [number for number in range(len(means)) for _ in range(2)]
    found = corrected_rate(pairs, [], (units, []))
    assert found is not None
    count = len(means)
    half = t_quantile(count - 1) * math.sqrt(variance(means) / count + 1 / count**2)
    assert found.rate == pytest.approx(sum(means) / count)
    assert found.interval == pytest.approx((max(0.0, found.rate - half), min(1.0, found.rate + half)))
    assert (found.labels, found.answers, found.trust) == (2 * count, 2 * count, 0.0)
