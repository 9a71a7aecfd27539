"""Two runs test by test, counted where tests went alike: what a comparison of right-or-wrong scores needs of a million tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import peewee as pw
from peewee import fn

from modex.core.store.reader import Reader
from modex.core.store.readers import Readers, parts_of
from modex.core.store.selecting import Part
from modex.core.store.summary import plain_number
from modex.core.store.tables import IndividualTestResult as Result
from modex.core.store.words import plain_errors

_FINEST = 16
"""Scores and weights that are whole numbers of 1/16, from 0 to 1 and to 16, add up to the same sum in any order: with their
products and squares that sum takes 50 of a double's 53 bits for 67 million tests."""


_PART = 20_000
"""Tests that are counted at once."""


class Alike(NamedTuple):
    """What tests have in common that count the same in a comparison; the first run's `weight`, and how each run went."""

    source: str
    domain: str
    level: int
    weight: float
    status: str
    score: float | None
    error_type: str | None
    epoch: int
    other_status: str | None
    other_score: float | None
    other_error_type: str | None
    other_epoch: int | None
    """None where the second run lacks the test."""

    @property
    def is_exact(self) -> bool:
        """Whether sums over such tests are the same in any order; see `_FINEST`."""
        numbers = [value for value in (self.score, self.other_score) if value is not None]
        return (
            type(self.level) is int
            and self.epoch == 1
            and self.other_epoch in (1, None)
            and 0 <= self.weight <= _FINEST
            and all(0 <= number <= 1 for number in numbers)
            and all((_FINEST * number) % 1 == 0 for number in (*numbers, self.weight))
        )


@dataclass(slots=True)
class Counted:
    """Tests that went alike: how many, and the first of their positions."""

    number: int
    position: int


Named = tuple[int, str]
"""(position, test_id), the id as stored; the rest of a test's key is its group's."""


@dataclass(slots=True)
class Pairing:
    """Every test of two runs."""

    alike: dict[Alike, Counted] = field(default_factory=dict)
    """Of the first run's tests; the second's own are in `only_second`."""
    named: dict[Alike, list[Named]] = field(default_factory=dict)
    """The tests themselves of the groups that were asked for by name."""
    only_second: list[tuple[int, str, str, int, str]] = field(default_factory=list)
    """(position, source, domain, level, test_id), the id as stored."""


def pairing(
    readers: Readers,
    first: int,
    second: int,
    names: Callable[[Alike], bool],
    progress: Callable[[int], None] = lambda _: None,
) -> Pairing | None:
    """The tests of two runs, by id, counted; those of groups that `names`, a function of a module, holds for are named too.

    `progress` is told how many more were read. None where counting them would not give the very sums that adding one test
    after the other gives: tests asked several times, clusters, scores that are no simple fractions.
    """
    reader = readers.reader
    with plain_errors(reader.path):
        if any(_needs_single_tests(reader, run_id) for run_id in (first, second)):
            return None
        found = _counted(readers, first, second, names, progress)
        if found is None:
            return None
        matched = sum(counted.number for alike, counted in found.alike.items() if alike.other_epoch is not None)
        if matched < reader.count(second):
            only = _without(reader, second, first)
            if any(epoch != 1 for *_, epoch in only):
                return None
            found.only_second = [row[:5] for row in only]
        return found


def _needs_single_tests(reader: Reader, run_id: int) -> bool:
    """Whether tests of the run have something in common, or several tries; both stand in indexes."""
    several = Result.select(Result.id).where(Result.run == run_id, Result.pass_of.is_null(False)).limit(1)
    clusters = Result.select(Result.id).where(Result.run == run_id, Result.cluster.is_null(False)).limit(1)
    return bool(reader.database.fetch(several) or reader.database.fetch(clusters))


def _same_test(one: Any, other: Any, run_id: int) -> Any:
    """The condition that `other` is the sample of the run that `one` is compared with, in the order of the unique index."""
    return (
        (other.run == run_id)
        & (other.source == one.source)
        & (other.domain == one.domain)
        & (other.level == one.level)
        & (other.test_id == one.test_id)
        & (other.epoch == one.epoch)
    )


def _counted(
    readers: Readers, first: int, second: int, names: Callable[[Alike], bool], progress: Callable[[int], None]
) -> Pairing | None:
    whole = Pairing()
    asked = _CountPart(first, second, names)
    for found in readers.each(asked, parts_of(readers.reader, first, _PART)):
        if found is None:
            return None
        for alike, counted in found.alike.items():
            known = whole.alike.get(alike)
            if known is None:
                whole.alike[alike] = counted
            else:
                known.number += counted.number
        for alike, named in found.named.items():
            whole.named.setdefault(alike, []).extend(named)
        progress(sum(counted.number for counted in found.alike.values()))
    return whole


