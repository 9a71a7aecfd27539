"""Which verdicts of before say nothing of their answer."""

from __future__ import annotations

from typing import Any

from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.code.lacked import lacked
from modex.core.store.sample import EvaluationSample
from modex.core.verdict import Cases, FailedCase, Part, Weighted, WeightedPart
from tests.core.evaluators.conftest import sample
from tests.rows import each_row

LOADS = "the code does not load: "
YIELDS = "NotImplementedError: The monty syntax parser does not yet support yield expressions"


def judged(part: Part, code: str = "def f(): pass", status: Any = "failed") -> EvaluationSample:
    one = sample("", {})
    one.status, one.extracted_answer = status, code
    one.details = EvaluationResult(0.0, parts=(part,)).stored()
    return one


def failing(got: str) -> Cases:
    return Cases("f", 0, 2, (FailedCase("f(0)", "1", "2"), FailedCase("f(1)", "1", got)), "f(0) gave 2, expected 1")


@each_row(
    ("part", "lacks"),
    [
        (Cases("f", 0, 1, (), LOADS + YIELDS), "The monty syntax parser does not yet support yield expressions"),
        (Cases("f", 0, 1, (), LOADS + "ModuleNotFoundError: No module named 'heapq'"), "module heapq"),
        (
            Cases("f", 0, 1, (), LOADS + YIELDS, "monty"),
            "The monty syntax parser does not yet support yield expressions",
        ),
        (failing("an error: AttributeError: 'str' object has no attribute 'translate'"), "str.translate"),
        (failing("an error: ModuleNotFoundError: No module named 'numpy'"), "module numpy"),
        (Cases("f", 0, 1, (), LOADS + "ModuleNotFoundError: No module named 'heapq'", "bubblewrap"), None),
        (Cases("f", 0, 1, (), "the response defines no function called f"), None),
        (failing("an error: ValueError: no"), None),
        (failing("an error: AttributeError: 'str' object has no attribute 'shout'"), None),
        (failing("no result in time"), None),
        (
            Weighted((WeightedPart("code_tests", parts=(Cases("f", 0, 1, (), LOADS + YIELDS),)),)),
            "The monty syntax parser does not yet support yield expressions",
        ),
    ],
)
def test_a_verdict_that_says_what_was_lacking_is_none(part: Part, lacks: str | None) -> None:
    assert lacked(judged(part)) == lacks


def test_what_the_code_raised_itself_was_not_lacking() -> None:
    said = Cases("f", 0, 1, (), LOADS + "NotImplementedError: later")
    assert lacked(judged(said, "def f(): raise NotImplementedError('later')")) is None
    assert lacked(judged(said, "def f(): pass")) == "later"


def test_only_failures_are_looked_at() -> None:
    assert lacked(judged(Cases("f", 1, 1, (), LOADS + YIELDS), status="passed")) is None
    assert lacked(judged(Cases("f", 1, 1, (), LOADS + YIELDS), status="error")) is None
