"""The tool loop against a server that checks nothing and forgets nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modex.core.store.sample import EvaluationSample
from tests.core.pipeline.conftest import CLOCK, Ask
from tests.server import Reply, Request, ServerHandle
from tests.server.replies import call, calls, endless_calls, error, script

DONE = Reply("ok")


def messages(server: ServerHandle, index: int) -> list[dict[str, Any]]:
    """What the request with this number sent."""
    return server.requests[index].messages


def results(sample: EvaluationSample) -> list[dict[str, Any]]:
    """The tools' answers in the transcript."""
    return [entry for entry in sample.transcript if entry["role"] == "tool"]


def assert_protocol(sent: list[dict[str, Any]]) -> None:
    """Each call has an id of its own and one result right behind it, in order; arguments are JSON objects."""
    waiting: list[str] = []
    for message in sent:
        if message["role"] == "tool":
            assert message["tool_call_id"] == waiting.pop(0)
            assert isinstance(message["content"], str)
            continue
        assert waiting == []
        for made in message.get("tool_calls", []):
            assert made["type"] == "function"
            assert made["function"]["name"].replace("_", "").isalnum()
            assert isinstance(json.loads(made["function"]["arguments"]), dict)
            waiting.append(made["id"])
    assert waiting == []
    ids = [made["id"] for message in sent for made in message.get("tool_calls", [])]
    assert len(set(ids)) == len(ids)


def test_a_call_is_answered_by_the_mock_and_the_conversation_goes_on(ask: Ask, server: ServerHandle) -> None:
    sample = ask(script([calls(call("clock", '{"city": "Oslo"}')), DONE]), tools=[CLOCK])
    assert sample.status == "passed"
    assert [entry["role"] for entry in sample.transcript] == ["user", "assistant", "tool", "assistant"]
    assert json.loads(results(sample)[0]["content"]) == {"time": "12:00", "city": "Oslo"}
    assert_protocol(messages(server, 1))
    assert [tool["function"]["name"] for tool in server.requests[0].body["tools"]] == ["clock"]
    assert (sample.prompt_tokens, sample.completion_tokens, sample.attempts) == (20, 10, 2)


def test_parallel_calls_are_answered_in_order(ask: Ask, server: ServerHandle) -> None:
    three = [call("clock", json.dumps({"city": city}), f"c{n}") for n, city in enumerate(["Rome", "Oslo", "Bonn"])]
    sample = ask(script([calls(*three), DONE]), tools=[CLOCK])
    assert [json.loads(entry["content"])["time"] for entry in results(sample)] == ["09:00", "12:00", "09:00"]
    assert [entry["tool_call_id"] for entry in results(sample)] == ["c0", "c1", "c2"]
    assert_protocol(messages(server, 1))


def test_after_five_iterations_one_call_without_tools_asks_for_the_answer(ask: Ask, server: ServerHandle) -> None:
    sample = ask(endless_calls("clock", '{"city": "Oslo"}'), tools=[CLOCK], expected={"keywords": ["stop"]})
    assert [bool(request.body.get("tools")) for request in server.requests] == [True] * 5 + [False]
    assert_protocol(messages(server, 5))
    assert sample.response == "I stop here."
    assert "tool_limit" in sample.flags
    assert [entry["iteration"] for entry in results(sample)] == [1, 2, 3, 4, 5]


def test_a_test_that_needs_more_turns_than_the_run_allows_gets_them(ask: Ask, server: ServerHandle) -> None:
    seven = [calls(call("clock", '{"city": "Oslo"}', f"c{n}")) for n in range(7)]
    sample = ask(script([*seven, DONE]), tools=[CLOCK], max_iterations=8)
    assert len(server.requests) == 8
    assert len(results(sample)) == 7
    assert "tool_limit" not in sample.flags


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ('{"city": "Os', "clock"),
        ("Oslo", "clock"),
        ("[1]", "object"),
        ("", "city"),
        ('{"town": "Oslo"}', "city"),
        ('{"city": 5}', "string"),
    ],
)
def test_malformed_arguments_go_back_as_a_tool_error(ask: Ask, server: ServerHandle, arguments: str, said: str) -> None:
    sample = ask(script([calls(call("clock", arguments)), DONE]), tools=[CLOCK])
    (result,) = results(sample)
    assert result["is_error"]
    assert said in json.loads(result["content"])["error"]
    assert sample.transcript[1]["tool_calls"][0]["arguments"] == (arguments or "{}")
    assert_protocol(messages(server, 1))
    assert sample.status == "passed"


