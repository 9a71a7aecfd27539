"""From expectations and calls to a score: what was right of names, arguments, order, and what was too much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from modex.core.evaluators.tool_call.assignment import best_assignment, best_in_order
from modex.core.evaluators.tool_call.calls import Fit, MadeCall, fit
from modex.core.evaluators.tool_call.expectations import Expectations
from modex.core.suite.definitions import ToolDefinition
from modex.core.verdict import CallOutcome, Calls

PARTIAL_CAP = 0.6
"""What a rollout with a wrong or missing call, or a wrong order, can get at most: below the pass mark."""
_NAME_SHARE = 0.3
_EXTRA_COST = 0.1
_FULL, _OPTIONAL, _PARTIAL = 1_000_000_000, 1_000_000, 100_000


def score_calls(
    wanted: Expectations,
    made: Sequence[MadeCall],
    tools: Mapping[str, ToolDefinition],
    *,
    extra_call_penalty: float | None = None,
) -> tuple[float, Calls]:
    """The score from 0 to 1 and what it is founded on.

    Everything expected and nothing else is 1. A wrong or missing call, a broken order, or an extra call caps the score
    at 0.6, and each extra call costs 0.1; a forbidden call, or any call where none is wanted, makes it 0. No extra are:
    as many calls as `max_extra_calls` says, read-only ones where the test says `extra_reads`, and failed attempts before
    the call of the same tool that did what was expected. With an `extra_call_penalty` extra calls cost it and cap nothing.
    """
    if wanted.any_call:
        return _any(made)
    fits = [[fit(call, one, tools.get(call.name), wanted.language) for one in made] for call in wanted.calls]
    matched, order = _match(wanted, fits, made)
    outcomes = [_outcome(wanted, number, matched, fits, made) for number in range(len(wanted.calls))]
    required = [entry for entry, call in zip(outcomes, wanted.calls, strict=True) if not call.optional]
    retried = _retried(made, matched, outcomes)
    extras = [one for number, one in enumerate(made) if number not in matched.values() and number not in retried]
    if wanted.state_only:
        extras = []
    elif wanted.extra_reads:
        extras = [one for one in extras if not _is_read(one, tools)]
    count = 0 if wanted.state_only else len(extras)
    surplus = max(0, count - wanted.max_extra_calls)
    penalty = surplus * (_EXTRA_COST if extra_call_penalty is None else extra_call_penalty)
    forbidden = sorted({one.name for one in made} & wanted.forbidden)
    base = sum(entry.score for entry in required) / len(required) if required else 1.0
    score = max(0.0, base - penalty)
    if order != "right":
        score = min(score, PARTIAL_CAP * 0.9)
    if not all(entry.right for entry in required) or (surplus and extra_call_penalty is None):
        score = min(score, PARTIAL_CAP)
    if forbidden or (wanted.no_call and made):
        score = 0.0
    part = Calls(
        expected=tuple(outcomes),
        extras=tuple(one.part() for one in extras[:20]),
        retried=tuple(made[number].part() for number in sorted(retried)[:20]),
        made=len(made),
        extra_calls=count,
        allowed_extras=wanted.max_extra_calls,
        extra_penalty=round(penalty, 6),
        forbidden=tuple(forbidden),
        no_call=wanted.no_call,
        order=order,
        order_wanted="later turns" if wanted.chained else wanted.order,
        name_share=_mean([1.0 if entry.call is not None else 0.0 for entry in required]),
        argument_share=_mean([entry.arguments for entry in required]),
    )
    why = "" if wanted.state_only and not forbidden else _why(part)
    return round(score, 6), replace(part, why=why)


def _any(made: Sequence[MadeCall]) -> tuple[float, Calls]:
    """Where any call is right: whether one is valid."""
    right = any(one.fault is None for one in made)
    fault = made[0].fault if made else None
    why = "made a call, as any was asked for" if right else f"{made[0].name}: {fault}" if fault else "made no call"
    part = Calls(made=len(made), extras=tuple(one.part() for one in made[:20]), allowed_extras=len(made), why=why)
    return 1.0 if right else 0.0, part


def _retried(made: Sequence[MadeCall], matched: Mapping[int, int], outcomes: Sequence[CallOutcome]) -> set[int]:
    """The failed calls that a later right call of the same tool made good."""
    last = {made[column].name: column for column in sorted(c for row, c in matched.items() if outcomes[row].right)}
    taken = set(matched.values())
    return {
        number
        for number, one in enumerate(made)
        if one.fault is not None and number not in taken and number < last.get(one.name, 0)
    }


def _is_read(call: MadeCall, tools: Mapping[str, ToolDefinition]) -> bool:
    tool = tools.get(call.name)
    return tool is not None and tool.read_only


def _match(wanted: Expectations, fits: list[list[Fit | None]], made: Sequence[MadeCall]) -> tuple[dict[int, int], str]:
    """Expectation → call, and the order: `right`, `wrong`, or `blind` for a chain asked for before its results came."""
    columns = [column for column in range(len(made)) if any(row[column] is not None for row in fits)]
    scale = max(1000, len(columns) + 1)
    weights = [
        [
            _weight(fits[row][column], optional=call.optional, place=place, scale=scale)
            for place, column in enumerate(columns)
        ]
        for row, call in enumerate(wanted.calls)
    ]

    def told(matching: dict[int, int]) -> dict[int, int]:
        return {row: columns[place] for row, place in matching.items()}

    if wanted.order == "any":
        return told(best_assignment(weights)), "right"
    free = best_assignment(weights)

    def worth(matching: dict[int, int]) -> int:
        return sum((weights[row][place] + scale - 1) // scale for row, place in matching.items())

    turns = [made[column].turn for column in columns]
    ordered = best_in_order(weights, turns if wanted.chained else None)
    if worth(ordered) >= worth(free):
        return told(ordered), "right"
    blind = wanted.chained and worth(best_in_order(weights)) >= worth(free)
    return told(free), "blind" if blind else "wrong"


def _weight(one: Fit | None, *, optional: bool, place: int, scale: int) -> int:
    """Full fits first, required before optional, then the best partial ones; among equals the earlier of up to `scale` calls."""
    if one is None or (optional and not one.full):
        return 0
    grade = (_OPTIONAL if optional else _FULL) if one.full else _PARTIAL + round(one.share * 1000)
    return grade * scale - place


def _outcome(
    wanted: Expectations,
    number: int,
    matched: dict[int, int],
    fits: list[list[Fit | None]],
    made: Sequence[MadeCall],
) -> CallOutcome:
    call = wanted.calls[number]
    outcome = CallOutcome(call.name, call.args, call.optional)
    column = matched.get(number)
    if column is None:
        return outcome
    one = fits[number][column]
    assert one is not None
    score = 1.0 if one.full else _NAME_SHARE + (PARTIAL_CAP - _NAME_SHARE) * one.share
    return replace(
        outcome,
        call=column + 1,
        got=made[column].part(),
        right=one.full,
        score=round(score, 6),
        arguments=round(one.share, 6),
        wrong=one.wrong,
    )


def _mean(values: list[float]) -> float:
    return round(sum(values) / len(values), 6) if values else 1.0


def _why(part: Calls) -> str:
    """One line for people."""
    if part.forbidden:
        return f"called {', '.join(part.forbidden)}, which is forbidden"
    if part.no_call:
        calls = "1 call" if part.made == 1 else f"{part.made} calls"
        return f"made {calls} where none is wanted" if part.made else "made no call"
    lines = []
    for outcome in part.expected:
        if outcome.call is None and not outcome.optional:
            lines.append(f"{outcome.name} was not called")
        lines += [f"{outcome.name}: {f'{name}: ' if name else ''}{reason}" for name, reason in outcome.wrong.items()]
    if part.order == "wrong":
        lines.append("the calls came in another order")
    if part.order == "blind":
        lines.append("calls that build on a result were made before it came")
    if part.extra_calls:
        names = ", ".join(dict.fromkeys(call.name for call in part.extras))
        plural = "" if part.extra_calls == 1 else "s"
        lines.append(f"{part.extra_calls} extra call{plural}{f' ({names})' if names else ''}")
    return "; ".join(lines)[:1000] or "every call as expected"
