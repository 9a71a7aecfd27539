"""Comparing two runs: who flipped, how large the difference is and how sure, what it cost, and how tools were used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.reports.pairs import Pair, TestKey, pair
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


def compare(reader: Reader, first: RunRow, second: RunRow) -> Comparison:
    """Compare two runs by the tests they share."""
    paired = pair(reader, first, second)
    scored = [item for item in paired.pairs if item.difference is not None]
    return Comparison(
        first=first,
        second=second,
        overall=_difference(scored),
        domains=_by_domain(scored),
        flips=[item for item in scored if item.flip],
        unscored=len(paired.pairs) - len(scored),
        only_first=paired.only_first,
        only_second=paired.only_second,
        tools=(tool_use(reader, first), tool_use(reader, second)),
    )


def _difference(pairs: list[Pair]) -> Difference | None:
    if not pairs:
        return None
    differences = [item.difference or 0.0 for item in pairs]
    mean, interval = paired_difference(differences)
    gained = sum(item.flip == "gained" for item in pairs)
    lost = sum(item.flip == "lost" for item in pairs)
    return Difference(
        n=len(pairs),
        first_rate=sum(bool(item.first.passed) for item in pairs) / len(pairs),
        second_rate=sum(bool(item.second.passed) for item in pairs) / len(pairs),
        mean=mean,
        interval=interval,
        gained=gained,
        lost=lost,
        p_value=mcnemar_exact(lost, gained),
        detectable=smallest_detectable(differences),
    )


def _by_domain(pairs: list[Pair]) -> dict[str, Difference]:
    groups: dict[str, list[Pair]] = {}
    for item in pairs:
        groups.setdefault(item.key[1], []).append(item)
    found = {domain: difference for domain, members in groups.items() if (difference := _difference(members))}
    adjusted = holm({domain: difference.p_value for domain, difference in found.items()})
    return {
        domain: Difference(
            **{
                **{name: getattr(difference, name) for name in Difference.__dataclass_fields__},
                "adjusted_p": adjusted[domain],
            }
        )
        for domain, difference in found.items()
    }


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
