"""What one chunk after the other adds to an answer, part by part."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.llm.assembly import StreamAssembly, parsed
from tests.rows import each_row


def delta(*deltas: Any, finish: str | None = None, **more: Any) -> list[Any]:
    """A chunk for each delta; the last one is also the answer's end where `finish` says how."""
    chunks: list[Any] = [{"choices": [{"index": 0, "delta": one, "finish_reason": None}]} for one in deltas]
    chunks[-1]["choices"][0]["finish_reason"] = finish
    chunks[-1]["choices"][0].update(more)
    return chunks


def taken(chunks: list[Any]) -> StreamAssembly:
    ticks = iter(range(1, 99))
    answer = StreamAssembly(0.0, lambda: float(next(ticks)))
    for chunk in chunks:
        answer.add(chunk) if not isinstance(chunk, str) else answer.add_text(chunk)
    return answer


@each_row(
    ("chunks", "message"),
    [
        (
            delta({"content": "a"}, {"content": "b"}, finish="stop"),
            ({"finish_reason": "stop", "message": {"content": "ab"}}, {}, ["a", "b"], [], 2, 2.0, 2),
        ),
        (
            delta({"role": "assistant", "content": "a"}),
            ({"finish_reason": None, "message": {"content": "a"}}, {}, ["a"], [], 1, 1.0, 1),
        ),
        (
            delta({"role": "assistant", "content": "a", "reasoning_content": "hm"}),
            (
                {"finish_reason": None, "message": {"content": "a", "reasoning_content": "hm"}},
                {},
                ["a"],
                ["hm"],
                2,
                2.0,
                1,
            ),
        ),
        (
            delta({"content": "a", "reasoning_content": "hm"}),
            (
                {"finish_reason": None, "message": {"content": "a", "reasoning_content": "hm"}},
                {},
                ["a"],
                ["hm"],
                2,
                2.0,
                1,
            ),
        ),
        (
            delta({"content": None, "reasoning_content": "hm"}, {"reasoning_content": " so"}),
            (
                {"finish_reason": None, "message": {"content": None, "reasoning_content": "hm so"}},
                {},
                [],
                ["hm", " so"],
                2,
                2.0,
                2,
            ),
        ),
        (
            delta({"reasoning_content": "hm", "reasoning": "hm"}),
            (
                {"finish_reason": None, "message": {"content": None, "reasoning_content": "hm"}},
                {},
                [],
                ["hm"],
                1,
                1.0,
                1,
            ),
        ),
        (delta({"reasoning": 3}), ({"finish_reason": None, "message": {"content": None}}, {}, [], [], 0, None, 1)),
        (
            delta({"content": "a"}, finish="stop") + delta({"content": "behind"}),
            ({"finish_reason": "stop", "message": {"content": "a"}}, {}, ["a"], [], 1, 1.0, 2),
        ),
        (["a", "", "b"], (None, {}, ["a", "b"], [], 2, 2.0, 3)),
        (
            [*delta({"content": "a"}, finish="stop"), "behind"],
            ({"finish_reason": "stop", "message": {"content": "a"}}, {}, ["a"], [], 1, 1.0, 2),
        ),
        (
            [*delta({"content": [{"type": "text", "text": "a"}]}), "b"],
            (
                {"finish_reason": None, "message": {"content": [{"type": "text", "text": "ab"}]}},
                {},
                ["a", "b"],
                [],
                2,
                2.0,
                2,
            ),
        ),
        (
            ["a", *delta({"content": ["b", {"type": "text", "text": "c"}]})],
            (
                {"finish_reason": None, "message": {"content": [{"type": "text", "text": "abc"}]}},
                {},
                ["a", "b", "c"],
                [],
                3,
                2.0,
                2,
            ),
        ),
        (
            delta({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, "b"]}),
            (
                {
                    "finish_reason": None,
                    "message": {"content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "b"}]},
                },
                {},
                ["b"],
                ["hm"],
                2,
                1.0,
                1,
            ),
        ),
        (
            delta({"content": [{"type": "thinking", "thinking": "hm"}, {"type": "thinking", "thinking": " so"}]}),
            (
                {"finish_reason": None, "message": {"content": [{"type": "thinking", "thinking": "hm so"}]}},
                {},
                [],
                ["hm", " so"],
                2,
                1.0,
                1,
            ),
        ),
        (
            delta({"content": [3, None, ["x"]]}),
            ({"finish_reason": None, "message": {"content": [3, None, ["x"]]}}, {}, ["", "", "x"], [], 3, 1.0, 1),
        ),
        (
            delta({"content": {"type": "text", "text": "a"}}),
            (
                {"finish_reason": None, "message": {"content": [{"type": "text", "text": "a"}]}},
                {},
                ["a"],
                [],
                1,
                1.0,
                1,
            ),
        ),
        (
            delta({"refusal": "no"}, {"refusal": " way"}),
            ({"finish_reason": None, "message": {"refusal": "no way", "content": ""}}, {}, ["", ""], [], 2, 2.0, 2),
        ),
        (
            delta({"reasoning_items": [{"id": 1}]}, {"reasoning_items": [{"id": 2}]}, {"reasoning_items": "odd"}),
            (
                {"finish_reason": None, "message": {"reasoning_items": [{"id": 2}], "content": None}},
                {},
                [],
                [],
                0,
                None,
                3,
            ),
        ),
        (
            delta({"role": "assistant", "content": "a", "reasoning_items": []}),
            ({"finish_reason": None, "message": {"content": "a"}}, {}, ["a"], [], 1, 1.0, 1),
        ),
        (
            delta({"function_call": {"name": "f"}}, {"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]}),
            (
                {
                    "finish_reason": None,
                    "message": {
                        "content": None,
                        "tool_calls": [{"type": "function", "function": {"name": "f", "arguments": "{}"}}],
                    },
                },
                {},
                [],
                [],
                2,
                2.0,
                2,
            ),
        ),
        (delta({"refusal": 3}), ({"finish_reason": None, "message": {"content": None}}, {}, [], [], 0, None, 1)),
        (
            delta({"other": ["x"]}, {"other": {"y": 1}}, {"other": "z"}),
            ({"finish_reason": None, "message": {"content": None}}, {}, [], [], 0, None, 3),
        ),
        (
            delta(
                {"thinking_blocks": [{"type": "thinking", "thinking": "a"}]}, {"thinking_blocks": [{"thinking": "b"}]}
            ),
            (
                {
                    "finish_reason": None,
                    "message": {"thinking_blocks": [{"type": "thinking", "thinking": "ab"}], "content": None},
                },
                {},
                [],
                ["", ""],
                2,
                2.0,
                2,
            ),
        ),
        (
            delta({"thinking_blocks": [{"type": "thinking", "thinking": "a"}], "reasoning_content": "a"}),
            (
                {
                    "finish_reason": None,
                    "message": {
                        "thinking_blocks": [{"type": "thinking", "thinking": "a"}],
                        "content": None,
                        "reasoning_content": "a",
                    },
                },
                {},
                [],
                ["a"],
                1,
                1.0,
                1,
            ),
        ),
        (
            delta({"thinking_blocks": "odd"}),
            ({"finish_reason": None, "message": {"content": None}}, {}, [], [""], 1, 1.0, 1),
        ),
        (
            delta(
                {"reasoning_details": [{"type": "t", "index": 0, "text": "a"}]},
                {"reasoning_details": [{"type": "t", "index": 0, "text": "b"}, {"type": "t", "index": 1, "text": "c"}]},
            ),
            (
                {
                    "finish_reason": None,
                    "message": {
                        "reasoning_details": [
                            {"type": "t", "index": 0, "text": "ab"},
                            {"type": "t", "index": 1, "text": "c"},
                        ],
                        "content": None,
                    },
                },
                {},
                [],
                ["", ""],
                2,
                2.0,
                2,
            ),
        ),
        (
            delta(
                {"reasoning_details": [{"type": "t", "index": 0, "text": "a", "signature": "s"}]},
                {"reasoning_details": [{"type": "t", "text": "b"}]},
            ),
            (
                {
                    "finish_reason": None,
                    "message": {
                        "reasoning_details": [{"type": "t", "index": 0, "text": "ab", "signature": "s"}],
                        "content": None,
                    },
                },
                {},
                [],
                ["", ""],
                2,
                2.0,
                2,
            ),
        ),
        (
            delta(
                {"provider_specific_fields": {"a": 1}},
                {"provider_specific_fields": {"a": 2, "b": [1]}},
                {"provider_specific_fields": {"a": 0, "b": [2], "c": None, "d": "x"}},
                {"provider_specific_fields": {"d": "y", "c": 3, "b": "z"}},
            ),
            (
                {
                    "finish_reason": None,
                    "message": {"provider_specific_fields": {"a": 2, "b": "z", "c": 3, "d": "y"}, "content": None},
                },
                {},
                [],
                [],
                0,
                None,
                4,
            ),
        ),
        (
            delta({"provider_specific_fields": "odd"}),
            ({"finish_reason": None, "message": {"content": None}}, {}, [], [], 0, None, 1),
        ),
        (
            delta({"function_call": {"name": "f", "arguments": "{"}}, {"function_call": {"arguments": "}"}}),
            (
                {
                    "finish_reason": None,
                    "message": {
                        "content": None,
                        "tool_calls": [{"type": "function", "function": {"name": "f", "arguments": "{}"}}],
                    },
                },
                {},
                [],
                [],
                2,
                2.0,
                2,
            ),
        ),
        (
            delta({"function_call": "odd"}),
            ({"finish_reason": None, "message": {"content": None}}, {}, [], [], 0, None, 1),
        ),
        (
            delta({"tool_calls": "odd"}, {"tool_calls": ["odd"]}),
            ({"finish_reason": None, "message": {"content": None}}, {}, [], [], 0, None, 2),
        ),
        (
            delta({"tool_calls": [{"id": "x", "type": "custom", "function": {"name": "f", "arguments": {"a": 1}}}]}),
            (
                {
                    "finish_reason": None,
                    "message": {
                        "content": None,
                        "tool_calls": [{"id": "x", "type": "custom", "function": {"name": "f", "arguments": {"a": 1}}}],
                    },
                },
                {},
                [],
                [],
                1,
                1.0,
                1,
            ),
        ),
        (
            delta(
                {"tool_calls": [{"index": 0, "id": "x", "function": {"name": "f"}}]},
                {"tool_calls": [{"index": 0, "id": "x", "type": "function", "function": {"arguments": "{}"}}]},
            ),
            (
                {
                    "finish_reason": None,
                    "message": {
                        "content": None,
                        "tool_calls": [{"id": "x", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
                    },
                },
                {},
                [],
                [],
                2,
                2.0,
                2,
            ),
        ),
        (
            delta(
                {"tool_calls": [{"index": 0, "id": "x", "type": "a", "function": "odd"}]},
                {"tool_calls": [{"index": 0, "id": "y", "type": "b"}]},
            ),
            (
                {
                    "finish_reason": None,
                    "message": {
                        "content": None,
                        "tool_calls": [{"id": "x", "type": "a", "function": {"name": "", "arguments": ""}}],
                    },
                },
                {},
                [],
                [],
                2,
                2.0,
                2,
            ),
        ),
        (
            delta(
                {"tool_calls": [{"index": 0, "id": 3, "function": {"name": "f", "arguments": None}}]},
                {"tool_calls": [{"index": 0, "function": {"name": "g"}}]},
            ),
            (
                {
                    "finish_reason": None,
                    "message": {
                        "content": None,
                        "tool_calls": [{"type": "function", "function": {"name": "fg", "arguments": ""}}],
                    },
                },
                {},
                [],
                [],
                2,
                2.0,
                2,
            ),
        ),
        (
            delta(
                {"tool_calls": [{"id": "x", "function": {"name": "f"}}]},
                {"tool_calls": [{"function": {"arguments": "{}"}}]},
                {"tool_calls": [{"function": {"name": "g"}}]},
            ),
            (
                {
                    "finish_reason": None,
                    "message": {
                        "content": None,
                        "tool_calls": [
                            {"id": "x", "type": "function", "function": {"name": "f", "arguments": "{}"}},
                            {"type": "function", "function": {"name": "g", "arguments": ""}},
                        ],
                    },
                },
                {},
                [],
                [],
                3,
                3.0,
                3,
            ),
        ),
        (
            delta({"tool_calls": [{"index": 0, "id": "x", "function": {"name": "f"}, "extra_content": {"s": 1}}]}),
            (
                {
                    "finish_reason": None,
                    "message": {
                        "content": None,
                        "tool_calls": [
                            {
                                "id": "x",
                                "type": "function",
                                "function": {"name": "f", "arguments": ""},
                                "extra_content": {"s": 1},
                            }
                        ],
                    },
                },
                {},
                [],
                [],
                1,
                1.0,
                1,
            ),
        ),
        (
            [{"choices": [{"index": 0, "message": {"content": "whole"}, "finish_reason": "stop"}]}],
            ({"finish_reason": "stop", "message": {"content": "whole"}}, {}, ["whole"], [], 1, 1.0, 1),
        ),
        ([{"choices": [{"index": 1, "delta": {"content": "other"}}]}], (None, {}, [], [], 0, None, 1)),
        ([{"choices": [3]}, {"choices": {}}, {"choices": []}, 3, None], (None, {}, [], [], 0, None, 3)),
        (
            delta({"content": "a"}, finish="stop", error={"code": 1}, provider_specific_fields={"k": 1}),
            (
                {
                    "error": {"code": 1},
                    "provider_specific_fields": {"k": 1},
                    "finish_reason": "stop",
                    "message": {"content": "a"},
                },
                {},
                ["a"],
                [],
                1,
                1.0,
                1,
            ),
        ),
        (
            delta({"content": "a"}, error={"code": 1}),
            ({"error": {"code": 1}, "finish_reason": None, "message": {"content": "a"}}, {}, ["a"], [], 1, 1.0, 1),
        ),
        (
            delta({"content": "a"}, finish="stop", usage={"prompt_tokens": 1}),
            (
                {"finish_reason": "stop", "message": {"content": "a"}},
                {"usage": {"prompt_tokens": 1}},
                ["a"],
                [],
                1,
                1.0,
                1,
            ),
        ),
        (
            delta({"content": "a"}, usage={}),
            ({"finish_reason": None, "message": {"content": "a"}}, {}, ["a"], [], 1, 1.0, 1),
        ),
        (
            delta({}, finish="length"),
            ({"finish_reason": "length", "message": {"content": None}}, {}, [], [], 0, None, 1),
        ),
    ],
)
def test_what_chunks_make_of_an_answer(chunks: list[Any], message: Any) -> None:
    answer = taken(chunks)
    whole = answer.completion()
    choice = whole["choices"][0] if whole["choices"] else None
    left = {name: value for name, value in whole.items() if name != "choices"}
    if choice is not None:
        assert choice.pop("index") == 0
        assert choice["message"].pop("role") == "assistant"
    assert (choice, left, answer.text, answer.thinking, answer.size, answer.last_at, answer.chunks) == message


@each_row(
    ("chunk", "error", "outer", "silent"),
    [
        ({"error": {"code": 5}}, {"code": 5}, {"choices": []}, True),
        ({"error": {"code": 5}, "choices": [{"delta": {}}]}, {"code": 5}, None, True),
        ({"object": "error", "message": "x"}, {"object": "error", "message": "x"}, {"choices": []}, True),
        ({"object": "chunk"}, None, {"choices": []}, True),
        ({"usage": {"prompt_tokens": 1}}, None, {"usage": {"prompt_tokens": 1}, "choices": []}, False),
        ({"usage": None}, None, {"choices": []}, True),
        ({"promptFeedback": {"blockReason": "X"}}, None, {"promptFeedback": {"blockReason": "X"}, "choices": []}, True),
        (
            {"prompt_feedback": {"blockReason": "X"}},
            None,
            {"prompt_feedback": {"blockReason": "X"}, "choices": []},
            True,
        ),
        ({"x_groq": {"usage": {"prompt_tokens": 2}}}, None, {"usage": {"prompt_tokens": 2}, "choices": []}, False),
        ({"x_groq": {"id": 1}}, None, {"choices": []}, True),
        ({"x_groq": "odd"}, None, {"choices": []}, True),
        ({"choices": [{"delta": {"content": "a"}}]}, None, None, False),
        ({"choices": [{"delta": {"reasoning_content": "a"}}]}, None, None, False),
        ({"choices": [{"delta": {"tool_calls": [{"function": {"name": "f"}}]}}]}, None, None, False),
    ],
)
def test_what_stands_beside_the_choices(chunk: Any, error: Any, outer: Any, silent: bool) -> None:
    answer = taken([chunk])
    assert answer.error == error
    assert answer.silent is silent
    assert outer is None or answer.completion() == outer


def test_an_answer_of_which_nothing_came_yet() -> None:
    answer = StreamAssembly(clock=lambda: 7.0)
    assert (answer.started, answer.done, answer.begun, answer.chunks, answer.size) == (7.0, False, False, 0, 0)
    assert (answer.last_at, answer.timing(), answer.finish_reason) == (None, None, None)
    assert StreamAssembly(3.0, lambda: 7.0).started == 3.0


def test_the_last_of_all_kinds_of_pieces_is_the_last() -> None:
    thinking, word = {"reasoning_content": "hm"}, {"content": "a"}
    assert taken(delta(thinking, word)).last_at == 2.0
    assert taken(delta(word, thinking)).last_at == 2.0
    assert taken(delta(word, word, word, thinking)).size == 4


def test_an_event_nested_too_deep_is_no_json() -> None:
    assert parsed("[1]") == [1]
    with pytest.raises(ValueError, match="too deep"):
        parsed("[" * 100_000)
