"""Tests that one run passes and the other fails: exact tests, and evidence for looking whenever one likes.

Between equal models a pair that differs goes either way alike, and so does what a cluster of pairs gains on the whole. So
McNemar's exact test over tests is the exact sign permutation over clusters where each has one test, and the e-process
bets on tests and clusters in the same way.

Evidence at any time by betting, and why: https://arxiv.org/abs/2210.01948.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import product

from modex.core.statistics.distributions import normal_p

_EXACT = 20_000_000
"""Bits of work up to which the distribution over all signs is counted out."""
_LARGEST = 10
"""Clusters whose signs are all gone through where there are too many to count out; the rest is taken as normal."""
_STEPS = 400


@dataclass(frozen=True, slots=True)
class Discordant:
    """What one run gained and lost against another, in passes."""

    gained: int = 0
    lost: int = 0
    """Of tests in no cluster."""
    clusters: tuple[tuple[int, int], ...] = ()
    """Of each cluster with a scored pair: tests gained less tests lost, and its scored pairs."""

    @property
    def p_value(self) -> float:
        """Two-sided and exact, that gains and losses balance; whole clusters are turned where there are any."""
        nets = [abs(net) for net, _ in self.clusters if net]
        if not nets:
            return mcnemar_exact(self.lost, self.gained)
        total = self.gained - self.lost + sum(net for net, _ in self.clusters)
        return sign_permutation([1] * (self.gained + self.lost) + nets, total)

    @property
    def evidence(self) -> float:
        """The e-process as a logarithm; decided where it reaches log(1/α), at any moment at which clusters are whole.

        ½∫(1 + λx₁)(1 + λx₂)… dλ from −1 to 1, of tests x = ±1 and clusters their mean: of tests alone
        2ⁿ·B(gained + 1, lost + 1) (J. Ville, 1939; a mixture of bets).
        """
        bets = Counter(net / number for net, number in self.clusters if net)
        if not bets:
            return _evidence(self.gained, self.lost)
        bets[1.0] += self.gained
        bets[-1.0] += self.lost
        heights = []
        for step in range(_STEPS):
            bet = (2 * step + 1) / _STEPS - 1
            heights.append(math.fsum(number * math.log1p(bet * value) for value, number in bets.items()))
        highest = max(heights)
        return highest + math.log(math.fsum(math.exp(height - highest) for height in heights) / _STEPS)

    @property
    def gains(self) -> bool:
        """Whether more was gained than lost, each cluster counting as its mean: the side that `evidence` speaks for."""
        return self.gained - self.lost + math.fsum(net / number for net, number in self.clusters) > 0


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """Two-sided exact p-value that the discordant pairs split evenly (Q. McNemar, Psychometrika 12, 1947)."""
    discordant = only_first + only_second
    if discordant == 0:
        return 1.0
    smaller = min(only_first, only_second)
    log_half = discordant * math.log(0.5)
    tail = math.fsum(
        math.exp(math.lgamma(discordant + 1) - math.lgamma(k + 1) - math.lgamma(discordant - k + 1) + log_half)
        for k in range(smaller + 1)
    )
    return min(1.0, 2 * tail)


def sign_permutation(sizes: list[int], total: int) -> float:
    """The chance that Σ±size lies as far from 0 as `total` or farther, each sign being as likely (R. A. Fisher, 1935).

    Counted out; of very many clusters the largest are, and the rest is normal.
    """
    span = sum(sizes)
    tails = 0.0
    if len(sizes) ** 2 * span <= _EXACT:
        slot = len(sizes) + 1
        ways = 1  # the number of choices whose sizes add up to k, at bit k·slot
        for size in sizes:
            ways += ways << (size * slot)
        low = (span - abs(total)) // 2  # chosen sizes that sum to so little are as far out
        below = ways & ((1 << (slot * (low + 1))) - 1)
        mask, tail = (1 << slot) - 1, 0
        while below:
            tail += below & mask
            below >>= slot
        return min(1.0, 2 * tail / (1 << len(sizes)))
    ordered = sorted(sizes, reverse=True)
    largest, spread = ordered[:_LARGEST], math.sqrt(math.fsum(size * size for size in ordered[_LARGEST:]))
    for signs in product((1, -1), repeat=len(largest)):
        away = (abs(total) - sum(sign * size for sign, size in zip(signs, largest, strict=True))) / spread
        tails += normal_p(away) / 2 if away > 0 else 1 - normal_p(away) / 2
    return min(1.0, 2 * tails / 2.0 ** len(largest))


def _evidence(gained: int, lost: int) -> float:
    return (
        (gained + lost) * math.log(2) + math.lgamma(gained + 1) + math.lgamma(lost + 1) - math.lgamma(gained + lost + 2)
    )
