"""The three ways to ask: direct, reasoning, agentic."""

from __future__ import annotations

import json

import pytest

from tests.core.pipeline.conftest import CLOCK, Ask
from tests.server import Behaviour, Reply, Request, ServerHandle
from tests.server.replies import CUT_OFF, FILTERED, UNCLOSED_THINKING, call, calls


def test_a_direct_question_is_sent_as_it_is(ask: Ask, server: ServerHandle) -> None:
    sample = ask(Reply("ok"), prompt="2+2?", system_prompt="Be brief.")
    assert server.requests[0].messages == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "2+2?"},
    ]
    assert [(entry["role"], entry["content"]) for entry in sample.transcript] == [
        ("system", "Be brief."),
        ("user", "2+2?"),
        ("assistant", "ok"),
    ]


def test_a_conversation_is_sent_turn_by_turn(ask: Ask, server: ServerHandle) -> None:
    turns = [
        {"role": "user", "content": "I am Ada."},
        {"role": "assistant", "content": "Hello Ada."},
        {"role": "user", "content": "Who am I?"},
    ]
    sample = ask(Reply("ok"), prompt=turns)
    assert server.requests[0].messages == turns
    assert json.loads(sample.prompt) == turns


def test_thinking_is_stripped_from_the_answer_and_kept(ask: Ask) -> None:
    sample = ask(Reply("<think>hm</think>\nok"))
    assert (sample.response, sample.reasoning) == ("ok", "hm")


@pytest.mark.parametrize(
    ("reply", "kind"),
    [(CUT_OFF, "truncated_output"), (UNCLOSED_THINKING, "truncated_reasoning"), (FILTERED, "content_filter")],
)
def test_an_answer_that_is_none_is_an_error_and_not_a_zero(ask: Ask, reply: Reply, kind: str) -> None:
    sample = ask(reply)
    assert (sample.status, sample.error_type, sample.score) == ("error", kind, None)


def test_what_was_said_before_the_cut_is_kept(ask: Ask) -> None:
    assert ask(CUT_OFF).response == CUT_OFF.content


def test_an_empty_answer_is_flagged(ask: Ask) -> None:
    assert "empty_answer" in ask(Reply("")).flags


LATEX = r'{"reasoning": "\frac{1}{2} of it", "answer": "ok"}'


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "answer", "flags"),
    [
        ('{"reasoning": "so", "answer": "ok"}', "ok", []),
        ('```json\n{"reasoning": "so", "answer": "ok"}\n```', "ok", []),
        ('Here it is: {"reasoning": "so", "answer": "ok"} I hope it helps.', "ok", []),
        ('{"reasoning": "so", "answer": "ok",}', "ok", ["repaired_json"]),
        (LATEX, "ok", None),
        ('{"answer": 42, "reasoning": ""}', "42", []),
        ('{"answer": ["a", "b"], "reasoning": ""}', '["a", "b"]', []),
        ("It is ok.", "It is ok.", ["unparsed_answer"]),
        ('{"reasoning": "no answer in here"}', '{"reasoning": "no answer in here"}', ["unparsed_answer"]),
    ],
)
def test_a_structured_answer_is_read_through_what_models_put_around_it(
    ask: Ask, text: str, answer: str, flags: list[str] | None
) -> None:
    sample = ask(Reply(text), rollout="reasoning")
    assert sample.response == answer
    if flags is not None:
        assert sample.flags == flags


def test_the_reasoning_prompt_joins_the_tests_own(ask: Ask, server: ServerHandle) -> None:
    ask(Reply('{"answer": "ok"}'), rollout="reasoning", system_prompt="You are a chemist.", prompt="H2O?")
    assert server.requests[0].system.startswith("You are a chemist.\n\n")
    assert "{question}" not in server.requests[0].system
    assert "{snapshot_date}" not in server.requests[0].system
    assert server.requests[0].prompt == "H2O?"


def test_the_runs_mode_wins_over_the_tests(ask: Ask, server: ServerHandle) -> None:
    ask(Reply('{"answer": "ok"}'), "--rollout", "direct", rollout="reasoning")
    assert server.requests[0].system == ""


def agent(*, rounds: int, decision: str = "tool_call") -> Behaviour:
    """A model that analyses, calls the clock so many times, and answers from the results."""
    made = 0

    def behave(request: Request) -> Reply:
        nonlocal made
        text = json.dumps(request.messages)
        if request.body.get("tools"):
            made += 1
            return Reply("synthesis") if made > rounds else calls(call("clock", '{"city": "Oslo"}', f"c{made}"))
        if "Answer the question from the facts" in text:
            return Reply('{"reasoning": "from the clock", "answer": "ok, 12:00"}')
        return Reply(f'I need the time.\n{{"decision": "{decision}", "plan": "look"}}')

    return behave


def test_an_agent_analyses_selects_tools_and_synthesises(ask: Ask, server: ServerHandle) -> None:
    sample = ask(agent(rounds=2), tools=[CLOCK], rollout="agentic")
    assert sample.status == "passed"
    assert sample.response == "ok, 12:00"
    phases = [(entry["phase"], entry["role"]) for entry in sample.transcript]
    assert [phase for phase, role in phases if role == "assistant"] == [
        "analysis",
        "tool_selection",
        "tool_selection",
        "tool_selection",
        "synthesis",
    ]
    assert [bool(request.body.get("tools")) for request in server.requests] == [False, True, True, True, False]
    synthesis = server.requests[-1].prompt
    assert "I need the time." in synthesis
    assert synthesis.count('clock({"city": "Oslo"})') == 2
    assert '"time": "12:00"' in synthesis


def test_an_agent_that_has_everything_calls_nothing(ask: Ask, server: ServerHandle) -> None:
    sample = ask(agent(rounds=9, decision="synthesis"), tools=[CLOCK], rollout="agentic")
    assert server.hits == 2
    assert not [entry for entry in sample.transcript if entry["role"] == "tool"]
    assert "(no tool was called)" in server.requests[-1].prompt


def test_an_agent_that_never_stops_is_stopped_after_five_rounds_and_still_answers(
    ask: Ask, server: ServerHandle
) -> None:
    sample = ask(agent(rounds=99), tools=[CLOCK], rollout="agentic")
    assert server.hits == 1 + 5 + 1
    assert "tool_limit" in sample.flags
    assert sample.response == "ok, 12:00"


def test_an_agent_without_tools_is_asked_as_reasoning_and_called_so(ask: Ask, server: ServerHandle) -> None:
    sample = ask(Reply('{"reasoning": "no tool", "answer": "ok"}'), rollout="agentic")
    assert server.hits == 1
    assert (sample.response, sample.definition.rollout) == ("ok", "reasoning")


def test_placeholders_in_the_question_are_not_filled(ask: Ask, server: ServerHandle) -> None:
    ask(agent(rounds=0), tools=[CLOCK], rollout="agentic", prompt="What is {analysis} and {tools}?")
    assert "What is {analysis} and {tools}?" in server.requests[0].prompt
    assert "What is {analysis} and {tools}?" in server.requests[-1].prompt
