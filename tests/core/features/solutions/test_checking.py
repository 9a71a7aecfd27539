"""Solutions that are tried: what passes by its own solution and not by nothing is right, the others are named with why."""

from __future__ import annotations

import copy
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from modex.core.config.configuration import configuration
from modex.core.features.solutions.checking import SolutionCheck, TriedTest, check_solutions
from modex.core.foundation.errors import SuiteError
from tests.cli import write_suite
from tests.core.sandbox.conftest import boxes  # noqa: F401 - a fixture
from tests.workspace_examples import EXAMPLES, MEND

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("boxes")]
ADD: dict[str, Any] = {
    "id": "add",
    "prompt": "Write add.",
    "evaluator_id": "code_tests",
    "expected": {"function": "add", "cases": [{"args": [1, 2], "returns": 3}]},
    "sandbox": {"solution": "def add(a, b):\n    return a + b"},
}


def changed(test: dict[str, Any], name: str, **sandbox: Any) -> dict[str, Any]:
    """The test under another id, with other keys in its sandbox; None takes one out."""
    found = copy.deepcopy(test)
    found["id"] = name
    found["sandbox"] = {key: value for key, value in {**found["sandbox"], **sandbox}.items() if value is not None}
    return found


def tried(
    root: Path, tests: list[dict[str, Any]], files: Mapping[str, str] | None = None, **more: Any
) -> SolutionCheck:
    """The check of a suite of these tests."""
    suite = write_suite(root / "suite", tests, evaluator_id="workspace", **more)
    for name, text in (files or {}).items():
        place = suite / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return check_solutions(configuration("demo", {"suite": str(suite)}), threads=2)


def said(result: SolutionCheck) -> dict[str, list[str]]:
    """What is wrong, by test."""
    return {one.test.rpartition("/")[2]: [f"{wrong.what}: {wrong.why}" for wrong in one.wrong] for one in result.wrong}


@pytest.mark.long
def test_every_example_is_right_and_those_without_a_solution_are_counted(tmp_path: Path) -> None:
    result = tried(tmp_path, [*(one.test for one in EXAMPLES), ADD, changed(MEND.test, "none", solution=None)])
    assert (result.total, result.without, result.right, result.wrong, result.not_tried) == (7, 1, 6, [], [])
    assert [one.test for one in result.tried] == [
        f"d/1/{name}" for name in ("mend", "script", "logs", "make", "rename", "add")
    ]


@pytest.mark.long
def test_what_is_wrong_is_said_with_why_and_where(tmp_path: Path) -> None:
    tests = [
        changed(MEND.test, "ends", solution={"run": "echo no; exit 3"}),
        changed(MEND.test, "fails", solution={"files": {"new.txt": ""}}),
        changed(MEND.test, "idle", checks=["true"]),
        changed(MEND.test, "long", limits={"seconds": 0.2}, solution={"run": "while :; do :; done"}),
        changed(MEND.test, "kills", solution={"run": "kill -9 -1"}),
        changed(ADD, "wrong", solution="def add(a, b):\n    return 3"),
        {**changed(ADD, "none"), "expected": {"function": "add", "cases": [{"args": [], "returns": None}]}},
    ]
    result = tried(tmp_path, tests)
    assert said(result) == {
        "ends": ["solution: its command: exit code 3, no"],
        "fails": ["solution: PYTHONPATH=. python3 tests/test_stats.py: exit code 1"],
        "idle": ["nothing: every check holds"],
        "long": ["solution: its command: too much: seconds"],
        "kills": ["solution: its command: it ended the sandbox"],
        "none": [
            "solution: add() gave an error: TypeError: add() missing 2 required positional arguments: 'a' and 'b', expected None",
            "nothing: all 1 cases hold",
        ],
    }
    first = result.wrong[0]
    assert (first.path, first.line) == ("test_definitions/d/level_1/tests.jsonl", 1)
    assert result.right == 1


def test_a_solution_may_be_a_folder_with_files_and_a_command_over_it(tmp_path: Path) -> None:
    test = {
        "id": "t",
        "prompt": "p",
        "sandbox": {
            "checks": [{"run": "cat a b c", "prints": "from the folder\nfrom the files\nfrom the command"}],
            "solution": {
                "folder": "solved",
                "files": {"b": "from the files\n"},
                "run": "grep -q folder a && echo from the command > c",
            },
        },
    }
    result = tried(tmp_path, [test], {"solved/a": "from the folder\n", "solved/b": "not this\n"})
    assert (result.right, said(result)) == (1, {})


def test_what_cannot_be_judged_here_and_what_a_judge_decides_is_not_tried(tmp_path: Path) -> None:
    tests = [
        changed(MEND.test, "needs", needs=["no-such-program"]),
        {**changed(MEND.test, "judged"), "expected": {"judge": "It is mended."}},
    ]
    result = tried(tmp_path, tests)
    (one,) = result.not_tried
    assert one.test == "d/1/needs"
    assert "no-such-program" in one.not_tried
    assert (result.by_judge, result.right, result.wrong) == (1, 0, [])


def test_a_domain_that_is_off_is_tried(tmp_path: Path) -> None:
    assert tried(tmp_path, [ADD], enabled=False).right == 1


def test_a_mistake_in_the_suite_comes_first(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="checks"):
        tried(tmp_path, [changed(MEND.test, "t", checks=[""])])


@pytest.mark.parametrize(
    ("test", "words"),
    [
        (
            changed(MEND.test, "t", solution="def x(): pass"),
            "the solution of a workspace is what becomes of its folder",
        ),
        (changed(ADD, "t", solution={"run": "true"}), "the solution of a code test is its code as text"),
    ],
)
def test_a_solution_of_another_form_is_a_mistake(tmp_path: Path, test: dict[str, Any], words: str) -> None:
    with pytest.raises(SuiteError, match=words):
        tried(tmp_path, [test])


def test_whoever_stops_waits_for_nothing(tmp_path: Path) -> None:
    slow = [changed(MEND.test, f"t{n}", solution={"run": "sleep 600"}) for n in range(4)]
    suite = write_suite(tmp_path / "suite", [ADD, *slow], evaluator_id="workspace")
    seen: list[TriedTest] = []

    def stop(one: TriedTest) -> None:
        seen.append(one)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_solutions(configuration("demo", {"suite": str(suite)}), found=stop, threads=2)
    assert [one.test for one in seen] == ["d/1/add"]
    for thread in threading.enumerate():
        if thread.name.startswith("solutions"):
            thread.join(20)
            assert not thread.is_alive()
