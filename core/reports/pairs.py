"""Two runs side by side: each test's epochs averaged, paired by what identifies the test."""

from __future__ import annotations

from dataclasses import dataclass

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
class Paired:
    """All tests of two runs."""

    pairs: list[Pair]
    only_first: list[TestKey]
    only_second: list[TestKey]


def pair(reader: Reader, first: RunRow, second: RunRow) -> Paired:
    """Pair the tests of two runs, in the first run's order."""
    one, two = _sides(reader, first.id), _sides(reader, second.id)
    return Paired(
        [Pair(key, side, two[key]) for key, side in one.items() if key in two],
        [key for key in one if key not in two],
        [key for key in two if key not in one],
    )


def _sides(reader: Reader, run_id: int) -> dict[TestKey, Side]:
    collected: dict[TestKey, tuple[list[float], list[str]]] = {}
    for source, domain, level, test_id, _epoch, status, score, _weight in reader.scored(run_id):
        scores, statuses = collected.setdefault((source, domain, level, test_id), ([], []))
        statuses.append(status)
        if status in ("passed", "failed") and score is not None:
            scores.append(score)
    return {key: Side(tuple(scores), tuple(statuses)) for key, (scores, statuses) in collected.items()}