@pytest.mark.parametrize("name", ["clok", "functions.clock time", "x" * 200, "<|channel|>"])
def test_an_unknown_tool_goes_back_as_an_error_that_names_the_known_ones(
    ask: Ask, server: ServerHandle, name: str
) -> None:
    sample = ask(script([calls(call(name, "{}")), DONE]), tools=[CLOCK])
    (result,) = results(sample)
    assert result["is_error"]
    assert "the tools are: clock" in json.loads(result["content"])["error"]
    assert_protocol(messages(server, 1))


def test_a_call_without_id_or_name_does_not_break_the_protocol(ask: Ask, server: ServerHandle) -> None:
    broken = [
        call("clock", '{"city": "Oslo"}', None),
        call(None, "{}", "same"),
        call("clock", '{"city": "Rome"}', "same"),
        call("", "{}", ""),
    ]
    sample = ask(script([calls(*broken), DONE]), tools=[CLOCK])
    assert_protocol(messages(server, 1))
    assert [entry["is_error"] for entry in results(sample)] == [False, True, False, True]
    assert sample.status == "passed"


def test_a_model_without_native_tools_is_asked_by_text(ask: Ask, server: ServerHandle) -> None:
    def plain(request: Request) -> Reply:
        if request.body.get("tools"):
            return error(400, "this model does not support tools")
        if "<tool_result" in request.prompt:
            return Reply(f"ok, {request.prompt}")
        return Reply('<tool_call>{"name": "clock", "arguments": {"city": "Oslo"}}</tool_call>')

    sample = ask(plain, tools=[CLOCK])
    assert sample.status == "passed"
    assert {"text_protocol", "text_tool_calls"} <= set(sample.flags)
    assert '<tool_result name="clock">' in (sample.response or "")
    assert "12:00" in (sample.response or "")
    assert not any("tools" in request.body for request in server.requests[1:])
    assert '"name": "clock"' in server.requests[1].system
    assert {message["role"] for message in messages(server, 2)} == {"system", "user", "assistant"}


def test_what_the_provider_wants_back_with_a_call_is_sent_back(ask: Ask, server: ServerHandle) -> None:
    given = call("clock", '{"city": "Oslo"}') | {"extra_content": {"google": {"thought_signature": "CtgB"}}}
    first = {
        "role": "assistant",
        "content": None,
        "reasoning_content": "I look.",
        "reasoning_details": [{"type": "reasoning.encrypted", "data": "EqQB"}],
        "tool_calls": [given],
    }
    ask(script([Reply(body={"choices": [{"message": first, "finish_reason": "tool_calls"}]}), DONE]), tools=[CLOCK])
    returned = next(message for message in messages(server, 1) if message["role"] == "assistant")
    assert returned["reasoning_details"] == first["reasoning_details"]
    assert returned["reasoning_content"] == "I look."
    assert returned["tool_calls"][0]["extra_content"] == given["extra_content"]


def test_a_refusal_that_only_speaks_of_tools_does_not_change_the_protocol(ask: Ask, server: ServerHandle) -> None:
    words = "Expected `thinking`, but found `tool_use`: start with a thinking block (preceeding the last `tool_use`)"
    sample = ask(script([calls(call("clock", '{"city": "Oslo"}')), error(400, words)]), tools=[CLOCK])
    assert (sample.status, sample.error_type) == ("error", "bad_request")
    assert "text_protocol" not in sample.flags
    assert all("tools" in request.body for request in server.requests)


