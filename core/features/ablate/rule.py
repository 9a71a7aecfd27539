"""What each layer of the system prompt does: the same tests with every combination of layers on and off."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from modex.core.comparison.difference import Decision, decided
from modex.core.comparison.pairs import TestKey, TestRow, key_of, rows_by_test
from modex.core.comparison.wording import between, p_value, points
from modex.core.statistics.distributions import ALPHA
from modex.core.statistics.intervals import Interval
from modex.core.statistics.moments import Gathered
from modex.core.statistics.paired import PairedDifference, holm, paired_difference
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.core.suite.definitions import LayerScope

LAYERS: tuple[LayerScope, ...] = ("domain", "level", "test")
Off = frozenset[LayerScope]
"""The layers that a run leaves out."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What one layer does, or two beyond what each does alone: the score with it less the score without."""

    layers: tuple[LayerScope, ...]
    n: int
    """Tests that have these layers and a verdict with every combination."""
    found: PairedDifference | None
    decision: Decision | None
    holm_p: float | None = None
    bounds: Interval | None = None
    """Between which effects answers without a verdict leave the truth; None where all have one."""

    @property
    def told(self) -> bool:
        """Whether it is not nothing, after Holm's correction and whatever answers without a verdict are."""
        return self.holm_p is not None and self.holm_p < ALPHA and self.decision is not None

    @property
    def words(self) -> str:
        """The effect in a line."""
        name = " × ".join(self.layers)
        if self.found is None:
            return f"{name}: fewer than two tests with this layer have all verdicts"
        said = {"better": "helps", "worse": "hurts", None: "not decided"}[self.decision if self.told else None]
        return (
            f"{name}: {points(self.found.difference)}, {between(self.found.interval)}, p (Holm) {p_value(self.holm_p)},"
            f" n {self.n}: {said}{self._left_open}"
        )

    @property
    def _left_open(self) -> str:
        if self.bounds is None:
            return ""
        low, high = self.bounds
        return f"; answers without a verdict leave it between {100 * low:+.1f} and {100 * high:+.1f} points"


@dataclass(frozen=True, slots=True)
class Ablation:
    """The effects of layers, and of pairs of layers beyond those."""

    effects: list[Effect]
    interactions: list[Effect]


def ablation(reader: Reader, runs: Mapping[Off, RunRow], layers: Sequence[LayerScope]) -> Ablation:
    """Effects from runs with every combination of `layers` left out, over the tests that have the layers.

    p-values of effects are corrected over the layers, those of interactions over their pairs.
    """
    sums = Contrasts(layers)
    offs = list(runs)
    having = _layers_of(reader, runs[frozenset()])
    for stored, rows in rows_by_test(reader, [runs[off] for off in offs]):
        sides = {off: row for off, row in zip(offs, rows, strict=True) if row is not None}
        key = key_of(stored)
        if len(sides) == len(offs):
            sums.add(key, sides, having.get(key, frozenset()))
    return sums.settled()


class Contrasts:
    """Tests as they are counted for the effect of each layer and of each two."""

    def __init__(self, layers: Sequence[LayerScope]) -> None:
        self._sums = {names: _Sums() for names in [*((one,) for one in layers), *combinations(layers, 2)]}

    def add(self, key: TestKey, sides: Mapping[Off, TestRow], having: Collection[str]) -> None:
        """Count a test that was asked with every combination; `having` are the layers that it has."""
        for names, one in self._sums.items():
            if set(names) <= set(having):
                one.add(sides, {off: _sign(names, off) for off in sides}, key)

    def settled(self) -> Ablation:
        """The effects. Call it once, at the end."""
        found = {names: one.effect(names) for names, one in self._sums.items()}
        return Ablation(
            _corrected([one for names, one in found.items() if len(names) == 1]),
            _corrected([one for names, one in found.items() if len(names) == 2]),
        )


def _sign(names: Collection[LayerScope], off: Off) -> float:
    """How a combination counts in a contrast: less with each of the named layers that is off."""
    return -1.0 if len(off.intersection(names)) % 2 else 1.0


def _layers_of(reader: Reader, run: RunRow) -> dict[TestKey, frozenset[str]]:
    return {
        sample.key[:4]: frozenset(layer["scope"] for layer in sample.prompt_layers)
        for sample in reader.samples(run.id)
        if sample.epoch == 1
    }


class _Sums:
    """One contrast over tests: as it is, and with answers without a verdict all wrong, all right."""

    def __init__(self) -> None:
        self.n = 0
        self._sides = (Gathered(), Gathered(), Gathered())

    def add(self, sides: Mapping[Off, TestRow], weights: Mapping[Off, float], key: TestKey) -> None:
        """Count a test; a contrast is scaled to lie between −1 and 1: half of the combinations count for it, half against."""
        first = next(iter(sides.values()))
        if not all(row.side.counts for row in sides.values()):
            return
        scale = 2 / len(sides)
        actual, low, high = self._sides
        worst = [(row.side.at_worst, row.side.at_best, weights[off]) for off, row in sides.items()]
        cell = (key[1], key[2])
        low.add(cell, scale * sum(w * (lo if w > 0 else hi) for lo, hi, w in worst), first.weight, first.cluster)
        high.add(cell, scale * sum(w * (hi if w > 0 else lo) for lo, hi, w in worst), first.weight, first.cluster)
        means = [(row.side.mean, weights[off]) for off, row in sides.items()]
        if all(mean is not None for mean, _ in means):
            self.n += 1
            value = sum(weight * mean for mean, weight in means if mean is not None)
            actual.add(cell, scale * value, first.weight, first.cluster)

    def effect(self, names: tuple[LayerScope, ...]) -> Effect:
        """What was counted."""
        found, low, high = (paired_difference(*side.settled()) for side in self._sides)
        ends = None
        if found and low and high and low.difference < high.difference:
            ends = (min(found.difference, low.difference), max(found.difference, high.difference))
        return Effect(names, self.n, found, decided(found, low, high), bounds=ends)


def _corrected(effects: list[Effect]) -> list[Effect]:
    p_values = holm({repr(one.layers): one.found.p_value for one in effects if one.found is not None})
    return [replace(one, holm_p=p_values.get(repr(one.layers))) for one in effects]


def ablation_lines(found: Ablation) -> list[str]:
    """The effects in words; interactions only where they are not nothing."""
    lines = ["score with the layer less the score without it, over the tests that have it:"]
    lines += [f"  {one.words}" for one in found.effects]
    told = [one for one in found.interactions if one.told]
    if told:
        lines.append("layers that do more, or less, together than each alone (half the difference of differences):")
    return [*lines, *(f"  {one.words}" for one in told)]


def ablation_json(found: Ablation) -> dict[str, Any]:
    """The effects as scripts get them."""
    return {
        name: [
            {
                "layers": list(one.layers),
                "n": one.n,
                "effect": one.found.difference if one.found else None,
                "interval": one.found.interval if one.found else None,
                "bounds": one.bounds,
                "p_value": one.found.p_value if one.found else None,
                "holm_p": one.holm_p,
                "decision": one.decision if one.told else None,
            }
            for one in effects
        ]
        for name, effects in (("effects", found.effects), ("interactions", found.interactions))
    }
