"""`kill -9` in the middle of a sample that works in a folder: no finished call is asked or done again, and nothing is left.

An ordinary run kills three times, `make nightly` thirty times; `TEST_KILLS_SEED` draws other moments.
"""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest

from tests.core.sandbox.conftest import boxes  # noqa: F401 - a fixture
from tests.faults.harness import Modex, descendants, finish, processes, wait_until, write_suite
from tests.server import Reply, Request, serve
from tests.server.replies import call, calls

pytestmark = [pytest.mark.process, pytest.mark.long, pytest.mark.usefixtures("boxes")]
CALLS = 20
KILLS = 3
TIMES = 10 if os.environ.get("TEST_NIGHTLY") else 1
SEED = int(os.environ.get("TEST_KILLS_SEED", "37"))


def _next(request: Request) -> Reply:
    done = sum(message["role"] == "assistant" for message in request.messages)
    if done == CALLS:
        return Reply("Done.")
    return calls(
        call("shell", json.dumps({"command": f"sleep 0.05; echo {done} >> log.txt; wc -l < log.txt"}), f"c{done}")
    )


@pytest.mark.parametrize("time", range(TIMES))
def test_kills_in_the_middle_cost_no_call_twice(modex: Modex, tmp_path: Path, time: int) -> None:
    goals = sorted(random.Random(f"{SEED} {time}").sample(range(1, CALLS - 1), KILLS))
    sandbox = {
        "files": {"log.txt": ""},
        "checks": [{"run": "cat log.txt", "prints": "\n".join(map(str, range(CALLS)))}],
    }
    suite = write_suite(
        tmp_path / "suite", [{"id": "t", "prompt": "p", "evaluator_id": "workspace", "sandbox": sandbox}]
    )
    with serve(_next) as server:
        arguments = modex.headless(server.url, suite)
        below: set[int] = set()
        for goal in goals:
            process = modex.start(*arguments)
            wait_until(lambda g=goal: server.hits > g, f"call {goal}")  # type: ignore[misc]
            below |= set(descendants(process.pid))
            process.kill()
            finish(process)
        assert modex.run(*arguments).code == 0
        # What was asked and not yet stored when a runner died is asked again: one call a kill at most.
        assert CALLS + 1 <= server.hits <= CALLS + 1 + KILLS
    (row,) = modex.rows("status, transcript, workspace")
    assert row["status"] == "passed"
    told = [entry for entry in json.loads(row["transcript"]) if entry["role"] == "tool"]
    assert [entry["content"].strip() for entry in told] == [str(n + 1) for n in range(CALLS)]
    assert "journal" not in json.loads(row["workspace"])
    assert below
    wait_until(lambda: not below & {pid for pid, _ in processes()}, "every box to end")
