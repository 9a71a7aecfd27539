"""Two runs side by side: each test's epochs averaged, paired by what identifies the test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from modex.core.comparison.questions import same_questions
from modex.core.foundation.errors import CUT_OFF, MODEL_MAY_CAUSE
from modex.core.store.exact import decode_text
from modex.core.store.reader import Reader, SampleQuery
from modex.core.store.rows import RunRow
from modex.core.store.sample import PASS_SCORE
from modex.core.store.summary import outcomes, score_of, weight_of

_EVERY = 1 << 40
TestKey = tuple[str, str, int, str]
"""(source, domain, level, test_id)"""


@dataclass(frozen=True, slots=True)
class RunSide:
    """One test in one run."""

    scores: tuple[float, ...]
    statuses: tuple[str, ...]
    cut_off: int = 0
    """Its epochs whose answer was cut off (`modex.core.foundation.errors.CUT_OFF`)."""
    outside: int = 0
    """Its epochs without a verdict for a reason that says nothing of the model (network, key, server), or still to come."""

    answered: int = field(init=False, compare=False, repr=False)
    """Epochs that have a score."""
    missing: int = field(init=False, compare=False, repr=False)
    """Epochs without a verdict that were to have one: errors, cut-off answers, and what is not done yet."""
    counts: bool = field(init=False, compare=False, repr=False)
    """Whether the test has a verdict or was to have one: skipped tests do not count."""
    at_worst: float = field(init=False, compare=False, repr=False)
    """The epoch average if every missing answer were wrong; 0 without any."""
    at_best: float = field(init=False, compare=False, repr=False)
    """The epoch average if every missing answer were right."""
    mean: float | None = field(init=False, compare=False, repr=False)
    """The epoch average; None where no epoch has a score."""
    passed: bool | None = field(init=False, compare=False, repr=False)
    """Whether the average passes; None without a score."""
    passes: int = field(init=False, compare=False, repr=False)
    """Answers that passed."""
    judged: int = field(init=False, compare=False, repr=False)
    """Answers that passed or failed: pass rates are `passes` of these."""

    def __post_init__(self) -> None:
        """Work out once what every comparison asks: most tests of a run share a few sides."""
        total, answered = sum(self.scores), len(self.scores)
        missing = sum(status in ("error", "pending", "running") for status in self.statuses)
        mean = total / answered if answered else None
        passes = self.statuses.count("passed")
        for name, value in (
            ("answered", answered),
            ("missing", missing),
            ("counts", answered > 0 or missing > 0),
            ("at_worst", total / ((answered + missing) or 1)),
            ("at_best", (total + missing) / ((answered + missing) or 1)),
            ("mean", mean),
            ("passed", None if mean is None else mean >= PASS_SCORE),
            ("passes", passes),
            ("judged", passes + self.statuses.count("failed")),
        ):
            object.__setattr__(self, name, value)

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
    first: RunSide
    second: RunSide
    other: TestKey | None = None
    """What the second run calls the test, where it calls it otherwise."""

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
    first: RunSide | None
    second: RunSide | None
    position: int
    """Its place in the order of the first run (of the second, where the first lacks it)."""
    weight: float = 1.0
    """In the first run (in the second, where the first lacks it)."""
    cluster: tuple[str, str] | None = None
    """(source, cluster): what the test has in common with others."""
    other: TestKey | None = None
    """What the second run calls the test, where it calls it otherwise."""


def matches(
    reader: Reader, first: RunRow, second: RunRow, same: Mapping[TestKey, TestKey] | None = None
) -> Iterator[Match]:
    """Every test of two runs, by key; both are read once, side by side, and nothing is kept.

    Tests that the runs call differently are paired by their questions (`same`, as `same_questions` gives it).
    """
    same = same_questions(reader, first, second) if same is None else same
    for key, (one, two) in rows_by_test(reader, (first, second), ({}, same)):
        known = one or two
        assert known is not None
        yield Match(
            key_of(key),
            one.side if one else None,
            two.side if two else None,
            known.position,
            known.weight,
            known.cluster,
            two.other if two else None,
        )


@dataclass(frozen=True, slots=True)
class TestRow:
    """One test as one run stored it."""

    __test__ = False

    side: RunSide
    position: int
    weight: float
    cluster: tuple[str, str] | None
    other: TestKey | None = None
    """What the run calls the test, where the first run calls it otherwise."""


RowsOfTest = tuple[TestKey, tuple[TestRow | None, ...]]
"""One test by its key as stored, with each run's row of it; None where a run lacks it."""