@dataclass(frozen=True, slots=True)
class _CountPart:
    """Counts a part of the first run."""

    first: int
    second: int
    names: Callable[[Alike], bool]

    def __call__(self, reader: Reader, part: Part) -> Pairing | None:
        """Its tests, counted; None where they must be added one by one."""
        one, other = Result.alias(), Result.alias()
        query = (
            one.select(
                one.source, one.domain, one.level, fn.coalesce(plain_number(one.weight), 1.0), one.status,
                plain_number(one.score), one.error_type, one.epoch, other.status, plain_number(other.score),
                other.error_type, other.epoch, one.test_id, one.position,
            )
            .join(other, pw.JOIN.LEFT_OUTER, on=_same_test(one, other, self.second))
            .where(one.run == self.first, part.of(one.position))
            .order_by(one.position)  # in the order of the rows: by key, each would be on another page
        )  # fmt: skip
        found = Pairing()
        alike, named = found.alike, found.named
        # Not a dataclass a row and no grouping in SQL: both cost more than reading the rows does.
        with plain_errors(reader.path):
            for row in reader.database.each(query):
                key = row[:12]
                counted = alike.get(key)  # type: ignore[call-overload]  # an Alike equals its plain tuple
                if counted is None:
                    group = Alike(*key)
                    if not group.is_exact:
                        return None
                    alike[group] = Counted(1, row[13])
                    if self.names(group):
                        named[group] = [(row[13], row[12])]
                    continue
                counted.number += 1
                tests = named.get(key)  # type: ignore[call-overload]
                if tests is not None:
                    tests.append((row[13], row[12]))
        return found


def _without(reader: Reader, run_id: int, without: int) -> list[tuple[Any, ...]]:
    """The tests of a run that another run lacks, each with its epoch."""
    one, other = Result.alias(), Result.alias()
    query = (
        one.select(one.position, one.source, one.domain, one.level, one.test_id, one.epoch)
        .join(other, pw.JOIN.LEFT_OUTER, on=_same_test(one, other, without))
        .where(one.run == run_id, other.id.is_null())
        .order_by(one.position)
    )
    return reader.database.fetch(query)


def questions_without(reader: Reader, run_id: int, without: int) -> Iterator[tuple[str, str, int, str, str]]:
    """The tests of a run that another run lacks, with their questions: (source, domain, level, test_id, prompt), as stored."""
    one, other = Result.alias(), Result.alias()
    query = (
        one.select(one.source, one.domain, one.level, one.test_id, one.prompt)
        .join(other, pw.JOIN.LEFT_OUTER, on=_same_test(one, other, without))
        .where(one.run == run_id, one.epoch == 1, other.id.is_null())
    )
    with plain_errors(reader.path):
        yield from reader.database.each(query)


def prompts_that_differ(reader: Reader, first: int, second: int) -> Iterator[tuple[str, str, int, str, str, str]]:
    """The tests of two runs whose prompts differ, with both: (source, domain, level, test_id, prompt, prompt), as stored."""
    one, other = Result.alias(), Result.alias()
    query = (
        one.select(one.source, one.domain, one.level, one.test_id, one.prompt, other.prompt)
        .join(other, on=_same_test(one, other, second))
        .where(one.run == first, one.epoch == 1, one.prompt != other.prompt)
    )
    with plain_errors(reader.path):
        yield from reader.database.each(query)


def rules_of(reader: Reader, run_id: int) -> Iterator[tuple[str, str, int, str, str, str]]:
    """The tests of a run with what judges them: (source, domain, level, test_id, gold, evaluator), as stored."""
    query = Result.select(
        Result.source, Result.domain, Result.level, Result.test_id, Result.expected, Result.evaluator_id
    ).where(Result.run == run_id, Result.epoch == 1)
    with plain_errors(reader.path):
        yield from reader.database.each(query)


def share_tests(reader: Reader, first: int, second: int) -> bool:
    """Whether any test stands in both runs."""
    one, other = Result.alias(), Result.alias()
    query = one.select(one.id).join(other, on=_same_test(one, other, second)).where(one.run == first).limit(1)
    with plain_errors(reader.path):
        return bool(reader.database.fetch(query))


def asked_otherwise(reader: Reader, first: int, second: int) -> list[tuple[str, str, int, str]]:
    """The tests of two runs that were asked in other words: (source, domain, level, test_id), the id as stored."""
    one, other = Result.alias(), Result.alias()
    differ = (one.prompt != other.prompt) | (fn.coalesce(one.system_prompt, "") != fn.coalesce(other.system_prompt, ""))
    return _differing(reader, (first, second), (one, other), differ)


def judged_otherwise(reader: Reader, first: int, second: int) -> list[tuple[str, str, int, str]]:
    """The tests of two runs of which gold or evaluator differ: (source, domain, level, test_id), the id as stored."""
    one, other = Result.alias(), Result.alias()
    differ = (one.expected != other.expected) | (one.evaluator_id != other.evaluator_id)
    return _differing(reader, (first, second), (one, other), differ)


def answered_otherwise(reader: Reader, first: int, second: int) -> list[tuple[str, str, int, str]]:
    """The tests of two runs that asked the same words and were answered in other ones: as `judged_otherwise` gives them."""
    one, other = Result.alias(), Result.alias()
    differ = (one.prompt == other.prompt) & (
        one.response != other.response
    )  # an answer that is not there differs from none
    return _differing(reader, (first, second), (one, other), differ)


def _differing(
    reader: Reader, runs: tuple[int, int], tables: tuple[Any, Any], differ: Any
) -> list[tuple[str, str, int, str]]:
    """The tests that both `runs` have and that `differ`, by their first epochs; `tables` are the aliases that it names."""
    (first, second), (one, other) = runs, tables
    query = (
        one.select(one.source, one.domain, one.level, one.test_id)
        .join(other, on=_same_test(one, other, second))
        .where(one.run == first, one.epoch == 1, differ)
        .order_by(one.position)
    )
    with plain_errors(reader.path):
        return reader.database.fetch(query)
