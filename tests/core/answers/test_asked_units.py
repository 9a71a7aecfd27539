"""The unit that a question asks for."""

from __future__ import annotations

from modex.core.answers.asked_units import asked_unit
from tests.core.answers.tables import differing

_ASKED = r"""
How hot is it in Celsius? => Celsius
How hot in degrees Celsius? => Celsius
How far in km? => km
How many miles in km? => None
How fast in m/s? => m/s
How much in dollars? => dollars
In which city? => None
How long in minutes and seconds? => None
How tall in feet, in inches? => inches
Wie heiß in Grad Celsius? => Celsius
"""


def test_a_question_names_the_unit_of_its_answer() -> None:
    assert differing(_ASKED, lambda text: str(asked_unit(text))) == []


def test_a_speed_is_no_length() -> None:
    assert asked_unit("How fast is it in miles per hour?") == "miles per hour"
    assert asked_unit("How fast is it in metres per second?") == "metres per second"