def test_a_model_that_took_tools_once_is_not_asked_by_text_later(ask: Ask, server: ServerHandle) -> None:
    ask(
        script([calls(call("clock", '{"city": "Oslo"}')), error(400, "this model does not support tools")]),
        tools=[CLOCK],
    )
    assert all("tools" in request.body for request in server.requests)


def test_calls_written_as_text_are_understood_without_the_text_protocol(ask: Ask, server: ServerHandle) -> None:
    text = 'Let me look.\n<tool_call>{"name": "clock", "arguments": {"city": "Oslo"}}</tool_call>'
    sample = ask(script([Reply(text), DONE]), tools=[CLOCK])
    assert len(results(sample)) == 1
    assert_protocol(messages(server, 1))


def test_a_refusal_that_is_not_about_tools_stays_an_error(ask: Ask, server: ServerHandle) -> None:
    sample = ask(error(400, "temperature must be a number"), tools=[CLOCK])
    assert (sample.status, sample.error_type) == ("error", "bad_request")


def test_a_failure_in_the_loop_keeps_what_happened_until_then(ask: Ask) -> None:
    sample = ask(
        script([calls(call("clock", '{"city": "Oslo"}')), Reply(None, finish_reason="content_filter")]), tools=[CLOCK]
    )
    assert (sample.status, sample.stage, sample.error_type) == ("error", "init", "content_filter")
    assert [entry["role"] for entry in sample.transcript][:3] == ["user", "assistant", "tool"]
    assert sample.prompt_tokens >= 10


def test_thinking_of_every_iteration_is_kept_apart(ask: Ask) -> None:
    one = Reply("<think>first</think>", tool_calls=[call("clock", '{"city": "Oslo"}')])
    sample = ask(script([one, Reply("<think>second</think>ok")]), tools=[CLOCK])
    assert sample.reasoning == "first\n\nsecond"
    assert sample.response == "ok"


def drawn(folder: Path) -> Path:
    """A recording in which the clock answers with an image."""
    image = {"name": "image 1", "media_type": "image/png", "data": "AAEC"}
    row = {
        "sample": "x", "arguments": {"city": "Oslo"}, "occurrence": 1, "content": "[image 1]", "is_error": False,
        "duration_ms": 1, "images": [image],
    }  # fmt: skip
    folder.mkdir()
    (folder / "clock.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    return folder


SHOWN = {
    "role": "user",
    "content": [
        {"type": "text", "text": "image 1 of clock:"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAEC"}},
    ],
}


def test_an_image_of_a_tool_is_shown_behind_the_results_and_named_in_the_transcript(
    ask: Ask, server: ServerHandle, tmp_path: Path
) -> None:
    once = calls(call("clock", '{"city": "Oslo"}'))
    sample = ask(script([once, DONE]), "--replay", str(drawn(tmp_path / "tape")), tools=[CLOCK])
    assert sample.status == "passed"
    assert messages(server, 1)[-1] == SHOWN
    (result,) = results(sample)
    assert result["content"] == "[image 1]"
    (named,) = result["attachments"]
    assert (named["name"], named["media_type"], named["size"]) == ("image 1", "image/png", 3)
    assert sample.flags == []


def test_a_model_that_takes_no_images_is_told_of_them_in_words(ask: Ask, server: ServerHandle, tmp_path: Path) -> None:
    once = calls(call("clock", '{"city": "Oslo"}'))

    def blind(request: Request) -> Reply:
        if any(isinstance(message["content"], list) for message in request.messages):
            return error(400, "This model does not support image inputs.")
        return DONE if request.messages[-1]["role"] == "tool" else once

    sample = ask(blind, "--replay", str(drawn(tmp_path / "tape")), tools=[CLOCK])
    assert sample.status == "passed"
    assert len(server.requests) == 3
    assert messages(server, 2)[-1]["content"] == "[image 1]"
    assert_protocol(messages(server, 2))
    assert sample.flags == ["tool_images_unseen"]
