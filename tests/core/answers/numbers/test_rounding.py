"""A decimal is a fair rounding only as far as the digits it shows."""

from __future__ import annotations

from fractions import Fraction

import pytest

from modex.core.answers.formulas.cleaning import cleaned
from modex.core.answers.formulas.grammar import read_expression
from modex.core.answers.numbers.reading import Number, parse_number
from modex.core.answers.numbers.rounding import (
    double_steps,
    float_noise,
    is_double,
    is_long,
    is_rounding_of,
    one_value,
    prints,
    terminates,
    written_decimal,
    written_number,
)
from tests.rows import each_row


def read(text: str) -> Number:
    """A number as it is written."""
    number = parse_number(text)
    assert number is not None
    return number


@each_row(
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


@each_row(
    ("exact", "text", "rounded"),
    [
        ("1/8", "0.125", True),
        ("1/8", "0.13", False),
        ("1/10", "0.125", False),
        ("100", "99.9", False),
        ("100", "100.0", True),
        ("100", "100", False),
        ("12345/10000", "1.235", True),
        ("12345/10000", "1.234", True),
        ("12345/10000", "1.236", False),
        ("-12345/10000", "-1.235", True),
        ("-12345/10000", "-1.234", True),
        ("-1999/1000", "1.999", False),
        ("0", "0.000", False),
        ("1/100000", "0.00001", False),
        ("123/100000", "0.00123", True),
    ],
)
def test_a_rounding_shows_three_digits_and_lies_within_half_a_step_or_is_cut_off(
    exact: str, text: str, rounded: bool
) -> None:
    assert is_rounding_of(Fraction(exact), read(text)) is rounded


def test_fractions_of_twos_and_fives_end() -> None:
    ending = [number for number in range(1, 41) if terminates(Fraction(7, number * 7))]
    assert ending == [1, 2, 4, 5, 8, 10, 16, 20, 25, 32, 40]
    assert terminates(Fraction(3, 6))


@each_row(
    ("text", "value", "decimals", "significant"),
    [
        ("3.14", "3.14", 2, 3),
        ("-3.14", "-3.14", 2, 3),
        (".050", "0.05", 3, 2),
        ("1.4e-5", "0.000014", 6, 2),
        ("1.4e5", "140000", -4, 2),
        (r"1.4 \times 10^{-5}", "0.000014", 6, 2),
        (r"-1.4 \times 10^{3}", "-1400", -2, 2),
        (r"2.50 \cdot 10^5", "250000", -3, 3),
        (r"1.4 \times 11^{5}", None, 0, 0),
        (r"1.4 \times x^{5}", None, 0, 0),
        (r"1.4 \times 10^{2.5}", None, 0, 0),
        (r"1.4 \times 10^{x}", None, 0, 0),
        (r"1.4 \times 10^{1234}", None, 0, 0),
        (r"2 \times 10^{3}", None, 0, 0),
        (r"x \times 10^{3}", None, 0, 0),
        (r"1.4 \times 10", None, 0, 0),
        ("-(-3.14)", None, 0, 0),
        ("1.5+1", None, 0, 0),
        ("10^{5}", None, 0, 0),
        ("3", None, 0, 0),
        ("x", None, 0, 0),
    ],
)
def test_an_expression_is_a_decimal_with_the_digits_it_shows(
    text: str, value: str | None, decimals: int, significant: int
) -> None:
    expected = None if value is None else Number(Fraction(value), decimals=decimals, significant=significant)
    assert written_decimal(read_expression(cleaned(text))) == expected


@each_row(
    ("value", "decimals", "significant"),
    [(1.5, 1, 2), (5.0, 0, 1), (-0.25, 2, 2), (1e-07, 7, 1), (1.25e-09, 11, 3), (1e20, -20, 1), (0.001, 3, 1), (100.0, 0, 3)],
)  # fmt: skip
def test_a_json_number_shows_its_digits(value: float, decimals: int, significant: int) -> None:
    exact = Fraction(str(value))
    assert written_number(exact, value) == Number(exact, decimals=decimals, significant=significant)


@each_row(
    ("text", "double", "long"),
    [
        ("0.5", False, False),
        ("0.123456789012", False, False),
        ("0.1234567890123", False, True),
        ("0.12345678901234", False, True),
        ("0.123456789012345", True, True),
        ("0.12345678901234567", True, True),
        ("0.123456789012345678", False, True),
        ("0.1000000000000000055511151231257827021181583404541015625", True, True),
        ("123456789012345678", False, False),
    ],
)
def test_a_double_in_full_has_15_to_17_digits_or_all_of_its_own(text: str, double: bool, long: bool) -> None:
    assert (is_double(read(text)), is_long(read(text))) == (double, long)


@each_row(
    ("one", "other", "noise"),
    [
        ("0.5", "0.5", Fraction(0)),
        ("0.5", "0.30000000000000004", Fraction(1, 2 * 10**12)),
        ("0.30000000000000004", "0.5", Fraction(3 * 10**16 + 4, 10**29)),
        ("0.123456789012", "1.414213562373095", Fraction(123456789012, 10**24)),
        ("1.4142135623730951", "1.41421356237309", Fraction(51, 10**16)),
        ("1.41421356237309", "1.4142135623730951", Fraction(51, 10**16)),
        ("0.1234567890123", "1.414213562373095", Fraction(4, 2**56)),
        ("1.4142135623730951", "1.5142135623730951", Fraction(4, 2**52)),
    ],
)
def test_how_far_a_double_may_lie_apart(one: str, other: str, noise: Fraction) -> None:
    assert float_noise(read(one), read(other)) == noise


def test_four_steps_of_a_double() -> None:
    assert double_steps(Fraction(1)) == Fraction(4, 2**52)
    assert double_steps(Fraction(3, 2)) == double_steps(Fraction(-1))
    assert double_steps(Fraction(10) ** 400) == 0


@each_row(
    ("exact", "computed", "text", "printed"),
    [
        ("3/10", None, "0.30000000000000004", True),
        ("3/10", None, "0.30000000000000027", False),
        ("3/10", "0.3000000000000001", "0.30000000000000027", True),
        ("3/10", "0.3000000000000001", "0.30000000000000077", False),
        ("3/10", "0.31", "0.3100000000000001", False),
        ("1/3", None, "0.3333333333333333", True),
        ("1/3", None, "0.333", False),
        ("1/3", None, "1.414213562373095", False),
        ("2/3", "1/3", "0.3333333333333334", False),
    ],
)
def test_what_a_program_may_print(exact: str, computed: str | None, text: str, printed: bool) -> None:
    assert prints(Fraction(exact), None if computed is None else Fraction(computed), read(text)) is printed


@each_row(
    ("exact", "billionths", "same"),
    [(1, 1, True), (1, -1, True), (1, 2, False), (-3, 3, True), (0, 0, True), (0, 1, False)],
)
def test_a_value_in_doubles_is_the_exact_one_to_a_billionth(exact: int, billionths: int, same: bool) -> None:
    assert one_value(exact + Fraction(billionths, 10**9), Fraction(exact)) is same
