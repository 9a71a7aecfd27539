"""`modex noise`: the same tests again, and which verdicts flip."""

from __future__ import annotations

from tests.server import Reply, Request
from tests.tui.commands.conftest import Shell


def test_tests_that_flip_are_named_and_marked_wherever_they_are_compared(shell: Shell) -> None:
    asked: dict[str, int] = {}

    def answer(request: Request) -> Reply:
        asked[request.prompt] = asked.get(request.prompt, 0) + 1
        return Reply("no" if request.prompt == "question 3" and asked[request.prompt] % 2 else "ok")

    shell.suite([{"id": f"t{n}", "prompt": f"question {n}", "expected": {"keywords": ["ok"]}} for n in range(6)])
    shell.server.behave(answer)
    shell.run()
    found = shell("noise", "e", "--times", "3", "--json").data
    assert [(one["test"], one["passed"], one["asked"]) for one in found["flaky"]] == [("d/1/t3", 2, 4)]
    assert found["flips"] == (2 * 2 * 2 / (4 * 3)) / 6
    assert shell.server.hits == 6 * 4
    assert shell("noise", "e", "--stored", "--names").out == "d/1/t3  # passed 2 of 4\n"
    assert shell.server.hits == 6 * 4
    shell.server.behave(Reply("ok"))
    shell.run(exp_id="f")
    assert [flip["flaky"] for flip in shell("compare", "e", "f", "--json").data["flips"]] == [True]
    assert "flaky" in shell("compare", "e", "f").out
