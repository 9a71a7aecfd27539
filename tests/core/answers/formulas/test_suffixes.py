r"""The unit behind an expression."""

from __future__ import annotations

import pytest

from modex.core.answers.formulas.suffixes import letter_unit, split_unit
from modex.core.answers.formulas.tree import FormulaError
from tests.rows import each_row


@each_row(
    ("text", "body", "unit", "known"),
    [
        ("5", "5", None, None),
        ("5 cm", "5", "cm", True),
        ("5cm", "5", "cm", True),
        ("5 m", "5 m", None, None),
        ("5m", "5m", None, None),
        ("5 m/s", "5", "m/s", True),
        ("5m/s", "5m/s", None, None),
        ("5 cm^2", "5", "cm^2", True),
        ("5 cm^{2}", "5", "cm^2", True),
        (r"2\pi cm", r"2\pi", "cm", True),
        ("x cm", "x cm", None, None),
        ("(x+1) cm", "(x+1)", "cm", True),
        ("5 kilometers per hour", "5", "kilometers per hour", True),
        ("5 xyz", "5", "xyz", False),
        ("18 eggs", "18", "eggs", False),
        ("18 eggs or more", "18 eggs or more", None, None),
        ("18 mod", "18 mod", None, None),
        ("5 million", "5 million", None, None),
        ("5 big red eggs", "5 big red eggs", None, None),
        ("$5", "5", "$", True),
        ("-$5", "-5", "$", True),
        ("- $ 5", "-5", "$", True),
        ("$5 USD", "5", "$", True),
        ("$", "$", None, None),
        (r"\pounds 5", "5", "£", True),
        (r"\euro5", "5", "€", True),
        (r"90^\circ C", "90", "°C", True),
        (r"90^{\circ}F", "90", "°F", True),
        (r"90\degree \text{C}", "90", "°C", True),
        (r"5 \text{ cm}", "5", "cm", True),
        (r"5 \text{ cm}^2", "5", "cm^2", True),
        (r"5 \text{ m}/\text{s}", "5", "m/s", True),
        (r"5 \text{ m}/\text{s}^{2}", "5", "m/s^2", True),
        (r"5 \frac{\text{m}}{\text{s}}", "5", "m/s", True),
        (r"5 \frac{\text{m}}{\text{s}^2}", "5", "m/s^2", True),
        (r"5 * \text{cm}", "5", "cm", True),
        (r"5 \text{ hens}", "5", "hens", False),
        (r"5 \text{ big red round hens}", "5", "big red round hens", False),
        (r"5 \text{}", "5", None, None),
    ],
)
def test_the_unit_is_told_apart_from_the_value(text: str, body: str, unit: str | None, known: bool | None) -> None:
    found, suffix = split_unit(text)
    assert found == body
    assert ((None, None) if suffix is None else (suffix.text, suffix.known)) == (unit, known)


@each_row(
    "text",
    ["$5 kg", r"5 \text{ or } ", r"5 \text{ cm or m}", r"5 \text{ one two three four five}", r"5\text{cm}^\circ", r"5 \text{3}"],
)  # fmt: skip
def test_a_text_that_is_no_unit_is_refused(text: str) -> None:
    with pytest.raises(FormulaError):
        split_unit(text)


@each_row(
    ("text", "body", "unit"),
    [
        ("5 m", "5", "m"),
        ("5m", "5", "m"),
        ("9.8 m/s^2", "9.8", "m/s^2"),
        ("9.8 m/s^{2}", "9.8", "m/s^2"),
        ("5 q", None, None),
        ("m", None, None),
        ("x+5", None, None),
    ],
)
def test_letters_are_a_unit_where_the_other_side_says_so(text: str, body: str | None, unit: str | None) -> None:
    found = letter_unit(text)
    assert found is None if body is None else found is not None and (found[0], found[1].text) == (body, unit)
