"""A conversation with a simulated user: who is told what, when it ends, and what is kept of the user."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from modex.core.evaluators.tool_call.calls import made_calls
from modex.core.pipeline.rollout.conversation import MOST_CALLS
from tests.core.pipeline.conftest import CLOCK, Ask
from tests.server import Reply, Request, ServerHandle
from tests.server.replies import call, calls

USER: dict[str, Any] = {"goal": "You want the time in Oslo.", "facts": ["The city is Oslo."], "must_say": ["Oslo"]}
TALK: dict[str, Any] = {"rollout": "conversation", "simulated_user": USER, "prompt": "What time is it?"}


OSLO = call("clock", '{"city": "Oslo"}')


def is_user(request: Request) -> bool:
    """Whether the server is asked to play the user."""
    return "You play a person" in str(request.messages[0].get("content"))


def both(model: list[Reply], user: list[Reply]) -> Any:
    """Answers for the model and for its user, each in turn; the last of each is given again."""

    def reply(request: Request) -> Reply:
        answers = user if is_user(request) else model
        return answers.pop(0) if len(answers) > 1 else answers[0]

    return reply


def test_the_user_sees_what_is_said_and_the_model_sees_nothing_of_its_goal(ask: Ask, server: ServerHandle) -> None:
    behaviour = both([Reply("Where?"), Reply("It is ok.")], [Reply("In Oslo."), Reply("###STOP###")])
    sample = ask(behaviour, **TALK)
    asked = [request.messages for request in server.requests if not is_user(request)]
    played = [request.messages for request in server.requests if is_user(request)]
    assert asked[-1] == [
        {"role": "user", "content": "What time is it?"},
        {"role": "assistant", "content": "Where?"},
        {"role": "user", "content": "In Oslo."},
    ]
    assert [message["content"] for message in played[-1][1:]] == [
        "Hello, how can I help you?", "What time is it?", "Where?", "In Oslo.", "It is ok.",
    ]  # fmt: skip
    assert USER["goal"] in played[0][0]["content"]
    assert (sample.status, sample.response) == ("passed", "Where?\n\nIt is ok.")
    user = sample.simulated_user
    assert user is not None
    assert (user.turns, user.ended, user.fault) == (2, "left", "")
    assert [entry["content"] for entry in sample.transcript if entry.get("simulated")] == ["In Oslo.", "###STOP###"]


def test_the_users_tokens_are_no_part_of_the_models(ask: Ask) -> None:
    model = Reply("It is ok.", usage={"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10})
    user = Reply("###STOP###", usage={"prompt_tokens": 50, "completion_tokens": 2, "total_tokens": 52})
    sample = ask(both([model], [user]), **TALK)
    assert (sample.prompt_tokens, sample.completion_tokens) == (7, 3)
    assert sample.simulated_user is not None
    assert (sample.simulated_user.prompt_tokens, sample.simulated_user.completion_tokens) == (50, 2)


def test_a_conversation_without_an_end_is_ended_by_its_turns(ask: Ask, server: ServerHandle) -> None:
    sample = ask(both([Reply("Why ok?")], [Reply("Because.")]), **{**TALK, "simulated_user": {**USER, "max_turns": 3}})
    assert "turn_limit" in sample.flags
    assert sample.simulated_user is not None
    assert (sample.simulated_user.turns, sample.simulated_user.ended) == (3, "turn_limit")
    assert sum(is_user(request) for request in server.requests) == 2


def test_a_user_that_leaves_when_it_is_asked_is_flagged(ask: Ask) -> None:
    sample = ask(both([Reply("Where?")], [Reply("###stop###")]), **TALK)
    assert "user_fault" in sample.flags
    user = sample.simulated_user
    assert user is not None
    assert (user.fault, user.sure, user.ended) == ("left_at_once", "certain", "left")
    said = "the user is at fault (left at once): the user left at once, when it was asked, before it had said /Oslo/"
    assert (sample.status, user.said) == ("failed", said)
    assert sample.why.startswith(f"{said}; ")


def test_a_last_fact_with_the_stop_word_is_told_before_the_end(ask: Ask, server: ServerHandle) -> None:
    sample = ask(both([Reply("Where?"), Reply("It is ok.")], [Reply("In Oslo. ###STOP###")]), **TALK)
    asked = [request.messages for request in server.requests if not is_user(request)]
    assert asked[-1][-1] == {"role": "user", "content": "In Oslo."}
    assert (sample.status, sample.response, sample.flags) == ("passed", "Where?\n\nIt is ok.", [])
    assert sample.simulated_user is not None
    assert (sample.simulated_user.turns, sample.simulated_user.ended) == (2, "left")
    assert [entry["content"] for entry in sample.transcript if entry.get("simulated")] == ["In Oslo. ###STOP###"]


def test_a_last_message_with_tools_lets_them_be_called(ask: Ask) -> None:
    model = [Reply("Where?"), calls(OSLO), Reply("It is ok.")]
    sample = ask(both(model, [Reply("In Oslo. ###STOP###")]), tools=[CLOCK], **TALK)
    assert [entry["role"] for entry in sample.transcript][-3:] == ["assistant", "tool", "assistant"]


def test_only_thanks_with_the_stop_word_are_not_told(ask: Ask, server: ServerHandle) -> None:
    ask(both([Reply("It is ok in Oslo.")], [Reply("Thanks, that's all! ###STOP###")]), **TALK)
    assert sum(not is_user(request) for request in server.requests) == 1


def test_a_user_that_is_gone_when_the_model_asks_again_is_at_fault(ask: Ask) -> None:
    sample = ask(both([Reply("Where?"), Reply("Which part?")], [Reply("Far north. ###STOP###")]), **TALK)
    assert sample.simulated_user is not None
    assert sample.simulated_user.fault == "left_early"
    assert [entry.get("fault") for entry in sample.transcript if entry.get("simulated")] == [
        "left_early: the user left when it was asked, before it had said /Oslo/"
    ]


def test_a_fault_that_is_only_likely_has_a_flag_of_its_own_and_gives_way_to_a_certain_one(ask: Ask) -> None:
    model = [Reply("Where?"), Reply("Where ok?"), Reply("ok")]
    user = [Reply("I changed my mind."), Reply("It is number 5519."), Reply("###STOP###")]
    sample = ask(both(list(model), list(user)), **TALK)
    assert {"user_fault", "user_fault_likely"} <= set(sample.flags)
    assert sample.simulated_user is not None
    assert (sample.simulated_user.fault, sample.simulated_user.sure) == ("invented", "certain")


def test_a_user_that_is_only_likely_at_fault_says_nothing_of_a_sample_that_passed(ask: Ask) -> None:
    passed = ask(
        both([Reply("Oslo ok?"), Reply("ok")], [Reply("Oslo, I changed my mind."), Reply("###STOP###")]), **TALK
    )
    assert passed.flags == ["user_fault_likely"]
    assert not passed.why.startswith("the user is at fault")


def test_a_user_that_says_nothing_of_what_it_knows_until_its_turns_are_over_withholds_it(ask: Ask) -> None:
    spec = {**USER, "max_turns": 3}
    sample = ask(both([Reply("Where?")], [Reply("Here.")]), **{**TALK, "simulated_user": spec})
    assert sample.simulated_user is not None
    assert (sample.simulated_user.fault, sample.simulated_user.ended) == ("withheld", "turn_limit")


def test_tools_keep_their_state_over_the_turns(ask: Ask) -> None:
    clock = {**CLOCK, "responses": [{"when": {"$state.asked.[city]": None}, "set": {"asked.[city]": True}, "response": "12"},
                                    {"error": "asked already"}]}  # fmt: skip
    model = [calls(OSLO), Reply("ok?"), calls(OSLO),
             Reply("ok.")]  # fmt: skip
    sample = ask(
        both(model, [Reply("Again, in Oslo."), Reply("###STOP###")]), tools=[clock], tool_state={"asked": {}}, **TALK
    )
    assert sample.tool_state == {"asked": {"Oslo": True}}
    assert [entry.get("is_error") for entry in sample.transcript if entry["role"] == "tool"] == [False, True]


def test_a_user_model_that_fails_is_an_error_that_names_it(ask: Ask) -> None:
    sample = ask(both([Reply("Where?")], [Reply("", finish_reason="length")]), **TALK)
    assert (sample.status, sample.score) == ("error", None)
    assert "the simulated user (openai/test-model)" in (sample.error_message or "")


def test_the_run_cannot_ask_a_conversation_in_another_way(ask: Ask) -> None:
    sample = ask(both([Reply("It is ok.")], [Reply("###STOP###")]), "--rollout", "reasoning", **TALK)
    assert sample.simulated_user is not None


def _tools(tmp_path: Path, *tools: dict[str, Any]) -> None:
    """Write the suite's own tools."""
    folder = tmp_path / "suite" / "tool_mocks"
    folder.mkdir(parents=True)
    (folder / "t.json").write_text(json.dumps(tools), encoding="utf-8")


