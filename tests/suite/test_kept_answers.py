"""The product's evaluators reach the verdict that was kept for every answer, in the whole bundled suite."""

from __future__ import annotations

from collections import Counter

import pytest

from modex.core.foundation.errors import ErrorType
from modex.core.sandbox.bubblewrap.probe import bubblewrap_unavailable
from modex.core.store.sample import PASS_SCORE
from tests.rows import each_row
from tests.suite.kept_answers import cases, judged, kept_answers

COMPLETE = [
    "coding", "conversation", "data_extraction", "health", "instruction_following", "long_context",
    "math", "programming", "reasoning", "sql", "tool_calling",
]  # fmt: skip
"""Domains in which every test has its answers; a new domain joins when it is complete."""
LEAST = 3
SHARE_RIGHT = 0.99


@pytest.mark.parametrize("domain", COMPLETE)
def test_every_kept_answer_gets_its_verdict(domain: str) -> None:
    wrong = []
    for kept in kept_answers()[domain]:
        try:
            result = judged(kept)
        except Exception as error:
            if (
                getattr(error, "error_type", None) == ErrorType.UNSUPPORTED_CODE
                and bubblewrap_unavailable() is not None
            ):
                continue  # this machine's sandbox has a part of Python
            wrong.append(f"{kept}\n    {type(error).__name__}: {error}")
            continue
        right = (result.score >= PASS_SCORE) == (kept.verdict == "pass")
        if not right and not kept.known_wrong:
            wrong.append(f"{kept}\n    scored {result.score:.2f}: {result.why}")
    assert not wrong, f"{len(wrong)} of {len(kept_answers()[domain])} answers get another verdict:\n" + "\n".join(wrong)


def test_no_answer_is_kept_of_a_domain_that_is_not_tried() -> None:
    assert set(kept_answers()) == set(COMPLETE)


def test_nearly_all_verdicts_are_right_and_the_rest_is_named() -> None:
    kept = [answer for answers in kept_answers().values() for answer in answers]
    named = [answer for answer in kept if answer.known_wrong]
    assert len(named) <= (1 - SHARE_RIGHT) * len(kept), "\n".join(map(str, named))


def test_what_is_named_as_wrong_is_still_wrong() -> None:
    named = [answer for answers in kept_answers().values() for answer in answers if answer.known_wrong]
    right = [answer for answer in named if (judged(answer).score >= PASS_SCORE) == (answer.verdict == "pass")]
    assert right == [], "take the mark away"


@each_row("domain", COMPLETE)
def test_every_test_has_answers_that_must_pass_and_answers_that_must_fail(domain: str) -> None:
    counts = Counter((kept.test, kept.verdict) for kept in kept_answers()[domain])
    ids = [test.test_id for test in cases().values() if test.domain == domain]
    short = [(name, verdict) for name in ids for verdict in ("pass", "fail") if counts[name, verdict] < LEAST]
    assert short == [], f"fewer than {LEAST} answers kept"


def test_no_answer_is_kept_twice() -> None:
    kept = [answer for answers in kept_answers().values() for answer in answers]
    seen = Counter((answer.test, answer.answer, str(answer.transcript)) for answer in kept)
    assert [key for key, count in seen.items() if count > 1] == []
