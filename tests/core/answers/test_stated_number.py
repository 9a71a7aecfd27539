"""The number that a response gives as its answer, never one that it denies, leaves open or writes as a part of more."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.answers.kinds import expected_answer
from modex.core.answers.numbers.reading import parse_number
from modex.core.answers.own import read_own
from modex.core.answers.stated_number import stated_number
from tests.rows import each_row

EXPECTED = expected_answer({"type": "numeric", "value": 7})


def read(response: str, prompt: str = "How many are there?") -> int | None:
    found = read_own(response, EXPECTED, prompt)
    number = parse_number(found.text) if found else None
    return int(number.value) if number else None


@each_row(
    "response",
    [
        "8. Wait, no: it is 7",
        "Answer: 8\n\nCorrection: 7",
        "It is 7, not 8.",
        "7\n\nExplanation: 3 and 4, in 2 baskets.",
    ],
)
def test_what_the_text_settles_on_is_read(response: str) -> None:
    assert read(response) == 7


@each_row("response", ["not 7", "7 or 8", "7 (or 8)", "√7", "7²", "7x", "log10(7)", "7:30", "See page 7."])
def test_what_is_denied_or_open_or_part_of_more_is_not_read(response: str) -> None:
    assert read(response) is None


def test_a_page_is_a_number_where_the_question_asks_for_the_page() -> None:
    assert read("It is on page 7.", "On which page does it stand?") == 7


def test_the_question_that_follows_is_not_read() -> None:
    assert read("It is 7.\n\nQuestion: And 4 + 5?\nAnswer: 9") == 7


@given(st.text(alphabet="78 .,?!\n=+-√²()[]orntwaim:x", max_size=80))
def test_any_text_is_read_and_the_found_number_stands_in_it(text: str) -> None:
    found = stated_number(text, EXPECTED)
    assert found is None or found.text in text


@each_row(
    ("response", "text", "how"),
    [
        ("It is 7, not 8.", "7", "last_line"),
        ("7\n\n  ", "7", "last_line"),
        ("7\n\nThese are 3 and 4.", "7", "first_line"),
        ("There are 7 apples left", "7", "last_line"),
    ],
)
def test_the_number_itself_is_given_and_where_it_was_found(response: str, text: str, how: str) -> None:
    found = stated_number(response, EXPECTED)
    assert found is not None
    assert (found.text, found.how) == (text, how)
    assert response[found.start :].startswith(text)


@pytest.mark.parametrize(("gold", "text"), [("7 km", "7 km"), (7, "7")])
def test_a_number_is_read_with_its_unit_where_one_is_expected(gold: str | int, text: str) -> None:
    found = stated_number("They walk 7 km in all.", expected_answer({"type": "numeric", "value": gold}))
    assert found is not None
    assert found.text == text
