"""Verdicts that flip by themselves: the same tests asked again, and which of them do not always go the same way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from modex.core.comparison.pairs import TestKey, key_of, rows_by_test
from modex.core.statistics.intervals import Interval, rate_interval
from modex.core.statistics.moments import Cell, Gathered, Moments
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.core.store.sample import PASS_SCORE

AGAIN = "~again"
"""What a run's name ends with that asks another run's tests again."""
_ALL: Cell = ("", 1)
"""Every test counts alike, whatever its cell."""


@dataclass(frozen=True, slots=True)
class Flaky:
    """A test that went both ways."""

    key: TestKey
    passed: int
    asked: int


@dataclass(frozen=True, slots=True)
class Noise:
    """How often the verdicts of a run flip when the same is asked again."""

    tests: int
    """Tests with at least two verdicts."""
    flips: float | None
    """The chance that two verdicts of one test differ, on average over tests; None without any test asked twice."""
    interval: Interval | None
    flaky: list[Flaky]
    """The tests that flipped, the most divided first."""


def noise_of(reader: Reader, runs: Sequence[RunRow]) -> Noise:
    """The noise of runs that asked the same: a run and what asked it again, all epochs of both.

    A cluster's tests are one draw of the interval.
    """
    tests, gathered = 0, Gathered()
    flaky = []
    for stored, rows in rows_by_test(reader, runs):
        verdicts = [score >= PASS_SCORE for row in rows if row is not None for score in row.side.scores]
        asked, passed = len(verdicts), sum(verdicts)
        if asked < 2:
            continue
        tests += 1
        cluster = next(row.cluster for row in rows if row is not None)
        gathered.add(_ALL, 2 * passed * (asked - passed) / (asked * (asked - 1)), 1.0, cluster)
        if 0 < passed < asked:
            flaky.append(Flaky(key_of(stored), passed, asked))
    flaky.sort(key=lambda one: (abs(one.passed / one.asked - 0.5), one.key))
    units = gathered.settled()[0].get(_ALL, Moments(1))
    return Noise(tests, units.score, rate_interval(units), flaky)


def known_noise(reader: Reader, run: RunRow) -> Noise | None:
    """The noise of a run from what is stored: its epochs, and the run that asked it again; None where it was asked once."""
    again = reader.find_run(run.exp_id + AGAIN)
    if again is None and (run.config.get("epochs") or 1) == 1:
        return None
    found = noise_of(reader, [run, again] if again is not None else [run])
    return found if found.tests else None


def noise_json(run: RunRow, found: Noise) -> dict[str, Any]:
    """Noise as scripts get it."""
    return {
        "run": run.exp_id,
        "tests": found.tests,
        "flips": found.flips,
        "interval": found.interval,
        "flaky": [
            {"test": "/".join(map(str, one.key[1:])), "source": one.key[0], "passed": one.passed, "asked": one.asked}
            for one in found.flaky
        ],
    }
