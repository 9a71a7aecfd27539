"""What only an evaluator can say about a test: is its `expected` one that it can score?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from modex.core.foundation.errors import Problem
from modex.core.suite.definitions import EvaluatorConfig, Suite, TestCase
from modex.core.suite.files import FileFaultError, read_text
from modex.core.suite.positions import find_lines


class CheckNote(str):
    """Something worth knowing of a test that is no mistake; an evaluator's `check` yields it beside the mistakes."""

    __slots__ = ()


def prefixed(prefix: str, message: str) -> str:
    """`message` behind `prefix`; a note stays one."""
    return type(message)(prefix + message)


ExpectedCheck = Callable[[TestCase, EvaluatorConfig, Path | None], Iterable[str]]
"""An evaluator's `check`: yields what is wrong with a test's `expected`, one message each."""


def config_of(
    suite: Suite, evaluator_id: str, defaults: Mapping[str, EvaluatorConfig] | None = None
) -> EvaluatorConfig:
    """The configuration behind an `evaluator_id`: the suite's file, else the built-in's own."""
    found = suite.evaluators.get(evaluator_id)
    if found is None and defaults is not None:
        found = defaults.get(evaluator_id)
    return found if found is not None else EvaluatorConfig(evaluator_id, evaluator_id, "builtin")


def _check_for(config: EvaluatorConfig, checks: Mapping[str, ExpectedCheck]) -> ExpectedCheck | None:
    names = (config.id, config.config.get("base"), config.type)
    return next((checks[name] for name in names if isinstance(name, str) and name in checks), None)


def check_tests(
    tests: Iterable[TestCase],
    suite: Suite,
    checks: Mapping[str, ExpectedCheck],
    defaults: Mapping[str, EvaluatorConfig] | None = None,
    *,
    golds_needed: bool = True,
) -> Iterator[tuple[TestCase, list[str]]]:
    """Each test with what its evaluator says of it, notes among it; tests that are invalid already pass through.

    A check that raises is itself a finding, so that one odd test cannot end the command.
    """
    found: dict[str, tuple[EvaluatorConfig, ExpectedCheck | None]] = {}
    for test in tests:
        if (
            test.invalid is not None
            or not test.written
            or (test.expected is None and (test.lacks_gold or not golds_needed))
        ):
            yield test, []
            continue
        if test.evaluator_id not in found:
            config = config_of(suite, test.evaluator_id, defaults)
            found[test.evaluator_id] = (config, _check_for(config, checks))
        config, check = found[test.evaluator_id]
        messages: list[str] = []
        if check is not None:
            try:
                messages = list(check(test, config, suite.root))
            except Exception as error:
                messages = [f"'expected' cannot be checked by '{test.evaluator_id}': {type(error).__name__}: {error}"]
        yield test, messages


def check_suite(
    suite: Suite,
    checks: Mapping[str, ExpectedCheck],
    defaults: Mapping[str, EvaluatorConfig] | None = None,
    *,
    golds_needed: bool = True,
) -> None:
    """Let each test's evaluator check it: adds to `suite.problems`, and marks the tests `invalid`.

    `checks` are found by the evaluator's id, else by its `config.base`, else by its type (`regex`, `custom`, `hybrid`).
    """
    for position, (test, messages) in enumerate(
        check_tests(list(suite.tests), suite, checks, defaults, golds_needed=golds_needed)
    ):
        lines = [Problem(test.location.path, _line(suite, test), str(message)) for message in messages]
        suite.notes += [note for note, message in zip(lines, messages, strict=True) if isinstance(message, CheckNote)]
        if problems := [
            problem for problem, message in zip(lines, messages, strict=True) if not isinstance(message, CheckNote)
        ]:
            suite.problems += problems
            suite.tests[position] = replace(test, invalid="; ".join(map(str, problems[:3])))
    suite.problems, suite.notes = sorted(set(suite.problems)), sorted(set(suite.notes))


def _line(suite: Suite, test: TestCase) -> int:
    """The line of the test's `expected`."""
    path = test.location.path
    if test.location.line > 1 or not path.endswith(".json"):
        return test.location.line
    try:
        return find_lines(read_text(suite.root / path), [("expected",)])[("expected",)]
    except FileFaultError:
        return test.location.line
