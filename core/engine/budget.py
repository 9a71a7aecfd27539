"""A budget as a plan: before a run the sample that decides most for it is chosen, and kept in the run's configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from modex.core.config.runconfig import PlannedSample, RunConfig, Selection
from modex.core.foundation.errors import ConfigurationError
from modex.core.statistics.allocation import Planned, Price, allocated, expected, expected_interval
from modex.core.statistics.moments import Cell, Moments
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.core.store.tallies import tallies
from modex.core.suite.sampling import draw_key, key_of, priority

if TYPE_CHECKING:
    from modex.core.pipeline.assembly import CheckedTests
    from modex.core.pipeline.estimate import Need
    from modex.core.suite.definitions import TestCase

_EARLIER = 20
"""Latest runs of the same tests that say how they vary."""
_LOOKED_AT = 300
_NAMED = 20
"""Tests that are named one by one; more are told by cell."""


def with_sample(database: Path, exp_id: str | None, checked: CheckedTests, tell: Callable[[str], None]) -> RunConfig:
    """The configuration that was `checked`, with the sample that its budget pays for; the stored one where `exp_id` is known.

    `checked` are all tests that the configuration takes. `tell` hears which tests, how many calls and which interval.

    Raises:
        ConfigurationError: no budget is named, a price is not known, or it pays for too little.
    """
    config = checked.config
    if config.selection.max_calls is None and config.max_cost_usd is None:
        raise ConfigurationError("--plan needs a budget: --max-cost USD or --max-calls N")
    reader = Reader(database) if database.exists() else None
    try:
        known = reader.find_run(exp_id) if reader is not None and exp_id else None
        planned = _stored(known, config)
        if planned is None:
            earlier = _earlier(reader, config, known) if reader is not None else _Earlier()
            planned = _chosen(reader, config, checked, earlier)
    finally:
        if reader is not None:
            reader.close()
    for line in plan_words(config, planned, checked):
        tell(line)
    selection = config.selection.model_copy(update={"planned": planned})
    return config.model_copy(update={"selection": selection})


def _stored(known: RunRow | None, config: RunConfig) -> PlannedSample | None:
    """The sample of the run that is gone on with, where it was chosen from the same tests for the same budget."""
    if known is None:
        return None
    try:
        before = RunConfig.model_validate(known.config)
    except ValueError:
        return None
    planned = before.selection.planned
    same = before.selection.model_copy(update={"planned": None}) == config.selection
    return planned if same and (before.epochs, before.max_cost_usd) == (config.epochs, config.max_cost_usd) else None


@dataclass(slots=True)
class _Earlier:
    """What stored runs of the same suite and datasets scored, by cell."""

    cells: dict[Cell, Moments] = field(default_factory=dict)
    runs: int = 0
    own: bool = False
    """Whether they are the model's own, which are taken before those of others."""


def _earlier(reader: Reader, config: RunConfig, known: RunRow | None) -> _Earlier:
    wanted = _source(config.selection)
    found = []
    for run in reader.runs(limit=_LOOKED_AT):
        if (known is not None and run.id == known.id) or run.kind != "evaluation":
            continue
        try:
            same = _source(Selection.model_validate(run.config.get("selection") or {})) == wanted
        except ValueError:
            continue
        if same and run.passed_tests + run.failed_tests > 1:
            found.append(run)
    own = [run for run in found if run.model == config.model.model]
    cells: dict[Cell, Moments] = {}
    chosen = (own or found)[:_EARLIER]
    for run in chosen:
        epochs = run.config.get("epochs")
        for tally in tallies(reader, run.id, epochs=epochs if isinstance(epochs, int) else 1):
            cells.setdefault((tally.domain, tally.level), Moments(tally.level)).include(tally.moments)
    return _Earlier(cells, len(chosen), bool(own))


def _source(selection: Selection) -> tuple[str | None, tuple[str, ...]]:
    return selection.suite, tuple(sorted(spec.path for spec in selection.datasets))


@dataclass(slots=True)
class _Stratum:
    """A cell's tests in the order in which the seed takes them, and what each asks."""

    tests: list[TestCase] = field(default_factory=list)
    needs: list[Need] = field(default_factory=list)
    prices: list[Price] = field(default_factory=list)


