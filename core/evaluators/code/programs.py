"""What a test expects of a whole program: inputs with the outputs that they must give, or code that looks at the output."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from modex.core.evaluators.code.cases import MAX_CASES, limit_problems
from modex.core.sandbox.languages import LANGUAGES

KEYS = {"language", "cases", "before", "after", "seconds", "memory_mb", "tolerance", "checker", "credit"}
_CASE_KEYS = {"input", "output", "seconds", "memory_mb"}
_MOST_CHARS = 4_000_000


@dataclass(frozen=True, slots=True)
class ProgramCase:
    """One run of the program."""

    given: str
    outputs: tuple[str, ...]
    """Texts of which any one is right; none where only the checker knows."""
    seconds: float
    memory_mb: float


@dataclass(frozen=True, slots=True)
class ProgramExpectation:
    """A program in a language, and its cases."""

    language: str
    cases: tuple[ProgramCase, ...]
    before: str = ""
    after: str = ""
    """Code around the answer's, where that is not a whole program."""
    tolerance: float | None = None
    checker: str | None = None
    """Python with `check(input, output, expected)`: true where the output is right, else false or a text that says why not."""


def read_program(expected: Mapping[str, Any], seconds: float, memory_mb: float) -> ProgramExpectation:
    """`expected` without its problems; `seconds` and `memory_mb` hold where it says none."""
    seconds, memory_mb = float(expected.get("seconds", seconds)), float(expected.get("memory_mb", memory_mb))
    cases = tuple(
        ProgramCase(
            case.get("input", ""),
            _outputs(case),
            float(case.get("seconds", seconds)),
            float(case.get("memory_mb", memory_mb)),
        )
        for case in expected["cases"]
    )
    return ProgramExpectation(
        expected.get("language", "python"), cases, expected.get("before", ""), expected.get("after", ""),
        expected.get("tolerance"), expected.get("checker"),
    )  # fmt: skip


def program_problems(expected: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with `expected`, one message each."""
    if unknown := sorted(set(expected) - KEYS):
        yield f"expected.{unknown[0]} is not known for a program; known are {', '.join(sorted(KEYS))}"
    if expected.get("language", "python") not in LANGUAGES:
        yield f"expected.language must be one of {', '.join(LANGUAGES)}"
    for key in ("before", "after"):
        if not isinstance(expected.get(key, ""), str):
            yield f"expected.{key} must be code"
    tolerance = expected.get("tolerance", 0.0)
    if isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or not 0 <= tolerance < 1:
        yield "expected.tolerance must be a number from 0 and below 1"
    yield from _checker_problems(expected.get("checker"))
    cases = expected.get("cases")
    if not isinstance(cases, list) or not 1 <= len(cases) <= MAX_CASES:
        yield f'expected.cases must be a list of 1 to {MAX_CASES} cases such as {{"input": "1 2", "output": "3"}}'
        return
    for number, case in enumerate(cases):
        for problem in _case_problems(case, checked=expected.get("checker") is not None):
            yield f"expected.cases[{number}]{problem}"


def _outputs(case: Mapping[str, Any]) -> tuple[str, ...]:
    output = case.get("output", [])
    return (output,) if isinstance(output, str) else tuple(output)


def _checker_problems(code: Any) -> Iterator[str]:
    if code is None:
        return
    if not isinstance(code, str):
        yield "expected.checker must be Python code that defines check(input, output, expected)"
        return
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        yield f"expected.checker is no Python: {error}"
        return
    if not any(isinstance(node, ast.FunctionDef) and node.name == "check" for node in body):
        yield "expected.checker must define check(input, output, expected)"


def _case_problems(case: Any, *, checked: bool) -> Iterator[str]:
    if not isinstance(case, Mapping):
        yield ' must be an object such as {"input": "1 2", "output": "3"}'
        return
    if unknown := sorted(set(case) - _CASE_KEYS):
        yield f".{unknown[0]} is not known here; known are {', '.join(sorted(_CASE_KEYS))}"
    if not isinstance(case.get("input", ""), str) or len(case.get("input", "")) > _MOST_CHARS:
        yield f".input must be a text of at most {_MOST_CHARS:,} characters"
    output = case.get("output", None if not checked else [])
    listed = isinstance(output, list) and all(isinstance(one, str) for one in output) and (output or checked)
    if not isinstance(output, str) and not listed:
        yield ".output must be a text, or a list of texts of which any is right"
    yield from limit_problems(case, "")
