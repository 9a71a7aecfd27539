"""`modex gate`: three answers, three exit codes."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.server import Reply, Request
from tests.tui.commands.conftest import Shell, assert_clean


def answer(right: int, request: Request) -> Reply:
    """Right on the first `right` questions."""
    return Reply("ok" if int(request.prompt.split()[-1]) < right else "no")


@pytest.fixture
def three(shell: Shell) -> Shell:
    """Runs over 60 tests: `good` passes all, `same` all but one, `bad` none."""
    shell.suite([{"id": f"t{n:02}", "prompt": f"question {n:02}", "expected": {"keywords": ["ok"]}} for n in range(60)])
    for name, right in (("good", 60), ("same", 59), ("bad", 0)):
        shell.server.behave(partial(answer, right))
        shell.run(exp_id=name)
    return shell


@pytest.mark.long
def test_each_answer_has_its_exit_code_and_every_format_says_it(three: Shell, tmp_path: Path) -> None:
    assert three("gate", "good", "good", "--margin", "20").code == 0
    worse = three("gate", "good", "bad")
    assert (worse.code, "worse by more than 3 points" in worse.out) == (1, True)
    unclear = three("gate", "good", "same", "--margin", "2")
    assert unclear.code == 4
    assert "tests like these 60 would tell" in unclear.out
    assert "two new runs over about" in unclear.out
    data = three("gate", "good", "same", "--margin", "2", "--json").data
    assert (data["answer"], data["exit_code"], data["more_tests"] > 0) == ("undecided", 4, True)
    junit = three("gate", "good", "bad", "--format", "junit")
    assert (junit.code, '<failure message="worse by more than 3 points"/>' in junit.out) == (1, True)
    assert "### modex gate: cannot tell yet" in three("gate", "good", "same", "--margin", "2", "--format", "github").out
    assert_clean(worse)
    flaky = tmp_path / "flaky.txt"
    flaky.write_text("d/1/t59  # seen to flip\n")
    assert "1 quarantined: d/1/t59" in three("gate", "good", "same", "--quarantine", f"@{flaky}").out
