"""What an agent tells of its calls beside what was seen of them: what was seen holds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from modex.core.jsonvalues.jsonargs import decode_arguments
from modex.core.pipeline.rollout.asking import Rollout

CALLS_DIFFER = "calls_differ"
"""The flag of an agent that tells of other calls than it made."""
CALLS_TOLD = "calls_told"
"""The flag of calls that nobody saw: an agent tells of them and never came for the test's tools."""
CALLS_UNANSWERED = "calls_unanswered"
"""The flag of a transcript with calls that were never executed: it goes on without their results."""
CALLS_UNTOLD = "calls_untold"
"""The flag of an answer from a file to a test with tools that comes without its steps or messages."""
NOT_UTF8 = "not_utf8"
"""The flag of an agent whose output has bytes that are no UTF-8."""
TOOLS_NOT_ASKED = "tools_not_asked"
"""The flag of an agent that was given tools, never came for them and tells of no call."""

SAID = {
    CALLS_DIFFER: "the agent tells of other calls than were seen: those that were seen are judged",
    CALLS_TOLD: "the agent never came for the test's tools: the calls that it tells of are judged",
    CALLS_UNANSWERED: "a call has no result and was never executed, so it does not count as made",
    NOT_UTF8: "the agent's output is not UTF-8: bytes that cannot be read are judged as \N{REPLACEMENT CHARACTER}; print UTF-8",
    TOOLS_NOT_ASKED: "the agent never came for the test's tools (MODEX_TOOLS_URL) and tells of no call",
}
"""What a reader of the scores should know of each flag of an agent, in words."""


def plain_name(name: str, offered: Collection[str]) -> str:
    """The tool that an agent means: coding agents put the server before a tool's name (`mcp__modex__get_order`)."""
    if name in offered:
        return name
    ends = [own for own in offered if name.endswith(tuple(f"{mark}{own}" for mark in ("__", ".", "/", ":")))]
    return max(ends, key=len, default=name)


def merged(
    told: Sequence[dict[str, Any]], seen: Sequence[list[dict[str, Any]]], offered: Collection[str], rollout: Rollout
) -> list[dict[str, Any]]:
    """What was told with the calls that were seen, where they were told and in the order in which they were seen; those that were
    not told stand before the answer.

    Calls that were told and not seen are kept beside their message, as `told_calls`, and are no calls. Where the two differ in
    calls of the tools on offer the rollout is flagged, and both numbers stand in the last message, as `calls`.
    """
    waiting = [(group, Counter(map(_key, group[0]["tool_calls"]))) for group in seen]
    found: list[dict[str, Any]] = []
    told_of: Counter[str] = Counter()
    for entry in told:
        if entry["role"] == "tool":
            continue  # what was seen has its own results
        calls = entry.get("tool_calls") or []
        named = [{**call, "name": plain_name(call["name"], offered)} for call in calls]
        own = Counter(_key(call) for call in named if call["name"] in offered)
        told_of += own
        here: list[dict[str, Any]] = []
        while own and (place := next((n for n, (_, keys) in enumerate(waiting) if keys & own), None)) is not None:
            for group, keys in waiting[: place + 1]:
                here += group
                own -= keys
            del waiting[: place + 1]
        unseen = list(_unseen(named, here))
        said = {key: value for key, value in entry.items() if key != "tool_calls"}
        if unseen:
            said["told_calls"] = unseen
        elif here and len(calls) == len(here[0]["tool_calls"]):
            here[0] |= {key: said[key] for key in ("content", "reasoning") if said.get(key)}
            said = {}
        if said.get("content") or said.get("reasoning") or unseen or not calls:
            found.append(said)
        found += here
    untold = [entry for group, _ in waiting for entry in group]
    ends_in_answer = bool(found and told) and found[-1]["role"] == "assistant" and not told[-1].get("tool_calls")
    place = len(found) - ends_in_answer  # whoever tells of no call had made them before it answered
    found[place:place] = untold
    number = 0
    for entry in found:
        number += entry["role"] == "assistant"
        entry["iteration"] = number
    of_seen = Counter(_key(call) for group in seen for call in group[0]["tool_calls"])
    if told_of and told_of != of_seen:
        rollout.flag(CALLS_DIFFER)
        last = next((entry for entry in reversed(found) if entry["role"] == "assistant"), None)
        if last is not None:
            last["calls"] = {"seen": of_seen.total(), "told": told_of.total()}
    return found


def _unseen(calls: Sequence[dict[str, Any]], here: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The calls that are not among those that were seen there."""
    left = Counter(_key(call) for entry in here for call in entry.get("tool_calls") or ())
    for call in calls:
        if left[_key(call)] > 0:
            left[_key(call)] -= 1
        else:
            yield call


def _key(call: Mapping[str, Any]) -> str:
    """A call by its name and the value of its arguments."""
    arguments = decode_arguments(str(call.get("arguments") or ""))
    return json.dumps([call.get("name"), arguments], sort_keys=True, ensure_ascii=True)
