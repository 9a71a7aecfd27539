"""Looks of a race: published boundaries, and what stands in the way of a decision."""

from __future__ import annotations

import dataclasses
import math
from statistics import NormalDist

import pytest

from modex.core.statistics.discordant import Discordant
from modex.core.statistics.distributions import Z, normal_p, t_quantile
from modex.core.statistics.moments import Moments
from modex.core.statistics.paired import PairedDifference, paired_difference
from modex.core.statistics.racing import LOOKS, boundary, chance_left, deviate, look_at, peek_at
from tests.core.statistics.plainly import solved
from tests.rows import each_row


def pairs(gained: int, lost: int, same: int) -> PairedDifference:
    moments = Moments(1)
    for score in [1.0] * gained + [-1.0] * lost + [0.0] * same:
        moments.add(score)
    found = paired_difference({("d", 1): moments})
    assert found is not None
    return found


def test_boundaries_are_obrien_and_flemings() -> None:
    assert boundary(20) == pytest.approx(2.126)
    assert boundary(5) == pytest.approx(2.126 * 2)
    assert boundary(20) < boundary(20, 3) < boundary(20, 7) < boundary(20, 100)


def test_the_deviate_has_the_p_value_of_the_t_test() -> None:
    found = pairs(30, 10, 60)
    assert math.erfc(deviate(found) / math.sqrt(2)) == pytest.approx(found.p_value)
    assert deviate(pairs(10, 30, 60)) == pytest.approx(-deviate(found))
    assert 8 < deviate(pairs(5000, 0, 0)) <= 37


def test_the_same_difference_decides_late_and_not_early() -> None:
    found = pairs(40, 15, 45)
    assert look_at(found, found, found, 2).decision == "open"
    late = look_at(found, found, found, LOOKS)
    assert late.decision == "better"
    assert late.bound[0] > 0
    early = look_at(found, found, found, 5).bound
    assert early[0] < late.bound[0] < late.bound[1] < early[1]


def test_answers_without_a_verdict_that_could_turn_it_leave_it_open() -> None:
    found = pairs(40, 15, 45)
    standing, plain = look_at(found, pairs(40, 38, 45), found, LOOKS), look_at(found, found, found, LOOKS)
    assert standing.decision == "open"
    assert standing.bound[0] < 0 < plain.bound[0]
    assert standing.bound[1] == plain.bound[1]


def test_equal_models_are_given_up_when_the_rest_can_hardly_decide() -> None:
    found = pairs(10, 10, 80)
    assert look_at(found, found, found, 2).decision == "open"
    assert look_at(found, found, found, 17).decision == "futile"
    assert chance_left(3.0, 10) > 0.5


def test_evidence_is_the_closed_form_and_decides_at_one_in_alpha() -> None:
    closed = 2**4 * math.factorial(3) * math.factorial(1) / math.factorial(5)
    assert math.exp(Discordant(3, 1).evidence) == pytest.approx(closed)
    said = [peek_at(Discordant(*counts)) for counts in ((8, 0), (0, 8), (7, 0), (4, 4))]
    assert said == ["better", "worse", "open", "open"]
    assert peek_at(Discordant(8, 0), pairs=6) == "open"


def test_three_pairs_decide_nothing_however_they_went() -> None:
    few, enough = pairs(3, 0, 0), pairs(60, 0, 0)
    assert few.too_few
    assert look_at(few, few, few, LOOKS).decision == "open"
    assert look_at(enough, enough, enough, LOOKS).decision == "better"


@each_row(
    ("pairs", "value"),
    [
        (1, 2.126), (2, 2.384), (3, 2.525), (4, 2.622), (5, 2.695), (6, 2.754), (7, 2.844), (8, 2.844), (9, 2.913),
        (10, 2.913), (15, 3.034), (16, 3.132), (21, 3.132), (22, 3.214), (28, 3.214), (29, 3.284), (36, 3.284), (37, 3.345),
        (45, 3.345),
    ],
)  # fmt: skip
def test_more_pairs_need_a_larger_deviate_and_between_two_known_numbers_that_of_the_larger(
    pairs: int, value: float
) -> None:
    assert boundary(LOOKS, pairs) == pytest.approx(value)


def test_beyond_the_table_the_boundary_goes_on_rising_without_a_step() -> None:
    assert boundary(LOOKS, 45) < boundary(LOOKS, 46) < boundary(LOOKS, 45) + 0.02


