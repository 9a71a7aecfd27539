"""Which solution a test carries, and what who does nothing answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from modex.core.features.solutions.carried import Solution, nothing_of, solution_of
from modex.core.suite.definitions import Location, TestCase

CASES: dict[str, Any] = {"function": "add", "cases": [{"args": [1, 2], "returns": 3}]}
BEGUN = 'def add(a, b):\n    """The sum."""\n'


def coded(**given: Any) -> TestCase:
    """A code test."""
    plain = TestCase(
        "suite", "d", 1, "t", prompt="Add.", expected=CASES, evaluator_id="code_tests", location=Location("t")
    )
    return replace(plain, **given)


@pytest.mark.parametrize(
    ("given", "answer"),
    [
        ({"sandbox": {"solution": "add = sum"}}, "```python\nadd = sum\n```"),
        ({"sandbox": {"solution": "So:\n```\nadd = sum\n```"}}, "So:\n```\nadd = sum\n```"),
        ({"sandbox": {"solution": "x"}, "expected": {"language": "rust", "cases": []}}, "```rust\nx\n```"),
        ({"sandbox": {"solution": "x = '```'"}}, "````python\nx = '```'\n````"),
        ({"sandbox": {"solution": "sum"}, "evaluator_id": "mine"}, "sum"),
        (
            {"expected": {**CASES, "before": BEGUN}, "metadata": {"canonical_solution": "    return a + b\n"}},
            f"```python\n{BEGUN}    return a + b\n\n```",
        ),
        ({"metadata": {"code": "add = sum", "good_answer": "x"}}, "```python\nadd = sum\n```"),
        ({"metadata": {"canonical_solution": " ", "code": "add = sum"}}, "```python\nadd = sum\n```"),
        ({"metadata": {"good_answer": "~~~py\nadd = sum\n~~~"}}, "~~~py\nadd = sum\n~~~"),
        ({"sandbox": {"solution": "mine"}, "metadata": {"code": "other"}}, "```python\nmine\n```"),
    ],
)
def test_a_code_test_has_its_solution_as_an_answer(given: dict[str, Any], answer: str) -> None:
    assert solution_of(coded(**given)) == Solution(answer)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"sandbox": {"solution": "  "}},
        {"metadata": {"code": 7, "canonical_solution": "", "good_answer": None}},
        {"metadata": {"good_answer": "yes"}, "evaluator_id": "keyword"},
        {"sandbox": {"checks": ["true"]}, "metadata": {"good_answer": "yes"}},
        {"sandbox": {"checks": ["true"], "solution": "text"}},
    ],
)
def test_others_carry_none(given: dict[str, Any]) -> None:
    assert solution_of(coded(**given)) is None


def test_a_workspace_has_what_becomes_of_its_folder() -> None:
    found = coded(sandbox={"files": {}, "solution": {"run": "make"}}, evaluator_id="workspace")
    assert solution_of(found) == Solution("Done.", {"run": "make"})
    assert nothing_of(found) == Solution("Nothing was done.", {})


@pytest.mark.parametrize(
    ("given", "answer"),
    [
        ({}, "```python\ndef add(*given, **named):\n    pass\n```"),
        ({"expected": {**CASES, "before": BEGUN}}, f"```python\n{BEGUN}    pass\n```"),
        ({"expected": {**CASES, "before": "import re\n"}}, "```python\ndef add(*given, **named):\n    pass\n```"),
        ({"expected": {**CASES, "language": "javascript"}}, "```javascript\nfunction add() {}\n```"),
        ({"expected": {"language": "bash", "cases": [{"input": "", "output": "1"}]}}, "```bash\n:\n```"),
        ({"expected": {"pytest": "import solution"}}, "```python\npass\n```"),
        ({"evaluator_id": "mine"}, "Nothing was done."),
    ],
)
def test_who_does_nothing_begins_and_stops(given: dict[str, Any], answer: str) -> None:
    assert nothing_of(coded(**given)) == Solution(answer)
