"""Conversations of other APIs as messages of OpenAI's chat; what of them nobody reads is named."""

from __future__ import annotations

from typing import Any

from modex.core.pipeline.rollout.chat_forms import as_messages, holds_messages, items_in, unread_keys
from tests.rows import each_row

CHAT: list[Any] = [{"role": "user", "content": "q"}, {"role": "assistant", "content": [{"type": "text", "text": "a"}]}]


def call(id_: str, name: str, arguments: Any) -> dict[str, Any]:
    return {"id": id_, "type": "function", "function": {"name": name, "arguments": arguments}}


def test_a_chat_of_openai_is_left_as_it_is() -> None:
    assert as_messages(CHAT) == CHAT
    assert as_messages([*CHAT, 3]) == [*CHAT, 3]
    assert as_messages([]) == []


def test_items_of_the_responses_api_become_messages_with_calls_results_and_thoughts() -> None:
    items: list[Any] = [
        {"role": "user", "content": "q"},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}], "encrypted_content": "x"},
        {"type": "function_call", "id": "fc1", "call_id": "c1", "name": "add", "arguments": '{"x": 1}'},
        {"type": "function_call", "call_id": "c2", "name": "get", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "2"},
        {"type": "function_call_output", "call_id": "c2", "output": None},
        {"type": "mcp_call", "id": "m1", "name": "far", "arguments": "{}", "output": "no", "error": "boom"},
        {"type": "custom_tool_call", "call_id": "c3", "name": "own", "input": "free"},
        {"type": "web_search_call", "id": "w"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a"}]},
    ]
    assert holds_messages(items)
    assert holds_messages(items[1:])
    assert as_messages(items) == [
        {"role": "user", "content": "q"},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [call("c1", "add", '{"x": 1}'), call("c2", "get", "{}")],
            "reasoning": "hm",
        },
        {"role": "tool", "tool_call_id": "c1", "content": "2"},
        {"role": "tool", "tool_call_id": "c2", "content": ""},
        {"role": "assistant", "content": "", "tool_calls": [call("m1", "far", "{}")]},
        {"role": "tool", "tool_call_id": "m1", "content": "no", "is_error": True},
        {"role": "assistant", "content": "", "tool_calls": [call("c3", "own", "free")]},
        {"role": "assistant", "content": [{"type": "output_text", "text": "a"}]},
    ]
    assert unread_keys(items) == {"reasoning.encrypted_content": 1, "item of type web_search_call": 1}


def test_lists_of_reasoning_and_tool_use_become_thoughts_and_calls_with_their_descriptions() -> None:
    use = {"type": "tool_use_list", "tool_name": "find", "tool_input": '{"q": 1}', "call_id": "c1"}
    items: list[Any] = [
        {"type": "reasoning_list", "step": 1, "reasoning": "hm", "mood": "good"},
        {"type": "reasoning_list", "reasoning": "so"},
        {**use, "tool_description": "Finds.", "tool_output": "r", "cost": 3, "empty": None},
        {**use, "call_id": "", "tool_description": "", "tool_output": None},
    ]
    assert holds_messages(items)
    assert as_messages(items) == [
        {"role": "assistant", "content": "", "reasoning": "Step 1: hm\n\nStep ?: so",
         "tool_calls": [{**call("c1", "find", '{"q": 1}'), "description": "Finds."}]},
        {"role": "tool", "tool_call_id": "c1", "content": "r"},
        {"role": "assistant", "content": "", "tool_calls": [call("tool_use_3", "find", '{"q": 1}')]},
    ]  # fmt: skip
    assert unread_keys(items) == {"reasoning_list.mood": 1, "tool_use_list.cost": 1}
    assert as_messages(items[:2]) == [{"role": "assistant", "content": "", "reasoning": "Step 1: hm\n\nStep ?: so"}]


def test_content_blocks_of_anthropic_become_messages_results_before_what_else_the_user_says() -> None:
    blocks: list[Any] = [
        {"role": "user", "content": "q"},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "hm", "signature": "s"},
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "t1", "name": "get", "input": {"id": "A"}},
                {"type": "tool_use", "id": "t2", "name": "now", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "r"}]},
                {"type": "tool_result", "tool_use_id": "t2", "content": "late", "is_error": True},
                {"type": "text", "text": "and?"},
                {"type": "image", "source": {"data": "…"}},
            ],
        },
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t3", "name": "now", "input": {}}]},
        {"role": "assistant", "content": "a"},
    ]
    text = {"type": "text", "text": "I look."}
    assert as_messages(blocks) == [
        {"role": "user", "content": "q"},
        {
            "role": "assistant",
            "content": [text],
            "tool_calls": [call("t1", "get", {"id": "A"}), call("t2", "now", {})],
            "reasoning": "hm",
        },
        {"role": "tool", "tool_call_id": "t1", "content": [{"type": "text", "text": "r"}], "is_error": False},
        {"role": "tool", "tool_call_id": "t2", "content": "late", "is_error": True},
        {
            "role": "user",
            "content": [{"type": "text", "text": "and?"}, {"type": "image", "source": {"data": "…"}}],
        },
        {"role": "assistant", "content": "", "tool_calls": [call("t3", "now", {})]},
        {"role": "assistant", "content": "a"},
    ]
    assert unread_keys(blocks) == {"thinking.signature": 1, "content of type image": 1}


def test_what_a_user_says_beside_results_is_kept_also_where_it_is_no_block() -> None:
    result = {"type": "mcp_tool_result", "tool_use_id": "t1", "content": "r"}
    assert as_messages([{"role": "user", "content": ["and?", result, {"type": "text", "text": "now"}]}, CHAT[1]])[
        :2
    ] == [
        {"role": "tool", "tool_call_id": "t1", "content": "r", "is_error": False},
        {"role": "user", "content": ["and?", {"type": "text", "text": "now"}]},
    ]


def test_keys_that_hold_something_and_are_not_read_are_counted() -> None:
    message: dict[str, Any] = {
        "role": "assistant",
        "content": "a",
        "refusal": None,
        "annotations": [],
        "audio": {"id": 1},
    }
    calls = [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}, "extra": 1}, 3]
    chat = [message, message, {"role": "assistant", "tool_calls": calls, "weight": 0}, 3]
    assert unread_keys(chat) == {"message.audio": 2, "tool_call.extra": 1}


MESSAGE = {"role": "assistant", "content": None, "tool_calls": [call("c", "f", "{}")]}


@each_row(
    ("response", "items"),
    [
        ({"choices": [{"message": MESSAGE}]}, [MESSAGE]),
        ({"body": {"choices": [{"message": {"content": "a"}}]}}, [{"role": "assistant", "content": "a"}]),
        ({"output": [{"type": "function_call"}]}, [{"type": "function_call"}]),
        ({"role": "assistant", "content": [{"type": "text"}]}, [{"role": "assistant", "content": [{"type": "text"}]}]),
        ({"choices": []}, []),
        ({"choices": [{"text": "t"}]}, []),
        ({"output": "text"}, []),
        ({"role": "assistant", "content": "text"}, []),
        ("text", []),
        ({"body": "text"}, []),
    ],
)
def test_whole_responses_hold_a_message_or_items(response: Any, items: list[Any]) -> None:
    assert items_in(response) == items
