"""The state of a race after so many tests: who is still in, who was dropped and why, in exact words."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Literal

from core.reports.difference import Difference, PairedScores, Settled, difference_json
from core.reports.pairs import Match, TestKey, key_of, rows_by_test
from core.statistics.racing import LOOKS, Decision, Standing, look_at, peek_at
from core.store.reader import Reader
from core.store.rows import RunRow

Ending = Literal["decided", "futile", "all asked"]


@dataclass(frozen=True, slots=True)
class Dropped:
    """A model that left the race."""

    exp_id: str
    leader: str
    look: int
    tests: int
    difference: Difference
    """Its own score against the leader's."""
    standing: Standing
    bound: tuple[float, float]
    """Between what its true score minus the leader's lies; see `Standing.bound`."""
    by_looking: bool
    """Whether the e-process decided, on pass and fail."""


@dataclass(slots=True)
class RaceState:
    """A race as it stands; `advance` takes it one look further."""

    contenders: list[str]
    total: int
    """Tests that the race has."""
    peek: bool = False
    look: int = 0
    asked: int = 0
    leader: str | None = None
    still_in: list[str] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    open: dict[str, tuple[Difference, Standing, tuple[float, float]]] = field(default_factory=dict)
    """Those still in beside the leader, against it, each with its bound."""
    ending: Ending | None = None

    def __post_init__(self) -> None:
        self.still_in = list(self.contenders)

    def tests_at(self, look: int) -> int:
        """How many tests everybody still in has been asked at this look."""
        return math.ceil(self.total * look / LOOKS)

    def advance(self, pairs: dict[tuple[str, str], Settled], scores: dict[str, float]) -> None:
        """Decide what this look decides: `pairs` holds every two models still in, `scores` their Weighted Scores."""
        self.look += 1
        self.asked = self.tests_at(self.look)
        self.leader = max(self.still_in, key=lambda name: (scores.get(name, -1.0), -self.contenders.index(name)))
        self.open = {}
        going = True
        while going and len(self.still_in) > 1:
            going = False
            number = len(self.still_in) * (len(self.still_in) - 1) // 2
            for name in [name for name in self.still_in if name != self.leader]:
                if self._decide(pairs[_ordered(self.contenders, self.leader, name)], name, number):
                    going = True  # one fewer: the others are looked at again with what Holm allows then
        if len(self.still_in) == 1:
            self.ending = "decided"
        elif self.open and all(standing.decision == "futile" for _, standing, _ in self.open.values()):
            self.ending = "futile"
        elif self.look == LOOKS:
            self.ending = "all asked"

    def _decide(self, settled: Settled, name: str, pairs: int) -> bool:
        """Look at `name` against the leader; whether it is dropped now."""
        assert self.leader is not None
        turned = self.contenders.index(self.leader) > self.contenders.index(name)
        paired, difference = settled.paired(), settled.difference()
        if paired is None or difference is None:
            return False
        standing = look_at(*paired, self.look, pairs)
        low, high = standing.bound
        bound = (-high, -low) if turned else (low, high)
        decision: Decision = standing.decision
        if self.peek:  # one rule or the other: both together would err twice as often
            decision = peek_at(difference.gained, difference.lost, pairs)
            standing = replace(standing, decision=decision)
        self.open[name] = (difference, standing, bound)
        if decision != ("better" if turned else "worse"):
            return False
        self.still_in.remove(name)
        self.open.pop(name)
        self.dropped.append(Dropped(name, self.leader, self.look, self.asked, difference, standing, bound, self.peek))
        return True

    def saved(self) -> dict[str, int]:
        """Tests that each model was not asked."""
        ended = {one.exp_id: one.tests for one in self.dropped}
        return {name: self.total - ended.get(name, self.asked) for name in self.contenders}


def _ordered(contenders: Sequence[str], one: str, other: str) -> tuple[str, str]:
    return (one, other) if contenders.index(one) < contenders.index(other) else (other, one)


