"""What a model did besides answering, as a judge reads it: its whole way, its reasoning, its tool calls with their results."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from modex.core.store.call_results import call_results
from modex.core.store.sample import EvaluationSample

_MOST_RESULT = 4_000
_NONE = "(none)"


def transcript_text(sample: EvaluationSample) -> str:
    """Every message in its order, but the system prompt."""
    parts = []
    for entry in sample.transcript:
        if entry.get("role") == "system":
            continue
        head = f"[{entry.get('role')}{' ' + str(entry['name']) if entry.get('name') else ''}]"
        lines = [str(entry["reasoning"])] if entry.get("reasoning") else []
        lines += [str(entry["content"])[:_MOST_RESULT]] if entry.get("content") else []
        lines += [f"attached: {one.get('name')}" for one in entry.get("attachments") or ()]
        lines += [f"calls {_call(call)}" for call in entry.get("tool_calls") or ()]
        parts.append("\n".join([head, *lines]))
    return "\n\n".join(parts) or _NONE


def reasoning_text(sample: EvaluationSample) -> str:
    """What the model thought and said on the way: its thinking, the reasoning of a structured answer, earlier turns."""
    parts = [sample.reasoning] if sample.reasoning else []
    turns = [entry for entry in sample.transcript if entry.get("role") == "assistant"]
    parts += [str(turn["content"]) for turn in turns[:-1] if turn.get("content")]
    for turn in turns:
        structured = turn.get("structured")
        if isinstance(structured, dict) and structured.get("reasoning"):
            parts.append(str(structured["reasoning"]))
    return "\n\n".join(parts) or _NONE


def tool_calls_text(sample: EvaluationSample) -> str:
    """Every call with its arguments and what came back, in order."""
    lines: list[str] = []
    for made in call_results(sample.transcript).calls.values():
        for call, result in made:
            lines.append(f"{len(lines) + 1}. {_call(call)}{_described(call)}{_result(result)}")
    return "\n".join(lines) or _NONE


WALKS: Mapping[str, Callable[[EvaluationSample], str]] = {
    "transcript": transcript_text,
    "reasoning": reasoning_text,
    "tool_calls": tool_calls_text,
}
"""The placeholders of a judge's prompt that show it."""


def _call(call: Mapping[str, Any]) -> str:
    arguments = call.get("arguments")
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return f"{call.get('name')}({text or ''})"


def _described(call: Mapping[str, Any]) -> str:
    """What an agent told of the tool that it called, where it did."""
    described = call.get("description")
    return f"\n   the tool: {described[:_MOST_RESULT]}" if isinstance(described, str) and described else ""


def _result(entry: Mapping[str, Any] | None) -> str:
    if entry is None:
        return ""
    state = "error" if entry.get("is_error") else "result"
    return f"\n   {state}: {str(entry.get('content') or '')[:_MOST_RESULT]}"
