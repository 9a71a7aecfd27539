"""From expectations and calls to a score: what was right of names, arguments, order, and what was too much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.evaluators.tool_call.assignment import best_assignment, best_in_order
from core.evaluators.tool_call.calls import Fit, MadeCall, fit
from core.evaluators.tool_call.expectations import Expectations
from core.suite.definitions import ToolDefinition

MAX_CALLS = 200
PARTIAL_CAP = 0.6
"""What a rollout with a wrong or missing call, or a wrong order, can get at most: below the pass mark."""
_NAME_SHARE = 0.3
_FULL, _OPTIONAL, _PARTIAL = 1_000_000_000, 1_000_000, 100_000


def score_calls(
    wanted: Expectations,
    made: Sequence[MadeCall],
    tools: Mapping[str, ToolDefinition],
    *,
    extra_call_penalty: float = 0.1,
) -> tuple[float, dict[str, Any]]:
    """The score from 0 to 1 and the `details`.

    Everything expected and nothing else is 1. Each extra call beyond `max_extra_calls` costs `extra_call_penalty`.
    A wrong or missing call, or a broken order, caps the score at 0.6; a forbidden call, or any call where none is wanted,
    makes it 0.
    """
    considered = made[:MAX_CALLS]
    fits = [[fit(call, one, tools.get(call.name)) for one in considered] for call in wanted.calls]
    matched, in_order = _match(wanted, fits, len(considered))
    outcomes = [_outcome(wanted, number, matched, fits, considered) for number in range(len(wanted.calls))]
    required = [entry for entry, call in zip(outcomes, wanted.calls, strict=True) if not call.optional]
    extras = [one for number, one in enumerate(considered) if number not in matched.values()]
    surplus = max(0, len(extras) + len(made) - len(considered) - wanted.max_extra_calls)
    penalty = surplus * extra_call_penalty
    forbidden = sorted({one.name for one in made} & wanted.forbidden)
    parts = [entry["score"] for entry in required]
    base = sum(parts) / len(parts) if parts else 1.0
    complete = all(entry["right"] for entry in required) and in_order
    score = max(0.0, base - penalty)
    if not complete:
        score = min(score, PARTIAL_CAP if in_order else PARTIAL_CAP * 0.9)
    if forbidden or (wanted.no_call and made):
        score = 0.0
    details: dict[str, Any] = {
        "name": _mean([1.0 if entry["call"] is not None else 0.0 for entry in required]),
        "arguments": _mean([entry["arguments"] for entry in required]),
        "order": "right" if in_order else "wrong",
        "order_wanted": wanted.order,
        "extras": [one.shown() for one in extras[:20]],
        "extra_calls": len(extras) + len(made) - len(considered),
        "extra_penalty": round(penalty, 6),
        "forbidden_called": forbidden,
        "calls_made": len(made),
        "expected_calls": outcomes,
    }
    details["why"] = _why(wanted, details)
    return round(score, 6), details


def _match(wanted: Expectations, fits: list[list[Fit | None]], columns: int) -> tuple[dict[int, int], bool]:
    """Expectation → call, and whether a strict order holds."""
    weights = [
        [_weight(fits[row][column], optional=call.optional, column=column) for column in range(columns)]
        for row, call in enumerate(wanted.calls)
    ]
    if wanted.order == "any":
        return best_assignment(weights), True
    ordered, free = best_in_order(weights), best_assignment(weights)

    def worth(matching: dict[int, int]) -> int:
        return sum((weights[row][column] + 999) // 1000 for row, column in matching.items())

    return (ordered, True) if worth(ordered) >= worth(free) else (free, False)


def _weight(one: Fit | None, *, optional: bool, column: int) -> int:
    """Full fits first, required before optional, then the best partial ones; among equals the earlier call."""
    if one is None or (optional and not one.full):
        return 0
    grade = (_OPTIONAL if optional else _FULL) if one.full else _PARTIAL + round(one.share * 1000)
    return grade * 1000 - column


def _outcome(
    wanted: Expectations,
    number: int,
    matched: dict[int, int],
    fits: list[list[Fit | None]],
    made: Sequence[MadeCall],
) -> dict[str, Any]:
    call = wanted.calls[number]
    entry: dict[str, Any] = {"name": call.name, "args": call.args, "optional": call.optional}
    column = matched.get(number)
    one = fits[number][column] if column is not None else None
    if column is None or one is None:
        return entry | {"call": None, "right": False, "score": 0.0, "arguments": 0.0, "wrong": {}}
    score = 1.0 if one.full else _NAME_SHARE + (PARTIAL_CAP - _NAME_SHARE) * one.share
    return entry | {
        "call": column + 1,
        "got": made[column].shown(),
        "right": one.full,
        "score": round(score, 6),
        "arguments": round(one.share, 6),
        "wrong": one.wrong,
    }


def _mean(values: list[float]) -> float:
    return round(sum(values) / len(values), 6) if values else 1.0


def _why(wanted: Expectations, details: dict[str, Any]) -> str:
    """One line for people."""
    if details["forbidden_called"]:
        return f"called {', '.join(details['forbidden_called'])}, which is forbidden"
    if wanted.no_call:
        return f"made {details['calls_made']} calls where none is wanted" if details["calls_made"] else "made no call"
    parts = []
    for entry in details["expected_calls"]:
        if entry["call"] is None and not entry["optional"]:
            parts.append(f"{entry['name']} was not called")
        parts += [f"{entry['name']}: {name or 'arguments'}: {reason}" for name, reason in entry["wrong"].items()]
    if details["order"] == "wrong":
        parts.append("the calls came in another order")
    if details["extra_calls"]:
        parts.append(f"{details['extra_calls']} extra calls")
    return "; ".join(parts)[:1000] or "every call as expected"
