"""A name that has a number or another person's first name: it is not the one that is called nearly the same."""

from __future__ import annotations

from tests.core.evaluators.answers.test_ordinary_answers import Row, misread

_ROWS: list[Row] = [
    (
        "Who was pope in 1980?",
        "John Paul II",
        ["John Paul II", "It was Pope John Paul the Second.", "Pope John Paul II, I think."],
        ["John Paul III", "It was John Paul I.", "Pope John Paul the First."],
    ),
    (
        "Which war ended in 1945?",
        "World War II",
        ["World War 2", "It was World War II.", "The Second World War", "World War II, I believe."],
        ["World War I", "It was World War I."],
    ),
    (
        "Which war ended in 1918?",
        "World War I",
        ["It was World War I I think.", "The First World War", "World War 1"],
        ["World War II", "It was World War II.", "It was World War 2."],
    ),
    ("Who was queen in 1960?", "Elizabeth II", ["Queen Elizabeth II", "Elizabeth the Second"], ["Elizabeth I"]),
    ("Who played it?", "Robert Downey Jr.", ["Robert Downey Junior", "Robert Downey, Jr."], ["Robert Downey Sr."]),
    ("Who directed it?", "Robert Downey Sr.", ["Robert Downey Senior"], ["Robert Downey Jr.", "Robert Downey, Jr."]),
    (
        "Who painted the sunflowers?",
        "Vincent van Gogh",
        ["Van Gogh", "It was painted by van Gogh.", "Vincent Willem van Gogh"],
        ["Theo van Gogh", "It was painted by Theo van Gogh."],
    ),
    (
        "Who wrote Emma?",
        "Jane Austen",
        ["The author Jane Austen wrote Emma."],
        ["The sister of Jane Austen wrote Emma.", "A close friend of Jane Austen wrote Emma."],
    ),
    ("Which city is it?", "Rome", ["It is Rome."], ["Everything but Rome", "Everybody but Rome."]),
]


def test_a_name_with_another_number_or_first_name_is_another_answer() -> None:
    assert not misread(_ROWS)
