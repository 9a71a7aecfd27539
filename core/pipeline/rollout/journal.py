"""What a sample in a workspace did so far, stored after each answer and each call, so that an interrupted one goes on from there.

It lies in the sample's own row, in the column `workspace` beside the state of the folder: one transaction holds both, so that
no call is there without what it did; it goes wherever the row goes (a copy of the database, another machine's worker), and
nothing has to be cleared up beside it. The finished sample's row is written without it.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from modex.core.llm.types import Message, ToolCall, Usage
from modex.core.pipeline.rollout.asking import Asking
from modex.core.pipeline.rollout.speed import Speed
from modex.core.pipeline.rollout.workspaces import kept_workspace
from modex.core.safety.known import FLAG
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import ToolDefinition
from modex.core.tools.base import STATE, ToolSession

KEY = "journal"
MOST_KEPT = 4 * 1024 * 1024
"""Characters of a folder's difference that are stored after each call: more would be written forty times."""


@dataclass(frozen=True, slots=True)
class TakenUp:
    """Where a tool loop goes on."""

    messages: list[Message]
    """What was said after the opening."""
    iteration: int
    """The last one that the model answered."""
    waiting: tuple[ToolCall, ...]
    """Calls of its last answer that were not answered yet."""


def journal(asking: Asking, messages: list[Message], opened: int, iteration: int) -> dict[str, Any]:
    """What is stored; `opened` messages are the opening, which is made anew."""
    rollout, session = asking.rollout, asking.session()
    return {
        "of": asking.sample.rollout_fingerprint,
        "entries": len(rollout.transcript),
        "messages": messages[opened:],
        "iteration": iteration,
        "usage": rollout.usage.as_dict(),
        "cost_usd": rollout.cost_usd,
        "duration_ms": rollout.duration_ms,
        "attempts": rollout.attempts,
        "finish_reason": rollout.finish_reason,
        "flags": list(rollout.flags),
        "reasoning": list(rollout.reasoning),
        "speed": rollout.speed.as_list() if rollout.speed is not None else None,
        "counts": dict(session.call_counts),
        "mocks": copy.deepcopy(session.state.get(STATE)),
        "counted": asking.counted.as_dict(),
        "counted_usd": asking.counted_usd,
    }


def can_be_taken_up(session: ToolSession, tools: Sequence[ToolDefinition]) -> bool:
    """Whether all that the sample's tools know can be stored: not that of its own servers, nor what plugins hold in memory."""
    return session.state.keys() <= {STATE} and all(tool.server is None or tool.server.shared for tool in tools)


def stored_journal(sample: EvaluationSample) -> dict[str, Any] | None:
    """The journal in a sample's row, where it is of the same question and whole; None where there is none to go on from."""
    found = (sample.workspace or {}).get(KEY)
    if not isinstance(found, dict) or found.get("of") is None or found["of"] != sample.rollout_fingerprint:
        return None
    # Where a secret was masked, the words that the model was told are not there any more.
    whole = any("tool_calls" in entry for entry in sample.transcript[: found["entries"]])
    return found if whole and FLAG not in sample.flags else None


def restore(asking: Asking, kept: Mapping[str, Any]) -> None:
    """Let a rollout be what it was when `kept` was noted."""
    rollout = asking.rollout
    rollout.transcript[:] = asking.before[: kept["entries"]]
    rollout.flags[:] = kept["flags"]
    rollout.reasoning[:] = kept["reasoning"]
    rollout.usage = Usage(**kept["usage"])
    rollout.cost_usd = kept["cost_usd"]
    rollout.duration_ms, rollout.attempts = kept["duration_ms"], kept["attempts"]
    rollout.finish_reason = kept["finish_reason"]
    rollout.speed = Speed.of(kept["speed"]) if kept["speed"] is not None else None


def take_up(asking: Asking, kept: Mapping[str, Any]) -> TakenUp:
    """Let a rollout and what its tools know be what they were, and say where its tool loop goes on."""
    restore(asking, kept)
    rollout, session = asking.rollout, asking.session()
    session.call_counts = dict(kept["counts"])
    if kept["mocks"] is not None:
        session.state[STATE] = kept["mocks"]
    last = next(
        place for place in range(len(rollout.transcript) - 1, -1, -1) if "tool_calls" in rollout.transcript[place]
    )
    answered = {entry.get("tool_call_id") for entry in rollout.transcript[last:]}
    waiting = tuple(
        ToolCall(call["id"], call["name"], call["arguments"], call.get("form", ""))
        for call in rollout.transcript[last]["tool_calls"]
        if call["id"] not in answered
    )
    return TakenUp(list(kept["messages"]), int(kept["iteration"]), waiting)


def note(asking: Asking, messages: list[Message], opened: int, iteration: int) -> None:
    """Store what was done so far in a workspace, the first `opened` messages being those that begin the conversation.

    Raises:
        StoreError: it could not be stored.
    """
    session = asking.session()
    if asking.keep is None or session.workspace is None:
        return
    if not can_be_taken_up(session, asking.context.tools_of(asking.sample)):
        return
    kept = kept_workspace(session)
    if "too_much" in kept or len(kept["state"]) > MOST_KEPT:
        return  # what was noted before still holds: its folder is that of its own last call
    asking.noted = {**kept, KEY: journal(asking, messages, opened, iteration)}
    asking.sample.workspace = asking.noted
    asking.keep(asking.sample)


def taken_up(asking: Asking) -> TakenUp | None:
    """Where the rollout goes on that was broken off, which it is from now on; None for one that begins."""
    begins, asking.goes_on = not asking.goes_on, True
    return take_up(asking, asking.noted[KEY]) if begins and asking.noted is not None else None


def keep_journal(asking: Asking) -> None:
    """Keep of a rollout that failed what was noted last, for a later try to go on from there."""
    if asking.noted is None:
        return
    kept = asking.noted[KEY]
    if not asking.goes_on:  # it failed before it was taken up: nothing was asked
        restore(asking, kept)
    # All of it is in the run's totals when the error is stored.
    counted = {"counted": kept["usage"], "counted_usd": kept["cost_usd"]}
    asking.rollout.workspace = {**asking.noted, KEY: {**kept, **counted}}
