"""Where right answers end: tolerances, units, percentages and similarity at their bounds."""

from __future__ import annotations

from typing import Any

from modex.core.answers.comparison import compare
from modex.core.answers.kinds import expected_answer
from tests.rows import each_row


@each_row(
    ("expected", "answer", "right"),
    [
        ({"value": -100, "rel_tolerance": 0.05}, "-95", True),
        ({"value": -100, "rel_tolerance": 0.05}, "-94", False),
        ({"type": "numeric", "value": "1/3"}, "0.333", True),
        ({"type": "numeric", "value": "1/3"}, "0.333%", False),
        ({"type": "math", "value": "1/4", "tolerance": 0.25}, "1/2", True),
        ({"type": "math", "value": "1/4", "tolerance": 0.25}, "0.51", False),
        ({"type": "text", "value": "abcdefghij", "min_similarity": 0.9}, "abcdefghix", True),
        ({"type": "text", "value": "abcdefghij", "min_similarity": 0.91}, "abcdefghix", False),
        ({"type": "numeric", "value": "2 M", "locale": "id"}, "2 miliar", True),
        ({"type": "numeric", "value": "2 M", "locale": "en"}, "2 million", True),
    ],
)
def test_an_answer_is_right_up_to_the_bound_and_not_beyond(expected: dict[str, Any], answer: str, right: bool) -> None:
    assert compare(answer, expected_answer(expected))[0] is right


@each_row(
    ("gold", "answer", "right"),
    [
        ("0.3", "0.333", False),
        ("0.333", "1/3", True),
        ("0.33", "1/3", False),
        ("0.34", "1/3", False),
        ("1/3", "0.33", False),
        ("1/3", "0.34", False),
        ("1.4142135623730951", r"\sqrt{2}", True),
        ("1.4142135623730951", r"\sqrt{3}", False),
    ],
)
def test_of_two_numbers_one_that_never_ends_may_be_written_with_three_digits_or_more(
    gold: str, answer: str, right: bool
) -> None:
    assert compare(answer, expected_answer({"type": "numeric", "value": gold}))[0] is right


def test_how_far_apart_two_numbers_are_is_said_in_percent_of_the_gold() -> None:
    right, compared = compare("3", expected_answer({"type": "numeric", "value": 7}))
    assert not right
    assert (compared.difference, compared.difference_percent) == (4, 57.142857)
    assert compare("3", expected_answer({"type": "numeric", "value": 0}))[1].difference_percent is None
    _, compared = compare("0.5", expected_answer({"type": "numeric", "value": 2}))
    assert (compared.difference, compared.difference_percent) == (1.5, 75.0)


def test_an_expression_that_is_another_number_is_no_number() -> None:
    _, compared = compare(r"\sqrt{3}", expected_answer({"type": "numeric", "value": "1.4142135623730951"}))
    assert compared.why == "not one number in locale 'en'"