def _chosen(reader: Reader | None, config: RunConfig, checked: CheckedTests, earlier: _Earlier) -> PlannedSample:
    from modex.core.pipeline.estimate import answer_length, estimate

    length = answer_length(reader, config.model.model) if reader is not None else None
    strata = _strata(checked)
    for stratum in strata.values():
        stratum.prices = [_price(config, need, length) for need in stratum.needs]
    what = expected(earlier.cells, strata)
    try:
        counts = allocated({cell: stratum.prices for cell, stratum in strata.items()}, what)
    except ValueError as error:
        raise ConfigurationError(
            f"{_budget_words(config)} cannot ask one test in each cell (domain × level): {error}; raise it, or choose"
            " fewer domains or levels (--domain, --level)"
        ) from None
    sample = [test for cell, stratum in strata.items() for test in stratum.tests[: counts[cell]]]
    guess = estimate(config, (need for cell, s in strata.items() for need in s.needs[: counts[cell]]), length)
    units = [
        Planned((test.domain, test.level), test.weight, (test.source, test.cluster) if test.cluster else None)
        for test in sample
    ]
    interval = expected_interval(units, what, config.selection.sample_seed)
    if interval is None:
        raise ConfigurationError(
            f"{_budget_words(config)} leaves fewer than two tests, of which no interval can be had; raise it"
        )
    invalid = [key_of(test) for test in checked.selected if test.invalid is not None]
    return PlannedSample(
        tests=(*(key_of(test) for test in sample), *invalid),
        calls=guess.calls,
        cost_usd=guess.cost_usd,
        score=interval[0],
        half_width=interval[1],
        earlier_runs=earlier.runs,
        own=earlier.own,
    )


def _strata(checked: CheckedTests) -> dict[Cell, _Stratum]:
    """The valid tests by cell, each cell in the seed's order."""
    from modex.core.pipeline.estimate import need_of
    from modex.core.pipeline.suite_files import evaluator_configs

    seed, evaluators = checked.config.selection.sample_seed, evaluator_configs(checked.suite)
    found: dict[Cell, _Stratum] = {}
    tests = [test for test in checked.selected if test.invalid is None]
    for test in sorted(tests, key=lambda test: (priority(seed, draw_key(test)), key_of(test))):
        stratum = found.setdefault((test.domain, test.level), _Stratum())
        stratum.tests.append(test)
        stratum.needs.append(need_of(test, evaluators))
    return dict(sorted(found.items()))


def _price(config: RunConfig, need: Need, length: float | None) -> Price:
    from modex.core.pipeline.estimate import estimate

    guess = estimate(config, [need, need], length)  # of two, for a test with tools is asked two and a half times
    shares = []
    if config.selection.max_calls is not None:
        shares.append(guess.calls / 2 / config.selection.max_calls)
    if config.selection.plan and config.max_cost_usd is not None:
        if guess.cost_usd is None:
            raise ConfigurationError(
                f"--plan: no price of {config.model.model}, or of who judges it, is known; name them by --input-price and"
                " --output-price, or plan by --max-calls"
            )
        shares.append(guess.cost_usd / 2 / max(config.max_cost_usd, 1e-12))
    return tuple(shares)


def _budget_words(config: RunConfig) -> str:
    parts = [f"--max-calls {config.selection.max_calls}"] if config.selection.max_calls is not None else []
    if config.selection.plan and config.max_cost_usd is not None:
        parts.append(f"--max-cost {config.max_cost_usd:g}")
    return " with ".join(parts)


def plan_words(config: RunConfig, planned: PlannedSample, checked: CheckedTests) -> list[str]:
    """Which tests, how many calls, and which interval to expect."""
    chosen = frozenset(planned.tests)
    cells: dict[Cell, tuple[int, int]] = {}
    total = taken = 0
    for test in checked.selected:
        have, of = cells.get((test.domain, test.level), (0, 0))
        is_in = key_of(test) in chosen
        cells[test.domain, test.level] = have + is_in, of + 1
        total, taken = total + 1, taken + is_in
    known = "at most, for no earlier run of these tests is stored"
    if planned.earlier_runs:
        runs = f"{planned.earlier_runs} earlier run{'s' if planned.earlier_runs != 1 else ''} of these tests"
        known = f"from {runs}" if planned.own else f"if it answers like other models in {runs}"
    cost = f", {planned.cost_usd:.4g} USD" if planned.cost_usd is not None else ""
    lines = [
        f"plan for {_budget_words(config)}: {taken:,} of {total:,} tests in {len(cells)} cells, about {planned.calls:,} calls"
        f"{cost}; to expect: Weighted Score ±{100 * planned.half_width:.1f} ({known})"
    ]
    if len(planned.tests) <= _NAMED:
        lines.append("tests: " + ", ".join(key.partition("/")[2] for key in planned.tests))
    else:
        lines += _by_domain(cells.items())
    return lines


def _by_domain(cells: Iterable[tuple[Cell, tuple[int, int]]]) -> list[str]:
    lines: dict[str, list[str]] = {}
    for (domain, level), (taken, of) in sorted(cells):
        lines.setdefault(domain, []).append(f"level {level} {taken} of {of}")
    return [f"{domain}: {', '.join(levels)}" for domain, levels in lines.items()]
