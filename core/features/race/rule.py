"""The state of a race after so many tests: who is still in, and who was dropped at which look. Its words: `race_words`."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from modex.core.comparison.difference import Difference, Settled, every_two, own_scores
from modex.core.comparison.pairs import TestKey, key_of, rows_by_test
from modex.core.statistics.racing import LOOKS, Decision, PairLook, look_at, peek_at
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow

Ending = Literal["decided", "futile", "all asked"]


@dataclass(frozen=True, slots=True)
class Against:
    """One model against the leader, at the look at which it left the race or at the last one."""

    exp_id: str
    leader: str
    look: int
    tests: int
    difference: Difference
    """In the order of the contenders."""
    standing: PairLook
    gap: float
    """Its own Weighted Score less the leader's."""
    bound: tuple[float, float]
    """Between what its true score less the leader's lies; see `PairLook.bound`."""
    by_looking: bool
    """Whether the e-process decides, on pass and fail."""


@dataclass(slots=True)
class RaceState:
    """A race as it stands; `advance` takes it one look further."""

    contenders: list[str]
    total: int
    """Tests that the race has."""
    peek: bool = False
    stored: Collection[str] = ()
    """Contenders that are stored runs and not asked."""
    ends: Sequence[int] = ()
    """After how many tests a cluster is whole, in order; none: after each."""
    look: int = 0
    asked: int = 0
    leader: str | None = None
    still_in: list[str] = field(default_factory=list)
    dropped: list[Against] = field(default_factory=list)
    open: dict[str, Against] = field(default_factory=dict)
    """Those still in beside the leader, against it; without those that share no verdict with it."""
    scores: dict[str, float] = field(default_factory=dict)
    """Each one's Weighted Score as it stood when it was last looked at."""
    ending: Ending | None = None

    def __post_init__(self) -> None:
        self.still_in = list(self.contenders)

    def tests_at(self, look: int) -> int:
        """How many tests everybody still in has been asked at this look: a part of all tests, and whole clusters."""
        tests = math.ceil(self.total * look / LOOKS)
        return self.ends[min(bisect_left(self.ends, tests), len(self.ends) - 1)] if self.ends else tests

    def advance(self, pairs: dict[tuple[str, str], Settled], scores: dict[str, float]) -> None:
        """Decide what this look decides: `pairs` holds every two models still in, `scores` their Weighted Scores."""
        self.look += 1
        self.asked = self.tests_at(self.look)
        self.leader = max(self.still_in, key=lambda name: (scores.get(name, -1.0), -self.contenders.index(name)))
        self.open = {}
        self.scores.update(scores)
        going = True
        while going and len(self.still_in) > 1:
            going = False
            number = len(self.still_in) * (len(self.still_in) - 1) // 2
            for name in [name for name in self.still_in if name != self.leader]:
                if self._decide(pairs[_ordered(self.contenders, self.leader, name)], name, number):
                    going = True  # one fewer: the others are looked at again with what Holm allows then
        if len(self.still_in) == 1:
            self.ending = "decided"
        elif self.open and all(one.standing.decision == "futile" for one in self.open.values()):
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
            stated = {peek_at(found, pairs) for found in settled.ends()}
            decision = stated.pop() if len(stated) == 1 and not difference.too_few else "open"
            standing = replace(standing, decision=decision)
        gap = -difference.difference if turned else difference.difference
        found = Against(name, self.leader, self.look, self.asked, difference, standing, gap, bound, self.peek)
        if decision != ("better" if turned else "worse"):
            self.open[name] = found
            return False
        self.open.pop(name, None)  # as this look had it with one more model in
        self.still_in.remove(name)
        self.dropped.append(found)
        return True

    def saved(self) -> dict[str, int]:
        """Tests that each model was not asked, and will not be as the race stands; stored runs are not asked at all."""
        left = {one.exp_id: self.total - one.tests for one in self.dropped}
        rest = self.total - self.asked if self.ending is not None else 0
        return {name: left.get(name, rest) for name in self.contenders if name not in self.stored}


def _ordered(contenders: Sequence[str], one: str, other: str) -> tuple[str, str]:
    return (one, other) if contenders.index(one) < contenders.index(other) else (other, one)


def pairs_of(
    reader: Reader, runs: Sequence[RunRow], keys: Collection[TestKey]
) -> tuple[dict[tuple[str, str], Settled], dict[str, float]]:
    """Every two of `runs` over the tests `keys`, and each one's Weighted Score over those that all have a verdict for."""
    asked = (test for test in rows_by_test(reader, runs) if key_of(test[0]) in keys)
    settled = every_two(len(runs), asked, together=False)
    found = {places: one for places, pair in settled.items() if (one := pair.difference()) is not None}
    names = [run.exp_id for run in runs]
    return (
        {(names[one], names[other]): pair for (one, other), pair in settled.items()},
        {names[place]: score for place, (score, _) in own_scores(found).items()},
    )
