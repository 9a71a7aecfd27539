"""Two runs side by side: each test's epochs averaged, paired by what identifies the test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from core.store.exact import decode_text
from core.store.reader import Reader
from core.store.rows import RunRow
from core.store.sample import PASS_SCORE

TestKey = tuple[str, str, int, str]
"""(source, domain, level, test_id)"""


@dataclass(frozen=True, slots=True)
class Side:
    """One test in one run."""

    scores: tuple[float, ...]
    statuses: tuple[str, ...]

    @property
    def mean(self) -> float | None:
        """The epoch average; None where no epoch has a score."""
        return sum(self.scores) / len(self.scores) if self.scores else None

    @property
    def passed(self) -> bool | None:
        """Whether the average passes; None without a score."""
        mean = self.mean
        return None if mean is None else mean >= PASS_SCORE

    @property
    def status(self) -> str:
        """The side in one word."""
        if self.passed is None:
            return self.statuses[0] if self.statuses else "pending"
        return "passed" if self.passed else "failed"


@dataclass(frozen=True, slots=True)
class Pair:
    """One test in both runs."""

    key: TestKey
    first: Side
    second: Side

    @property
    def flip(self) -> str | None:
        """`gained`, `lost`, or None where both passed, both failed, or one has no score."""
        if self.first.passed is None or self.second.passed is None or self.first.passed == self.second.passed:
            return None
        return "gained" if self.second.passed else "lost"

    @property
    def difference(self) -> float | None:
        """Second − first; None where one has no score."""
        first, second = self.first.mean, self.second.mean
        return None if first is None or second is None else second - first


@dataclass(frozen=True, slots=True)
class Match:
    """One test in one or both of two runs."""

    key: TestKey
    first: Side | None
    second: Side | None
    position: int
    """Its place in the order of the first run (of the second, where the first lacks it)."""


def matches(reader: Reader, first: RunRow, second: RunRow) -> Iterator[Match]:
    """Every test of two runs, by key; both are read once, side by side, and nothing is kept."""
    ones, twos = _sides(reader, first.id), _sides(reader, second.id)
    one, two = next(ones, None), next(twos, None)
    while one is not None or two is not None:
        if two is None or (one is not None and one[0] < two[0]):
            assert one is not None
            yield Match(_key(one[0]), one[1], None, one[2])
            one = next(ones, None)
        elif one is None or two[0] < one[0]:
            yield Match(_key(two[0]), None, two[1], two[2])
            two = next(twos, None)
        else:
            yield Match(_key(one[0]), one[1], two[1], one[2])
            one, two = next(ones, None), next(twos, None)


def _sides(reader: Reader, run_id: int) -> Iterator[tuple[TestKey, Side, int]]:
    """The run's tests by key as stored: their epochs together, and the first of their positions."""
    rows = reader.by_test(run_id, "status, score, position")
    for key, epochs in groupby(rows, key=itemgetter(0, 1, 2, 3)):
        samples = [row[4:] for row in epochs]
        statuses = tuple(status for status, _, _ in samples)
        scores = tuple(score for status, score, _ in samples if score is not None and status in ("passed", "failed"))
        yield key, _side(scores, statuses), min(position for _, _, position in samples)


@lru_cache(maxsize=1024)
def _side(scores: tuple[float, ...], statuses: tuple[str, ...]) -> Side:
    """One `Side` for all tests that went alike: most of a million did."""
    return Side(scores, statuses)


def _key(stored: TestKey) -> TestKey:
    source, domain, level, test_id = stored
    return source, domain, level, decode_text(test_id)
