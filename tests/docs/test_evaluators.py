"""Every evaluator is described."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from docs.generate import FOLDER
from modex.core.evaluators.registry import get_evaluator
from modex.core.suite.builtin import BUILTIN_EVALUATORS
from modex.core.suite.definitions import EvaluatorConfig, Location, TestCase
from modex.core.suite.loading import load_suite
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