def test_a_user_with_tools_of_its_own_calls_them_on_the_same_world(
    ask: Ask, server: ServerHandle, tmp_path: Path
) -> None:
    """Its calls are recorded as its own, and what they told it may be said; the model's calls alone are the model's."""
    restart = {
        **CLOCK,
        "id": "restart",
        "name": "restart",
        "responses": [{"set": {"phone": "on"}, "response": "code 5519"}],
    }
    look = {**CLOCK, "id": "look", "name": "look", "responses": [{"response": {"phone": "{{$state.phone}}"}}]}
    model = [Reply("Please restart it in Oslo."), calls(call("look", '{"city": "Oslo"}')), Reply("It is on, ok.")]
    user = [calls(call("restart", '{"city": "Oslo"}')), Reply("I did, it says 5519."), Reply("###STOP###")]
    spec = {**USER, "must_say": [], "tool_ids": ["restart"]}
    _tools(tmp_path, restart, look)
    sample = ask(both(model, user), tool_ids=["look"], **{**TALK, "simulated_user": spec})
    assert (sample.status, sample.flags) == ("passed", [])
    told = [
        (entry["role"], entry.get("by"), entry["content"]) for entry in sample.transcript if entry["role"] == "tool"
    ]
    assert told == [("tool", "user", "code 5519"), ("tool", None, '{"phone": "on"}')]
    (made,) = [entry for entry in sample.transcript if entry["role"] == "user" and entry.get("tool_calls")]
    assert (made["by"], made["tool_calls"][0]["name"]) == ("user", "restart")
    assert [made.name for made in made_calls(sample, {})] == ["look"]
    played = [request for request in server.requests if is_user(request)]
    assert [tool["function"]["name"] for tool in played[0].body["tools"]] == ["restart"]
    assert "tools of your own" in played[0].messages[0]["content"]
    assert played[1].messages[-1]["content"] == "code 5519"
    asked = [request for request in server.requests if not is_user(request)]
    assert [tool["function"]["name"] for tool in asked[0].body["tools"]] == ["look"]
    assert not any("5519" in str(message["content"]) and message["role"] == "tool" for message in asked[-1].messages)


