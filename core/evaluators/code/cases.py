"""What a test expects of a function: its name, and calls with what they must return or raise, or code that tries it."""

from __future__ import annotations

import ast
import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from modex.core.sandbox.names import LIMITS

REL_TOLERANCE = 1e-9
MAX_CASES = 200
_KEYS = {"function", "language", "cases", "test", "before", "seconds", "memory_mb", "credit"}
_CASE_KEYS = {"args", "kwargs", "calls", "returns", "raises", "check", "unchanged"}
_NAN = "nan"


@dataclass(frozen=True, slots=True)
class Case:
    """One call, or one expression that must be true after the calls before it."""

    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    returns: Any = None
    raises: str | None = None
    check: str | None = None
    unchanged: bool = False
    """Whether the arguments must be as they were after the call."""
    calls: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    """Of a class: methods of the object that the call makes, with their arguments; `returns` lists what each gives."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """A function and its cases."""

    function: str
    cases: tuple[Case, ...] = ()
    seconds: float = 2.0
    """What each case may compute."""
    test: str | None = None
    """Python that fails where the function is wrong; what it defines as `check(candidate)` is called with the function."""
    before: str = ""
    """Python that stands before the answer: what its question gave (imports, helpers, the head of the function)."""
    memory_mb: float = 512.0
    language: str = "python"


def read_expected(expected: Mapping[str, Any], seconds: float = 2.0, memory_mb: float = 512.0) -> Expectation:
    """`expected` without its problems as cases; `seconds` and `memory_mb` hold where it says none."""
    cases = tuple(
        Case(
            tuple(case.get("args", ())),
            case.get("kwargs", {}),
            case.get("returns"),
            case.get("raises"),
            case.get("check"),
            bool(case.get("unchanged", False)),
            tuple((name, tuple(args)) for name, *args in case.get("calls", ())),
        )
        for case in expected.get("cases", ())
    )
    return Expectation(
        expected["function"],
        cases,
        float(expected.get("seconds", seconds)),
        expected.get("test"),
        expected.get("before", ""),
        float(expected.get("memory_mb", memory_mb)),
        expected.get("language", "python"),
    )


def function_problems(expected: Mapping[str, Any], languages: Collection[str] = ()) -> Iterator[str]:
    """What is wrong with `expected`, one message each; `languages` are those in which functions can be called beside Python."""
    if unknown := sorted(set(expected) - _KEYS):
        yield f"expected.{unknown[0]} is not known here; known are {', '.join(sorted(_KEYS))}"
    name = expected.get("function")
    if not isinstance(name, str) or not name.isidentifier():
        yield "expected.function must be the name of a function or class"
    if (language := expected.get("language", "python")) not in ("python", *languages):
        yield (
            f"expected.language of a function must be one of python, {', '.join(languages)}; in {language} ask for a whole"
            " program, with `after` behind the answer's function"
        )
    yield from _code_problems(expected)
    if "test" in expected and "cases" not in expected:
        return
    cases = expected.get("cases")
    if not isinstance(cases, list) or not 1 <= len(cases) <= MAX_CASES:
        yield f"expected.cases must be a list of 1 to {MAX_CASES} cases"
        return
    for number, case in enumerate(cases):
        yield from (f"expected.cases[{number}]{problem}" for problem in _case_problems(case))


def limit_problems(given: Mapping[str, Any], place: str) -> Iterator[str]:
    """What is wrong with the limits `seconds` and `memory_mb` that an object at `place` gives."""
    for key, most in LIMITS.items():
        value = given.get(key, 1)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= most:
            yield f"{place}.{key} must be a number above 0 and at most {most}"


def _code_problems(expected: Mapping[str, Any]) -> Iterator[str]:
    if expected.get("language", "python") != "python":
        for key in ("test", "before"):
            if key in expected:
                yield f"expected.{key} is Python, and the language is another one; a program's cases have input and output"
        return
    for key in ("test", "before"):
        code = expected.get(key, "pass" if key == "test" else "")
        if not isinstance(code, str) or (key == "test" and not code.strip()):
            yield f"expected.{key} must be Python code"
            continue
        try:
            ast.parse(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            yield f"expected.{key} is no Python: {error}"


def _case_problems(case: Any) -> Iterator[str]:
    if not isinstance(case, Mapping):
        yield ' must be an object such as {"args": [1], "returns": 2}'
        return
    if unknown := sorted(set(case) - _CASE_KEYS):
        yield f".{unknown[0]} is not known here; known are {', '.join(sorted(_CASE_KEYS))}"
    asked = [key for key in ("returns", "raises", "check") if key in case]
    if len(asked) != 1:
        yield ": name exactly one of returns, raises, check"
    if not isinstance(case.get("args", []), list):
        yield ".args must be a list"
    yield from _calls_problems(case)
    if not isinstance(case.get("kwargs", {}), Mapping):
        yield ".kwargs must be an object"
    for key in ("raises", "check"):
        if key in case and (not isinstance(case[key], str) or not case[key].strip()):
            yield f".{key} must be a text"


def _calls_problems(case: Mapping[str, Any]) -> Iterator[str]:
    if "calls" not in case:
        return
    calls = case["calls"]
    if not isinstance(calls, list) or not all(
        isinstance(one, list) and one and isinstance(one[0], str) and one[0].isidentifier() for one in calls
    ):
        yield '.calls must be a list of calls, each the method and its arguments: [["push", 1], ["pop"]]'
    elif not isinstance(case.get("returns"), list) or len(case["returns"]) != len(calls):
        yield ".returns must list what each of the calls returns"


def same_value(got: Any, wanted: Any) -> bool:
    """Whether a returned value is the JSON gold: whole numbers exactly, floats to a relative 1e-9, tuples as lists.

    True is not 1; a float may stand for a whole number of the same value and the other way round. Keys compare as JSON
    writes them; an empty set or a set is the gold `{"set": […]}`.
    """
    if isinstance(wanted, Mapping) and set(wanted) == {"set"}:
        return isinstance(got, set | frozenset) and _same_members(got, wanted["set"])
    if isinstance(got, bool) or isinstance(wanted, bool):
        return isinstance(got, bool) and isinstance(wanted, bool) and got == wanted
    if isinstance(wanted, int | float):
        return isinstance(got, int | float) and _same_number(got, wanted)
    if isinstance(wanted, str) or wanted is None:
        return type(got) is type(wanted) and got == wanted
    if isinstance(wanted, Mapping):
        if not isinstance(got, Mapping) or len(got) != len(wanted):
            return False
        by_name = {_key(key): value for key, value in got.items()}
        return all(key in by_name and same_value(by_name[key], value) for key, value in wanted.items())
    if not isinstance(got, list | tuple) or len(got) != len(wanted):
        return False
    return all(same_value(one, two) for one, two in zip(got, wanted, strict=True))


def _same_members(got: set[Any] | frozenset[Any], wanted: list[Any]) -> bool:
    """Whether each stands on the other side too; how often a gold names one is all the same."""
    return all(any(same_value(one, two) for one in got) for two in wanted) and all(
        any(same_value(one, two) for two in wanted) for one in got
    )


def _same_number(got: float, wanted: float) -> bool:
    if isinstance(got, int) and isinstance(wanted, int):
        return got == wanted
    try:
        return math.isclose(got, wanted, rel_tol=REL_TOLERANCE, abs_tol=1e-12)
    except OverflowError:  # a whole number beyond any float
        return False


def _key(key: Any) -> str:
    if isinstance(key, bool):
        return "true" if key else "false"
    if key is None:
        return "null"
    return key if isinstance(key, str) else str(key)
