"""Answers that were cut off: bounds around the score, and a resume that asks again those and only those."""

from __future__ import annotations

import pytest

from tests.server import Reply, Request, Stream
from tests.tui.commands.conftest import Shell


def answer(request: Request) -> Reply:
    """Questions 0 and 1 need more than 50 tokens, 2 does not fit at all, the rest is right."""
    number = int(request.prompt.split()[-1])
    if number < 2 and request.body.get("max_tokens", 0) <= 50:
        return Reply("so far I", finish_reason="length")
    if number == 2:
        return Reply(status=400, body={"error": {"message": "too long", "code": "context_length_exceeded"}})
    return Reply("ok" if number else "no")


def test_bounds_hold_the_truth_and_only_cut_off_answers_are_asked_again(shell: Shell) -> None:
    shell.suite([{"id": f"t{n}", "prompt": f"question {n}", "expected": {"keywords": ["ok"]}} for n in range(10)])
    shell.server.behave(answer)
    shell.run("--max-tokens", "50")
    before = shell("show", "e", "--json").data["cut_off"]
    assert before["number"] == 2
    assert (before["low"], before["high"]) == (pytest.approx(before["high"] - 2 / 9), 1.0)
    assert "3 without a verdict: all wrong 70.0, all right 100.0; 2 answers were cut off" in shell("show", "e").out
    assert (
        "70.0 to 100.0 of 100 (100.0 over the 7 with a verdict; 3 without a verdict, 2 of them cut off)"
        in shell("export", "e", "--format", "md").out
    )
    shell.server.forget()
    shell("resume", "e", "--more-tokens", "400", "--headless")
    assert sorted(request.prompt for request in shell.server.requests) == ["question 0", "question 1"]
    assert {request.body["max_tokens"] for request in shell.server.requests} == {400}
    after = shell("show", "e", "--json").data
    assert after["cut_off"] is None
    assert before["low"] <= after["overall_score"] <= before["high"]
    shell.server.forget()
    shell("resume", "e", "--headless")
    assert {request.prompt for request in shell.server.requests} == {"question 2"}


def looped(request: Request) -> Reply:
    """Question 0 is answered without an end, question 1 needs more than 50 tokens, the rest is right."""
    number = int(request.prompt.split()[-1])
    if number == 0:
        return Reply("Wait, let me check that again. ", stream=Stream(endless=True, every_s=0.0001))
    if number == 1 and request.body.get("max_tokens", 0) <= 50:
        return Reply("so far I", finish_reason="length")
    return Reply("ok")


def test_more_tokens_are_offered_and_given_only_where_they_may_help(shell: Shell) -> None:
    shell.suite([{"id": f"t{n}", "prompt": f"question {n}", "expected": {"keywords": ["ok"]}} for n in range(4)])
    shell.server.behave(looped)
    shell.run("--max-tokens", "50")
    found = shell("show", "e", "--json").data["cut_off"]
    assert (found["number"], found["may_need_tokens"]) == (2, 1)
    assert "--more-tokens N` asks only 1 of them again" in shell("show", "e").out
    shell.server.forget()
    shell("resume", "e", "--more-tokens", "400", "--headless")
    assert [request.prompt for request in shell.server.requests] == ["question 1"]
    said = shell("show", "e").out
    assert "1 answer was cut off" in said
    assert "--more-tokens" not in said


def test_the_bounds_of_a_run_with_22_percent_cut_off_hold_its_score_at_any_length(shell: Shell) -> None:
    long = frozenset(range(2, 50, 4)) - {2}
    assert len(long) / 50 == 0.22
    shell.suite(
        [
            {"id": f"t{n}", "prompt": f"question {n}", "expected": {"keywords": ["ok"]}, "level": n % 5 + 1}
            for n in range(50)
        ]
    )

    def reply(request: Request) -> Reply:
        number = int(request.prompt.split()[-1])
        if number in long and request.body.get("max_tokens", 0) <= 50:
            return Reply("so far I", finish_reason="length")
        return Reply("ok" if number % 3 else "no")

    shell.server.behave(reply)
    shell.run("--max-tokens", "50")
    bounds = shell("show", "e", "--json").data["cut_off"]
    assert bounds["number"] == 11
    shell.server.forget()
    shell("resume", "e", "--more-tokens", "400", "--headless")
    assert {request.prompt for request in shell.server.requests} == {f"question {n}" for n in long}
    assert shell.server.hits == 11
    truth = shell("show", "e", "--json").data["overall_score"]
    assert bounds["low"] < truth < bounds["high"]
    shell.run("--max-tokens", "400", exp_id="whole")
    assert shell("show", "whole", "--json").data["overall_score"] == pytest.approx(truth)
