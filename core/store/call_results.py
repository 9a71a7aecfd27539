"""Which result of a transcript answers which call: by the call's id, parallel ones too; by the order where there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Entry = Mapping[str, Any]


@dataclass(slots=True)
class CallResults:
    """The calls of a transcript with their results."""

    calls: dict[int, list[tuple[Entry, Entry | None]]] = field(default_factory=dict)
    """By the place of the message that makes them, each call in its order with its result, or None."""
    apart: set[int] = field(default_factory=set)
    """The places of results that answer no call of the transcript."""

    def of(self, place: int) -> list[tuple[Entry, Entry | None]]:
        """The calls of the message at `place`."""
        return self.calls.get(place, [])


def call_results(transcript: Sequence[Entry]) -> CallResults:
    """Pair the calls of a transcript with their results.

    An id may be used again in a later message, and twice in one: a result answers the latest call of its id that has none,
    of those of one message the first. A call or a result without an id is paired by the tool's name and the order.
    """
    found = CallResults()
    waiting: list[tuple[int, int]] = []
    for place, entry in enumerate(transcript):
        if entry.get("role") == "assistant":
            made = [call for call in entry.get("tool_calls") or () if isinstance(call, Mapping)]
            if made:
                found.calls[place] = [(call, None) for call in made]
                waiting += [(place, number) for number in range(len(made))]
        elif entry.get("role") == "tool":
            answered = _answered(entry, waiting, found)
            if answered is None:
                found.apart.add(place)
                continue
            waiting.remove(answered)
            at, number = answered
            found.calls[at][number] = (found.calls[at][number][0], entry)
    return found


def _answered(result: Entry, waiting: Sequence[tuple[int, int]], found: CallResults) -> tuple[int, int] | None:
    """Where the call stands that a result answers."""

    def call(at: tuple[int, int]) -> Entry:
        return found.calls[at[0]][at[1]][0]

    known = result.get("tool_call_id")
    if known:
        same = [at for at in waiting if str(call(at).get("id")) == str(known)]
        if same:
            return max(same, key=lambda at: (at[0], -at[1]))
    bare = [at for at in waiting if not (known and call(at).get("id"))]
    named = [at for at in bare if call(at).get("name") == result.get("name")] if result.get("name") else bare
    return min(named, default=None)
