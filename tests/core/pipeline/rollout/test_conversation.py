"""A conversation with a simulated user: who is told what, when it ends, and what is kept of the user."""

from __future__ import annotations

from typing import Any

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
