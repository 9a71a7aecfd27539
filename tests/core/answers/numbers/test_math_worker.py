"""Who works mathematics out: this process for who says nothing else, killable children wherever answers are scored."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import modex.core.evaluators as scoring
from modex.core.answers.comparison import compare
from modex.core.answers.kinds import expected_answer
from modex.core.answers.numbers.math_worker import InThisProcess, hand_in, math_worker
from modex.core.answers.numbers.mathematics import compare_math
from modex.core.sandbox.mathematics import shared_pool
from tests.rows import each_row


@pytest.fixture
def handed_back() -> Iterator[None]:
    before = math_worker()
    yield
    hand_in(lambda: before)


def test_who_scores_answers_works_mathematics_out_in_children() -> None:
    assert scoring.__name__ == "modex.core.evaluators"
    assert math_worker() is shared_pool()


@each_row(
    ("gold", "answer", "equal"),
    [(r"\sqrt{2}", "2^{1/2}", True), (r"\sqrt{2}", "1.5", False), (r"\sin(x)^2+\cos(x)^2", "1", True)],
)
def test_this_process_comes_to_the_same_verdicts(gold: str, answer: str, *, equal: bool) -> None:
    assert compare_math(gold, answer, worker=InThisProcess()).equal is equal


@pytest.mark.usefixtures("handed_back")
def test_what_is_handed_in_is_asked() -> None:
    asked: list[object] = []

    class Worker:
        def ask(self, request: dict[str, object]) -> dict[str, object]:
            asked.append(request)
            return {"equal": True}

    hand_in(Worker)
    right, _ = compare(r"\log(3)", expected_answer({"value": r"\sin(5)", "type": "math"}, None))
    assert right
    assert asked
