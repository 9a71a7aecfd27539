from __future__ import annotations

from modex.core.evaluators.answers.match import MatchEvaluator
from tests.core.evaluators.conftest import context, sample

_ROOTS = [
    (r"\sqrt{2}", r"x = \sqrt{2}", 1),
    (r"\sqrt{2}", r"The positive solution is $\sqrt{2}$.", 1),
    (r"\sqrt{2}", "The positive solution is the square root of 2.", 1),
    (r"\sqrt{2}", "The positive solution is √2.", 1),
    (r"\sqrt{2}", r"- \sqrt{2}", 1),
    (r"\sqrt{2}", r"x = -\sqrt{2}", 0),
    (r"\sqrt{2}", r"x = 2\sqrt{2}", 0),
    (r"\sqrt{2}", r"x = \pm\sqrt{2}", 0),
    (r"\sqrt{2}", "The positive solution is the square root of 3.", 0),
    (r"\sqrt{2}", "The solution is the negative square root of 2.", 0),
    (r"\sqrt{2}", "The positive solution is 2√2.", 0),
    (r"2\sqrt{3}", r"\sqrt{12} = 2\sqrt{3}", 1),
    (r"2\sqrt{3}", r"-2\sqrt{3}", 0),
    (r"2\sqrt{3}", r"12\sqrt{3}", 0),
    (r"\sqrt{3}", r"x = 3\sqrt{12}", 0),
    (r"\sqrt{5}", r"The solution is $5\sqrt{5}$.", 0),
    (r"\sqrt{5}", r"The solution is $\sqrt{5}+1$.", 0),
    (r"\sqrt{5}", r"The solution is $\frac{\sqrt{5}}{2}$.", 0),
    (r"\frac{10}{3}", r"The answer is $3\frac{1}{3}$, i.e. 10/3.", 1),
    (r"\frac{10}{3}", r"The answer is $3\frac{2}{3}$, i.e. 11/3.", 0),
]
_TIMES = [
    ("10:30", "Half past ten.", 1),
    ("10:30", "It leaves at half past ten.", 1),
    ("10:30", "It leaves at half past nine.", 0),
    ("08:15", "It leaves at 8:15 a.m.", 1),
    ("08:15", "It leaves at 8:15 p.m.", 0),
    ("20:15", "It leaves at 8:15 p.m.", 1),
    ("08:15", "At quarter past eight in the morning.", 1),
    ("08:15", "At quarter past eight in the evening.", 0),
    ("08:15", "At quarter to eight in the morning.", 0),
    ("10:30", "At 11:30, an hour after 10:30.", 0),
    ("10:30", "At 10:30, an hour after 9:30.", 1),
    ("10:30", "Not at 10:30 but at 11:30.", 0),
]


def _wrong(question: str, rows: list[tuple[str, str, int]]) -> list[tuple[str, str, int]]:
    judge, own = MatchEvaluator(), context("match")
    return [row for row in rows if judge.evaluate(sample(row[1], row[0], prompt=question), own).score != row[2]]


def test_a_root_counts_with_its_sign_and_its_factors() -> None:
    assert _wrong("Solve for the positive x.", _ROOTS) == []


def test_a_time_of_day_counts_in_digits_and_in_words() -> None:
    assert _wrong("When does the train leave?", _TIMES) == []
