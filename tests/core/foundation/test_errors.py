"""Errors: what to do about each, and how one that arose while judging is called."""

from __future__ import annotations

from modex.core.foundation.errors import (
    ErrorType,
    ModelCallError,
    Problem,
    SuiteError,
    advice_on,
    advises,
    while_judging,
)
from tests.rows import each_row


@each_row(
    ("kind", "message", "advised"),
    [
        (None, None, False),
        ("of another program", None, False),
        (ErrorType.CONNECTION, None, True),
        ("connection", "", True),
        ("connection", "the network is down", True),
        ("connection", "the network is down; check the cable", False),
        ("connection", "give another --api-base", False),
        ("connection", "please try again", True),
    ],
)
def test_advice_is_given_where_the_message_has_none(kind: str | None, message: str | None, advised: bool) -> None:
    assert bool(advice_on(kind, message)) is advised
    assert not advises("please try again")


@each_row(
    ("kind", "asked_as", "called"),
    [
        (ErrorType.BAD_REQUEST, "judge", ErrorType.JUDGE_REFUSED),
        (ErrorType.BAD_REQUEST, "repair", ErrorType.JUDGE_REFUSED),
        (ErrorType.BAD_REQUEST, "pass2", ErrorType.EXTRACTOR_REFUSED),
        (ErrorType.CONNECTION, "judge", ErrorType.CONNECTION),
        (ErrorType.RATE_LIMIT, "pass2", ErrorType.RATE_LIMIT),
    ],
)
def test_a_refusal_while_judging_is_called_by_who_refused(kind: ErrorType, asked_as: str, called: ErrorType) -> None:
    error = ModelCallError("no", kind)
    error.asked_as = asked_as
    assert while_judging(error) == called


def test_a_failed_call_is_taken_for_one_attempt_that_cost_nothing_and_is_not_tried_again() -> None:
    error = ModelCallError("no", ErrorType.CONNECTION)
    assert (error.retryable, error.fatal, error.attempts, error.cost_usd, error.asked_as) == (False, False, 1, 0.0, "")


def test_a_problem_stands_with_its_line_where_one_is_meant() -> None:
    problems = [Problem("a.json", 3, "odd"), Problem("b.json", 0, "gone")]
    assert str(SuiteError(problems)) == "a.json:3: odd\nb.json: gone"
    assert sorted([problems[1], problems[0], Problem("a.json", 1, "z")])[0].line == 1


def test_what_an_agent_printed_is_mended_in_the_agent() -> None:
    told = advice_on("invalid_response", "the agent's object has no text `answer`")
    assert (
        told == advice_on("invalid_response", by_agent=True) == "mend the agent or its file of answers, then ask again"
    )
    assert "--api-base" in advice_on("invalid_response", "m: the answer is no JSON")
    assert "--timeout" in advice_on("timeout", "the agent was late", by_agent=True)
