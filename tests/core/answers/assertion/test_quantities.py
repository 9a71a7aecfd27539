"""Quantities in other units: what is the same, what is not, and where none is read."""

from __future__ import annotations

from modex.core.answers.assertion.items import items_of
from modex.core.answers.assertion.quantities import Quantity, quantities_of, same_quantity
from modex.core.answers.assertion.wordforms import misspelled
from tests.rows import each_row


def _one(text: str) -> Quantity:
    (found,) = quantities_of(text, items_of(text))
    return found


@each_row(
    ("gold", "other", "same"),
    [
        ("228 minutes", "3 hours and 48 minutes", True),
        ("228 minutes", "3 hours and 49 minutes", False),
        ("5 km", "5,000 metres", True),
        ("5 km", "3.1 miles", True),
        ("5 km", "3.11 miles", True),
        ("5 km", "3.2 miles", False),
        ("5 km", "3 miles", False),
        ("5 ft 6 in", "66 inches", True),
        ("two years", "24 months", True),
        ("24 months", "730 days", False),
        ("5 kg", "5 km", False),
    ],
)
def test_the_same_quantity_to_the_digits_that_are_written(gold: str, other: str, same: bool) -> None:
    assert same_quantity(_one(gold), _one(other)) is same


def test_about_asks_for_the_digits_of_the_gold() -> None:
    assert not same_quantity(_one("24,900 miles"), _one("24,901 miles"))
    assert same_quantity(_one("24,900 miles"), _one("24,901 miles"), about=True)
    assert not same_quantity(_one("24,900 miles"), _one("30,000 miles"), about=True)


def test_numbers_without_a_unit_are_no_quantities() -> None:
    assert quantities_of("12 apples in 1999", items_of("12 apples in 1999")) == []


def test_a_slip_of_the_pen_is_no_other_name() -> None:
    assert misspelled("castellano", "castelano")
    assert misspelled("cyndi", "cindy")
    for one, other in (("julian", "juliana"), ("austria", "australia"), ("martin", "marvin"), ("iran", "iraq")):
        assert not misspelled(one, other), (one, other)
