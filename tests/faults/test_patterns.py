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


@pytest.mark.long
def test_a_pattern_that_grows_is_a_named_mistake_wherever_it_stands(modex: Modex) -> None:
    in_keyword, in_evaluator = keyword_tests(2)
    in_keyword["expected"] = {"keywords": [{"regex": BOMB}]}
    in_evaluator |= {"evaluator_id": "bomb", "expected": "a"}
    evaluator = {"id": "bomb", "name": "bomb", "type": "regex", "extraction_regex": BOMB}
    tool = {"id": "t", "name": "t", "description": "t", "parameters": {"type": "object"},
            "responses": [{"when": {"a": {"$regex": BOMB}}, "response": 1}]}  # fmt: skip
    suite = write_suite(modex.home / "suite", [in_keyword, in_evaluator])
    for place, document in (("test_definitions/evaluators/bomb.json", evaluator), ("tool_mocks/t.json", tool)):
        (suite / place).parent.mkdir(parents=True)
        (suite / place).write_text(json.dumps(document, indent=1))
    checked = modex.run("check", suite, preexec_fn=_limit)
    assert checked.code == 2
    assert "Traceback" not in checked.err
    named = [line for line in (checked.out + checked.err).splitlines() if "512 MB" in line]
    for place in ("tests.jsonl", "bomb.json", "t.json"):
        assert any(place in line for line in named), (place, checked)


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