def test_a_user_that_only_calls_its_tools_has_to_speak_at_last(ask: Ask, server: ServerHandle, tmp_path: Path) -> None:
    def reply(request: Request) -> Reply:
        if not is_user(request):
            return Reply("Where ok?")
        return calls(OSLO) if "tools" in request.body else Reply("###STOP###")

    spec = {**USER, "must_say": [], "tool_ids": ["clock"]}
    _tools(tmp_path, CLOCK)
    sample = ask(reply, **{**TALK, "simulated_user": spec})
    assert sum(is_user(request) for request in server.requests) == MOST_CALLS + 1
    assert sum(entry["role"] == "tool" for entry in sample.transcript) == MOST_CALLS


def test_a_user_that_opens_answers_what_the_model_is_taken_to_have_said(ask: Ask, server: ServerHandle) -> None:
    spec = {**USER, "opens": True, "system": "You are Ann."}
    opening = [{"role": "assistant", "content": "Hi, how can I help?"}]

    def reply(request: Request) -> Reply:
        said = sum(message["role"] == "assistant" for message in request.messages)
        if request.messages[0]["content"] == "You are Ann.":
            return Reply("What time is it?") if not said else Reply("###STOP###")
        return Reply("It is ok o'clock.")

    sample = ask(reply, **{**TALK, "prompt": opening, "simulated_user": spec})
    first, second, *_ = server.requests
    assert first.messages == [
        {"role": "system", "content": "You are Ann."},
        {"role": "user", "content": "Hi, how can I help?"},
    ]
    assert second.messages == [*opening, {"role": "user", "content": "What time is it?"}]
    assert sample.simulated_user is not None
    assert (sample.response, sample.simulated_user.turns, sample.simulated_user.ended) == (
        "It is ok o'clock.",
        1,
        "left",
    )


def test_a_user_that_opens_may_leave_before_the_model_is_asked(ask: Ask, server: ServerHandle) -> None:
    spec = {**USER, "opens": True}
    sample = ask(
        Reply("###STOP###"), **{**TALK, "prompt": [{"role": "assistant", "content": "Hi!"}], "simulated_user": spec}
    )
    assert (len(server.requests), sample.response) == (1, "")
