"""When two texts are the same, and what a numeral is worth."""

from __future__ import annotations

from fractions import Fraction

from modex.core.jsonvalues.texts import numeral, same_by_bfcl, same_text
from tests.rows import each_row


@each_row(
    ("left", "right", "same"),
    [
        ("a", "a", True),
        ("a", "A", False),
        ("O'Brien", "O’Brien", True),
        ("Hawai'i", "Hawaiʻi", True),
        ("the girls' school", "the girls’ school", True),
        ("girls'", "girls’", True),
        ("rock 'n' roll", "rock ’n’ roll", True),
        ("in the '90s", "in the ’90s", True),
        ("print('x')", "print(‘x’)", False),
        ("print('x')", "print(’x’)", False),
        ("echo 'x'", "echo ‘x’", False),
        ("it's", "its", False),
        ("Café", "Cafe\u0301", True),
        ("Café", "Cafe", False),
        ("m²", "m2", False),
        ("a-b", "a–b", False),
    ],
)
def test_texts_are_the_same_but_for_how_their_letters_are_put_together(left: str, right: str, same: bool) -> None:
    assert same_text(left, right) is same
    assert same_text(right, left) is same


@each_row(
    ("text", "value"),
    [
        ("15", Fraction(15)),
        (" 15 ", Fraction(15)),
        ("+15", Fraction(15)),
        ("-5", Fraction(-5)),
        ("−5", Fraction(-5)),
        ("1.5", Fraction(3, 2)),
        ("1,5", Fraction(3, 2)),
        ("1,50", Fraction(3, 2)),
        ("0,500", Fraction(1, 2)),
        (".5", Fraction(1, 2)),
        ("5.", Fraction(5)),
        ("1,500", Fraction(1500)),
        ("1,234,567.5", Fraction(2469135, 2)),
        ("12,34,567", Fraction(1234567)),
        ("1.500", Fraction(3, 2)),
        ("1.500,0", Fraction(1500)),
        ("1.234.567", Fraction(1234567)),
        ("1e3", Fraction(1000)),
        ("1.5E-1", Fraction(3, 20)),
        ("1e9999", None),
        ("9" * 401, None),
        ("1,2,3", None),
        ("1.2.3", None),
        ("192.168.1.1", None),
        ("1_000", None),
        ("", None),
        (",", None),
        ("5 km", None),
    ],
)
def test_what_a_numeral_is_worth(text: str, value: Fraction | None) -> None:
    assert numeral(text) == value


@each_row(
    ("wanted", "actual", "same"),
    [
        ("New-York", "new york", True),
        ("a.b/c_d*e^f,g", "ABCDEFG", True),
        ("it's", 'it"s', True),
        ("it's", "it’s", True),
        ("a+b", "ab", False),
        ("-5", "5", False),
        ("5.0", "50", False),
        ("5.0", " 5 ", True),
        ("1,000", "1000.00", True),
        ("+5", "5", True),
        ("1,5", "15", False),
        ("1,5", "1.5", True),
        ("5", ".5", False),
        ("1.5 hours", "15 hours", False),
        ("1.5 hours", "1,5 Hours", True),
        (".5 l", "5 l", False),
        ("$5.00", "$500", False),
        ("1,500 m", "1500 m", True),
        ("-5 C", "5 C", False),
        ("-5 C", "−5 C", True),
        ("a (-5)", "a (5)", False),
        ("192.168.1.1", "192.168.11", False),
        ("192.168.11.1", "192.168.1.11", False),
        ("2024-01-05", "2024/01/05", True),
        ("01.02.2024", "01/02/2024", True),
        ("555-1234", "5551234", True),
        ("March 15, 2024", "march 15 2024", True),
        ("1,5,000", "15000", True),
    ],
)
def test_texts_compare_as_bfcl_does_and_numerals_by_value(wanted: str, actual: str, same: bool) -> None:
    assert same_by_bfcl(wanted, actual) is same
    assert same_by_bfcl(actual, wanted) is same
