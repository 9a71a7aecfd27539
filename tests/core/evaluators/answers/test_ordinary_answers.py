"""Ordinary answers, right and wrong, by `match` and by `two_pass` whose extractor quotes sentences or finds nothing."""

from __future__ import annotations

import re
from typing import Any

from core.errors import JudgeError
from core.evaluators.answers.match import MatchEvaluator
from core.evaluators.answers.two_pass import TwoPassEvaluator
from tests.core.evaluators.conftest import ScriptedClient, context, sample

Row = tuple[str, Any, list[str], list[str]]


def _quotes(answer: str) -> dict[str, str]:
    """What an extractor gives that is too much, or nothing."""
    sentences = [part for part in re.split(r"(?<=[.!?])\s+|\n", answer) if part.strip()]
    return {
        "all of it": answer.replace("\n", " "), "its first sentence": sentences[0], "its last sentence": sentences[-1],
        "nothing": "NO_ANSWER",
    }  # fmt: skip


def _misread(rows: list[Row]) -> list[tuple[str, str, str]]:
    """The question, the answer and the way of each verdict that is not its label's."""
    wrong = []
    for question, gold, right, others in rows:
        for answer, label in [*((one, True) for one in right), *((one, False) for one in others)]:
            judged = {"match": MatchEvaluator().evaluate(sample(answer, gold, question), context("match")).score == 1}
            for way, reply in _quotes(answer).items():
                asked = context("two_pass", extractor=ScriptedClient(f"ANSWER: {reply}"))
                try:
                    judged[way] = TwoPassEvaluator().evaluate(sample(answer, gold, question), asked).score == 1
                except JudgeError:
                    judged[way] = False
            wrong += [(question, answer, way) for way, passed in judged.items() if passed is not label]
    return wrong


def test_yes_and_no() -> None:
    rows: list[Row] = [
        (
            "Is the Great Wall of China visible from the Moon?",
            "no",
            [
                "No, that's a common myth.",
                "Contrary to popular belief, no.",
                "The Great Wall is not visible from the Moon with the naked eye.",
                "It isn't visible from the Moon.",
                "Not really.",
            ],
            ["Yes, it is.", "Yes, it is visible, no question about it.", "The Great Wall of China is visible from the Moon."],
        ),
        (
            "Is a potato a vegetable, botanically speaking?",
            "yes",
            ["Botanically speaking, a potato is indeed a vegetable.", "Yes! A tuber is a vegetable.", "It is."],
            ["Not really. While many people would say yes, it is called a tuber.", "A potato is not a vegetable."],
        ),
    ]  # fmt: skip
    assert not _misread(rows)


def test_options() -> None:
    listed = "\nA. The sky is green.\nB. Grass is green.\nC. Snow is black."
    planets = "\n(A) Mercury\n(B) Venus\n(C) Earth\n(D) Mars"
    rows: list[Row] = [
        (
            f"Which is true?{listed}",
            "B",
            ["B. Grass is green.", "Grass is green.", "Statement B is true.", "Only B is correct; A and C are false."],
            ["A", "A and B", "Snow is black.", "C is true, B is false"],
        ),
        (
            f"Which planet is closest to the Sun?{planets}",
            "A",
            ["Mercury", "The closest planet is Mercury.", "B is Venus, which is second. The correct answer is **A**.", "a"],
            ["Venus", "The answer is not A.", "I think it's B or A.", "Mercury is close but Venus is the answer."],
        ),
    ]  # fmt: skip
    assert not _misread(rows)
