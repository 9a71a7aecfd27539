"""`--stratify COLUMN`: a sample in which each value of a column has its share.

Shares are those of Balinski and Young's quota method (The Quota Method of Apportionment, Amer. Math. Monthly 82, 1975): one
test after the other goes to a value that has less than its share of the sample so far, to the one that is due first. It is
the only one of the known methods whose shares are both the exact one, rounded up or down, and never less in a larger sample
(largest remainders may take one back, Sainte-Laguë's may miss by more than one).
https://doi.org/10.2307/2318729
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from modex.core.config.filters import MISSING
from modex.core.suite.definitions import TestCase
from modex.core.suite.filters import value_of
from modex.core.suite.sampling import draw_key, priority
from modex.core.suite.suggest import did_you_mean, there_are

NONE = "(none)"
"""The stratum of tests that have nothing in the column."""
_OF_EVERY_TEST = ("domain", "level", "source")
_NAMED = 20
_LONGEST = 60
_KEPT_NAMES = 1_000


def shares(sizes: Mapping[str, int], size: int, seed: int = 0) -> dict[str, int]:
    """How many of a sample of `size` tests each stratum gives, by name; its exact share, rounded up or down.

    A larger sample takes no fewer of any. `seed` decides between strata that are due at once.
    """
    taken = dict.fromkeys(sizes, 0)
    total = sum(sizes.values())
    if size >= total:
        return dict(sizes)
    tied = {name: priority(seed, name) for name in sizes}
    waiting = [(1, tied[name], name) for name, number in sizes.items() if number]
    heapq.heapify(waiting)
    due: list[tuple[float, bytes, str]] = []
    for step in range(1, size + 1):
        while waiting and waiting[0][0] <= step:
            _, tie, name = heapq.heappop(waiting)
            heapq.heappush(due, ((taken[name] + 1) / sizes[name], tie, name))
        _, tie, name = heapq.heappop(due)
        taken[name] += 1
        if taken[name] < sizes[name]:
            heapq.heappush(waiting, (taken[name] * total // sizes[name] + 1, tie, name))
    return taken


def take_shares(
    read: Callable[[], Iterable[TestCase]], size: int, seed: int, stratum: Callable[[TestCase], str]
) -> Iterator[TestCase]:
    """`size` of the tests that `read` gives, in their order: of each stratum its share, chosen by `seed`.

    Reads them twice and holds none. A larger sample contains a smaller one.
    """
    heaps: dict[str, list[tuple[int, int]]] = {}
    sizes: dict[str, int] = {}
    for position, test in enumerate(read()):
        name = stratum(test)
        sizes[name] = sizes.get(name, 0) + 1
        entry = (-int.from_bytes(priority(seed, draw_key(test))), -position)
        heap = heaps.setdefault(name, [])
        if len(heap) < size:
            heapq.heappush(heap, entry)
        else:
            heapq.heappushpop(heap, entry)
    counts = shares(sizes, size, seed)
    places = {-place for name, heap in heaps.items() for _, place in heapq.nlargest(counts[name], heap)}
    last = max(places, default=-1)
    for position, test in enumerate(read()):
        if position in places:
            yield test
        if position >= last:
            return


@dataclass(slots=True)
class Strata:
    """The strata of one column, as they are met."""

    column: str
    roles: Mapping[str, str] = field(default_factory=dict)
    """What a test calls a column of its file that became one of its fields (`subject`: `category`)."""
    sizes: dict[str, int] = field(default_factory=dict)
    _found: bool = False
    _others: dict[str, None] = field(default_factory=dict)

    def of(self, test: TestCase) -> str:
        """The stratum of a test."""
        value = value_of(test, self.column)
        if value is MISSING and self.column in self.roles:
            value = value_of(test, self.roles[self.column])
        return NONE if value is MISSING or value in (None, "") else str(value)

    def counting(self, tests: Iterable[TestCase]) -> Iterator[TestCase]:
        """The same tests; they are counted on the way."""
        for test in tests:
            name = self.of(test)
            self.sizes[name] = self.sizes.get(name, 0) + 1
            self._found = self._found or name != NONE
            if len(self._others) < _KEPT_NAMES:
                self._others.update(dict.fromkeys(test.metadata))
            yield test

    def unknown_column(self) -> str | None:
        """That no test that was counted has anything in the column, with the columns that there are; None where some do."""
        if self._found or not self.sizes:
            return None
        known = sorted({*self._others, *self.roles, *_OF_EVERY_TEST})
        return f"--stratify: no test has anything in a column '{self.column}'{did_you_mean(self.column, known)}{there_are(known)}"

    def words(self, size: int, seed: int) -> list[str]:
        """Which shares a sample of `size` takes of the tests that were counted, and whether the column divides them at all."""
        total = sum(self.sizes.values())
        taken = f"{min(size, total):,} of {total:,} tests, by {self.column}"
        if 2 * len(self.sizes) > total > 1:
            return [
                f"{taken}, which has {len(self.sizes):,} values: hardly two tests of any, so that its shares mean little;"
                " name a column of few values"
            ]
        counts = shares(self.sizes, size, seed)
        ranked = sorted(counts, key=lambda name: (-counts[name], -self.sizes[name], name))
        shown = [f"{name[:_LONGEST]}: {counts[name]:,}" for name in ranked[:_NAMED] if counts[name]]
        if more := sum(1 for name in ranked[_NAMED:] if counts[name]):
            shown.append(f"and {more:,} more")
        lines = [f"{taken} ({', '.join(shown)})"]
        if without := sum(1 for count in counts.values() if not count):
            lines.append(f"{without:,} of {len(counts):,} values of {self.column} have no test among {size:,}")
        return lines
