"""Comparing two runs: how the Weighted Scores differ and how sure, who flipped, what it cost, and how tools were used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

from core.reports.difference import Difference, PairedScores, difference_json
from core.reports.noise import Flaky, known_noise
from core.reports.pairs import Pair, Side, TestKey, matches, tests_of
from core.reports.tool_use import ToolUse, tool_use
from core.statistics.paired import holm
from core.store.reader import Reader, SampleQuery
from core.store.rows import RunRow


@dataclass(frozen=True, slots=True)
class Unscored:
    """Tests of both runs that lack a verdict in one run, by why; a test counts once."""

    cut_off: int = 0
    errors: int = 0
    waiting: int = 0
    skipped: int = 0

    def including(self, side: Side) -> Unscored:
        """One more test that went like `side`."""
        if not side.missing and side.answered:
            return self
        if side.cut_off:
            return replace(self, cut_off=self.cut_off + 1)
        if "error" in side.statuses:
            return replace(self, errors=self.errors + 1)
        if side.missing:
            return replace(self, waiting=self.waiting + 1)
        return replace(self, skipped=self.skipped + 1)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything `modex compare` says of two runs."""

    first: RunRow
    second: RunRow
    overall: Difference | None
    domains: dict[str, Difference]
    flips: list[Pair]
    unscored: int
    """Pairs in which one side has no score; they are in no difference but in its bounds."""
    without_verdict: tuple[Unscored, Unscored]
    """Why tests of both runs lack verdicts, in each run."""
    only_first: list[TestKey]
    only_second: list[TestKey]
    tools: tuple[ToolUse | None, ToolUse | None]
    """How each used tools; None where it used none, or nobody asked."""
    flaky: frozenset[TestKey] = frozenset()
    """Tests that are known to flip by themselves, in either run."""


def compare(
    reader: Reader, first: RunRow, second: RunRow, *, tools: bool = True, query: SampleQuery | None = None
) -> Comparison:
    """Compare two runs by the tests they share; of a million tests only those that flipped or lack a side are kept.

    `query` takes only the tests of which a sample in either run matches.
    `tools` reads the transcripts of all tests with tools, and both suites, for how tools were used.
    """
    scores = PairedScores()
    flips: list[tuple[int, Pair]] = []
    only: tuple[list[tuple[int, TestKey]], list[tuple[int, TestKey]]] = ([], [])
    without = [Unscored(), Unscored()]
    unscored = 0
    wanted = None if query is None else tests_of(reader, (first, second), query)
    for match in matches(reader, first, second):
        if wanted is not None and match.key not in wanted:
            continue
        if match.first is None or match.second is None:
            only[match.first is None].append((match.position, match.key))
            continue
        scores.add(match)
        without = [count.including(side) for count, side in zip(without, (match.first, match.second), strict=True)]
        item = Pair(match.key, match.first, match.second)
        if item.difference is None:
            unscored += 1
        elif item.flip:
            flips.append((match.position, item))
    settled = scores.settled()
    return Comparison(
        first=first,
        second=second,
        overall=settled.difference(),
        domains=_adjusted({domain: settled.difference((domain,)) for domain in settled.domains}),
        flips=[item for _, item in sorted(flips, key=itemgetter(0))],
        unscored=unscored,
        without_verdict=(without[0], without[1]),
        only_first=[key for _, key in sorted(only[0])],
        only_second=[key for _, key in sorted(only[1])],
        tools=(tool_use(reader, first), tool_use(reader, second)) if tools else (None, None),
        flaky=frozenset(one.key for run in (first, second) for one in _flaky(reader, run)),
    )


def pairs_of(reader: Reader, first: RunRow, second: RunRow, keys: Sequence[TestKey]) -> list[Pair]:
    """Some tests of two runs, in this order; a run that lacks one has an empty side."""
    wanted = frozenset(keys)
    found = {
        match.key: Pair(match.key, match.first or Side((), ()), match.second or Side((), ()))
        for match in matches(reader, first, second)
        if match.key in wanted
    }
    return [found[key] for key in keys if key in found]


def _flaky(reader: Reader, run: RunRow) -> list[Flaky]:
    noise = known_noise(reader, run)
    return noise.flaky if noise is not None else []


def _adjusted(found: dict[str, Difference | None]) -> dict[str, Difference]:
    """The domains' differences with their p-values after Holm's correction; a single pair proves nothing."""
    there = {domain: one for domain, one in found.items() if one is not None}
    scores = holm({domain: 1.0 if one.p_value is None else one.p_value for domain, one in there.items()})
    rates = holm({domain: one.mcnemar_p for domain, one in there.items()})
    return {domain: replace(one, holm_p=scores[domain], mcnemar_holm_p=rates[domain]) for domain, one in there.items()}


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """A comparison as scripts get it."""
    one, two = comparison.without_verdict
    return {
        "first": comparison.first.exp_id,
        "second": comparison.second.exp_id,
        "overall": difference_json(comparison.overall),
        "domains": {domain: difference_json(item) for domain, item in comparison.domains.items()},
        "flips": [
            {
                "test": "/".join(map(str, item.key[1:])),
                "source": item.key[0],
                "change": item.flip,
                "first": item.first.mean,
                "second": item.second.mean,
                "flaky": item.key in comparison.flaky,
            }
            for item in comparison.flips
        ],
        "unscored": comparison.unscored,
        "without_verdict": {"first": _unscored_json(one), "second": _unscored_json(two)},
        "only_first": ["/".join(map(str, key[1:])) for key in comparison.only_first],
        "only_second": ["/".join(map(str, key[1:])) for key in comparison.only_second],
        "cost_usd": [comparison.first.cost_usd, comparison.second.cost_usd],
        "duration_ms": [comparison.first.duration_ms, comparison.second.duration_ms],
        "tokens": [run.prompt_tokens + run.completion_tokens for run in (comparison.first, comparison.second)],
        "tools": [use.as_dict() if use else None for use in comparison.tools],
    }


def _unscored_json(found: Unscored) -> dict[str, int]:
    return {name: getattr(found, name) for name in Unscored.__dataclass_fields__}
