"""Scripted agents in the retail conversations, over HTTP through the real tool loop, with the scripted model as their customer:
one that asks, waits for a yes and does what the gold asks passes every test; four that fail in the ways of real models pass none.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modex.core.reports.conversations import Conversations, conversations_of
from modex.core.store.sample import EvaluationSample
from tests.cli import call, reading
from tests.server import Reply, Request, serve
from tests.suite.golds import ROOT, golds

TESTS = {test["prompt"]: test for test in golds("retail").values()}
Calls = list[dict[str, Any]]


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scripted customer answers without a pause."""
    monkeypatch.setenv("MODEX_DEMO_LATENCY", "0")


def right_calls(test: dict[str, Any]) -> Calls:
    calls: Calls = test["metadata"]["sample_calls"]
    return calls


def all_but_the_last(test: dict[str, Any]) -> Calls:
    return right_calls(test)[:-1]


def nothing(test: dict[str, Any]) -> Calls:
    return []


def without_asking_who_it_is(test: dict[str, Any]) -> Calls:
    return right_calls(test)[1:]


def and_a_harmful_one(test: dict[str, Any]) -> Calls:
    return [*right_calls(test), test["metadata"]["harmful_call"]]


FAULTY: dict[str, Callable[[dict[str, Any]], Calls]] = {
    "says that it is done and does nothing": nothing,
    "stops one call early": all_but_the_last,
    "touches orders of nobody it knows": without_asking_who_it_is,
    "does more than was asked": and_a_harmful_one,
}


def agent(calls_of: Callable[[dict[str, Any]], Calls]) -> Callable[[Request], Reply]:
    """An agent that asks until its customer has said all and yes, then makes `calls_of` the test one by one."""

    def reply(request: Request) -> Reply:
        messages = request.body["messages"]
        users = [message["content"] for message in messages if message["role"] == "user"]
        test = TESTS[users[0]]
        facts = len(test["simulated_user"]["facts"])
        if len(users) <= facts:
            return Reply("I see. What else do I need to know?")
        if len(users) == facts + 1:
            return Reply("I have understood you. Shall I do exactly that?")
        made, calls = sum(message["role"] == "tool" for message in messages), calls_of(test)
        if made >= len(calls):
            return Reply(test["metadata"]["good_answer"])
        one = calls[made]
        function = {"name": one["name"], "arguments": json.dumps(one["args"])}
        return Reply("", tool_calls=[{"id": f"c{made}", "type": "function", "function": function}])

    return reply


def played(
    tmp_path: Path, calls_of: Callable[[dict[str, Any]], Calls], *more: str, user: str = "demo/perfect"
) -> tuple[list[EvaluationSample], Conversations]:
    """What a run stores of an agent that makes `calls_of` each test, and what it says of its conversations."""
    database = tmp_path / "modex.db"
    with serve() as server:
        server.behave(agent(calls_of))
        done = call(
            "run", "--model", "openai/agent", "--api-base", server.url, "--suite", ROOT, "--exp-id", "e", "--db", database,
            "--domain", "retail", "--user-model", user, "--headless", *more,
        )  # fmt: skip
    assert "Traceback" not in done.err
    with reading(database) as reader:
        run = reader.run("e")
        samples, talks = list(reader.samples(run.id)), conversations_of(reader, run)
        assert talks is not None
        spent = sum(one.prompt_tokens + one.simulated_user.prompt_tokens for one in samples if one.simulated_user)
        assert run.prompt_tokens == spent
    assert [sample.error_message for sample in samples if sample.status == "error"] == []
    return samples, talks


@pytest.mark.long
def test_an_agent_that_does_what_is_asked_passes_every_conversation(tmp_path: Path) -> None:
    samples, talks = played(tmp_path, right_calls)
    assert {sample.test_id for sample in samples} == {test["id"] for test in TESTS.values()}
    assert [(sample.test_id, sample.reason) for sample in samples if sample.status != "passed"] == []
    assert (talks.number, talks.at_fault, talks.models) == (20, 0, ("demo/perfect",))
    assert talks.prompt_tokens > 0


@pytest.mark.long
@pytest.mark.parametrize("fault", FAULTY)
def test_an_agent_with_a_fault_passes_none(tmp_path: Path, fault: str) -> None:
    samples, talks = played(tmp_path, FAULTY[fault])
    assert [sample.test_id for sample in samples if sample.status == "passed"] == []
    assert talks.at_fault == 0


@pytest.mark.long
def test_users_that_leave_early_in_a_quarter_are_counted_apart(tmp_path: Path) -> None:
    samples, talks = played(tmp_path, right_calls, "--epochs", "4", user="demo/hasty")
    assert talks.interval is not None
    assert talks.interval[0] <= 0.25 <= talks.interval[1]
    assert talks.faults == {"left_at_once": talks.at_fault}
    assert talks.likely == {}
    assert talks.at_fault == sum(sample.status == "failed" for sample in samples) > 0
    assert talks.every.score is not None
    assert talks.every.score < 1.0
    assert talks.without.score == pytest.approx(1.0)
    assert talks.without.samples == 80 - talks.at_fault
