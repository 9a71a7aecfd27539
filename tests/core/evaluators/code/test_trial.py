"""Answers of every kind of Python, tests in Python, and what is no fault of an answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.code.evaluator import CodeTestsEvaluator
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.sandbox import interpreters
from modex.core.sandbox.names import SandboxName
from modex.core.verdict import Cases
from tests.core.evaluators.conftest import config, context, sample
from tests.rows import each_row

DOUBLE = {"function": "double", "cases": [{"args": [2], "returns": 4}]}


def judged(code: str, expected: Any = DOUBLE, sandbox: SandboxName = "bubblewrap") -> EvaluationResult:
    judging = replace(context(config("code_tests")), sandbox=sandbox)
    return CodeTestsEvaluator().evaluate(sample(f"```python\n{code}\n```", expected), judging)


def cases(result: EvaluationResult) -> Cases:
    (found,) = result.found
    assert isinstance(found, Cases)
    return found


@pytest.mark.usefixtures("boxes")
@each_row(
    "code",
    [
        "def parts(x):\n    yield x\n    yield x\ndef double(x): return sum(parts(x))",
        "def double(x):\n    kept = [x, 0]\n    del kept[1]\n    return kept[0] * 2",
        "class Twice(int):\n    def value(self): return self * 2\ndef double(x): return Twice(x).value()",
        "import heapq\ndef double(x): return heapq.nlargest(1, [x * 2, 0])[0]",
        "from operator import mul\ndef double(x): return mul(x, 2)",
        "import string\ndef double(x): return x + string.digits.index('2')",
        "import statistics\ndef double(x): return statistics.mean([x, 3 * x])",
        "from contextlib import suppress\ndef double(x):\n    with suppress(KeyError):\n        raise KeyError\n    return x * 2",
        "from abc import ABC\nclass A(ABC):\n    @property\n    def two(self): return 2\ndef double(x): return x * A().two",
        "import sys\nsys.setrecursionlimit(3000)\ndef double(x, n=1000): return double(x, n - 1) if n else x * 2",
        "from enum import IntEnum\nclass N(IntEnum):\n    TWO = 2\ndef double(x): return x * N.TWO",
    ],
)
def test_a_right_function_passes_whatever_of_python_it_uses(code: str) -> None:
    result = judged(code)
    assert result.score == 1.0
    assert cases(result).sandbox == "bubblewrap"


@pytest.mark.usefixtures("boxes")
def test_a_package_that_the_sandbox_lacks_is_no_wrong_answer() -> None:
    for code in ("import numpy\ndef double(x): return x", "def double(x):\n    import numpy\n    return x"):
        with pytest.raises(JudgeError, match="the sandbox bubblewrap does not have module numpy;") as failure:
            judged(code)
        assert failure.value.error_type == ErrorType.UNSUPPORTED_CODE


@each_row(
    ("code", "lacks"),
    [
        ("def double(x):\n    yield x", "yield"),
        ("import heapq\ndef double(x):\n    return x * 2", "module heapq"),
        ("def double(x):\n    return len(memoryview(bytes(x * 2)))", "memoryview"),
        ("class A(int): pass\ndef double(x):\n    return A(x) * 2", "class inheritance"),
    ],
)
def test_a_part_of_python_lacks_more_and_says_which_sandbox_does_not(code: str, lacks: str) -> None:
    with pytest.raises(
        JudgeError, match=f"the sandbox monty does not have .*{lacks}.*; take --sandbox bubblewrap"
    ) as failure:
        judged(code, sandbox="monty")
    assert failure.value.error_type == ErrorType.UNSUPPORTED_CODE


@pytest.mark.usefixtures("boxes")
@each_row(
    ("raises", "score"), [("Empty", 1.0), ("LookupError", 1.0), ("Exception", 1.0), ("KeyError", 0.0), ("object", 0.0)]
)
def test_an_error_below_the_one_that_is_asked_for_is_right(raises: str, score: float) -> None:
    code = "class Empty(LookupError): pass\ndef double(x):\n    raise Empty"
    assert judged(code, {"function": "double", "cases": [{"args": [1], "raises": raises}]}).score == score


CHECK = "def check(candidate):\n    assert candidate(2) == 4\n    assert candidate('a') == 'aa'\n"


@pytest.mark.usefixtures("boxes")
@each_row(
    ("test", "code", "why"),
    [
        (CHECK, "def double(x): return x * 2", ""),
        (CHECK, "def double(x): return x ** 2", "the test gave TypeError: "),
        (CHECK, "def double(x): return 2 * x if x == 2 else x", "candidate('a') gave 'a', expected 'aa'"),
        (f"{CHECK}\ncheck(double)", "def double(x): return 4", "candidate('a') gave 4, expected 'aa'"),
        ("assert double(1) == 2", "def double(x): return x * 2", ""),
        ("assert double(1) == 2", "def double(x): return 3", "double(1) gave 3, expected 2"),
        (
            "assert double(1) == 2, 'not two'",
            "def double(x): return 3",
            "the test gave AssertionError: not two, expected it to hold",
        ),
        (
            "double(1)",
            "import os\ndef double(x): os._exit(0)",
            "the test gave no result: the code ended its interpreter (exit code 0)",
        ),
        ("double(1)", "def double(x):\n    while True: pass", "the test gave no result in time"),
        ("double(1)", "def double(x): return bytearray(2**30)", "the test gave an error: MemoryError"),
    ],
)
def test_a_test_in_python_holds_or_says_what_does_not(test: str, code: str, why: str) -> None:
    result = judged(code, {"function": "double", "test": test, "seconds": 0.5})
    found = cases(result)
    assert (result.score, found.passed, found.total) == ((1.0, 1, 1) if not why else (0.0, 0, 1))
    assert found.why.startswith(why)


@pytest.mark.usefixtures("boxes")
def test_cases_come_before_the_test_and_all_must_hold() -> None:
    expected = {"function": "double", "cases": [{"args": [2], "returns": 4}], "test": "assert double(3) == 6"}
    assert (
        cases(judged("def double(x): return 4", expected)).passed,
        judged("def double(x): return x * 2", expected).score,
    ) == (1, 1.0)
    found = cases(judged("def double(x): return 5", expected))
    assert (found.passed, found.total, len(found.failures)) == (0, 2, 2)


@pytest.mark.usefixtures("boxes")
@each_row(
    ("response", "score"),
    [
        ("def double(x):\n    return twice(x)", 1.0),
        ("def double(x: List[int]) -> int:\n    return twice(x)", 1.0),
        ("    return twice(x)", 1.0),
        ("return twice(x)", 1.0),
        ("    return 3", 0.0),
        ("Sorry, I cannot.", 0.0),
    ],
)
def test_what_the_question_gave_stands_before_the_answer(response: str, score: float) -> None:
    before = 'from typing import List\ndef twice(x): return x * 2\n\ndef double(x):\n    """Twice x."""\n'
    expected = {"function": "double", "before": before, "test": CHECK}
    judging = replace(context(config("code_tests")), sandbox="bubblewrap")
    assert CodeTestsEvaluator().evaluate(sample(response, expected), judging).score == score


def test_a_test_in_python_needs_python_itself() -> None:
    with pytest.raises(JudgeError, match="it needs Python itself") as failure:
        judged("def double(x): return x", {"function": "double", "test": "double(1)"}, sandbox="monty")
    assert failure.value.error_type == ErrorType.SANDBOX_UNAVAILABLE


def test_a_sandbox_that_does_not_work_is_an_error_and_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreters, "bubblewrap_unavailable", lambda: "no namespaces here")
    with pytest.raises(JudgeError, match="no namespaces here") as failure:
        judged("def double(x): return x * 2")
    assert failure.value.error_type == ErrorType.SANDBOX_UNAVAILABLE
    assert judged("def double(x): return x * 2", sandbox="auto").score == 1.0
