"""Chunks become the message that would have come whole, in the dialects that servers speak."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.llm.assembly import StreamAssembly
from modex.core.llm.faults import Provider
from modex.core.llm.reply import Reply, read_reply
from modex.core.llm.request import Limits
from modex.core.llm.sse import Event
from modex.core.llm.stream import read_events
from tests.rows import each_row

WHO = Provider("m")


class Clock:
    """Ten milliseconds a look."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.01
        return self.now


def assembled(*deltas: dict[str, Any], finish: str = "stop", **outer: Any) -> StreamAssembly:
    answer = StreamAssembly(0.0, Clock())
    for delta in deltas:
        answer.add({"choices": [{"index": 0, "delta": delta, "finish_reason": None}], **outer})
    answer.add({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    return answer


def reply(*deltas: dict[str, Any], **given: Any) -> Reply:
    return read_reply(WHO, assembled(*deltas, **given).completion())


def call(**fields: Any) -> dict[str, Any]:
    return {"tool_calls": [fields]}


def test_calls_without_an_index_are_calls_of_their_own() -> None:
    found = reply(
        call(id="", type="function", function={"name": "add", "arguments": '{"a":1}'}),
        call(id="", type="function", function={"name": "add", "arguments": '{"a":2}'}),
    )
    assert [one.arguments for one in found.tool_calls] == ['{"a":1}', '{"a":2}']


def test_another_id_at_the_same_index_is_another_call() -> None:
    found = reply(
        call(index=0, id="x", function={"name": "add", "arguments": "{}"}),
        call(index=0, id="y", function={"name": "add", "arguments": "{}"}),
    )
    assert [one.id for one in found.tool_calls] == ["x", "y"]


def test_pieces_go_to_the_call_of_their_index_and_a_name_said_again_is_no_longer_name() -> None:
    found = reply(
        call(index=0, id="x", function={"name": "add", "arguments": ""}),
        call(index=1, id="y", function={"name": "sub", "arguments": ""}),
        call(index=0, id="x", function={"name": "add", "arguments": '{"a"'}),
        call(index=1, function={"arguments": "{}"}),
        call(index=0, function={"name": None, "arguments": ":1}"}),
    )
    assert [(one.name, one.arguments) for one in found.tool_calls] == [("add", '{"a":1}'), ("sub", "{}")]


def test_signed_thinking_is_put_together_block_by_block() -> None:
    def block(**fields: Any) -> dict[str, Any]:
        return {"thinking_blocks": [{"type": "thinking", **fields}], "reasoning_content": fields.get("thinking", "")}

    found = reply(
        block(thinking="one "),
        block(thinking="two"),
        block(thinking="", signature="S1"),
        block(thinking="three"),
        block(thinking="", signature="S2"),
        {"thinking_blocks": [{"type": "redacted_thinking", "data": "x"}]},
        {"thinking_blocks": [{"type": "redacted_thinking", "data": "y"}]},
        {"content": "4"},
    )
    assert found.reasoning == "one twothree"
    assert found.carry["thinking_blocks"] == [
        {"type": "thinking", "thinking": "one two", "signature": "S1"},
        {"type": "thinking", "thinking": "three", "signature": "S2"},
        {"type": "redacted_thinking", "data": "x"},
        {"type": "redacted_thinking", "data": "y"},
    ]


def test_a_signed_block_that_comes_whole_behind_its_pieces_is_thought_once() -> None:
    found = reply(
        {"thinking_blocks": [{"type": "thinking", "thinking": "one "}]},
        {"thinking_blocks": [{"type": "thinking", "thinking": "two"}]},
        {"thinking_blocks": [{"type": "thinking", "thinking": "one two", "signature": "S1"}]},
        {"thinking_blocks": [{"type": "thinking", "thinking": "three"}]},
        {"thinking_blocks": [{"type": "thinking", "thinking": "three", "signature": "S2"}]},
        {"content": "4"},
    )
    assert found.carry["thinking_blocks"] == [
        {"type": "thinking", "thinking": "one two", "signature": "S1"},
        {"type": "thinking", "thinking": "three", "signature": "S2"},
    ]


def test_reasoning_details_are_joined_by_their_index() -> None:
    found = reply(
        {"reasoning": "a", "reasoning_details": [{"type": "reasoning.text", "text": "a", "index": 0}]},
        {
            "reasoning": "b",
            "reasoning_details": [{"type": "reasoning.text", "text": "b", "index": 0, "signature": "S"}],
        },
        {"reasoning_details": [{"type": "reasoning.encrypted", "data": "zz", "index": 1}]},
    )
    assert found.reasoning == "ab"
    assert found.carry["reasoning_details"] == [
        {"type": "reasoning.text", "text": "ab", "index": 0, "signature": "S"},
        {"type": "reasoning.encrypted", "data": "zz", "index": 1},
    ]


def test_a_thought_sent_under_two_names_is_thought_once() -> None:
    assert reply({"reasoning_content": "a", "reasoning": "a"}, {"reasoning_content": "b"}).reasoning == "ab"


def test_contents_in_parts_keep_thinking_and_text_apart() -> None:
    def thought(words: str) -> dict[str, Any]:
        return {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": words}]}]}

    found = reply(thought("2 and "), thought("2"), {"content": [{"type": "text", "text": "fo"}]}, {"content": "ur"})
    assert (found.content, found.reasoning) == ("four", "2 and 2")


def test_the_old_form_of_a_call_and_a_refusal_come_through() -> None:
    old = reply({"function_call": {"name": "add", "arguments": '{"a"'}}, {"function_call": {"arguments": ":1}"}})
    assert [(one.name, one.arguments) for one in old.tool_calls] == [("add", '{"a":1}')]
    refused = reply({"refusal": "I "}, {"refusal": "will not"})
    assert (refused.content, refused.refusal) == ("I will not", True)


@each_row(
    "chunk",
    [
        {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}},
        {"choices": [], "x_groq": {"usage": {"prompt_tokens": 3, "completion_tokens": 4}}},
        {"choices": [{"index": 0, "delta": {}, "usage": {"prompt_tokens": 3, "completion_tokens": 4}}]},
    ],
)
def test_usage_is_found_where_servers_put_it(chunk: dict[str, Any]) -> None:
    answer = assembled({"content": "a"})
    answer.add(chunk)
    usage = read_reply(WHO, answer.completion()).usage
    assert usage is not None
    assert (usage.prompt, usage.completion) == (3, 4)


@each_row("chunk", [None, 3, "x", [], {}, {"choices": 3}, {"choices": [3]}, {"choices": [{"delta": 3}]}])
def test_what_is_no_chunk_is_passed_over(chunk: Any) -> None:
    answer = StreamAssembly(0.0, Clock())
    answer.add(chunk)
    assert answer.size == 0


def test_the_times_tell_first_token_thinking_and_writing_apart() -> None:
    timing = assembled(
        {"reasoning_content": "a"}, {"reasoning_content": "b"}, {"content": "c"}, {"content": "d"}
    ).timing()
    assert timing is not None
    assert (timing.first_s, timing.thinking_s, timing.writing_s) == pytest.approx((0.01, 0.02, 0.03))
    tagged = assembled(*({"content": word} for word in ("<th", "ink>", "hm", "</thi", "nk>", "\n", "4", "2"))).timing()
    assert tagged is not None
    assert tagged.thinking_s == pytest.approx(0.06)
    assert tagged.pieces == 8
    silent = assembled().timing()
    assert silent is None


@given(st.lists(st.text(max_size=8), min_size=1, max_size=12), st.booleans())
def test_reading_only_what_is_new_of_an_event_gives_the_same_as_reading_all_of_it(
    words: list[str], spaced: bool
) -> None:
    separators = None if spaced else (",", ":")
    chunks = [
        {"id": "x", "choices": [{"index": 0, "delta": {"content": word}, "finish_reason": None}]} for word in words
    ]
    said = [json.dumps(chunk, separators=separators, ensure_ascii=False) for chunk in chunks]
    fast, slow = StreamAssembly(0.0, Clock()), StreamAssembly(0.0, Clock())
    read_events([Event("", data) for data in said], fast, Limits(runaway=True))
    for data in said:
        slow.add(json.loads(data))
    assert "".join(fast.text) == "".join(slow.text) == "".join(words)
    assert fast.chunks == slow.chunks


def test_what_comes_behind_the_end_of_an_answer_is_no_part_of_it() -> None:
    assembly = StreamAssembly()
    for delta, finish in (
        ({"content": "4"}, ""),
        ({"content": "2"}, "stop"),
        ({"content": " and an advertisement"}, None),
    ):
        assembly.add({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
    assembly.add_text("more")
    assembly.add({"choices": [], "usage": {"prompt_tokens": 1}})
    whole = assembly.completion()
    assert whole["choices"][0]["message"]["content"] == "42"
    assert whole["usage"] == {"prompt_tokens": 1}
