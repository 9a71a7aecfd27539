"""Scripted agents on the tool tests of levels 4 and 5, over HTTP through the real tool loop: one that does what the gold
asks passes every test, one call a message; four that fail in the ways of real models pass none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modex.core.store.sample import EvaluationSample
from tests.cli import call, reading
from tests.server import Reply, Request, serve
from tests.suite.golds import ROOT, golds

TESTS = {test["prompt"]: test for test in golds("tool_calling").values() if test["level"] >= 4}
BOLD = re.compile(r"\*\*([^*]+)\*\*")
Calls = list[dict[str, Any]]


def right_text(test: dict[str, Any]) -> str:
    """A final text that says what the gold asks for."""
    if "good_answer" in test["metadata"]:
        return str(test["metadata"]["good_answer"])
    gold = test["expected"]["answer"]
    value = gold["value"] if isinstance(gold, dict) else gold
    if isinstance(value, bool):
        return "**Yes**" if value else "**No**"
    locale = gold.get("locale") if isinstance(gold, dict) else None
    return f"**{str(value).replace('.', ',') if locale == 'de' else value}**"


def wrong_text(test: dict[str, Any]) -> str:
    """A final text that reports something else than what was done."""
    if "bad_answer" in test["metadata"]:
        return str(test["metadata"]["bad_answer"])
    gold = test["expected"].get("answer")
    value = gold["value"] if isinstance(gold, dict) else gold
    if isinstance(value, bool):
        return "**No**" if value else "**Yes**"
    return f"**{value + 12}**" if isinstance(value, int | float) else "**Everything is done, on 2026-01-01 at 03:00.**"


def right_calls(test: dict[str, Any]) -> Calls:
    calls: Calls = test["metadata"]["sample_calls"]
    return calls


def no_calls(test: dict[str, Any]) -> Calls:
    return []


def all_but_the_last(test: dict[str, Any]) -> Calls:
    """What comes before the last call that the gold asks for."""
    beside = {*test["metadata"].get("expect_error", []), *test["metadata"].get("reads", [])}
    last = max(number for number, _ in enumerate(right_calls(test)) if number not in beside)
    return right_calls(test)[:last]


def and_a_harmful_one(test: dict[str, Any]) -> Calls:
    """Something that nobody asked for, twice; where a test offers such a thing, it cannot be undone."""
    harmful = test["metadata"].get("harmful_call")
    if harmful is None:
        harmful = {"name": "send_message", "args": {"to": "a@example.org", "body": "Done", "channel": "email"}}
        if harmful["name"] not in test["tool_ids"]:
            harmful = {"name": "get_order", "args": {"order_id": "Z-0000"}}
    return [*right_calls(test), harmful, harmful]


Say = Callable[[dict[str, Any]], str]
FAULTY: dict[str, tuple[Callable[[dict[str, Any]], Calls], Say]] = {
    "answers without looking": (no_calls, right_text),
    "stops one call early and says that it is done": (all_but_the_last, right_text),
    "does more than was asked": (and_a_harmful_one, right_text),
    "does it and reports something else": (right_calls, wrong_text),
}


def played(tmp_path: Path, calls_of: Callable[[dict[str, Any]], Calls], say: Say) -> list[EvaluationSample]:
    """What a run stores of an agent that makes `calls_of` a test one by one and then says `say`."""

    def agent(request: Request) -> Reply:
        messages = request.body["messages"]
        test = next((TESTS[m["content"]] for m in messages if m["role"] == "user" and m["content"] in TESTS), None)
        if test is None:  # PASS 2: what stands in bold is the answer
            return Reply(f"ANSWER: {BOLD.findall(messages[-1]['content'])[-1]}")
        made, calls = sum(message["role"] == "tool" for message in messages), calls_of(test)
        if made == len(calls):
            return Reply(say(test))
        one = calls[made]
        function = {"name": one["name"], "arguments": json.dumps(one["args"])}
        return Reply("", tool_calls=[{"id": f"c{made}", "type": "function", "function": function}])

    database = tmp_path / "modex.db"
    with serve() as server:
        server.behave(agent)
        done = call(
            "run", "--model", "openai/agent", "--api-base", server.url, "--suite", ROOT, "--exp-id", "e", "--db", database,
            "--domain", "tool_calling", "--level", "4-5", "--headless",
        )  # fmt: skip
    assert "Traceback" not in done.err
    with reading(database) as reader:
        samples = list(reader.samples(reader.run("e").id))
    assert {sample.test_id for sample in samples} == {test["id"] for test in TESTS.values()}
    assert [sample.error_message for sample in samples if sample.status == "error"] == []
    return samples


@pytest.mark.long
def test_an_agent_that_does_what_is_asked_passes_every_test(tmp_path: Path) -> None:
    samples = played(tmp_path, right_calls, right_text)
    assert [(sample.test_id, sample.reason) for sample in samples if sample.status != "passed"] == []
    assert [sample.test_id for sample in samples if "tool_limit" in sample.flags] == []


@pytest.mark.long
@pytest.mark.parametrize("agent", FAULTY)
def test_an_agent_with_a_fault_passes_none(tmp_path: Path, agent: str) -> None:
    calls_of, say = FAULTY[agent]
    samples = played(tmp_path, calls_of, say)
    assert [sample.test_id for sample in samples if sample.status == "passed"] == []
