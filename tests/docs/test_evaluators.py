"""Every evaluator is described."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from docs.generate import FOLDER
from modex.core.evaluators.code.evaluator import CodeTestsEvaluator
from modex.core.evaluators.registry import get_evaluator
from modex.core.suite.builtin import BUILTIN_EVALUATORS
from modex.core.suite.definitions import EvaluatorConfig, Location, TestCase
from modex.core.suite.loading import load_suite
from tests.core.evaluators.conftest import config, context, sample
from tests.core.sandbox.conftest import boxes  # noqa: F401 - a fixture
from tests.docs.blocks import write
from tests.rows import each_row

PAGE = (FOLDER / "evaluators.md").read_text("utf-8")


@each_row("identity", BUILTIN_EVALUATORS)
def test_every_evaluator_has_a_heading_of_its_own(identity: str) -> None:
    headings = [line for line in PAGE.splitlines() if line.startswith("## ")]
    assert any(f"`{identity}`" in line for line in headings)


def _examples(section: str) -> list[dict[str, object]]:
    """The JSON objects of the first block under a heading."""
    text = PAGE.split(f"## `{section}`", 1)[1]
    block = re.search(r"```json\n(.*?)```", text, re.DOTALL)
    assert block is not None
    decoder, at, found = json.JSONDecoder(), 0, []
    source = block[1].strip()
    while at < len(source):
        value, at = decoder.raw_decode(source, at)
        found.append(value)
        at += len(source[at:]) - len(source[at:].lstrip())
    return found


def test_the_hybrids_of_the_page_are_sound(tmp_path: Path) -> None:
    files = {f"test_definitions/evaluators/{n}.json": json.dumps(one) for n, one in enumerate(_examples("hybrid"))}
    write(tmp_path, {"test_definitions/d/domain.json": '{"id": "d"}', **files})
    assert [str(problem) for problem in load_suite(tmp_path).problems] == []


@pytest.mark.parametrize("expected", _examples("keyword"))
def test_the_keywords_of_the_page_are_sound(expected: object) -> None:
    config = EvaluatorConfig("keyword", "keyword", "builtin")
    test = TestCase("suite", "d", 1, "t", "p", expected, "keyword", Location("t.json"))
    assert list(get_evaluator(config).check(test, config, None)) == []


RIGHT = {
    "median": (
        "def median(values):\n    if not values: raise ValueError\n    values = sorted(values)\n    half = len(values) // 2\n"
        "    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2"
    ),
    "Stack": "class Stack(list):\n    push = list.append",
    "add": "def add(x: int, y: int):\n    return x + y",
    "cpp": (
        "#include <iostream>\nint main() { int n; double s = 0, x; std::cin >> n;"
        " for (int i = 0; i < n; i++) { std::cin >> x; s += x; } std::cout << s / n; }"
    ),
    "solution": "def add(a, b):\n    return 3",
}
"""Answers that the examples of code tests on the page let pass."""


def _of_code() -> list[dict[str, object]]:
    section = PAGE.split("## `code_tests`", 1)[1].split("\n## `", 1)[0]
    found = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", section, re.DOTALL)]
    return [one for one in found if "sandbox" not in one]


@pytest.mark.process
@pytest.mark.usefixtures("boxes")
@pytest.mark.parametrize("expected", _of_code(), ids=str)
def test_the_code_tests_of_the_page_let_right_answers_pass(expected: dict[str, object]) -> None:
    code = RIGHT[str(expected.get("function", expected.get("language", "solution")))]
    judging = replace(context(config("code_tests")), sandbox="bubblewrap")
    answer = f"```{expected.get('language', 'python')}\n{code}\n```"
    result = CodeTestsEvaluator().evaluate(sample(answer, expected), judging)
    assert (result.score, result.why) == (1.0, result.why)
