"""`kill -9` in the middle of a sample that works in a folder: no finished call is asked or done again, and nothing is left.

An ordinary run kills three times, `make nightly` thirty times; `TEST_KILLS_SEED` draws other moments.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
from pathlib import Path
from time import monotonic
from typing import Any

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


def _end_all(process: subprocess.Popen[str], order: random.Random) -> set[int]:
    """Kill the runner, then in any order everything below it; what there was."""
    below = descendants(process.pid)
    process.kill()
    for pid in order.sample(below, len(below)):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    finish(process)
    return set(below)


def _kept(row: dict[str, Any]) -> tuple[Any, ...]:
    """What must be the same however often it was interrupted."""
    said = [
        (entry["role"], entry.get("content"), entry.get("tool_calls"), entry.get("is_error"))
        for entry in json.loads(row["transcript"])
    ]
    (part,) = [one for one in json.loads(row["details"])["parts"] if one["kind"] == "workspace"]
    tokens = (row["prompt_tokens"], row["completion_tokens"])
    return row["status"], row["score"], row["response"], said, part["diff"], part["calls"], tokens


@pytest.mark.parametrize("time", range(TIMES))
def test_kills_of_runner_and_sandbox_leave_the_same_rows_and_nothing_else(
    modex: Modex, tmp_path: Path, time: int
) -> None:
    order = random.Random(f"all {SEED} {time}")
    sandbox = {
        "files": {"log.txt": ""},
        "checks": [{"run": "cat log.txt", "prints": "\n".join(map(str, range(CALLS)))}],
    }
    suite = write_suite(
        tmp_path / "suite", [{"id": "t", "prompt": "p", "evaluator_id": "workspace", "sandbox": sandbox}]
    )
    own = tmp_path / "own"
    own.mkdir()
    modex.variables["TMPDIR"] = str(own)
    with serve(_next) as server:
        assert modex.run(*modex.headless(server.url, suite, exp="calm")).code == 0
        calm, server_hits = server.hits, [len(request.messages) for request in server.requests]
        assert calm == CALLS + 1
        arguments = modex.headless(server.url, suite, exp="killed")
        below: set[int] = set()
        for goal in sorted(order.sample(range(1, CALLS - 1), KILLS)):
            process = modex.start(*arguments)
            wait_until(lambda g=goal: server.hits > calm + g, f"call {goal}")  # type: ignore[misc]
            moment = monotonic() + order.uniform(0, 0.15)
            wait_until(lambda m=moment: monotonic() > m, "a moment")  # type: ignore[misc]
            below |= _end_all(process, order)
        assert modex.run(*arguments).code == 0
        asked = [len(request.messages) for request in server.requests][calm:]
    # Each question once, and again at most the one that was under way at a kill.
    assert sorted(set(asked)) == sorted(set(server_hits))
    assert len(asked) - len(set(asked)) <= KILLS
    first, second = modex.query("SELECT * FROM individual_test_results ORDER BY run_id")
    assert _kept(first) == _kept(second)
    assert "journal" not in json.loads(second["workspace"])
    assert json.loads(first["workspace"])["calls"] == json.loads(second["workspace"])["calls"] == CALLS
    wait_until(lambda: not below & {pid for pid, _ in processes()}, "every process to end")
    assert not [*own.iterdir()]


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
