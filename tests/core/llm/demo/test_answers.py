"""What the scripted model answers, right and wrong."""

from __future__ import annotations

from typing import Any

from modex.core.llm.demo.ability import Dice
from modex.core.llm.demo.answers import _from_object, _other_letter, _other_text, _plain
from tests.rows import each_row

DICE = Dice("default", "k")


@each_row(
    ("expected", "text"),
    [
        ({"items": [{"says": "a"}, "odd", {"says": "b"}, {}]}, "a b "),
        ({"value": {"answer": "x"}}, "x"),
        ({"reference": "r", "unit": "kg"}, "r kg"),
        ({"value": "B", "options": {"A": "one", "B": "two"}}, "(B) two"),
        ({"value": "D", "options": {"A": "one"}}, "D"),
        ({"value": "c", "type": "choice"}, "c"),
        ({"other": "ö"}, '{"other": "ö"}'),
    ],
)
def test_a_right_answer_is_what_was_expected(expected: dict[str, Any], text: str) -> None:
    assert _from_object(expected, DICE, right=True).text == text


def test_a_wrong_choice_is_another_option_and_a_wrong_letter_another_letter() -> None:
    options = {"A": "one", "B": "two", "C": "three"}
    drawn = {
        _from_object({"value": "B", "options": options}, Dice("default", f"k{n}"), right=False).text for n in range(40)
    }
    assert drawn == {"(A) one", "(C) three"}
    assert _from_object({"value": "A", "options": {"A": "one"}}, DICE, right=False).text == "(A) one"
    assert [_other_letter(letter) for letter in "AbBC"] == ["B", "C", "C", "B"]


@each_row(
    ("value", "text"), [(True, "yes"), (False, "no"), ("a", "a"), (3, "3"), ({"ö": 1}, '{"ö": 1}'), (None, "null")]
)
def test_a_value_is_said_as_people_say_it(value: object, text: str) -> None:
    assert _plain(value) == text


def test_a_wrong_text_has_another_number_in_it_or_is_vague() -> None:
    found = _other_text("it is 1,234 km", DICE)
    assert found.startswith("it is 12")
    assert found.endswith(" km")
    assert found != "it is 1234 km"
    assert not any(sign.isdigit() for sign in _other_text("none", DICE))
    short, long = "x" * 197 + " 7", "x" * 198 + " 7"
    assert _other_text(short, DICE).startswith("xxx")
    assert not _other_text(long, DICE).startswith("xxx")
