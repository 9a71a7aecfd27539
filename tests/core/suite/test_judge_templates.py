"""Placeholders in judges' prompts: those that nobody fills are named, in a file of evaluators and in `prompts/judge/`."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modex.core.suite.bundled import bundled_root
from modex.core.suite.definitions import Suite
from modex.core.suite.judge_templates import PLACEHOLDERS, placeholder_faults
from tests.core.suite.conftest import case

Load = Callable[[dict[str, Any]], Suite]
SUITE = {"test_definitions/d/domain.json": {"id": "d"}, "test_definitions/d/level_1/t.json": case()}


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("binary", "Judge.\n\n{promt} and {response}\n{nothing}", [(3, "promt"), (4, "nothing")]),
        ("binary", "---\nmode: append\n---\n\nJudge {respnse}.", [(5, "respnse")]),
        ("rubric", "{items} {transcript} {tool_calls} {form} {delimiter} {response} {prompt}", []),
        ("rating", "{instructions} {min_score} {response}", [(1, "response")]),
        ("form_binary", "Write {score}.", [(1, "score")]),
        ("repair", "{problem}: {form}, {{kept}}, \\boxed{kept}", []),
        ("binary", "{promt} and again {promt}\n{promt}", [(1, "promt")]),
        ("binary", "\n{promt}\n\n{nothing}", [(2, "promt"), (4, "nothing")]),
        ("a_plugins_own", "{anything}", []),
    ],
)
def test_a_template_names_what_no_judge_is_given(
    load: Load, name: str, text: str, found: list[tuple[int, str]]
) -> None:
    suite = load({**SUITE, f"prompts/judge/{name}.md": text})
    assert [(one.path, one.line) for one in suite.problems] == [(f"prompts/judge/{name}.md", line) for line, _ in found]
    for problem, (_, word) in zip(suite.problems, found, strict=True):
        assert f"unknown placeholder '{{{word}}}'" in problem.message


def test_a_slip_of_the_pen_is_met_with_the_right_word() -> None:
    assert [message for _, message in placeholder_faults("{respose} {tool_call}")] == [
        "unknown placeholder '{respose}'; did you mean '{response}'?",
        "unknown placeholder '{tool_call}'; did you mean '{tool_calls}'?",
    ]
    ((_, message),) = placeholder_faults("{zebra}")
    assert all(f"{{{name}}}" in message for name in PLACEHOLDERS)


def test_the_bundled_templates_copied_into_a_suite_have_no_mistake(load: Load) -> None:
    files = {
        f"prompts/judge/{path.name}": path.read_text() for path in (bundled_root() / "prompts" / "judge").glob("*.md")
    }
    assert len(files) > 10
    assert any(re.search(r"\{response\}", text) for text in files.values())
    assert load({**SUITE, **files}).problems == []


def test_a_template_that_cannot_be_read_is_told_and_the_others_are_looked_at(load: Load) -> None:
    suite = load({
        **SUITE, "prompts/judge/binary.md": b"\xff", "prompts/judge/binary": "{promt}", "prompts/judge/rubric.md": "{promt}",
    })  # fmt: skip
    assert [problem.path for problem in suite.problems] == ["prompts/judge/binary.md", "prompts/judge/rubric.md"]


def test_where_a_template_is_filled_with_nothing_that_is_said() -> None:
    ((_, message),) = placeholder_faults("{zebra}", ())
    assert message == "unknown placeholder '{zebra}' (there are none here; '{{zebra}}' stands for itself)"


def test_a_suite_of_its_own_is_checked_by_the_command(tmp_path: Path) -> None:
    from tests.cli import call, keyword_tests, write_suite

    root = write_suite(tmp_path / "s", keyword_tests(1))
    (root / "prompts" / "judge").mkdir(parents=True)
    (root / "prompts" / "judge" / "binary.md").write_text("Is\n{respons} right?\n")
    called = call("check", root)
    assert called.code == 2
    assert "prompts/judge/binary.md:2: unknown placeholder '{respons}'; did you mean '{response}'?" in called.out
