from __future__ import annotations

from typing import Any

from modex.core.evaluators.answers.match import MatchEvaluator
from modex.core.verdict import Extracted
from tests.core.evaluators.conftest import config, context, part, sample
from tests.rows import each_row


@each_row(
    ("response", "expected", "right"),
    [
        ("3 + 4 = <<3+4=7>>7\nA: 7", "7", 1),
        ("A: 7", "He adds.\n#### 7", 1),
        ("A: 2125", "2,125", 1),
        ("A: 65000", "70000", 0),
        ("So it is 9 * 2 = $18.", "18", 1),
        ("18 eggs, of which 9 are left", "18", 0),
        ("The answer is \\boxed{18}.", "18", 1),
        ("\\boxed{8} no wait \\boxed{7}", "8", 0),
        ("The answer is 1,8", "18", 0),
        ("The answer is (B).", "B", 1),
        ("A and B are both right", "B", 0),
        ("**Final answer:** Paris", "Paris", 1),
        ("I like New York", "new", 0),
        ("", "18", 0),
    ],
)
def test_the_responses_own_final_answer_is_compared(response: str, expected: Any, right: int) -> None:
    result = MatchEvaluator().evaluate(sample(response, expected), context("match"))
    assert result.score == right
    assert not result.pass2_used


def test_the_span_is_where_the_answer_stands() -> None:
    response = "Work.\nA: 18"
    found = part(MatchEvaluator().evaluate(sample(response, 18), context("match")), Extracted)
    start, end = found.span
    assert response[start:end] == "18"
    assert found.source == "label"


def test_the_comparison_may_be_named() -> None:
    own = config("match", config={"comparison": "exact"})
    assert MatchEvaluator().evaluate(sample("Answer: 18.0", "18"), context(own)).score == 0


@each_row(
    ("question", "gold", "response", "right"),
    [
        ("How hot is it there in Celsius?", "40", "It is 40 °C (104 °F).", 1),
        ("How hot is it there in Celsius?", "40", "It is 40 °F.", 0),
        ("How hot is it there in Celsius?", "40", "It is 30 °C; 40 °C is wrong.", 0),
        ("How many pears are left?", "31", "31%", 0),
        ("What percentage is left?", "31", "31%", 1),
        ("How high is the tower in metres?", "849 m", "611 metres. The other one is 849 m.", 0),
        ("How high is the tower in metres?", "849 m", "It is 849 m high (2,785 ft).", 1),
        ("How fast is it?", "30 m/s", "It is exactly 30 metres per second.", 1),
        ("What is the root of 2?", "\\sqrt{2}", "2**0.5", 1),
        ("When did it end?", "1945", "It ended in nineteen forty-five.", 1),
    ],
)
def test_a_number_is_compared_in_the_unit_that_the_question_asks_for(
    question: str, gold: str, response: str, right: int
) -> None:
    assert MatchEvaluator().evaluate(sample(response, gold, prompt=question), context("match")).score == right
