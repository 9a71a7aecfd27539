from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evaluators.numbers.units import known_unit, meanings, same_unit


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("kg", "Kilograms"),
        ("m/s^2", "m/s²"),
        ("m/s²", "metres per second squared"),
        ("V", "volts"),
        ("km", "kms"),
        ("°C", "C"),
        ("°C", "derajat Celsius"),
        ("m²", "metros cuadrados"),
        ("km/h", "kilometers per hour"),
        ("$", "USD"),
        ("mL", "ml"),
        ("eggs", "egg"),
        ("N·m", "Nm"),
        ("kg", "kg of rice"),
        ("Quadratmeter", "m2"),
    ],
)
def test_spellings_of_one_unit(one: str, other: str) -> None:
    assert same_unit(one, other)
    assert same_unit(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("mW", "MW"),
        ("ms", "Ms"),
        ("kg", "g"),
        ("cm", "cm^2"),
        ("MB", "Mb"),
        ("°C", "°F"),
        ("$", "€"),
        ("eggs", "hens"),
        ("kHz", "MHz"),
        ("m/s", "m/s²"),
    ],
)
def test_units_that_differ(one: str, other: str) -> None:
    assert not same_unit(one, other)


def test_a_word_nobody_knows_is_no_known_unit() -> None:
    assert not known_unit("eggs")
    assert known_unit("kWh")


@given(st.text(min_size=1, max_size=30))
def test_every_spelling_means_itself(text: str) -> None:
    assert meanings(text)
    assert same_unit(text, text)
