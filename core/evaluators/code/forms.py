"""The forms of a code test, told by their keys: a function or class with calls, a whole program, a file of pytest's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from modex.core.evaluators.code.calls import HARNESSES
from modex.core.evaluators.code.cases import function_problems, limit_problems
from modex.core.evaluators.code.programs import program_problems
from modex.core.evaluators.code.pytest_file import pytest_problems

Form = Literal["function", "program", "pytest"]
_FED, _OF_PROGRAMS = {"input", "output"}, {"language", "checker", "tolerance", "after"}
CREDITS = ("all", "cases")
"""How the score comes from cases that hold: all of them or nothing, or their share."""


def form_of(expected: Mapping[str, Any]) -> Form:
    """Which form it is."""
    if "pytest" in expected:
        return "pytest"
    cases = expected.get("cases")
    fed = isinstance(cases, list) and any(isinstance(case, Mapping) and _FED & set(case) for case in cases)
    return "program" if "function" not in expected and (fed or _OF_PROGRAMS & set(expected)) else "function"


def problems_of(expected: Any) -> Iterator[str]:
    """What is wrong with `expected`, one message each."""
    if not isinstance(expected, Mapping):
        yield (
            'expected is {"function": name, "cases": [{"args": […], "returns": …}]} or with a "test" in Python,'
            ' {"language": "cpp", "cases": [{"input": "…", "output": "…"}]}, or {"pytest": "…"}'
        )
        return
    if expected.get("credit", "all") not in CREDITS:
        yield f"expected.credit must be one of {', '.join(CREDITS)}"
    yield from limit_problems(expected, "expected")
    form = form_of(expected)
    if form == "function":
        yield from function_problems(expected, HARNESSES)
    else:
        yield from (program_problems if form == "program" else pytest_problems)(expected)