def pairs_of(
    reader: Reader, runs: Sequence[RunRow], keys: Collection[TestKey]
) -> tuple[dict[tuple[str, str], Settled], dict[str, float]]:
    """Every two of `runs` over the tests `keys`, and each one's Weighted Score over those that all have a verdict for."""
    scores = {(a.exp_id, b.exp_id): PairedScores() for a, b in combinations(runs, 2)}
    for stored, rows in rows_by_test(reader, runs):
        key = key_of(stored)
        if key not in keys or any(row is None for row in rows):
            continue
        sides = {run.exp_id: row for run, row in zip(runs, rows, strict=True) if row is not None}
        for (one, other), paired in scores.items():
            first = sides[one]
            match = Match(key, first.side, sides[other].side, first.position, first.weight, first.cluster)
            paired.add(match)
    settled = {names: paired.settled() for names, paired in scores.items()}
    found: dict[str, float] = {}
    for (one, other), pair in settled.items():
        if (difference := pair.difference()) is not None:
            found.setdefault(one, difference.first_score)
            found.setdefault(other, difference.second_score)
    return settled, found


def standing_words(state: RaceState, asked: Collection[str]) -> str:
    """The look that is just over in a line: who leads, by how much, who left, the looks left and the tests saved so far.

    `asked` are the contenders that are asked, and not stored runs.
    """
    assert state.leader is not None
    said = [f"{state.leader} leads"]
    for name, (difference, _, (low, high)) in state.open.items():
        turned = state.contenders.index(state.leader) > state.contenders.index(name)
        gap = -difference.difference if turned else difference.difference
        said.append(f"{name} {100 * gap:+.1f} points ({100 * low:+.1f} to {100 * high:+.1f})")
    said += [f"{one.exp_id} is out" for one in state.dropped if one.look == state.look]
    left = 0 if state.ending is not None else LOOKS - state.look
    said.append(f"{left} look{'s' if left != 1 else ''} left")
    over = asked if state.ending is not None else {one.exp_id for one in state.dropped}
    saved = sum(tests for name, tests in state.saved().items() if name in asked and name in over)
    return "; ".join([*said, f"{saved:,} tests saved"])


def race_words(state: RaceState) -> list[str]:
    """What the race decided, and what it did not."""
    lines = []
    for one in state.dropped:
        low, high = one.bound
        means = "by the passes and failures seen (e-process)" if one.by_looking else f"at look {one.look} of {LOOKS}"
        lines.append(
            f"{one.exp_id} is worse than {one.leader}: decided {means}, after {one.tests:,} of {state.total:,} tests; "
            f"its true score less the leader's lies between {100 * low:+.1f} and {100 * high:+.1f} points"
            " (this holds after stopping early)"
        )
    for name, (_, _, (low, high)) in state.open.items():
        lines.append(
            f"not decided: {name} against {state.leader}; its true score less the leader's lies between"
            f" {100 * low:+.1f} and {100 * high:+.1f} points"
        )
    endings = {
        "decided": f"the race is decided: {state.leader} is the best of {len(state.contenders)}",
        "futile": "stopped: the tests that are left will hardly decide it (futility)",
        "all asked": f"all {state.total:,} tests are asked",
        None: "the race goes on",
    }
    saved = state.saved()
    lines.append(
        f"{endings[state.ending]}; {sum(saved.values()):,} of {state.total * len(saved):,} tests need not be asked"
    )
    return lines


def race_json(state: RaceState) -> dict[str, Any]:
    """A race as scripts get it. `first` and `second` of a difference are in the order of `contenders`."""
    return {
        "contenders": state.contenders,
        "tests": state.total,
        "look": state.look,
        "looks": LOOKS,
        "asked": state.asked,
        "ending": state.ending,
        "leader": state.leader,
        "still_in": state.still_in,
        "dropped": [
            {
                "run": one.exp_id,
                "against": one.leader,
                "look": one.look,
                "tests": one.tests,
                "by": "e-process" if one.by_looking else "boundary",
                **_standing_json(one.difference, one.standing, one.bound),
            }
            for one in state.dropped
        ],
        "not_decided": [
            {"run": name, "against": state.leader, **_standing_json(*held)} for name, held in state.open.items()
        ],
        "saved_tests": state.saved(),
        "words": race_words(state),
    }


def _standing_json(difference: Difference, standing: Standing, bound: tuple[float, float]) -> dict[str, Any]:
    return {
        "z": standing.z,
        "boundary": standing.boundary,
        "bound": list(bound),
        "futile": standing.decision == "futile",
        "difference": difference_json(difference),
    }
