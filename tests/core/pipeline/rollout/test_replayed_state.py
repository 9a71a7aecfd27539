"""What the calls of a transcript lead to on a test's mocks, and when that cannot be told."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from modex.core.evaluators.tool_call.final_state import STATE_UNKNOWN
from modex.core.pipeline.rollout.asking import Asking
from modex.core.pipeline.rollout.replayed_state import keeps_state, replay_state
from modex.core.store.definition import Definition
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import Location, McpServer, ToolDefinition
from tests.rows import each_row

SETS = ToolDefinition("put", "put", "", {}, Location("f", 1), mock=[{"set": {"x": "{{v}}"}, "response": "ok"}])


def asking(*tools: ToolDefinition, **state: Any) -> Asking:
    context: Any = SimpleNamespace(tools_of=lambda _sample: tools)
    sample = EvaluationSample(domain="d", test_id="t", prompt="p", definition=Definition(tool_state=state))
    return Asking(sample, context)


def called(name: str, result: str | None = None, *, is_error: bool = False) -> list[dict[str, Any]]:
    call = {"id": "c", "name": name, "arguments": '{"v": 1}'}
    found: list[dict[str, Any]] = [{"role": "assistant", "content": "", "tool_calls": [call]}]
    if result is not None:
        found.append({"role": "tool", "tool_call_id": "c", "name": name, "content": result, "is_error": is_error})
    return found


def after(tools: tuple[ToolDefinition, ...], entries: list[dict[str, Any]]) -> tuple[Any, str]:
    """The state, or why there is none."""
    found = asking(*tools, y=2)
    found.rollout.transcript += entries
    replay_state(found, entries)
    said = found.rollout.transcript[-1].get(STATE_UNKNOWN, "")
    assert found.rollout.flags == [STATE_UNKNOWN if said else "state_replayed"]
    return found.rollout.tool_state, said


def test_mocks_that_remember_or_begin_with_something_keep_state() -> None:
    plain = replace(SETS, mock=[{"response": "ok"}])
    assert keeps_state(asking(SETS))
    assert keeps_state(asking(plain, y=2))
    assert not keeps_state(asking(plain))
    assert not keeps_state(asking(replace(SETS, mock={"response": "ok"})))
    nothing = asking(plain)
    replay_state(nothing, called("put"))
    assert (nothing.rollout.tool_state, nothing.rollout.flags) == (None, [])


@each_row(
    ("tool", "name", "state", "said"),
    [
        (SETS, "put", {"y": 2, "x": 1}, ""),
        (SETS, "mcp__modex__put", {"y": 2, "x": 1}, ""),
        (replace(SETS, mock=None, handler="python:mine"), "put", None, "answered by a handler of a plugin"),
        (replace(SETS, mock=None, handler="python:code_workspace"), "put", {"y": 2}, ""),
        (replace(SETS, mock=None, handler="world:price"), "put", {"y": 2}, ""),
        (replace(SETS, mock=None, server=McpServer(("x",), None, ())), "put", {"y": 2}, ""),
        (replace(SETS, mock=None, server=McpServer(("x",), state="told")), "put", None, "a server tells it"),
    ],
)
def test_only_what_mocks_know_is_made_again(tool: ToolDefinition, name: str, state: Any, said: str) -> None:
    found, why = after((tool,), called(name))
    assert (found, said in why, bool(said) == bool(why)) == (state, True, True)


@each_row(
    ("entries", "known"),
    [
        (called("put", "ok"), True),
        (called("put", "other words"), True),
        (called("put", '{"error": null}'), True),
        (called("put", '{"error": "x"}'), False),
        (called("put", "ERROR: x"), False),
        (called("put", "x", is_error=True), False),
        (called("unknown", "x", is_error=True), True),
        (called("unknown", "x"), False),
        (called("unknown"), True),
    ],
)
def test_a_call_that_failed_in_one_place_alone_leaves_the_state_unknown(
    entries: list[dict[str, Any]], known: bool
) -> None:
    found, why = after((SETS,), entries)
    assert (found is not None, not why) == (known, known)
