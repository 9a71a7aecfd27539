"""What the pipeline is told of a provider's answer."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.foundation.errors import ModelCallError
from modex.core.foundation.usage import Usage
from modex.core.llm.faults import Provider
from modex.core.llm.reply import Reply, _content, _finish_reason, _tool_calls, interpret, read_reply, usage_of
from modex.core.llm.types import ToolCall
from tests.rows import each_row

COUNTED = Usage(prompt=1, completion=1)
IN_TEXT = 'So: <tool_call>{"name": "f", "arguments": {}}</tool_call>'
CALL = ToolCall("c1", "f", "{}")


def reply(content: str = "", **fields: Any) -> Reply:
    return Reply(content, **{"usage": COUNTED, **fields})


@each_row(
    ("given", "text", "reasoning", "names", "flags"),
    [
        (reply("4"), "4", None, [], ()),
        (reply(" 4 "), " 4 ", None, [], ()),
        (reply(" 4", reasoning="hm"), "4", "hm", [], ()),
        (reply("<think>a</think>4", reasoning="hm"), "4", "hm\n\na", [], ()),
        (reply(IN_TEXT), IN_TEXT, None, [], ()),
        (reply(IN_TEXT, tool_calls=(CALL,)), IN_TEXT, None, ["f"], ()),
        (reply(IN_TEXT, cut="late", finish_reason="time_limit"), IN_TEXT, None, [], ("time_limit",)),
        (reply(" "), " ", None, [], ("empty_answer",)),
        (reply("", tool_calls=(CALL,)), "", None, ["f"], ()),
        (reply("4", finish_reason="length"), "4", None, [], ("truncated_output",)),
        (reply("", finish_reason="length"), "", None, [], ("truncated_reasoning",)),
        (reply("<think>a"), "", "a", [], ("truncated_reasoning",)),
        (reply("no", refusal=True), "no", None, [], ("refusal",)),
        (reply("4", usage=None), "4", None, [], ("usage_missing",)),
    ],
)
def test_an_answer_is_told_without_its_thinking_and_with_what_to_know_of_it(
    given: Reply, text: str, reasoning: str | None, names: list[str], flags: tuple[str, ...]
) -> None:
    found = interpret(given, turn=3)
    assert (found.text, found.reasoning, [call.name for call in found.tool_calls], found.flags) == (
        text, reasoning, names, flags,
    )  # fmt: skip
    assert (found.raw_text, found.finish_reason, found.cut) == (given.content, given.finish_reason, given.cut)
    assert found.usage == (given.usage or Usage())


def test_every_call_has_an_id_of_its_own() -> None:
    calls = (CALL, ToolCall("", "g", "{}"), ToolCall("c1", "h", "{}"), ToolCall("c2", "i", "{}"))
    found = interpret(reply(tool_calls=calls), turn=3).tool_calls
    assert [call.id for call in found] == ["c1", "call_3_2", "call_3_3", "c2"]


@each_row(
    ("usage", "counted"),
    [
        (None, None),
        ({}, None),
        ({"prompt_tokens": 0, "completion_tokens": 0}, None),
        ({"prompt_tokens": 5}, Usage(5, 0)),
        ({"completion_tokens": 2.0}, Usage(0, 2)),
        ({"prompt_tokens": True, "completion_tokens": "3"}, None),
        ({"prompt_tokens": -1, "completion_tokens": 2**53}, None),
        ({"prompt_tokens": 2**53 - 1}, Usage(2**53 - 1, 0)),
        (
            {
                "prompt_tokens": 9, "completion_tokens": 7, "completion_tokens_details": {"reasoning_tokens": 5},
                "prompt_tokens_details": {"cached_tokens": 3},
            },
            Usage(9, 7, 5, 3),
        ),
    ],
)  # fmt: skip
def test_tokens_are_those_that_the_provider_counted(usage: Any, counted: Usage | None) -> None:
    assert usage_of(usage) == counted


@each_row(
    ("content", "text", "thought"),
    [
        ("a", "a", None),
        (None, "", None),
        ([{"type": "text", "text": "a"}, "b", 3, {"type": "text", "text": [{"text": "c"}]}], "abc", None),
        ([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "a"}], "a", "hm"),
        ([{"type": "thinking", "thinking": [{"text": "x"}]}, {"type": "thinking", "thinking": "y"}], "", "x\ny"),
    ],
)
def test_text_and_thinking_may_stand_in_parts(content: Any, text: str, thought: str | None) -> None:
    assert _content(content) == (text, thought)


@each_row(
    ("message", "calls"),
    [
        ({}, []),
        ({"tool_calls": "f"}, []),
        ({"tool_calls": [3, {"id": "c", "function": {"name": "f", "arguments": {"ö": 1}}}]}, [("c", "f", '{"ö": 1}')]),
        ({"tool_calls": [{"id": 3, "function": {"name": None, "arguments": ""}}]}, [("", "", "{}")]),
        ({"tool_calls": [{"function": 3}]}, [("", "", "{}")]),
        ({"function_call": {"name": "f", "arguments": "{}"}}, [("", "f", "{}")]),
        ({"tool_calls": [{"id": "c"}], "function_call": {"name": "f"}}, [("c", "", "{}")]),
        ({"function_call": "f"}, []),
    ],
)
def test_calls_are_read_in_both_forms(message: dict[str, Any], calls: list[tuple[str, str, str]]) -> None:
    assert [(call.id, call.name, call.arguments) for call in _tool_calls(message)] == calls


@each_row(
    ("choice", "reason"),
    [
        ({}, "stop"), ({"finish_reason": "length"}, "length"), ({"finish_reason": None}, "stop"),
        ({"finish_reason": "stop", "provider_specific_fields": {"native_finish_reason": "SAFETY"}}, "SAFETY"),
        ({"finish_reason": "length", "provider_specific_fields": "odd"}, "length"),
    ],
)  # fmt: skip
def test_why_a_model_stopped_is_told_in_its_providers_own_word(choice: dict[str, Any], reason: str) -> None:
    assert _finish_reason(choice) == reason


WHO = Provider("m")


def whole(message: Any = None, **choice: Any) -> dict[str, Any]:
    return {
        "choices": [{"message": {"content": "4"} if message is None else message, "finish_reason": "stop", **choice}]
    }


@each_row(
    ("data", "kind", "counted"),
    [
        ("text", "INVALID_RESPONSE", None),
        ([], "INVALID_RESPONSE", None),
        ({}, "INVALID_RESPONSE", None),
        ({"error": {"code": 401}}, "AUTHENTICATION", None),
        ({"error": {"code": 401}, "choices": "odd"}, "INVALID_RESPONSE", None),
        ({"choices": "odd"}, "INVALID_RESPONSE", None),
        ({"choices": []}, "EMPTY_CHOICES", None),
        (
            {"choices": [], "usage": {"prompt_tokens": 3}},
            "EMPTY_CHOICES",
            Usage(prompt=3, completion=0, reasoning=0, cached=0),
        ),
        (
            {"choices": [], "promptFeedback": {"blockReason": "X"}, "usage": {"prompt_tokens": 3}},
            "CONTENT_FILTER",
            Usage(prompt=3, completion=0, reasoning=0, cached=0),
        ),
        ({"choices": [], "prompt_feedback": {"blockReason": "X"}}, "CONTENT_FILTER", None),
        ({"choices": [], "promptFeedback": "odd"}, "EMPTY_CHOICES", None),
        ({"choices": [], "promptFeedback": {}}, "EMPTY_CHOICES", None),
        ({"choices": ["odd"]}, "INVALID_RESPONSE", None),
        (whole("odd"), "INVALID_RESPONSE", None),
        (
            {**whole(finish_reason="content_filter"), "usage": {"prompt_tokens": 3}},
            "CONTENT_FILTER",
            Usage(prompt=3, completion=0, reasoning=0, cached=0),
        ),
        (whole(error={"code": 401}), "AUTHENTICATION", None),
        (whole(finish_reason="odd"), "INVALID_RESPONSE", None),
    ],
)
def test_what_is_no_answer_is_an_error_of_its_kind(data: Any, kind: str, counted: Any) -> None:
    with pytest.raises(ModelCallError) as raised:
        read_reply(WHO, data)
    assert raised.value.error_type.name == kind
    assert raised.value.usage == counted


@each_row(
    ("data", "said"),
    [
        (whole(), ("4", None, "stop", False, {})),
        ({**whole(), "error": {"code": 401}}, ("4", None, "stop", False, {})),
        (whole({"content": "4", "refusal": "no"}), ("4", None, "stop", True, {})),
        (whole({"content": "", "refusal": "no"}), ("no", None, "stop", True, {})),
        (whole({"content": None, "refusal": ""}), ("", None, "stop", False, {})),
        (whole({"refusal": 3}), ("", None, "stop", True, {})),
        (whole({"provider_specific_fields": {"refusal": "aside"}}), ("aside", None, "stop", True, {})),
        (whole({"provider_specific_fields": "odd"}), ("", None, "stop", False, {})),
        (
            whole({"content": "4", "reasoning_content": "hm", "reasoning": "so"}),
            ("4", "hm", "stop", False, {"reasoning_content": "hm"}),
        ),
        (whole({"content": "4", "reasoning_content": "", "reasoning": "so"}), ("4", "so", "stop", False, {})),
        (
            whole({"content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "4"}]}),
            ("4", "hm", "stop", False, {}),
        ),
        (
            whole({"content": "4", "thinking_blocks": [{"a": 1}]}),
            ("4", None, "stop", False, {"thinking_blocks": [{"a": 1}]}),
        ),
        (
            whole(
                {
                    "content": "4",
                    "provider_specific_fields": {"thinking_blocks": [{"a": 1}], "thought_signatures": ["s"]},
                }
            ),
            (
                "4",
                None,
                "stop",
                False,
                {"thinking_blocks": [{"a": 1}], "provider_specific_fields": {"thought_signatures": ["s"]}},
            ),
        ),
        (
            whole({"content": "4", "reasoning_details": [{"a": 1}], "reasoning_items": [{"b": 1}]}),
            ("4", None, "stop", False, {"reasoning_details": [{"a": 1}], "reasoning_items": [{"b": 1}]}),
        ),
        (whole(finish_reason="length"), ("4", None, "length", False, {})),
        (whole(finish_reason=None), ("4", None, "stop", False, {})),
        (whole(provider_specific_fields={"native_finish_reason": "max_tokens"}), ("4", None, "length", False, {})),
        (
            whole({"tool_calls": [{"id": "x", "function": {"name": "f"}}]}, finish_reason="tool_calls"),
            ("", None, "tool_calls", False, {}),
        ),
    ],
)
def test_an_answer_is_read_with_what_its_provider_wants_back(data: Any, said: Any) -> None:
    found = read_reply(WHO, data)
    assert (found.content, found.reasoning, found.finish_reason, found.refusal, dict(found.carry)) == said


@each_row(
    ("usage", "counted"),
    [
        (None, None),
        ("odd", None),
        ({"prompt_tokens": 0, "completion_tokens": 0}, None),
        ({"prompt_tokens": True}, None),
        ({"prompt_tokens": -1, "completion_tokens": 2}, Usage(0, 2)),
        ({"prompt_tokens": 2**53}, None),
        ({"prompt_tokens": 2**53 - 1}, Usage(2**53 - 1, 0)),
        ({"prompt_tokens": 1.9}, Usage(1, 0)),
        (
            {"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": 4}, "prompt_cache_hit_tokens": 7},
            Usage(9, 0, cached=4),
        ),
        ({"prompt_tokens": 9, "prompt_tokens_details": "odd", "prompt_cache_hit_tokens": 7}, Usage(9, 0, cached=7)),
        ({"prompt_tokens": 9, "completion_tokens_details": {"reasoning_tokens": 2}}, Usage(9, 0, reasoning=2)),
        ({"prompt_tokens": 9, "prompt_tokens_details": {}}, Usage(9, 0)),
    ],
)
def test_tokens_are_counted_where_the_provider_said_so(usage: Any, counted: Usage | None) -> None:
    assert usage_of(usage) == counted


def test_a_content_nested_without_end_is_no_text() -> None:
    nested: Any = "a"
    for _ in range(5000):
        nested = [{"text": nested}]
    assert _content(nested) == ("", None)
