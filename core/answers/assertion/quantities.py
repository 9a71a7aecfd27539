"""Quantities of a text in other units than the gold's: `3 hours and 48 minutes` is `228 minutes`, `3.1 miles` is `5 km`.

Factors are exact by definition (international yard and pound of 1959, SI), US measures where both are in use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from modex.core.answers.assertion.items import Item
from modex.core.foundation.lazy_regex import deferred

_UNITS: dict[str, tuple[str, Fraction]] = {
    word: (kind, Fraction(factor))
    for kind, rows in {
        "length": {
            "m metre metres meter meters": "1", "km kilometre kilometres kilometer kilometers kms": "1000",
            "cm centimetre centimetres centimeter centimeters": "1/100",
            "mm millimetre millimetres millimeter millimeters": "1/1000",
            "mi mile miles": "1609.344", "ft foot feet": "0.3048", "inch inches": "0.0254", "yd yard yards": "0.9144",
        },
        "mass": {
            "kg kilogram kilograms kilo kilos kilogramme kilogrammes": "1000", "g gram grams gramme grammes": "1",
            "mg milligram milligrams": "1/1000", "tonne tonnes": "1000000", "lb lbs pound pounds": "453.59237",
            "oz ounce ounces": "28.349523125",
        },
        "time": {
            "s sec secs second seconds": "1", "min mins minute minutes": "60", "h hr hrs hour hours": "3600",
            "day days": "86400", "week weeks": "604800",
        },
        "span": {"month months": "1", "year years yr yrs": "12", "decade decades": "120", "century centuries": "1200"},
        "volume": {
            "l litre litres liter liters": "1", "ml millilitre millilitres milliliter milliliters": "1/1000",
            "cl centilitre centilitres centiliter centiliters": "1/100", "gal gallon gallons": "3.785411784",
        },
        "area": {"hectare hectares": "10000", "acre acres": "4046.8564224"},
        "data": {
            "byte bytes": "1", "kb kilobyte kilobytes": "1000",
            "mb megabyte megabytes": "1000000", "gb gigabyte gigabytes": "1000000000",
        },
    }.items()
    for words, factor in rows.items()
    for word in words.split()
}  # fmt: skip
_WRITTEN_TOGETHER = deferred(r"(\d{1,9}(?:\.\d{1,6})?)([a-z]{1,6})")
_JOINED = deferred(r"[\s,]{0,3}(?:and\s)?")
_BETWEEN = deferred(r"[\s  -]{0,2}")
_DIGITS = deferred(r"[\d.,]+")
_LEAST_DIGITS = 2
"""Significant digits that a converted number needs: `3 miles` says too little of 5 km."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with a unit of a kind, or several that add up; which items of the text it takes."""

    kind: str
    value: Fraction
    """In the kind's base unit."""
    step: Fraction
    """The value of one in the last digit that is written, in the same unit; 0 where several add up."""
    digits: int
    """Significant digits."""
    low: int
    high: int


def quantities_of(text: str, items: Sequence[Item]) -> list[Quantity]:
    """The quantities of a text in order."""
    found: list[Quantity] = []
    last: Fraction | None = None
    for one, factor in _simple(text, items):
        before = found[-1] if found else None
        if (
            before is not None
            and last is not None
            and before.high == one.low - (1 if one.low and items[one.low - 1].word == "and" else 0)
            and before.kind == one.kind
            and factor < last
            and _JOINED.fullmatch(text, items[before.high - 1].end, items[one.low].start)
        ):
            found[-1] = Quantity(
                one.kind, before.value + one.value, Fraction(0), before.digits + one.digits, before.low, one.high
            )
        else:
            found.append(one)
        last = factor
    return found


def _simple(text: str, items: Sequence[Item]) -> Iterator[tuple[Quantity, Fraction]]:
    """Numbers with one unit each."""
    for at, item in enumerate(items):
        if item.key[:1] == "#" and at + 1 < len(items):
            number, unit, high = item.key[1:], items[at + 1].word, at + 2
            if unit == "in" and at and items[at - 1].word in ("ft", "foot", "feet"):
                unit = "inch"
            if unit not in _UNITS or not _BETWEEN.fullmatch(text, item.end, items[at + 1].start):
                continue
        elif (
            item.word[0].isdigit()
            and (both := _WRITTEN_TOGETHER.fullmatch(item.word)) is not None
            and both[2] in _UNITS
        ):
            number, unit, high = both[1], both[2], at + 1
        else:
            continue
        try:
            value = Fraction(number)
        except ValueError:
            continue
        kind, factor = _UNITS[unit]
        written = _DIGITS.match(text, item.start)
        decimals = len(written[0].rstrip(".,").partition(".")[2]) if written else 0
        digits = len(re.sub(r"\D", "", written[0]).lstrip("0")) if written else len(number.strip("0.")) or 1
        yield Quantity(kind, value * factor, factor / 10**decimals, digits, at, high), factor


def same_quantity(gold: Quantity, other: Quantity, *, about: bool = False) -> bool:
    """Whether two quantities are one: equal, or the gold rounded to the digits that the other writes in its own unit.

    With `about` the question asks for no more than the gold's own digits: `24,901 miles` is about `24,900`.
    """
    if gold.kind != other.kind:
        return False
    if gold.value == other.value:
        return True
    if (
        other.step
        and other.step != gold.step
        and other.digits >= _LEAST_DIGITS
        and _round(gold.value, other.step) == other.value
    ):
        return True
    rough = about and gold.step and other.step and _last_digit(other) <= _last_digit(gold)
    return bool(rough) and _round(other.value, _last_digit(gold)) == gold.value


def _round(value: Fraction, step: Fraction) -> Fraction:
    return Fraction(int(value / step + Fraction(1, 2))) * step


def _last_digit(quantity: Quantity) -> Fraction:
    """The value of the last digit of a quantity that is not a nought."""
    step = quantity.step
    while quantity.value and (quantity.value / (step * 10)).denominator == 1:
        step *= 10
    return step
