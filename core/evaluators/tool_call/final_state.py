"""What the mocks know at the end of a tool test, against what the test expects of it and against the beginning."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from modex.core.jsonvalues.matching import matches
from modex.core.store.sample import EvaluationSample

STATE_UNKNOWN = "state_unknown"
"""The flag of a rollout after which nobody can say what the mocks would know; its last message says why, under this name."""
_SHOWN = 200
_MISSING = object()


@dataclass(frozen=True, slots=True)
class StateFound:
    """The comparison: how many of the expected places are right, and what is wrong, a sentence each."""

    right: int
    faults: tuple[str, ...]
    total: int

    @property
    def share(self) -> float:
        """The share of right places; a change that nobody asked for is a wrong place more."""
        unasked = len(self.faults) - (self.total - self.right)
        return self.right / (self.total + unasked)


def untold_state(sample: EvaluationSample) -> str | None:
    """Why nobody can say what the mocks know at the end; None where it is known."""
    if STATE_UNKNOWN in sample.flags:
        found = (entry.get(STATE_UNKNOWN) for entry in reversed(sample.transcript))
        return next((str(why) for why in found if why), "its calls were not seen")
    asked_elsewhere = any(entry.get("phase") == "agent" for entry in sample.transcript)
    if asked_elsewhere and sample.tool_state is None and sample.definition.tool_state:
        return "it was not kept when the agent answered; ask the agent again"
    return None


def compare_state(sample: EvaluationSample, wanted: Mapping[str, Any], *, partial: bool) -> StateFound:
    """The state at the end of `sample` against `wanted`, by dotted places; a place that is not there is null.

    What is not named has to be as it was at the beginning, unless `partial`. `untold_state` is asked before.
    """
    before = sample.definition.tool_state
    after = (
        before if sample.tool_state is None else sample.tool_state
    )  # no session is kept where nothing could be called
    faults = []
    for path, value in wanted.items():
        actual = _at(after, path)
        if not matches(value, None if actual is _MISSING else actual):
            faults.append(f"{path}: expected {_short(value)}, got {_short(None if actual is _MISSING else actual)}")
    right = len(wanted) - len(faults)
    if not partial:
        for path, old, new in _changes(before, after):
            if not any(path == named or path.startswith(f"{named}.") for named in wanted):
                faults.append(f"{path}: changed from {_short(old)} to {_short(new)}, which nothing asked for")
    return StateFound(right, tuple(faults), len(wanted))


def _at(state: Mapping[str, Any], path: str) -> Any:
    value: Any = state
    for step in path.split("."):
        if not isinstance(value, Mapping) or step not in value:
            return _MISSING
        value = value[step]
    return value


def _changes(before: Mapping[str, Any], after: Mapping[str, Any], under: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Every place that differs, as deep as both, or the one that is there, are objects."""
    for name in dict.fromkeys((*before, *after)):
        old, new = before.get(name), after.get(name)
        path = f"{under}{name}"
        if isinstance(new, Mapping) and (old is None or isinstance(old, Mapping)):
            yield from _changes(old or {}, new, f"{path}.")
        elif isinstance(old, Mapping) and new is None:
            yield from _changes(old, {}, f"{path}.")
        elif not matches(old, new):
            yield path, old, new


def _short(value: Any) -> str:
    text = "nothing" if value is None else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
