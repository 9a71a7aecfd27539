"""A decimal is a fair rounding only as far as the digits it shows."""

from __future__ import annotations

from fractions import Fraction

import pytest

from core.evaluators.numbers.reading import parse_number
from core.evaluators.numbers.rounding import float_noise, is_rounding_of


@pytest.mark.parametrize(
    ("text", "rounded"),
    [("0.667", True), ("0.666", True), ("0.665", False), ("0.668", False), ("0.67", False), ("-0.667", False)],
)
def test_three_digits_rounded_or_cut_off_are_two_thirds(text: str, rounded: bool) -> None:
    number = parse_number(text)
    assert number is not None
    assert is_rounding_of(Fraction(2, 3), number) is rounded


@pytest.mark.parametrize(("text", "noisy"), [("0.30000000000000004", True), ("0.3000000000001", False)])
def test_only_a_float_written_out_in_full_is_forgiven_its_noise(text: str, noisy: bool) -> None:
    gold, answer = parse_number("0.3"), parse_number(text)
    assert gold is not None
    assert answer is not None
    assert (abs(gold.value - answer.value) <= float_noise(gold, answer)) is noisy
