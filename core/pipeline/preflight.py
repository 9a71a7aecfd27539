"""Before a run is stored: the suite's mistakes, an empty selection, a missing key; all of it before the first call."""

from __future__ import annotations

from core.errors import ConfigurationError
from core.pipeline.assembly import evaluator_configs, key_problems, needs_of, open_suite, select_tests
from core.runconfig import RunConfig


def preflight(config: RunConfig) -> list[str]:
    """What a person should know before the run; problems that were skipped are among it.

    Raises:
        SuiteError: the suite has mistakes and they are not to be skipped.
        ConfigurationError: nothing is selected, or a key is missing.
    """
    suite = open_suite(config.selection.suite, allow_plugins=config.selection.allow_plugins)
    selected = select_tests(suite, config)
    needs = needs_of(selected, evaluator_configs(suite))
    if config.until != "preprocess" and (problems := key_problems(config, needs)):
        raise ConfigurationError("\n".join(problems))
    return [f"skipped: {problem}" for problem in selected.problems]
