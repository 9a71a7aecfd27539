"""Reading a suite: every file once, every mistake at once, nothing executed."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.builtin import BUILTIN_EVALUATORS
from modex.core.suite.bundled import bundled_root
from modex.core.suite.cases import Defaults
from modex.core.suite.definitions import Suite
from modex.core.suite.domains import LEVELS, holds_domain, load_domain, skip_loose
from modex.core.suite.evaluator_files import load_evaluators
from modex.core.suite.judge_templates import check_judge_templates
from modex.core.suite.settings_file import load_settings
from modex.core.suite.state import RESERVED, Loading
from modex.core.suite.suggest import did_you_mean
from modex.core.suite.tool_files import load_tools, look_into_tool_folders

_DEFINITIONS = "test_definitions"


def load_suite(
    path: Path | None, *, builtin_evaluators: Collection[str] = BUILTIN_EVALUATORS.keys(), tests: bool = True
) -> Suite:
    """Load the suite at `path`: a folder that holds `test_definitions/`, or that is one; None is the bundled suite.

    Mistakes in files do not raise: they are in `problems`, and the tests they touch are marked `invalid`. Without `tests`
    only its evaluators and tools are read, for a run that asks nothing else of it.

    Raises:
        ConfigurationError: `path` is no folder with a suite in it.
    """
    return read_suite(path, builtin_evaluators, tests=tests).suite


def read_suite(
    path: Path | None, builtin_evaluators: Collection[str] = BUILTIN_EVALUATORS.keys(), *, tests: bool = True
) -> Loading:
    """As `load_suite`; with what the files of another system say in our form.

    Raises:
        ConfigurationError: `path` is no folder with a suite in it.
    """
    root, definitions = _shape(bundled_root() if path is None else path)
    loading = _read(Loading(Suite(root), definitions, frozenset(builtin_evaluators), tests))
    if (others := loading.others) is not None:
        # What bears the signs of another system in one file is that system's suite in all of them.
        loading = _read(Loading(Suite(root), definitions, frozenset(builtin_evaluators), tests, dialect=others))
    return loading


def _read(loading: Loading) -> Loading:
    load_settings(loading)
    load_evaluators(loading)
    load_tools(loading)
    if loading.dialect is None:
        look_into_tool_folders(loading)
    if loading.whole:
        _load_tests(loading)
    loading.report.finish()
    suite = loading.suite
    suite.problems, suite.lacks, suite.notes = loading.report.problems, loading.report.lacks, loading.report.notes
    if loading.dialect is not None:
        suite.dialect, suite.translated = loading.dialect.name, sorted(suite.translated)
        suite.otherwise = loading.dialect.otherwise({item.form for item in suite.translated})
    return loading


def _load_tests(loading: Loading) -> None:
    """Read the domains and what stands beside them."""
    own = loading.definitions
    domains: dict[str, Defaults] = {}
    for definitions in (own, *(loading.dialect.folders if loading.dialect else ())):
        loading.definitions = definitions
        for name in loading.folder(definitions).folders:
            if name not in RESERVED or (loading.dialect is not None and holds_domain(loading, name)):
                load_domain(loading, name, domains)
        if definitions != own:
            skip_loose(loading)
    loading.definitions = own
    _check_prompt_folders(loading)
    if loading.dialect is None:
        check_judge_templates(loading)


def _shape(path: Path) -> tuple[Path, str]:
    """The suite's root, and the folder of the domains relative to it."""
    path = path.expanduser()
    try:
        found = path.is_dir()
    except ValueError:
        found = False
    except OSError as error:
        raise ConfigurationError(
            f"the suite {path} cannot be read: {error.strerror or error}; make it readable, or name another"
        ) from None
    if not found:
        what = "is not a folder" if os.path.lexists(path) else "does not exist"
        raise ConfigurationError(f"the suite {path} {what}; name a folder that holds {_DEFINITIONS}/")
    root = path.resolve()
    if (root / _DEFINITIONS).is_dir():
        return root, _DEFINITIONS
    if root.name == _DEFINITIONS:
        return root.parent, _DEFINITIONS
    try:
        looks = any(_is_domain(child) for child in root.iterdir())
    except OSError as error:
        raise ConfigurationError(
            f"the suite {path} cannot be read: {error.strerror or error}; make it readable, or name another"
        ) from None
    if looks:
        return root, ""
    if _is_domain(root):
        raise ConfigurationError(
            f"{path} is one domain; name the folder above it, and choose with --domain {root.name}"
        )
    raise ConfigurationError(
        f"{path} holds no suite: there is no {_DEFINITIONS}/ and no domain folder in it; `modex init FOLDER` makes one"
    )


def _is_domain(path: Path) -> bool:
    return (
        not path.name.startswith(".")
        and path.is_dir()
        and any((path / name).exists() for name in ("domain.json", "dataset.json", *LEVELS))
    )


def _check_prompt_folders(loading: Loading) -> None:
    """A folder of prompts whose name nearly meets a domain's gives layers that nobody would see."""
    domains = {path[-3] for test in loading.suite.tests if len(path := test.location.path.split("/")) > 2} | set(
        loading.suite.domains
    )
    for name in loading.folder("prompts").folders:
        if name in domains or name in _TEMPLATE_FOLDERS:
            continue
        if hint := did_you_mean(name, domains):
            loading.report.problem(f"prompts/{name}", 0, f"there is no domain '{name}'{hint}")


_TEMPLATE_FOLDERS = frozenset(
    {"pass2", "judge", "reasoning", "qa", "agentic", "synthesis", "demo", "report", "workspaces"}
)
