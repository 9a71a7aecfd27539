"""A suite as the screens show it: its tests, rows of its datasets among them, and what `check` finds."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from modex.core.config.runconfig import DatasetSpec
from modex.core.foundation.errors import ConfigurationError, Problem
from modex.core.suite.definitions import EvaluatorConfig, Suite, TestCase

if TYPE_CHECKING:
    from modex.core.store.reader import Reader
    from modex.core.suite.datasets.reader import DatasetReader

MOST_ROWS = 5000
"""Rows of one dataset that are listed."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A test and where it stands in the tree."""

    test: TestCase
    group: str
    """The domain it stands under: its own, or that of the dataset it is a row of."""
    findings: tuple[str, ...] = ()
    """What `check` says against it."""

    @property
    def name(self) -> str:
        """What chooses exactly this test on a command line."""
        return f"{self.test.domain}/{self.test.level}/{self.test.test_id}"


@dataclass(frozen=True, slots=True)
class SuiteView:
    """What one reading of a suite gave."""

    suite: Suite
    leaves: Sequence[Leaf]
    off: frozenset[str]
    """Domains that a run takes only by name."""
    problems: Sequence[Problem] = ()
    general: Sequence[Problem] = ()
    """Problems that belong to no listed test."""
    evaluators: dict[str, EvaluatorConfig] = field(default_factory=dict)
    checked: bool = False
    forms: Mapping[str, str] = field(default_factory=dict)
    """By the path that rows name as their place: the form that a run asks them for, in a sentence."""

    @property
    def bundled(self) -> bool:
        """Whether it is the suite that comes with modex."""
        from modex.core.suite.bundled import bundled_root

        return self.suite.root == bundled_root()

    @property
    def name(self) -> str:
        """The suite as a person would name it from here: `bundled`, or its folder, as short as can be."""
        root = self.suite.root
        if self.bundled:
            return "bundled"
        for base, prefix in ((Path.cwd(), ""), (Path.home(), "~/")):
            if root.is_relative_to(base):
                rest = root.relative_to(base).as_posix()
                return root.name if rest == "." else prefix + rest
        return str(root)


def read_suite(
    path: str | None, *, check: bool, datasets: Sequence[DatasetSpec] = (), evaluator: str | None = None
) -> SuiteView:
    """Read the suite at `path` (None: the bundled one); with `check` also let every evaluator check its tests.

    `datasets` are those of a run; without a path the suite then gives evaluators and tools but no tests.

    Raises:
        ConfigurationError: there is no suite, or one of `datasets` cannot be read.
    """
    from modex.core.pipeline.suite_files import evaluator_configs, load_suite_only
    from modex.core.suite.answer_forms import form_words
    from modex.core.suite.datasets.reader import DatasetReader

    if check:
        from modex.core.pipeline.assembly import (
            problems_of,  # of a whole run, which what is only looked at does without
        )

        suite, problems = problems_of(path)
    else:
        suite = load_suite_only(path)
        problems = sorted(suite.problems)
    own = path is not None or not datasets
    readers = _readers(suite) if own else []
    listed = [(test, test.domain) for test in suite.tests] if own else []
    for reader, domain in readers:
        with contextlib.suppress(ConfigurationError):  # what cannot be read is among the problems
            listed += [(test, domain) for test in islice(reader, MOST_ROWS)]
    forms = {reader.shown_path: form_words(reader) for reader, _ in readers}
    for spec in datasets:
        rows = DatasetReader(spec, evaluator=evaluator)
        forms[rows.shown_path] = form_words(rows)
        listed += [(test, test.domain) for test in islice(rows, MOST_ROWS)]
        problems = sorted({*(problems if own else ()), *rows.problems})
    by_place: dict[tuple[str, int], list[str]] = {}
    by_file: dict[str, list[tuple[int, str]]] = {}
    for problem in problems:
        by_place.setdefault((problem.path, problem.line), []).append(str(problem))
        by_file.setdefault(problem.path, []).append((problem.line, str(problem)))
    leaves: list[Leaf] = []
    told: set[str] = set()
    for test, group in listed:
        place = test.location
        if place.path.endswith(".json"):
            found = tuple(words for _, words in by_file.get(place.path, ()))
        else:
            found = tuple(by_place.get((place.path, place.line), ()))
        told.update(found)
        leaves.append(Leaf(test, group, found))
    off = {domain.id for domain in suite.domains.values() if not domain.enabled}
    off |= {dataset.domain for dataset in suite.datasets if not dataset.enabled}
    general = [problem for problem in problems if str(problem) not in told]
    return SuiteView(suite, leaves, frozenset(off), problems, general, evaluator_configs(suite), check, forms)


def _readers(suite: Suite) -> list[tuple[DatasetReader, str]]:
    """The suite's datasets that can be opened, each with the domain that it stands for."""
    from modex.core.suite.datasets.reader import read_suite_dataset

    found: list[tuple[DatasetReader, str]] = []
    for dataset in suite.datasets:
        with contextlib.suppress(ConfigurationError):
            found.append((read_suite_dataset(dataset, suite.root), dataset.domain))
    return found


def suite_of_settings() -> str | None:
    """The folder of the suite that the settings name, as runs hold it; None for the bundled one."""
    from modex.core.config.settings import load_settings

    suite: str | None = load_settings().run.get("suite")
    return None if suite is None else str(Path(suite).expanduser().absolute())


def suite_name(suite: str | None) -> str:
    """The name of a suite's folder."""
    return "bundled suite" if suite is None else Path(suite).name or suite


def newest_of_suite(reader: Reader, suite: str | None) -> int | None:
    """The newest run of the suite in this folder, None for the bundled one."""
    for run in reader.runs(archived=False):
        if run.suite == suite and not run.going:
            return run.id
    return None
