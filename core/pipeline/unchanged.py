"""Whether a run's last plan still holds: then a resume need not read its tests, fingerprint and look up a million of them again.

Kept with the run is a digest of everything that the plan was made of. Only of long plans: a short one takes less time than
anyone notices. And only where modex itself knows everything that a plan depends on: not where plugins, tools of this machine,
files beside the questions or an agent come into it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from modex.core.config.options import OPTIONS
from modex.core.config.runconfig import RunConfig
from modex.core.foundation.version import version
from modex.core.pipeline.assembly import Assembly, CheckedTests, Needs, open_suite, open_tests
from modex.core.pipeline.benchmark import BaseBenchmark
from modex.core.store.manager import Plan
from modex.core.suite.bundled import bundled_root
from modex.core.suite.plan import SelectedTests

WORTH_KEEPING = 20_000
"""Samples from which on a plan is kept: as many are planned in two seconds."""
_MOST_FILES = 20_000
_MOST_BYTES = 512 * 1024 * 1024
"""Of a suite's folder, its datasets aside: a larger one is not looked through, and its runs are planned anew."""
_PIECE = 1024 * 1024
_OF_A_SUITE = ("test_definitions", "prompts", "tool_mocks", "plugins")
_PROGRAM = Path(__file__).resolve().parent.parent


class KeptPlan:
    """What is kept of a plan that is being made; begun before the tests are read, so that a change meanwhile shows."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self._before = self._digest()

    def after(self, plan: Plan) -> dict[str, Any]:
        """What to store with the run once its samples are planned; empty where a resume must read everything again."""
        planned = plan.planned
        if self._before is None or planned < WORTH_KEEPING:
            return {}
        # Of a sample that waits for another judge its old verdict is stored, which nothing tells from one that is right.
        if plan.judge_again or plan.skipped or plan.not_selected:
            return {}
        if not _is_all_ours(self._assembly.benchmark) or self._digest() != self._before:
            return {}
        return _kept(self._assembly.checked, self._before, planned)

    def _digest(self) -> str | None:
        checked = self._assembly.checked
        if not _can_be_kept(checked):
            return None
        return _digest_of_inputs(checked.config, checked.selected, self._assembly.database)


def kept_check(checked: CheckedTests, database: Path) -> dict[str, Any]:
    """What to store with a run whose tests were checked and that another process will plan; empty where it must check again."""
    if not _can_be_kept(checked):
        return {}
    inputs = _digest_of_inputs(checked.config, checked.selected, database)
    return _kept(checked, inputs, 0) if inputs is not None and checked.selected.is_as_read else {}


def _can_be_kept(checked: CheckedTests) -> bool:
    config = checked.config
    if checked.needs.count * config.epochs < WORTH_KEEPING or config.until == "rollout":
        return False
    return not (checked.needs.beside or not checked.selected.is_sound or config.agent or config.benchmark)


def _kept(checked: CheckedTests, inputs: str, samples: int) -> dict[str, Any]:
    """With `samples` 0 nothing was planned yet."""
    needs = dataclasses.asdict(checked.needs)
    return {"inputs": inputs, "samples": samples, "listed": checked.selected.listed, "needs": needs}


def still_checked(config: RunConfig, database: Path, kept: dict[str, Any]) -> CheckedTests | None:
    """What the check of the tests found when the run was last planned, where all that it was made of is still the same.

    Raises:
        ConfigurationError: the suite or a dataset cannot be opened.
        SuiteError: a template gives no test.
    """
    if not kept:
        return None
    selection = config.selection
    suite = open_suite(selection.suite, allow_plugins=selection.allow_plugins, tests=selection.takes_suite)
    selected = open_tests(suite, config)
    inputs = _digest_of_inputs(config, selected, database)
    if inputs is None or inputs != kept.get("inputs"):
        return None
    selected.trust(kept["listed"])
    return CheckedTests(config, suite, selected, Needs(**kept["needs"]), inputs)


def _digest_of_inputs(config: RunConfig, selected: SelectedTests, database: Path) -> str | None:
    """The digest of what a plan of these tests is made of; None where that is too much to look through, or cannot be read."""
    digest = hashlib.blake2b(digest_size=16)
    digest.update(json.dumps([version(), _as_planned(config)], sort_keys=True).encode())
    bundled, root = bundled_root().resolve(), selected.suite.root.resolve()
    try:
        for path in sorted(_PROGRAM.rglob("*.py")):  # a checkout that is worked on has one version for long
            found = path.stat()
            digest.update(f"{path}\0{found.st_size}\0{found.st_mtime_ns}\0".encode())
        files = list(_files((bundled / name for name in _OF_A_SUITE), database))
        if root != bundled:
            files += _files([root], database)
        if len(files) > _MOST_FILES or sum(path.stat().st_size for path in files) > _MOST_BYTES:
            return None
        for path in (*files, *selected.files):
            digest.update(f"{path}\0".encode())
            _take_in(digest, path)
    except OSError:
        return None
    return digest.hexdigest()


def _as_planned(config: RunConfig) -> dict[str, Any]:
    """The configuration without how fast and where it is done; where it ends counts, for it decides which golds are needed."""
    said = config.as_stored().model_dump(mode="json")
    for option in OPTIONS:
        if option.decides == "flow" and option.place and option.name != "until":
            *folders, name = option.place.split(".")
            found: Any = said
            for folder in folders:
                found = found[folder]
            if isinstance(found, dict):
                found.pop(name, None)
    return said


def _files(folders: Iterable[Path], database: Path) -> Iterator[Path]:
    """The files below the folders, sorted; neither hidden ones nor the database, which may lie there too."""
    walked: set[str] = set()
    for top in folders:
        for place, inner, names in os.walk(top, followlinks=True):
            if (real := os.path.realpath(place)) in walked:  # links may lead round in a circle
                inner.clear()
                continue
            walked.add(real)
            inner[:] = sorted(name for name in inner if not name.startswith(".") and name != "__pycache__")
            for name in sorted(names):
                path = Path(place, name)
                if not name.startswith((".", database.name)) and path.is_file():
                    yield path


def _take_in(digest: hashlib.blake2b, path: Path) -> None:
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)


def _is_all_ours(benchmark: BaseBenchmark) -> bool:
    """Whether no plugin prepares or judges a sample: it may go by more than its own text."""
    return all(type(part).__module__.startswith("modex.core.") for part in benchmark.found())
