"""A test's correlation with the rest, over models that need not have taken the same tests."""

from __future__ import annotations

import math
import random
from statistics import correlation, fmean

import pytest

from modex.core.statistics.distributions import Z
from modex.core.statistics.items import ItemRest, Items, item_rest
from tests.rows import each_row


def graded(models: int) -> dict[str, dict[str, float]]:
    """Tests of growing difficulty: model m passes those below m."""
    return {f"t{hard}": {str(model): float(model > hard) for model in range(models)} for hard in range(1, models - 1)}


def test_a_test_that_only_the_less_able_pass_lies_below_zero_and_surely_so() -> None:
    items: Items[str] = Items({**graded(12), "odd": {str(model): float(model < 5) for model in range(12)}})
    found = item_rest(items)
    assert (odd := found["odd"]) is not None
    assert odd.r < -0.6
    assert odd.high < 0
    assert all(one is not None and one.r > 0 for name, one in found.items() if name != "odd")


def test_tests_that_all_pass_or_nobody_does_have_none() -> None:
    same = {str(model): 1.0 for model in range(12)}
    assert item_rest(Items({**graded(12), "easy": same}))["easy"] is None
    assert item_rest(Items({"alone": {"a": 1.0, "b": 0.0}}))["alone"] is None
    assert item_rest(Items({"empty": {}})) == {"empty": None}


def test_models_that_took_harder_tests_are_not_taken_for_less_able() -> None:
    easy = {f"e{number}": {"able": 1.0, "weak": 1.0 if number % 2 else 0.0} for number in range(8)}
    hard = {f"h{number}": {"able": 1.0 if number % 2 else 0.0, "other": 0.0} for number in range(8)}
    items: Items[str] = Items({**easy, **hard, "both": {"able": 1.0, "weak": 0.0, "other": 0.0}})
    rest = items.rest_of("both", items.centred())
    assert rest["able"] > rest["weak"]
    assert rest["able"] > rest["other"]


@each_row(("r", "models", "sure"), [(-0.5, 12, False), (-0.6, 12, True), (-1.0, 3, False)])
def test_a_few_models_are_never_sure(r: float, models: int, sure: bool) -> None:
    assert (ItemRest(r, models).high < 0) == sure


def test_how_able_a_model_is_by_its_other_tests_is_the_mean_of_what_it_lies_above_theirs() -> None:
    items: Items[str] = Items(
        {
            "t": {"a": 1.0, "b": 0.0, "c": 0.0, "d": 1.0},
            "u": {"a": 1.0, "b": 0.0},
            "v": {"a": 1.0, "c": 0.0, "b": 1.0, "e": 0.0},
        }
    )
    assert items.centred()["a"] == pytest.approx((0.5 + 0.5 + 0.5, 3))
    rest = items.rest_of("t", items.centred())
    assert rest == pytest.approx({"a": (0.5 + 0.5) / 2, "b": (-0.5 + 0.5) / 2, "c": -0.5})


def test_of_fewer_than_four_models_nothing_is_said() -> None:
    assert [ItemRest(-1.0, models).high for models in (2, 3)] == [1.0, 1.0]
    assert ItemRest(-1.0, 4).high < 0
    assert ItemRest(0.0, 7).high == pytest.approx(math.tanh(Z / 2))


def test_a_correlation_is_the_textbooks_of_each_test_with_how_each_model_did_on_the_rest() -> None:
    draw = random.Random("items")
    scores = {
        f"t{n}": {f"m{m}": draw.choice([0.0, 0.5, 1.0]) for m in range(9) if draw.random() < 0.8} for n in range(7)
    }
    found = item_rest(Items(scores))
    means = {test: fmean(by.values()) for test, by in scores.items()}
    for test, by in scores.items():
        rest = {
            model: [scores[other][model] - means[other] for other in scores if other != test and model in scores[other]]
            for model in by
        }
        kept = [model for model in by if rest[model]]
        own, others = [by[model] for model in kept], [fmean(rest[model]) for model in kept]
        one = found[test]
        assert one is not None
        assert one.models == len(kept)
        assert one.r == pytest.approx(correlation(own, others))


def test_models_that_did_alike_on_everything_else_tell_nothing_of_a_test() -> None:
    alike = {f"t{number}": {"a": 0.1, "b": 0.1, "c": 0.1} for number in range(3)}
    assert item_rest(Items({**alike, "own": {"a": 1.0, "b": 0.0, "c": 0.3}}))["own"] is None


def test_a_perfect_correlation_has_an_end_short_of_certainty() -> None:
    assert ItemRest(1.0, 5).high == pytest.approx(math.tanh(math.atanh(0.999999) + Z / math.sqrt(2)), abs=1e-15)
    assert ItemRest(-1.0, 5).high == pytest.approx(math.tanh(Z / math.sqrt(2) - math.atanh(0.999999)), abs=1e-12)
    assert Items({"empty": {}, "one": {"a": 1.0}}).centred() == {"a": (0.0, 1)}
