"""A pattern that grows while it is compiled: bounded time and memory, an error that names it, and an interrupt is heard."""

from __future__ import annotations

import json
import resource
import signal
import subprocess
from pathlib import Path

import pytest

from tests.faults.harness import Modex, keyword_tests, wait_until, write_suite

pytestmark = pytest.mark.process

BOMB = "(?:(?:(?:(?:a{1000}){1000}){1000}){1000})"


def _limit() -> None:
    """Keep the machine whole where the limit under test is missing."""
    resource.setrlimit(resource.RLIMIT_AS, (3 * 1024**3, 3 * 1024**3))


def _suite(root: Path, where: str) -> Path:
    test = {**keyword_tests(1)[0]}
    if where == "keyword":
        test["expected"] = {"keywords": [{"regex": BOMB}]}
    elif where == "evaluator":
        (root / "test_definitions" / "evaluators").mkdir(parents=True)
        file = root / "test_definitions" / "evaluators" / "bomb.json"
        file.write_text(json.dumps({"id": "bomb", "name": "bomb", "type": "regex", "extraction_regex": BOMB}, indent=1))
        test |= {"evaluator_id": "bomb", "expected": "a"}
    else:
        tool = {"id": "t", "name": "t", "description": "t", "parameters": {"type": "object"},
                "responses": [{"when": {"a": {"$regex": BOMB}}, "response": 1}]}  # fmt: skip
        (root / "tool_mocks").mkdir(parents=True)
        (root / "tool_mocks" / "t.json").write_text(json.dumps(tool, indent=1))
    return write_suite(root, [test])


@pytest.mark.parametrize("where", ["keyword", "evaluator", "tool"])
def test_a_pattern_that_grows_is_a_named_mistake(modex: Modex, where: str) -> None:
    suite = _suite(modex.home / "suite", where)
    checked = modex.run("check", suite, preexec_fn=_limit)
    assert checked.code == 2
    assert "512 MB" in checked.out + checked.err
    assert "Traceback" not in checked.err


def test_an_interrupt_is_heard_while_a_pattern_is_compiled(modex: Modex) -> None:
    tests = [
        {**test, "expected": {"keywords": [{"regex": f"{BOMB}{number}"}]}}
        for number, test in enumerate(keyword_tests(200))
    ]
    suite = write_suite(modex.home / "suite", tests)
    checking = modex.start("check", suite, preexec_fn=_limit)
    wait_until(lambda: _children(checking) or checking.poll() is not None, "a child that compiles")
    assert checking.poll() is None
    checking.send_signal(signal.SIGINT)
    assert checking.wait(timeout=60) == 130, "200 patterns of two seconds each would go on for minutes"


def _children(process: subprocess.Popen[str]) -> list[str]:
    return Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
