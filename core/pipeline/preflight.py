"""Before a run is stored: the suite's mistakes, an empty selection, a missing key; all of it before the first call."""

from __future__ import annotations

from core.errors import ConfigurationError
from core.pipeline.assembly import CheckedTests, checked_tests, key_problems
from core.runconfig import RunConfig

_NAMED = 20


def preflight(config: RunConfig) -> list[str]:
    """What a person should know before the run; problems that were skipped are among it.

    Raises:
        SuiteError: the suite has mistakes and they are not to be skipped.
        ConfigurationError: nothing is selected, or a key is missing.
    """
    return notes(checked_run(config))


def checked_run(config: RunConfig) -> CheckedTests:
    """As `preflight`; what was read, for a session in this process."""
    checked = checked_tests(config)
    if config.until != "preprocess" and (problems := key_problems(config, checked.needs)):
        raise ConfigurationError("\n".join(problems))
    return checked


def notes(checked: CheckedTests) -> list[str]:
    """The problems that were skipped and what --no-judge leaves out, each in a sentence."""
    said = [f"skipped: {problem}" for problem in checked.selected.problems]
    if left_out := checked.selected.left_out:
        tests = "1 test" if len(left_out) == 1 else f"{len(left_out)} tests"
        more = f" and {len(left_out) - _NAMED} more" if len(left_out) > _NAMED else ""
        said.append(f"--no-judge leaves out {tests}: {', '.join(left_out[:_NAMED])}{more}")
    return said
