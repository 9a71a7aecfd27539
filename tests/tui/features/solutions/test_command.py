"""`modex check --solutions`: what is printed, and how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import call, keyword_tests, write_suite
from tests.core.features.solutions.test_checking import ADD, changed
from tests.core.sandbox.conftest import boxes  # noqa: F401 - a fixture

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("boxes")]


def test_a_line_for_each_wrong_test_a_count_and_exit_code_1(tmp_path: Path) -> None:
    wrong = changed(ADD, "bad", solution="def add(a, b):\n    return a - b")
    suite = write_suite(tmp_path / "suite", [ADD, wrong, *keyword_tests(2)])
    called = call("check", suite, "--solutions")
    assert called.code == 1
    (line,) = called.out.splitlines()
    assert line.startswith(
        "test_definitions/d/level_1/tests.jsonl:2: d/1/bad: its own solution does not pass (add(1, 2) gave -1"
    )
    assert line.endswith("; mend the solution, or what judges it")
    assert called.err.splitlines()[-1] == "2 of 4 tests tried by their solution: 1 right, 1 wrong; 2 without a solution"
    data = call("check", suite, "--solutions", "--json").data
    assert (data["kind"], data["tests"], data["tried"], data["right"], data["without_solution"]) == (
        "solutions",
        4,
        2,
        1,
        2,
    )
    assert [(one["test"], one["line"], one["what"]) for one in data["wrong"]] == [("d/1/bad", 2, "solution")]
    assert data["not_tried"] == []
    right = call("check", suite, "--solutions", "--test", "add")
    assert (right.code, right.out) == (0, "")
    assert "1 of 1 test tried by their solution: 1 right, 0 wrong" in right.err


def test_what_cannot_be_judged_here_is_named_and_is_no_success(tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", [changed(ADD, f"t{n}", packages=["no-such==1"]) for n in range(1)])
    called = call("check", suite, "--solutions", "--sandbox", "monty")
    assert (called.code, called.out) == (1, "")
    assert "not tried: test_definitions/d/level_1/tests.jsonl:1: d/1/t0: " in called.err
    assert "1 cannot be judged here" in called.err


def test_a_suite_without_solutions_says_how_to_carry_one(tmp_path: Path) -> None:
    called = call("check", write_suite(tmp_path / "suite", keyword_tests(2)), "--solutions")
    assert called.code == 0
    assert "none of 2 tests carries a solution" in called.err
    assert "`sandbox.solution`" in called.err


def test_rows_of_a_dataset_are_tried_by_what_they_carry(tmp_path: Path) -> None:
    place = tmp_path / "HumanEval.jsonl"
    place.write_text(
        '{"task_id": "HumanEval/0", "prompt": "def one():\\n    \\"\\"\\"One.\\"\\"\\"\\n", "entry_point": "one",'
        ' "canonical_solution": "    return 1\\n", "test": "def check(candidate):\\n    assert candidate() == 1\\n"}\n'
    )
    called = call("check", "--solutions", "--dataset", place, "--preset", "humaneval")
    assert called.code == 0, called.err
    assert "1 of 1 test tried by their solution: 1 right, 0 wrong" in called.err


def test_options_of_solutions_alone_are_refused(tmp_path: Path) -> None:
    called = call("check", write_suite(tmp_path / "suite", keyword_tests(1)), "--domain", "d")
    assert called.code == 2
    assert "--domain chooses solutions; give --solutions too" in called.err
