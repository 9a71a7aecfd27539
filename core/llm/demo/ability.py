"""How able each variant of the scripted model is, and the dice that make every choice repeatable."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Variant:
    """Chances from 0 to 1: `right` by level 1–5, the rest per call."""

    right: tuple[float, float, float, float, float]
    rate_limited: float = 0.006
    unavailable: float = 0.012
    truncated: float = 0.0
    with_tools: float = 0.2
    """Added to `right` where the model may look things up."""
    leaves_early: float = 0.0
    """As the user of a conversation: in how many it leaves when it is asked something."""


VARIANTS: dict[str, Variant] = {
    "default": Variant((0.97, 0.90, 0.75, 0.55, 0.35)),
    "strong": Variant((0.984, 0.97, 0.92, 0.80, 0.62)),
    "weak": Variant((0.85, 0.65, 0.42, 0.22, 0.10)),
    "flaky": Variant((0.97, 0.90, 0.75, 0.55, 0.35), rate_limited=0.06, unavailable=0.12, truncated=0.03),
    "judge": Variant((0.99, 0.99, 0.99, 0.99, 0.99), rate_limited=0.0, unavailable=0.005),
    "perfect": Variant((1.0, 1.0, 1.0, 1.0, 1.0), rate_limited=0.0, unavailable=0.0),
    "hasty": Variant((0.97, 0.90, 0.75, 0.55, 0.35), rate_limited=0.0, unavailable=0.0, leaves_early=0.25),
    "litellm": Variant((0.97, 0.90, 0.75, 0.55, 0.35)),
}
"""By the name after `demo/`; plain `demo` is `default`, `litellm` is the same by the way of providers that need litellm."""


@dataclass(frozen=True, slots=True)
class Dice:
    """Numbers that depend on nothing but the variant, the key and what they are for."""

    variant: str
    key: str

    def roll(self, purpose: str) -> float:
        """A number from 0 up to 1."""
        digest = hashlib.blake2b(f"{self.variant}\0{self.key}\0{purpose}".encode("utf-8", "replace"), digest_size=8)
        return int.from_bytes(digest.digest(), "big") / 2**64

    def pick(self, purpose: str, count: int) -> int:
        """A whole number from 0 up to `count` (exclusive)."""
        return int(self.roll(purpose) * count) if count > 0 else 0

    def is_right(self, level: int, *, with_tools: bool = False) -> bool:
        """Whether this test is one that the variant masters.

        The dice are the same for every variant, with and without tools: what a weaker one masters a stronger does too.
        """
        able = VARIANTS[self.variant]
        chance = able.right[min(max(level, 1), 5) - 1] + (able.with_tools if with_tools else 0.0)
        return Dice("default", self.key).roll("ability") < chance
