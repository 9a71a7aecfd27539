"""A user whose words stand in the test: who is told what, when it ends, and what is noted of the tools."""

from __future__ import annotations

from typing import Any

from tests.core.pipeline.conftest import CLOCK, Ask
from tests.server import Reply, Request, ServerHandle
from tests.server.replies import call, calls

OSLO = call("clock", '{"city": "Oslo"}')
TALK: dict[str, Any] = {
    "rollout": "conversation",
    "prompt": "First?",
    "simulated_user": {"says": ["Second?", "Third?"]},
}
ASKED = {**CLOCK, "responses": [{"set": {"asked.[city]": True}, "response": "12"}]}


def after(*turns: list[Reply]) -> Any:
    """The replies of each turn, by how often the user spoke; the last of a turn is given again."""

    def reply(request: Request) -> Reply:
        spoken = sum(message["role"] == "user" for message in request.messages)
        last = max(at for at, message in enumerate(request.messages) if message["role"] == "user")
        said = sum(message["role"] == "assistant" for message in request.messages[last:])
        replies = turns[spoken - 1]
        found: Reply = replies[min(said, len(replies) - 1)]
        return found

    return reply


def test_the_user_says_one_thing_after_the_other_and_nobody_plays_it(ask: Ask, server: ServerHandle) -> None:
    sample = ask(after([Reply("One.")], [Reply("Two.")], [Reply("Three ok.")]), **TALK)
    assert [request.messages[-1]["content"] for request in server.requests] == ["First?", "Second?", "Third?"]
    assert [message["role"] for message in server.requests[-1].messages] == ["user", "assistant"] * 2 + ["user"]
    assert (sample.status, sample.response) == ("passed", "One.\n\nTwo.\n\nThree ok.")
    assert sample.simulated_user is None
    assert [entry["content"] for entry in sample.transcript if entry.get("simulated")] == ["Second?", "Third?"]


def test_no_words_more_are_one_turn(ask: Ask, server: ServerHandle) -> None:
    sample = ask(Reply("ok"), **{**TALK, "simulated_user": {"says": []}})
    assert (sample.status, len(server.requests)) == ("passed", 1)


def test_what_the_tools_know_is_noted_after_every_turn(ask: Ask) -> None:
    sample = ask(
        after([calls(OSLO), Reply("One.")], [Reply("Two.")], [calls(call("clock", '{"city": "Rome"}')), Reply("ok")]),
        tools=[ASKED], tool_state={"asked": {"Bern": True}}, **TALK,
    )  # fmt: skip
    noted = [entry["state_changes"] for entry in sample.transcript if "state_changes" in entry]
    assert noted == [{"/asked/Oslo": True}, {"/asked/Oslo": True}, {"/asked/Oslo": True, "/asked/Rome": True}]
    assert sample.tool_state == {"asked": {"Bern": True, "Oslo": True, "Rome": True}}


def test_a_world_is_judged_turn_by_turn(ask: Ask) -> None:
    gold = {"turns": [{"acts": True, "changes": {"/asked": {"Oslo": True}}, "results": ["12"]}, {}, {}]}
    told = {"tools": [ASKED], "evaluator_id": "world", "expected": gold, **TALK}
    sample = ask(after([calls(OSLO), Reply("One.")], [Reply("Two.")], [Reply("Three.")]), **told)
    assert (sample.status, sample.why) == ("passed", "every turn came to what it should")


def test_tools_that_a_turn_brings_are_not_there_before(ask: Ask, server: ServerHandle) -> None:
    says = ["Second?", {"content": "Now?", "tools": ["clock"]}]
    other = {**CLOCK, "id": "other", "name": "other"}
    ask(
        after([Reply("a")], [Reply("b")], [Reply("ok")]),
        tools=[CLOCK, other],
        **{**TALK, "simulated_user": {"says": says}},
    )
    offered = [[tool["function"]["name"] for tool in request.body["tools"]] for request in server.requests]
    assert offered == [["other"], ["other"], ["clock", "other"]]


def test_a_turn_that_uses_up_its_calls_ends_the_conversation(ask: Ask, server: ServerHandle) -> None:
    sample = ask(after([calls(OSLO)], [Reply("Two.")]), "--max-iterations", "2", tools=[CLOCK], **TALK)
    assert "tool_limit" in sample.flags
    assert all(request.messages[0]["content"] == "First?" for request in server.requests)
    assert not any(entry.get("simulated") for entry in sample.transcript)
