"""The solution that a test carries, as an answer or as what becomes of its folder; and the answer of who does nothing.

A code test has its solution as the text `sandbox.solution`; HumanEval's rows have `canonical_solution`, MBPP's `code`, and other
tests a `good_answer` in their metadata.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from modex.core.evaluators.code.forms import form_of
from modex.core.sandbox.languages import LANGUAGES
from modex.core.sandbox.workspace.spec import has_workspace
from modex.core.suite.definitions import TestCase

_CODE = "code_tests"
_FENCES = re.compile(r"^[ \t]*(`{3,}|~{3,})", re.MULTILINE)
_NOTHING: Mapping[str, str] = {
    "python": "pass",
    "javascript": ";",
    "c": "int main(void) { return 0; }",
    "cpp": "int main() { return 0; }",
    "go": "package main\n\nfunc main() {}",
    "rust": "fn main() {}",
    "bash": ":",
}
"""The program of each language that does nothing."""
_NO_FUNCTION: Mapping[str, str] = {
    "python": "def {name}(*given, **named):\n    pass",
    "javascript": "function {name}() {{}}",
}


@dataclass(frozen=True, slots=True)
class Solution:
    """How a test is solved."""

    answer: str = "Done."
    """What the model says."""
    folder: Mapping[str, Any] | None = None
    """What becomes of its folder: `files`, `folder`, `run` as a test writes them; None where it has none."""


def solution_of(test: TestCase) -> Solution | None:
    """The solution that a test carries; None where it carries none."""
    own = test.sandbox.get("solution")
    if has_workspace(test.sandbox):
        return Solution(folder=own) if isinstance(own, Mapping) else None
    expected: Mapping[str, Any] = test.expected if isinstance(test.expected, Mapping) else {}
    if isinstance(own, str) and own.strip():
        return Solution(_answer(own, expected) if test.evaluator_id == _CODE else own)
    if test.evaluator_id != _CODE:
        return None
    found = (test.metadata.get(name) for name in ("canonical_solution", "code", "good_answer"))
    whole, code, answer = (one if isinstance(one, str) and one.strip() else "" for one in found)
    if whole:
        # It goes on where the question ends: https://arxiv.org/abs/2107.03374.
        return Solution(_fenced(f"{expected.get('before', '')}{whole}", expected))
    return Solution(_answer(code or answer, expected)) if code or answer else None


def nothing_of(test: TestCase) -> Solution:
    """What who does nothing leaves and says: the folder as it is, a function that is only begun, an empty program."""
    if has_workspace(test.sandbox):
        return Solution("Nothing was done.", {})
    expected = test.expected
    if test.evaluator_id != _CODE or not isinstance(expected, Mapping):
        return Solution("Nothing was done.")
    language = str(expected.get("language", "python"))
    if form_of(expected) != "function":
        return Solution(_fenced(_NOTHING[language], expected))
    name, begun = str(expected["function"]), str(expected.get("before") or "")
    if re.search(rf"^[ \t]*(?:async[ \t]+)?def[ \t]+{re.escape(name)}\b", begun, re.MULTILINE):
        return Solution(_fenced(f"{begun.rstrip()}\n    pass", expected))
    return Solution(_fenced(_NO_FUNCTION[language].format(name=name), expected))


def _answer(text: str, expected: Mapping[str, Any]) -> str:
    """What has a block of code is an answer; code alone becomes one."""
    return text if _FENCES.search(text) else _fenced(text, expected)


def _fenced(code: str, expected: Mapping[str, Any]) -> str:
    """Code in a block of its language, whose fence is longer than any in the code."""
    tag = LANGUAGES[str(expected.get("language", "python"))].tags[0]
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", code)), default=0))
    return f"{fence}{tag}\n{code}\n{fence}"
