"""Quantities in other units: what is the same, what is not, and where none is read."""

from __future__ import annotations

from modex.core.answers.assertion.items import items_of
from modex.core.answers.assertion.quantities import Quantity, quantities_of, same_quantity
from modex.core.answers.assertion.wordforms import misspelled
from tests.core.answers.tables import differing
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


_READ = r"""
5 km => length 5000 ±1000 1 [0:2]
5km => length 5000 ±1000 1 [0:1]
5 miles => length 201168/25 ±201168/125 1 [0:2]
5 feet 3 inches => length 8001/5000 ±0 2 [0:4]
5 ft 3 in => length 8001/5000 ±0 2 [0:4]
5 in =>
in 5 in =>
5 ft, 3 in => length 8001/5000 ±0 2 [0:4]
5 ft and 3 in => length 381/250 ±381/1250 1 [0:2]
3 in and 5 ft => length 381/250 ±381/1250 1 [3:5]
5 kg 3 g => mass 5003 ±0 2 [0:4]
5 kg and 3 m => mass 5000 ±1000 1 [0:2]; length 3 ±1 1 [3:5]
3 hours and 48 minutes => time 13680 ±0 3 [0:5]
3 hours 48 minutes => time 13680 ±0 3 [0:4]
3 hours, and 48 minutes => time 13680 ±0 3 [0:5]
3 hours but 48 minutes => time 10800 ±3600 1 [0:2]; time 2880 ±60 2 [3:5]
48 minutes 3 hours => time 2880 ±60 2 [0:2]; time 10800 ±3600 1 [2:4]
1 h 2 min 3 s => time 3723 ±0 3 [0:6]
1.5 hours => time 5400 ±360 2 [0:2]
1.50 hours => time 5400 ±36 3 [0:2]
5 x =>
5 - km =>
5  km => length 5000 ±1000 1 [0:2]
5   km =>
5-km => length 5000 ±1000 1 [0:2]
5 =>
km =>
five km => length 5000 ±1000 1 [0:2]
1,000 m => length 1000 ±1 4 [0:2]
1000m => length 1000 ±1 4 [0:1]
1.5km => length 1500 ±100 2 [0:2]
1.5 km => length 1500 ±100 2 [0:2]
5kmh =>
2 years and 3 months => span 27 ±0 2 [0:5]
2 years 3 days => span 24 ±12 1 [0:2]; time 259200 ±86400 1 [2:4]
100 MB => data 100000000 ±1000000 3 [0:2]
1 GB => data 1000000000 ±1000000000 1 [0:2]
3 acres => area 948481974/78125 ±316160658/78125 1 [0:2]
2 l => volume 2 ±1 1 [0:2]
5 s => time 5 ±1 1 [0:2]
0 km => length 0 ±1000 0 [0:2]
0.05 km => length 50 ±10 1 [0:2]
5 m 6 m => length 5 ±1 1 [0:2]; length 6 ±1 1 [2:4]
two hours and a half => time 7200 ±3600 1 [0:2]
10.0 km => length 10000 ±100 3 [0:2]
"""
"""Texts, and their quantities: kind, value, the last digit's value, significant digits, range of words."""


def quantities(text: str) -> str:
    return "; ".join(
        f"{one.kind} {one.value} ±{one.step} {one.digits} [{one.low}:{one.high}]"
        for one in quantities_of(text, items_of(text))
    )


def test_a_quantity_is_a_number_with_a_unit_and_several_that_follow_add_up() -> None:
    assert differing(_READ, quantities) == []
