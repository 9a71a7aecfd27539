"""Which tests a run takes: domains, levels, ids, filters, a sample, a limit."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from core.errors import ConfigurationError
from core.suite.definitions import TestCase
from core.suite.filters import Filter, parse_filter
from core.suite.sampling import take_sample
from core.suite.suggest import did_you_mean

_LEVELS = re.compile(r"\s*([1-5])\s*(?:(?:-|\.\.|–)\s*([1-5])\s*)?")
_KEPT_NAMES = 20_000


def parse_levels(*specs: str) -> tuple[int, ...]:
    """Levels from `3`, `2-4`, `1,3-5`, sorted and without repeats.

    Raises:
        ConfigurationError: a part is no level from 1 to 5 and no range of them.
    """
    found: set[int] = set()
    for spec in specs:
        for part in spec.split(","):
            match = _LEVELS.fullmatch(part)
            if match is None:
                raise ConfigurationError(
                    f"the level '{part.strip()[:40]}' is not understood; write 1 to 5, or a range such as 2-4"
                )
            low, high = int(match[1]), int(match[2] or match[1])
            if low > high:
                raise ConfigurationError(f"the levels '{part.strip()}' run backwards; write {high}-{low}")
            found.update(range(low, high + 1))
    return tuple(sorted(found))


@dataclass(slots=True)
class Selector:
    """A selection that tests are held against one by one; it remembers what it saw, so that `missing` can suggest.

    A disabled domain's tests are taken only where `--domain` or `--test` names them, a disabled test only by `--test`.
    A domain's name also matches a dataset's source.
    """

    domains: Collection[str] = ()
    levels: Collection[int] = ()
    test_ids: Sequence[str] = ()
    filters: Sequence[Filter] = ()
    _domains_seen: set[str] = field(default_factory=set)
    _ids_seen: set[str] = field(default_factory=set)
    _ids_found: set[str] = field(default_factory=set)

    def takes(self, test: TestCase, alias: str | None = None) -> bool:
        """Whether the run takes `test`; `alias` is a second name of its domain (the folder of a dataset)."""
        names = {test.domain, test.source, alias} - {None, "suite"}
        self._domains_seen.update(name for name in names if name is not None)
        named = False
        if self.test_ids:
            full = f"{test.domain}/{test.level}/{test.test_id}"
            if len(self._ids_seen) < _KEPT_NAMES:
                self._ids_seen.add(test.test_id)
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
        return all(condition.matches(test) for condition in self.filters)

    def missing(self, known_domains: Iterable[str] = ()) -> str | None:
        """What was asked for by name and not seen among the tests, or None."""
        seen = self._domains_seen | set(known_domains)
        for domain in self.domains:
            if domain not in seen:
                return f"there is no domain '{domain}'{did_you_mean(domain, seen)} {_some(seen)}"
        for wanted in self.test_ids:
            if wanted not in self._ids_found:
                bare = wanted.rsplit("/", 1)[-1]
                hint = did_you_mean(bare, self._ids_seen - {bare})
                return f"there is no test '{wanted}'{hint}"
        return None


def _some(names: Collection[str]) -> str:
    shown = ", ".join(sorted(names)[:12])
    return f"(there are: {shown}{', …' if len(names) > 12 else ''})"


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
