"""Comparing two runs: who flipped, how large the difference is and how sure, what it cost, and how tools were used."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Any

from core.reports.pairs import Pair, TestKey, matches
from core.reports.tool_use import ToolUse, tool_use
from core.statistics.intervals import Interval
from core.statistics.paired import holm, mcnemar_exact, paired_difference, smallest_detectable
from core.store.reader import Reader
from core.store.rows import RunRow


@dataclass(frozen=True, slots=True)
class Difference:
    """Second − first over a group of paired tests."""

    n: int
    first_rate: float
    second_rate: float
    mean: float
    """Mean difference of scores."""
    interval: Interval | None
    gained: int
    lost: int
    p_value: float
    """Exact McNemar on pass/fail."""
    adjusted_p: float | None = None
    """After Holm's correction over the domains."""
    detectable: float | None = None
    """The smallest true difference that this many pairs would have shown with 80 % power."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything `modex compare` says."""

    first: RunRow
    second: RunRow
    overall: Difference | None
    domains: dict[str, Difference]
    flips: list[Pair]
    unscored: int
    """Pairs in which one side has no score; they are in no difference."""
    only_first: list[TestKey]
    only_second: list[TestKey]
    tools: tuple[ToolUse | None, ToolUse | None]


@dataclass(slots=True)
class _Group:
    """Paired tests as they are counted: one number each."""

    first_position: int = 0
    differences: array[float] = field(default_factory=lambda: array("d"))
    first_passed: int = 0
    second_passed: int = 0
    flips: Counter[str | None] = field(default_factory=Counter)

    def add(self, item: Pair) -> None:
        self.differences.append(item.difference or 0.0)
        self.first_passed += bool(item.first.passed)
        self.second_passed += bool(item.second.passed)
        self.flips[item.flip] += 1

    def difference(self) -> Difference | None:
        count = len(self.differences)
        if not count:
            return None
        mean, interval = paired_difference(self.differences)
        return Difference(
            n=count,
            first_rate=self.first_passed / count,
            second_rate=self.second_passed / count,
            mean=mean,
            interval=interval,
            gained=self.flips["gained"],
            lost=self.flips["lost"],
            p_value=mcnemar_exact(self.flips["lost"], self.flips["gained"]),
            detectable=smallest_detectable(self.differences),
        )


def compare(reader: Reader, first: RunRow, second: RunRow) -> Comparison:
    """Compare two runs by the tests they share; of a million tests only those that flipped or lack a side are kept."""
    everything, domains = _Group(), dict[str, _Group]()
    flips: list[tuple[int, Pair]] = []
    only: tuple[list[tuple[int, TestKey]], list[tuple[int, TestKey]]] = ([], [])
    unscored = 0
    for match in matches(reader, first, second):
        if match.first is None or match.second is None:
            only[match.first is None].append((match.position, match.key))
            continue
        item = Pair(match.key, match.first, match.second)
        if item.difference is None:
            unscored += 1
            continue
        everything.add(item)
        group = domains.setdefault(match.key[1], _Group(match.position))
        group.first_position = min(group.first_position, match.position)
        group.add(item)
        if item.flip:
            flips.append((match.position, item))
    ordered = sorted(domains.items(), key=lambda entry: entry[1].first_position)
    return Comparison(
        first=first,
        second=second,
        overall=everything.difference(),
        domains=_adjusted({domain: group.difference() for domain, group in ordered}),
        flips=[item for _, item in sorted(flips, key=itemgetter(0))],
        unscored=unscored,
        only_first=[key for _, key in sorted(only[0])],
        only_second=[key for _, key in sorted(only[1])],
        tools=(tool_use(reader, first), tool_use(reader, second)),
    )


def _adjusted(found: dict[str, Difference | None]) -> dict[str, Difference]:
    """The domains' differences with their p-values after Holm's correction."""
    there = {domain: difference for domain, difference in found.items() if difference is not None}
    adjusted = holm({domain: difference.p_value for domain, difference in there.items()})
    return {domain: replace(difference, adjusted_p=adjusted[domain]) for domain, difference in there.items()}


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """A comparison as scripts get it."""
    return {
        "first": comparison.first.exp_id,
        "second": comparison.second.exp_id,
        "overall": _difference_json(comparison.overall),
        "domains": {domain: _difference_json(item) for domain, item in comparison.domains.items()},
        "flips": [
            {
                "test": "/".join(map(str, item.key[1:])),
                "source": item.key[0],
                "change": item.flip,
                "first": item.first.mean,
                "second": item.second.mean,
            }
            for item in comparison.flips
        ],
        "unscored": comparison.unscored,
        "only_first": ["/".join(map(str, key[1:])) for key in comparison.only_first],
        "only_second": ["/".join(map(str, key[1:])) for key in comparison.only_second],
        "cost_usd": [comparison.first.cost_usd, comparison.second.cost_usd],
        "duration_ms": [comparison.first.duration_ms, comparison.second.duration_ms],
        "tokens": [run.prompt_tokens + run.completion_tokens for run in (comparison.first, comparison.second)],
        "tools": [use.as_dict() if use else None for use in comparison.tools],
    }


def _difference_json(difference: Difference | None) -> dict[str, Any] | None:
    if difference is None:
        return None
    return {name: getattr(difference, name) for name in Difference.__dataclass_fields__}
