"""A suite as its files say it, with none of its code run and nothing of a run imported: what screens and completion read."""

from __future__ import annotations

from pathlib import Path

from modex.core.evaluators.registry import default_configs, evaluator_ids
from modex.core.suite.definitions import EvaluatorConfig, Suite
from modex.core.suite.loading import load_suite


def load_suite_only(path: str | None, *, tests: bool = True) -> Suite:
    """Load the suite (None: the bundled one), with or without its `tests`, and run none of its code.

    Raises:
        ConfigurationError: no suite there.
    """
    return load_suite(Path(path).expanduser() if path else None, builtin_evaluators=evaluator_ids(), tests=tests)


def evaluator_configs(suite: Suite) -> dict[str, EvaluatorConfig]:
    """Every evaluator by id: the built-in ones, then the suite's own files, which may replace them."""
    return {**default_configs(), **suite.evaluators}
