"""k of n: a test that is asked until it is certain whether k of n epochs pass, and whose verdict is that of all n."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import comb

_WRITTEN = re.compile(r"\s*(\d{1,4})\s*(?:/|of)\s*(\d{1,4})\s*")


@dataclass(frozen=True, slots=True)
class Required:
    """How many of how many epochs must pass; 1 ≤ `passes` ≤ `of`."""

    passes: int
    of: int

    @classmethod
    def read(cls, text: str) -> Required:
        """From `8/10`.

        Raises:
            ValueError: it is of another form, or asks for more passes than epochs.
        """
        match = _WRITTEN.fullmatch(text)
        if match is None or not 1 <= int(match[1]) <= int(match[2]) <= 1000:
            raise ValueError(
                f"'{text[:40]}' is not understood; write how many of how many tries must pass, such as 8/10"
            )
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.passes} of {self.of}"

    def verdict(self, passed: int, failed: int) -> bool | None:
        """Whether the test passes; None where the epochs that are left may still turn it."""
        if passed >= self.passes:
            return True
        return False if failed > self.of - self.passes else None

    def needs(self, passed: int, failed: int, asking: int) -> bool:
        """Whether one more epoch is needed however those that are being asked now will end.

        Asking only then asks several at a time, and never one that asking one after the other would not.
        """
        return passed + asking < self.passes and failed + asking <= self.of - self.passes

    def chance(self, rate: float) -> float:
        """The chance that a test passes whose epochs pass at `rate`: that of at least k of n, whenever asking stops."""
        return sum(comb(self.of, k) * rate**k * (1 - rate) ** (self.of - k) for k in range(self.passes, self.of + 1))

    def expected_epochs(self, rate: float) -> float:
        """How many epochs are asked on average, where one passes at `rate`."""
        return _expected(self, rate, 0, 0, {})


def _expected(required: Required, rate: float, passed: int, failed: int, known: dict[tuple[int, int], float]) -> float:
    if required.verdict(passed, failed) is not None:
        return 0.0
    if (passed, failed) not in known:
        known[passed, failed] = (
            1
            + rate * _expected(required, rate, passed + 1, failed, known)
            + (1 - rate) * _expected(required, rate, passed, failed + 1, known)
        )
    return known[passed, failed]


def score_of_epochs(scores: list[float], passed: int, failed: int, required: Required | None) -> float | None:
    """A test's score: the mean of its epochs' scores; with k of n its verdict, as 1 or 0; None where there is none yet."""
    if required is None:
        return sum(scores) / len(scores) if scores else None
    verdict = required.verdict(passed, failed)
    return None if verdict is None else float(verdict)