@each_row(
    ("look", "pairs", "z", "chance"),
    [
        (10, 1, 0.0, 0.147630), (10, 1, 1.0, 0.829793), (10, 1, 2.0, 0.998428), (10, 3, 1.0, 0.651390),
        (19, 1, 1.0, 0.000004), (19, 1, 3.0, 0.999999), (19, 1, 2.0, 0.547170), (1, 1, 0.0, 1.0),
    ],
)  # fmt: skip
def test_the_chance_that_is_left_grows_with_what_was_seen_to_either_side(
    look: int, pairs: int, z: float, chance: float
) -> None:
    assert chance_left(z, look, pairs) == chance_left(-z, look, pairs) == pytest.approx(chance, abs=1e-6)
    assert chance_left(9.0, look, pairs) <= 1


def test_the_repeated_interval_is_as_wide_as_the_boundary_of_one_pair_allows_however_many_race() -> None:
    found = pairs(0, 12, 28)
    one, three = look_at(found, found, found, 10), look_at(found, found, found, 10, 3)
    assert (one.decision, three.decision) == ("worse", "open")
    assert one.bound == three.bound == pytest.approx((-0.5455567, -0.0544433), abs=1e-6)
    assert (one.boundary, three.boundary) == pytest.approx((2.126 * math.sqrt(2), 2.525 * math.sqrt(2)))


def test_early_looks_bound_the_difference_by_scores_alone_or_by_the_farthest_tail() -> None:
    few, many = pairs(4, 1, 5), pairs(6000, 5000, 20_000)
    assert look_at(few, few, few, 1).bound == (-1.0, 1.0)
    half = t_quantile(many.df, 1e-12) * many.error
    assert look_at(many, many, many, 1).bound == pytest.approx((many.difference - half, many.difference + half))
    late = t_quantile(few.df, normal_p(2.126)) * few.error
    assert look_at(few, few, few, LOOKS).bound == pytest.approx((few.difference - late, few.difference + late))


def found_at(z: float) -> PairedDifference:
    return PairedDifference(math.copysign(0.1, z), (0.0, 0.2), normal_p(z), 0.05, 1e9, 50)


@each_row(("sign", "decision"), [(1, "better"), (-1, "worse")])
@each_row(("look", "pairs"), [(20, 1), (10, 3), (5, 1)])
def test_a_race_is_decided_from_the_boundary_on_and_only_where_no_answer_without_a_verdict_could_turn_it(
    look: int, pairs: int, sign: int, decision: str
) -> None:
    beyond, short = (found_at(sign * boundary(look, pairs) * factor) for factor in (1.0001, 0.9999))
    assert look_at(beyond, beyond, beyond, look, pairs).decision == decision
    for trio in ((short, beyond, beyond), (beyond, short, beyond), (beyond, beyond, short)):
        assert look_at(*trio, look, pairs).decision == "open"
    assert look_at(beyond, beyond, beyond, look, pairs).z == pytest.approx(sign * boundary(look, pairs) * 1.0001)


def test_going_on_is_given_up_below_two_chances_in_a_hundred_and_not_at_the_last_look() -> None:
    look = 17
    z = solved(lambda z: 0.02 - chance_left(z, look), 0.0, 2.0)
    for factor, decision in ((0.999, "futile"), (1.001, "open")):
        found = found_at(z * factor)
        assert look_at(found, found, found, look).decision == decision
    last = found_at(0.1)
    assert look_at(last, last, last, LOOKS).decision == "open"


def test_a_deviate_has_the_sign_of_its_difference_however_small_the_p_value() -> None:
    assert deviate(found_at(3.0)) == pytest.approx(3.0)
    assert deviate(found_at(-3.0)) == pytest.approx(-3.0)
    impossible = dataclasses.replace(found_at(-3.0), p_value=0.0)
    assert deviate(impossible) == -37.0
    assert deviate(dataclasses.replace(impossible, p_value=4e-290)) == pytest.approx(-36.40, abs=0.01)


def test_with_more_pairs_a_peek_needs_so_many_times_the_evidence() -> None:
    for pairs_in, gained in ((1, 8), (3, 10), (10, 12)):
        evidence = math.exp(Discordant(gained, 0).evidence), math.exp(Discordant(gained - 1, 0).evidence)
        assert evidence[0] >= pairs_in / 0.05 > evidence[1]
        assert peek_at(Discordant(gained, 0), pairs_in) == "better"
        assert peek_at(Discordant(gained - 1, 0), pairs_in) == "open"


def test_the_chance_that_is_left_is_that_of_the_way_still_to_go() -> None:
    """With drift (|z| + Z)/√t, the share t of the way done, a normal of mean |z|√t + drift·(1 − t) and variance 1 − t."""
    for look in (1, 5, 10, 17, 19):
        done = look / 20
        for z in (0.0, 0.2, 0.4, 0.7, 1.1, 2.2, 3.5):
            mean = z * math.sqrt(done) + (z + Z) / math.sqrt(done) * (1 - done)
            expected = 1 - NormalDist(mean, math.sqrt(1 - done)).cdf(2.126)
            assert chance_left(z, look) == pytest.approx(expected, abs=1e-12)
