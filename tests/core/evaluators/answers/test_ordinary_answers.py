"""Ordinary answers, right and wrong, by `match` and by `two_pass` whose extractor quotes sentences or finds nothing."""

from __future__ import annotations

import re
from typing import Any

from modex.core.evaluators.answers.match import MatchEvaluator
from modex.core.evaluators.answers.two_pass import TwoPassEvaluator
from modex.core.foundation.errors import JudgeError
from tests.core.evaluators.conftest import ScriptedClient, context, sample

Row = tuple[str, Any, list[str], list[str]]


def _quotes(answer: str) -> dict[str, str]:
    """What an extractor gives that is too much, or nothing."""
    sentences = [part for part in re.split(r"(?<=[.!?])\s+|\n", answer) if part.strip()]
    return {
        "all of it": answer.replace("\n", " "), "its first sentence": sentences[0], "its last sentence": sentences[-1],
        "nothing": "NO_ANSWER",
    }  # fmt: skip


def misread(rows: list[Row]) -> list[tuple[str, str, str]]:
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
    assert not misread(rows)


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
    assert not misread(rows)


def test_an_option_that_is_stated_behind_all_of_them() -> None:
    each = "Let's see. A) Mars is small. B) Jupiter is huge. C) Venus is Earth-sized. D) Earth is fifth."
    question = "Which planet is the largest?\nA) Mars\nB) Jupiter\nC) Venus\nD) Earth"
    right = [
        f"{each} The largest is Jupiter.",
        f"{each} So the largest planet is Jupiter.",
        "A? No, B.",
        "(D)? No, it's B.",
    ]
    others = [each, f"{each} The largest is Earth.", f"{each} The largest is not Jupiter.", "B? No, A.", "B? No."]
    assert not misread([(question, "B", right, others)])


def test_formulas() -> None:
    rows: list[Row] = [
        (
            "Solve x^2 - 5x + 6 = 0.",
            "x = 2 or x = 3",
            ["x=3, x=2", "The solutions are 2 and 3.", "{2, 3}", "\\boxed{2, 3}", "x \\in \\{2,3\\}"],
            ["x = 2", "x = -2 or x = -3", "2 and 4", "The solutions are 2, 3 and 4.", "The solutions are not 2 and 3."],
        ),
        (
            "What is the derivative of x^2?",
            "2x",
            ["2*x", "The derivative is 2*x.", "f'(x) = 2x", "d/dx x^2 = 2x", "The derivative of x^2 is 2x, not x^2."],
            ["2x^2", "The derivative is 2x^2.", "2x + 1", "It is -2x.", "x^2", "2", "x²/2"],
        ),
        ("Solve x^2 = 2 for positive x.", "\\sqrt{2}", ["x = \\sqrt{2}"], ["x = -\\sqrt{2}", "x = 2\\sqrt{2}"]),
    ]
    assert not misread(rows)


def test_numbers_of_the_clause_that_answers() -> None:
    rows: list[Row] = [
        (
            "How many planets are in the solar system?",
            "8",
            ["There are 8 planets. Pluto used to be the 9th.", "Eight (8)."],
            ["There are 9 planets in the solar system; if you leave out Pluto, 8.", "There are 9 planets: 4 inner and 5 outer."],
        ),
        (
            "What is the boiling point of water at sea level in Celsius?",
            "100 °C",
            ["Water boils at 100 degrees Celsius (212 °F) at sea level.", "212 °F, which is 100 °C."],
            ["It boils at 90 °C; at 100 °C it would be superheated.", "100 °F"],
        ),
        ("How tall is Everest?", "8,849 m", ["It is 8,849 m tall. K2 is 8,611 m."], ["Everest is 8,611 m tall. K2: 8,849 m."]),
        ("How tall is K2?", "8,849 m", ["Everest is 8,611 m tall. K2 is 8,849 m."], ["Everest is 8,849 m tall. K2 is 8,611 m."]),
        (
            "A train goes 120 km in 1.5 hours. What is its speed in km/h?",
            "80",
            ["80 km/h", "$$\\frac{120}{1.5} = 80$$", "It is 80 kilometres per hour."],
            ["80 miles", "80%", "It is more than 80 km/h.", "It's 75, I think, or 80."],
        ),
        ("What is sqrt(2) to two decimals?", "1.41", ["1.414, which rounds to 1.41"], ["1.4", "1.42"]),
        ("How many pears are left?", "1,250", ["1 250", "There are 1250 pears left."], ["1250%", "125"]),
        ("When was she born?", "12 March 1985", ["12.3.1985", "March 12, 1985"], ["3 December 1985", "3.12.1985"]),
    ]  # fmt: skip
    assert not misread(rows)


def test_names() -> None:
    rows: list[Row] = [
        (
            "Who painted the Mona Lisa?",
            "Leonardo da Vinci",
            ["It was Leonardo who painted it.", "Da Vinci painted it.", "Leonardo"],
            ["Leonardo DiCaprio", "It was not painted by Leonardo da Vinci; the artist was Raphael."],
        ),
        (
            "¿Quién escribió Don Quijote?",
            "Miguel de Cervantes",
            ["Cervantes", "El autor es Cervantes."],
            ["No fue Miguel de Cervantes, sino Lope de Vega.", "Lope de Vega"],
        ),
        ("Who walked on the Moon first?", "Neil Armstrong", ["Armstrong, the commander"], ["Louis Armstrong"]),
        (
            "Who was the first person to walk on the Moon?",
            "Neil Armstrong",
            ["Armstrong, Apollo 11's commander", "Neil Armstrong, before Buzz Aldrin"],
            ["Yuri Gagarin was the first in space and walked on the Moon before Neil Armstrong."],
        ),
        (
            "Who wrote 'Pride and Prejudice'?",
            "Jane Austen",
            ["It was written by Jane Austen. She also wrote Emma."],
            ["Charlotte Brontë wrote it. Jane Austen wrote Emma.", "Jane Austen's sister Cassandra wrote it."],
        ),
        ("What currency is used in Japan?", "yen", ["Japan uses the yen."], ["Japan uses the won. The yen is used in China."]),
        (
            "What is the largest ocean on Earth?",
            "Pacific Ocean",
            ["The largest ocean is the Pacific Ocean; the Atlantic is second."],
            ["The Atlantic Ocean is the largest, the Pacific Ocean the deepest."],
        ),
    ]  # fmt: skip
    assert not misread(rows)
