"""Every finding about the tests of a suite, from all of its stored runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from modex.core.features.suite_faults.finding import TITLES, SuiteFaults, SuiteFinding
from modex.core.features.suite_faults.gather import gather
from modex.core.features.suite_faults.texts import leaked, repeated
from modex.core.features.suite_faults.verdicts import (
    LEAST_MODELS,
    against_rest,
    alike,
    correlations,
    gold_suspects,
    judges_differ,
)
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow

_EVERY = 1_000_000


def suites_with_runs(reader: Reader) -> dict[str | None, list[RunRow]]:
    """The stored runs, the newest first, by the suite that they asked (None: the bundled one)."""
    found: dict[str | None, list[RunRow]] = {}
    for run in sorted(reader.runs(limit=_EVERY), key=lambda run: (run.started_at or "", run.id), reverse=True):
        found.setdefault(run.suite, []).append(run)
    return found


def examine(
    reader: Reader, suite: str | None, runs: Sequence[RunRow], progress: Callable[[int], None] = lambda _: None
) -> SuiteFaults:
    """What `runs`, the newest first, say of the tests that they asked; `progress` is told how many samples more were read."""
    gathered = gather(reader, runs, progress)
    findings: list[SuiteFinding] = [*alike(gathered.items), *judges_differ(gathered.items), *repeated(gathered.items)]
    leaks, unsaid = leaked(gathered.items)
    findings += leaks
    models = max((len(item.models) for item in gathered.items), default=0)
    if models >= LEAST_MODELS:
        found = correlations(gathered)
        findings += [*against_rest(gathered.items, found), *gold_suspects(gathered, found)]
    else:
        unsaid.insert(
            0,
            f"wrong golds and tests that go against the rest: too few runs to tell, {models} of {LEAST_MODELS} different"
            " models have answered the same test",
        )
    order = list(TITLES)
    findings.sort(key=lambda one: order.index(one.kind))
    return SuiteFaults(
        suite, gathered.runs, gathered.models, len(gathered.items), gathered.otherwise, tuple(findings), tuple(unsaid)
    )
