"""What a judge is shown of how a model came to its answer."""

from __future__ import annotations

from typing import Any

from modex.core.evaluators.judging.walk import reasoning_text, tool_calls_text, transcript_text
from tests.core.evaluators.conftest import sample


def walked(reasoning: str | None, *entries: dict[str, Any]) -> Any:
    made = sample("42", "42")
    made.reasoning, made.transcript = reasoning, list(entries)
    return made


CALL = {"id": "1", "name": "price", "arguments": '{"of": "x"}'}


def test_where_nothing_stands_that_is_said() -> None:
    assert [show(walked(None)) for show in (transcript_text, reasoning_text, tool_calls_text)] == ["(none)"] * 3


def test_the_reasoning_is_the_thinking_the_earlier_turns_and_what_a_structured_answer_says() -> None:
    made = walked(
        "I think.",
        {"role": "user", "content": "What?"},
        {"role": "assistant", "content": "First."},
        {"role": "assistant", "content": None},
        {"role": "assistant", "content": "Last.", "structured": {"reasoning": "So it is.", "answer": 42}},
        {"role": "assistant", "content": "42", "structured": {"answer": 42}},
        {"role": "assistant", "content": "43", "structured": "text"},
    )
    assert reasoning_text(made) == "I think.\n\nFirst.\n\nLast.\n\n42\n\nSo it is."


def test_the_transcript_leaves_out_the_system_prompt_alone() -> None:
    made = walked(
        None,
        {"role": "system", "content": "secret"},
        {"role": "user", "content": "What?", "attachments": [{"name": "a.pdf"}]},
        {"role": "assistant", "reasoning": "Hm.", "content": "", "tool_calls": [CALL]},
        {"role": "tool", "name": "price", "content": "x" * 5000},
    )
    assert transcript_text(made) == (
        '[user]\nWhat?\nattached: a.pdf\n\n[assistant]\nHm.\ncalls price({"of": "x"})\n\n[tool price]\n' + "x" * 4000
    )


def test_each_call_is_numbered_with_what_came_back() -> None:
    made = walked(
        None,
        {"role": "assistant", "tool_calls": [CALL, {"id": 2, "name": "list", "arguments": {"n": 1}}]},
        {"role": "tool", "tool_call_id": "1", "content": "42", "is_error": False},
        {"role": "assistant", "tool_calls": [{"id": "3", "name": "none", "arguments": ""}]},
        {"role": "tool", "tool_call_id": "2", "content": "no", "is_error": True},
    )
    assert tool_calls_text(made) == ('1. price({"of": "x"})\n   result: 42\n2. list({"n": 1})\n   error: no\n3. none()')
