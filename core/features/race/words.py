"""A race in words and as JSON: what was decided and what was not, and what need not be asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from modex.core.comparison.difference import difference_json
from modex.core.comparison.wording import too_few_words
from modex.core.features.race.rule import Against, RaceState
from modex.core.statistics.racing import LOOKS
from modex.core.store.calls import calls_of
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow


@dataclass(frozen=True, slots=True)
class Saved:
    """What a race need not ask. The tests are counted, calls and money are what its other tests took on average."""

    tests: int
    models: int
    """Models that are asked."""
    each: int
    """Tests that each of them would have been asked; every epoch of a test is a call of its own."""
    calls: int
    cost_usd: float | None
    """None where a price is not known."""


def saved_by(reader: Reader, state: RaceState, runs: Sequence[RunRow]) -> Saved:
    """What a race saves as it stands; `runs` are those of the models that are asked."""
    tests = state.saved()
    calls, cost, priced = 0.0, 0.0, True
    for run in runs:
        spared = tests.get(run.exp_id, 0)
        done = state.total - spared
        if not spared or done <= 0:
            continue
        took = calls_of(reader, run.id)
        calls += spared * (took.model + took.pass2 + took.judged) / done
        cost += spared * run.cost_usd / done
        priced = priced and not run.unpriced_calls
    return Saved(sum(tests.values()), len(tests), state.total, round(calls), cost if priced else None)


def saved_words(saved: Saved) -> str:
    """`520 of 4 × 200 tests need not be asked: about 1,040 calls and $0.31 saved`."""
    models = f"{saved.models} × " if saved.models != 1 else ""
    words = f"{saved.tests:,} of {models}{saved.each:,} tests need not be asked"
    if not saved.calls:
        return words
    money = f" and ${saved.cost_usd:,.2f}" if saved.cost_usd else ""
    return f"{words}: about {saved.calls:,} call{'s' if saved.calls != 1 else ''}{money} saved"


def gap_words(one: Against) -> str:
    """`-13.3 points (-42.6 to -2.4)`: its score less the leader's as measured, and between what that truly lies."""
    low, high = one.bound
    return f"{100 * one.gap:+.1f} points ({100 * low:+.1f} to {100 * high:+.1f})"


def standing_words(state: RaceState) -> str:
    """The look that is just over in a line: who leads, by how much, who left, the looks left and the tests saved so far."""
    assert state.leader is not None
    lines = [f"{state.leader} leads"]
    lines += [f"{name} {gap_words(one)}" for name, one in state.open.items()]
    lines += [f"{one.exp_id} is out" for one in state.dropped if one.look == state.look]
    left = 0 if state.ending is not None else LOOKS - state.look
    lines.append(f"{left} look{'s' if left != 1 else ''} left")
    return "; ".join([*lines, f"{sum(state.saved().values()):,} tests saved"])


def race_words(state: RaceState, saved: Saved) -> list[str]:
    """What the race decided, and what it did not."""
    lines = []
    for one in state.dropped:
        means = "by the passes and failures seen (e-process)" if one.by_looking else f"at look {one.look} of {LOOKS}"
        lines.append(
            f"{one.exp_id} is worse than {one.leader}: decided {means}, after {one.tests:,} of {state.total:,} tests; "
            f"{_true_score(one)} (this holds after stopping early)"
        )
    lines += [f"not decided: {name} against {state.leader}; {_true_score(one)}" for name, one in state.open.items()]
    unseen = [name for name in state.still_in if name != state.leader and name not in state.open]
    if state.ending is not None:
        lines += [f"not decided: {name} against {state.leader}; no two verdicts on the same tests" for name in unseen]
    endings = {
        "decided": f"the race is decided: {state.leader} is the best of {len(state.contenders)}",
        "futile": "stopped: the tests that are left will hardly decide it (futility)",
        "all asked": f"all {state.total:,} tests are asked",
        None: "the race goes on",
    }
    return [*lines, f"{endings[state.ending]}; {saved_words(saved)}"]


def _true_score(one: Against) -> str:
    low, high = one.bound
    if one.difference.too_few:
        return too_few_words(one.difference)
    return f"its true score less the leader's lies between {100 * low:+.1f} and {100 * high:+.1f} points"


def race_json(state: RaceState, saved: Saved) -> dict[str, Any]:
    """A race as scripts get it and as it is stored after each look. `first` and `second` of a difference are in the order
    of `contenders`."""
    return {
        "contenders": state.contenders,
        "tests": state.total,
        "look": state.look,
        "looks": LOOKS,
        "asked": state.asked,
        "next_at": state.tests_at(state.look + 1) if state.ending is None else None,
        "ending": state.ending,
        "leader": state.leader,
        "scores": dict(state.scores),
        "still_in": list(state.still_in),
        "dropped": [
            {
                "run": one.exp_id,
                "against": one.leader,
                "look": one.look,
                "tests": one.tests,
                "by": "e-process" if one.by_looking else "boundary",
                **_standing_json(one),
            }
            for one in state.dropped
        ],
        "not_decided": [
            {"run": name, "against": state.leader, **_standing_json(one)} for name, one in state.open.items()
        ],
        "saved_tests": state.saved(),
        "saved": {
            "tests": saved.tests,
            "of": saved.models * saved.each,
            "calls": saved.calls,
            "cost_usd": saved.cost_usd,
        },
        "words": race_words(state, saved),
    }


def _standing_json(one: Against) -> dict[str, Any]:
    standing = one.standing
    return {
        "z": standing.z,
        "boundary": standing.boundary,
        "gap": one.gap,
        "bound": list(one.bound),
        "futile": standing.decision == "futile",
        "difference": difference_json(one.difference),
    }