def rows_by_test(
    reader: Reader, runs: Sequence[RunRow], same: Sequence[Mapping[TestKey, TestKey]] = ()
) -> Iterator[RowsOfTest]:
    """Every test of several runs, by key as stored, with each run's row of it; all are read once, side by side.

    `same` has for each run the tests that another run calls differently, with the key that counts.
    """
    streams = [_renamed(_rows(reader, run.id), same[place] if same else {}) for place, run in enumerate(runs)]
    heads = [next(stream, None) for stream in streams]
    while keys := [head[0] for head in heads if head is not None]:
        key = keys[0] if keys.count(keys[0]) == len(keys) else min(keys)  # runs of one suite mostly go in step
        rows: list[TestRow | None] = []
        for number, head in enumerate(heads):
            if head is not None and head[0] == key:
                rows.append(head[1])
                heads[number] = next(streams[number], None)
            else:
                rows.append(None)
        yield key, tuple(rows)


def _renamed(
    rows: Iterator[tuple[TestKey, TestRow]], names: Mapping[TestKey, TestKey]
) -> Iterator[tuple[TestKey, TestRow]]:
    """The rows in the order of their keys, those in `names` under the key that counts."""
    if not names:
        return rows
    kept = [(names.get(key, key), replace(row, other=key_of(key)) if key in names else row) for key, row in rows]
    return iter(sorted(kept, key=itemgetter(0)))


def _rows(reader: Reader, run_id: int) -> Iterator[tuple[TestKey, TestRow]]:
    """The run's tests in the order of their keys: epochs together, at the first of their positions."""
    for key, epochs in groupby(outcomes(reader.database, run_id), key=itemgetter(0, 1, 2, 3)):
        samples = list(epochs)
        if len(samples) == 1 and samples[0].required is None:  # most tests: nothing to put together
            only = samples[0]
            side = side_of_one(only.status, only.score, only.error_type)
            shares = None if only.cluster is None else (only.source, only.cluster)
            yield key, TestRow(side, only.position, only.weight, shares)
            continue
        statuses = tuple(sample.status for sample in samples)
        scores = tuple(
            sample.score for sample in samples if sample.score is not None and sample.status in ("passed", "failed")
        )
        if samples[0].required is not None:
            verdict = score_of(samples)
            scores = () if verdict is None else (verdict,)
            statuses = statuses if verdict is None else ("passed" if verdict else "failed",)
        cut_off = sum(sample.status == "error" and sample.error_type in CUT_OFF for sample in samples)
        outside = sum(_is_outside(sample.status, sample.error_type) for sample in samples)
        position = min(sample.position for sample in samples)
        cluster = samples[0].cluster
        shares = None if cluster is None else (samples[0].source, cluster)
        yield key, TestRow(_side(scores, statuses, cut_off, outside), position, weight_of(samples), shares)


def side_of_one(status: str, score: float | None, error_type: str | None) -> RunSide:
    """The side of a test that was asked once."""
    scores = () if score is None or status not in ("passed", "failed") else (score,)
    cut_off = error_type in CUT_OFF and status == "error"
    return _side(scores, (status,), cut_off, _is_outside(status, error_type))


def _is_outside(status: str, error_type: str | None) -> bool:
    return status in ("pending", "running") or (status == "error" and error_type not in MODEL_MAY_CAUSE)


@lru_cache(maxsize=1024)
def _side(scores: tuple[float, ...], statuses: tuple[str, ...], cut_off: int, outside: int = 0) -> RunSide:
    """One `RunSide` for all tests that went alike: most of a million did."""
    return RunSide(scores, statuses, cut_off, outside)


def tests_of(reader: Reader, runs: Sequence[RunRow], query: SampleQuery) -> frozenset[TestKey]:
    """The tests of which a sample in any of the runs matches."""
    return frozenset(
        (head.source, head.domain, head.level, head.test_id)
        for run in runs
        for head in reader.heads(run.id, query, limit=_EVERY)
    )


def key_of(stored: TestKey) -> TestKey:
    """A test's key as it was given, from the key as stored."""
    source, domain, level, test_id = stored
    return source, domain, level, decode_text(test_id)
