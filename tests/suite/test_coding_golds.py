"""Every coding gold is what running the program of its own prompt gives."""

from __future__ import annotations

import contextlib
import ctypes
import io
import re
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

import pytest

from modex.core.suite.definitions import TestCase
from modex.core.suite.variants import varied
from tests.rows import each_row
from tests.suite.golds import bundled, golds_by_hand

TESTS = golds_by_hand("coding")
GROWTH = {
    "O(log n)": (1.0, 1.35),
    "O(n)": (1.8, 2.1),
    "O(n log n)": (2.12, 2.6),
    "O(n²)": (3.7, 4.3),
    "O(2^n)": (10, 1e9),
}
"""By what factor the executed lines of a program grow when n doubles."""


def of_kind(kind: str) -> list[str]:
    return [test_id for test_id, test in TESTS.items() if test["metadata"]["check"] == kind]


def shown_code(test: dict[str, Any]) -> str:
    """The one program that the prompt shows."""
    (code,) = re.findall(r"```\w+\n(.*?)\n```", test["prompt"], re.S)
    return str(code)


def printed(code: str) -> str:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(code, {"__name__": "shown"})
    return output.getvalue().strip()


def passes(code: str, checks: str) -> bool:
    try:
        exec(f"{code}\n{checks}", {"__name__": "shown"})
    except Exception:
        return False
    return True


@contextlib.contextmanager
def counted_lines() -> Iterator[list[int]]:
    """Count the executed lines of shown programs in the first element of the list."""
    count = [0]

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != "<shown>":
            return None
        count[0] += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield count
    finally:
        sys.settrace(before)


def work(code: str, call: str, size: int) -> int:
    space: dict[str, Any] = {"__name__": "shown"}
    exec(compile(code, "<shown>", "exec"), space)
    with counted_lines() as count:
        eval(call.replace("{n}", str(size)), space)
    return count[0]


@each_row("test_id", of_kind("output"))
def test_the_gold_is_what_the_program_prints(test_id: str) -> None:
    test = TESTS[test_id]
    assert printed(shown_code(test)) == str(test["expected"]["value"])


@each_row("test_id", of_kind("bug_line"))
def test_changing_the_named_line_repairs_the_program(test_id: str) -> None:
    test = TESTS[test_id]
    meta = test["metadata"]
    lines = meta["code"].split("\n")
    assert shown_code(test).split("\n") == [f"{number:>2}  {line}" for number, line in enumerate(lines, 1)]
    assert not passes(meta["code"], meta["checks"])
    lines[test["expected"]["value"] - 1] = meta["fixed_line"]
    assert passes("\n".join(lines), meta["checks"])


@each_row("test_id", of_kind("growth"))
def test_the_bound_fits_the_lines_executed(test_id: str) -> None:
    test = TESTS[test_id]
    code, call, size = shown_code(test), test["metadata"]["call"], test["metadata"]["n"]
    factor = work(code, call, 2 * size) / work(code, call, size)
    fitting = [name for name, (low, high) in GROWTH.items() if low <= factor <= high]
    assert fitting == [test["expected"]["options"][test["expected"]["value"]]], factor


@pytest.mark.parametrize("test_id", of_kind("blank"))
def test_exactly_one_option_fills_the_blank(test_id: str) -> None:
    test = TESTS[test_id]
    options = test["expected"]["options"]
    right = [
        letter
        for letter, text in options.items()
        if passes(shown_code(test).replace("____", text), test["metadata"]["checks"])
    ]
    assert right == [test["expected"]["value"]]


@each_row("test_id", [*of_kind("growth"), *of_kind("blank")])
def test_options_stand_in_the_prompt(test_id: str) -> None:
    test = TESTS[test_id]
    for letter, text in test["expected"]["options"].items():
        assert f"\n{letter}) {text}" in test["prompt"]


def test_bytes_wrap_around_as_c_types_do() -> None:
    a, b = ctypes.c_uint8(200), ctypes.c_uint8(100)
    values = [
        ctypes.c_int8(a.value + b.value).value,
        ctypes.c_uint8(a.value + b.value).value,
        a.value + b.value,
        ctypes.c_uint8(b.value - a.value).value,
        ctypes.c_int8(a.value).value,
    ]
    assert TESTS["wrap_around"]["expected"]["value"] == " ".join(map(str, values))
    assert of_kind("model") == ["wrap_around"]


def test_every_gold_is_checked() -> None:
    kinds = {"output", "bug_line", "growth", "blank", "model"}
    assert {test["metadata"]["check"] for test in TESTS.values()} == kinds


@pytest.fixture(scope="module", params=(0, 1, 2))
def programs(request: pytest.FixtureRequest) -> dict[str, TestCase]:
    """The tests that a seed makes from templates, where their prompt shows one Python program."""
    made = varied(bundled(), request.param, lambda test: test.domain == "coding")
    return {
        test.test_id: test
        for test in made.tests
        if test.domain == "coding" and test.template is not None and str(test.prompt).count("```python") == 1
    }


def test_a_template_computes_what_its_program_prints(programs: dict[str, TestCase]) -> None:
    assert len(programs) >= 8
    for test_id, test in programs.items():
        (code,) = re.findall(r"```python\n(.*?)\n```", str(test.prompt), re.S)
        assert printed(code) == test.expected["value"], test_id
