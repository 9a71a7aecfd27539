"""Which tests a run takes: domains, levels, ids, filters, a sample, a limit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from modex.core.config.filters import MISSING
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.definitions import TestCase
from modex.core.suite.filters import Filter, parse_filter, unknown_filter
from modex.core.suite.sampling import take_sample
from modex.core.suite.suggest import did_you_mean, there_are

_KEPT_NAMES = 20_000


@dataclass(slots=True)
class Selector:
    """A selection that tests are held against one by one; it remembers what it saw, so that `missing` can suggest.

    A disabled domain's tests are taken only where `--domain` or `--test` names them, a disabled test only by `--test`.
    A domain's name also matches a dataset's source. What is excluded is never taken, whatever else names it.
    """

    domains: Collection[str] = ()
    levels: Collection[int] = ()
    test_ids: Sequence[str] = ()
    filters: Sequence[Filter] = ()
    exclude_domains: Collection[str] = ()
    exclude_levels: Collection[int] = ()
    exclude_tests: Sequence[str] = ()
    unwanted: Callable[[TestCase], bool] | None = None
    """What is left out of the tests that are chosen otherwise; `left_out` counts and names them."""
    left_out: dict[str, None] = field(default_factory=dict)
    """`domain/level/id` of the tests that `unwanted` took out."""
    _domains_seen: set[str] = field(default_factory=set)
    _ids_seen: set[str] = field(default_factory=set)
    _ids_found: set[str] = field(default_factory=set)
    _fields_found: set[int] = field(default_factory=set)
    _takes_all: bool = field(init=False)
    """Whether nothing is asked for: then nothing that was seen is of use either."""

    def __post_init__(self) -> None:
        """Look once whether anything restricts."""
        restrictions = (
            self.domains, self.levels, self.test_ids, self.filters, self.exclude_domains, self.exclude_levels,
            self.exclude_tests,
        )  # fmt: skip
        self._takes_all = self.unwanted is None and not any(restrictions)

    def takes(self, test: TestCase, alias: str | None = None) -> bool:
        """Whether the run takes `test`; `alias` is a second name of its domain (the folder of a dataset)."""
        if self._takes_all:
            return test.disabled_by is None
        names = {name for name in (test.domain, test.source, alias) if name is not None and name != "suite"}
        self._domains_seen.update(names)
        self._look_for_fields(test)
        named = False
        full = f"{test.domain}/{test.level}/{test.test_id}"
        if self.test_ids or self.exclude_tests:
            if len(self._ids_seen) < _KEPT_NAMES:
                self._ids_seen.add(test.test_id)
            self._ids_found.update(wanted for wanted in self.exclude_tests if wanted in (test.test_id, full))
        if self.test_ids:
            for wanted in self.test_ids:
                if wanted in (test.test_id, full):
                    self._ids_found.add(wanted)
                    named = True
            if not named:
                return False
        in_domain = any(domain in names for domain in self.domains)
        if self.domains and not in_domain:
            return False
        if self.levels and test.level not in self.levels:
            return False
        if not named and (test.disabled_by == "test" or (test.disabled_by == "domain" and not in_domain)):
            return False
        if not all(condition.matches(test) for condition in self.filters) or self._excluded(test, names, full):
            return False
        if self.unwanted is not None and self.unwanted(test):
            self.left_out[full] = None
            return False
        return True

    def _look_for_fields(self, test: TestCase) -> None:
        for number, filter_ in enumerate(self.filters):
            if number not in self._fields_found and filter_.find(test) is not MISSING:
                self._fields_found.add(number)

    def _excluded(self, test: TestCase, names: Collection[str], full: str) -> bool:
        return (
            test.level in self.exclude_levels
            or any(domain in names for domain in self.exclude_domains)
            or test.test_id in self.exclude_tests
            or full in self.exclude_tests
        )

    def missing(self, known_domains: Iterable[str] = ()) -> str | None:
        """What was asked for by name, or filtered by, and not seen among the tests, or None."""
        seen = self._domains_seen | set(known_domains)
        for domain in (*self.domains, *self.exclude_domains):
            if domain not in seen:
                return f"there is no domain '{domain}'{did_you_mean(domain, seen) or there_are(seen)}"
        for wanted in (*self.test_ids, *self.exclude_tests):
            if wanted not in self._ids_found:
                bare = wanted.rsplit("/", 1)[-1]
                hint = did_you_mean(bare, self._ids_seen - {bare}) or "; `modex tests` lists them"
                return f"there is no test '{wanted}'{hint}"
        for number, filter_ in enumerate(self.filters):
            strict = number not in self._fields_found and filter_.condition.operator != "!="
            if strict and (problem := unknown_filter(filter_)):
                return problem
        return None


def select(
    tests: Iterable[TestCase],
    *,
    domains: Collection[str] = (),
    levels: Collection[int] = (),
    test_ids: Sequence[str] = (),
    filters: Sequence[str] = (),
    limit: int | None = None,
    sample: int | None = None,
    seed: int = 0,
    known_domains: Iterable[str] = (),
) -> list[TestCase]:
    """The tests that are taken, in order: chosen by name and filter, then sampled, then cut to `limit`.

    Raises:
        ConfigurationError: a filter is wrong, or a domain or test that was asked for is not there.
    """
    selector = Selector(domains, levels, test_ids, [parse_filter(text) for text in filters])
    found: Iterator[TestCase] = (test for test in tests if selector.takes(test))
    if sample is not None:
        chosen = take_sample(found, sample, seed)
    elif limit is not None and not (domains or test_ids):
        return list(islice(found, limit))
    else:
        chosen = list(found)
    missing = selector.missing(known_domains)
    if missing is not None:
        raise ConfigurationError(missing)
    return chosen[:limit] if limit is not None else chosen
