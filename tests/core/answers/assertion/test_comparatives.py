"""A gold of which a clause says the opposite of what the question compares by."""

from __future__ import annotations

from tests.core.evaluators.answers.test_ordinary_answers import Row, misread


def test_the_opposite_of_what_is_asked_is_another_answer() -> None:
    oceans = "Which is larger, the Pacific or the Atlantic Ocean?"
    rows: list[Row] = [
        (
            oceans,
            "the Pacific",
            [
                "The Atlantic is smaller than the Pacific.",
                "The Pacific is larger than the Atlantic.",
                "The Pacific is bigger.",
            ],
            [
                "The Pacific is smaller than the Atlantic.",
                "The Pacific Ocean is much smaller than the Atlantic.",
                "The Pacific is less large than the Atlantic.",
                "The Atlantic is larger than the Pacific.",
            ],
        ),
        (
            "Which is heavier, gold or iron?",
            "gold",
            ["Gold is heavier than iron.", "Iron is lighter than gold.", "Iron is less heavy than gold."],
            ["Gold is lighter than iron.", "Gold is less heavy than iron."],
        ),
        (
            "Which country is more populous, India or Brazil?",
            "India",
            ["India is more populous than Brazil.", "Brazil is less populous than India.", "India is larger."],
            ["India is less populous than Brazil."],
        ),
        (
            "Who is older, Anna or Maria?",
            "Anna",
            ["Anna is older than Maria.", "Maria is younger than Anna.", "Anna is older and has less hair."],
            ["Anna is younger than Maria.", "Maria is older than Anna."],
        ),
    ]
    assert not misread(rows)
