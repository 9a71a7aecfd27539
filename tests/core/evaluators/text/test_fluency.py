"""How fluency is put together."""

from __future__ import annotations

import pytest

from core.evaluators.text.fluency import measure_fluency

TEN = "Please drink some water and rest at home this week."


@pytest.mark.parametrize(
    ("minimum", "maximum", "length"),
    [(None, None, 1.0), (20, None, 0.5), (None, 8, 0.75), (None, 5, 0.0), (10, 10, 1.0)],
)
def test_fluency_is_the_mean_of_form_and_of_how_near_the_length_is(
    minimum: int | None, maximum: int | None, length: float
) -> None:
    found = measure_fluency(TEN, "en", minimum, maximum)
    assert (found.form, found.length) == (1.0, length)
    assert found.score == pytest.approx((1 + length) / 2)
