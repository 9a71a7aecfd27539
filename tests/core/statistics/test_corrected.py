"""A judged rate corrected by labels, and what is said of planted judges."""

from __future__ import annotations

import math
from random import Random
from statistics import covariance, fmean, variance

import pytest

from benchmarks.statistics.judges import PLANTED, corrected_holds, named
from modex.core.statistics.corrected import LEAST_LABELS, corrected_rate
from modex.core.statistics.distributions import t_quantile
from tests.rows import each_row


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


@each_row("judge", PLANTED, ids=lambda judge: judge.name)
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


def written_out(
    labelled: list[tuple[float, float]], unlabelled: list[float], units: tuple[list[int], list[int]] | None
) -> tuple[float, ...]:
    """λ, the rate and both ends by the formulas of PPI++, with the library's variance; units by what each pulls."""
    people, judge = [list(side) for side in zip(*labelled, strict=True)]
    every, m, n = [*judge, *unlabelled], len(labelled), len(unlabelled)
    trust = 0.0
    if n and variance(every) > 0:
        trust = min(1.0, max(0.0, covariance(people, judge) / ((1 + m / n) * variance(every))))
    rectified = [y - trust * j for y, j in labelled]
    rate = fmean(rectified) + (trust * fmean(unlabelled) if n else 0.0)
    if units is None:
        spread, df = (variance(rectified) + 1 / m) / m + (trust**2 * variance(every) / n if n else 0.0), m - 1.0
    else:
        names = {*units[0], *units[1]}
        pulls = [
            sum((r - fmean(rectified)) / m for r, name in zip(rectified, units[0], strict=True) if name == unit)
            + sum(
                trust * (v - fmean(unlabelled)) / n
                for v, name in zip(unlabelled, units[1], strict=True)
                if name == unit
            )
            for unit in names
        ]
        number = m**2 / sum(units[0].count(unit) ** 2 for unit in set(units[0]))
        spread = sum(pull**2 for pull in pulls) * len(names) / (len(names) - 1) + 1 / number**2
        df = max(1.5, number - 1)
    rate, half = min(1.0, max(0.0, rate)), t_quantile(df) * math.sqrt(spread)
    return trust, rate, max(0.0, rate - half), min(1.0, rate + half)


def test_a_corrected_rate_is_that_of_the_published_formulas() -> None:
    draw = Random("formulas")
    for number in range(200):
        agrees, passes = draw.choice([0.1, 0.6, 0.9, 1.0]), draw.choice([0.5, 0.9, 1.0, 0.0])
        labelled = []
        for _ in range(draw.randint(10, 24)):
            y = float(draw.random() < passes)
            labelled.append((y, y if draw.random() < agrees else 1 - y))
        unlabelled = [float(draw.random() < 0.7) for _ in range(draw.choice([0, 1, 30, 200]))]
        units = [draw.randrange(14) for _ in labelled], [draw.randrange(25) for _ in unlabelled]
        if number % 2 and len(set(units[0])) >= LEAST_LABELS:
            found, expected = corrected_rate(labelled, unlabelled, units), written_out(labelled, unlabelled, units)
        else:
            found, expected = corrected_rate(labelled, unlabelled), written_out(labelled, unlabelled, None)
        assert found is not None
        assert (found.trust, found.rate, *found.interval) == pytest.approx(expected, abs=1e-12)
        judged = [j for _, j in labelled] + unlabelled
        assert found.judged == pytest.approx(fmean(judged))
        assert (found.labels, found.answers) == (len(labelled), len(judged))


def test_ten_labels_are_enough_and_units_of_one_answer_each_are_none() -> None:
    labelled = [(float(number % 3 > 0), 1.0) for number in range(LEAST_LABELS)]
    apart = corrected_rate(labelled, [1.0, 0.0], (list(range(10)), [10, 11]))
    assert apart == corrected_rate(labelled, [1.0, 0.0]) is not None
    assert corrected_rate(labelled, [1.0, 0.0], (list(range(10)), [9, 10])) != apart
    assert corrected_rate(labelled, [1.0], ([0, 0, *range(1, 9)], [1])) is None


def test_labels_of_nearly_one_unit_alone_leave_the_doubt_of_very_few() -> None:
    labelled = [(float(number % 2), 1.0) for number in range(109)]
    units = [0] * 100 + list(range(1, 10))
    found = corrected_rate(labelled, [], (units, []))
    assert found is not None
    assert found.interval == (0.0, 1.0)
    spread = written_out(labelled, [], (units, []))
    assert (found.rate, *found.interval) == pytest.approx(spread[1:])
