"""`noise`, `certify`, `ablate` and `stat` that fail or are ended in the middle leave what is stored as it was."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from modex.core.features.review.query import HumanVerdict, say
from modex.core.store.manager import DBDataManager
from tests.cli import Called, call
from tests.forked import command
from tests.server import Reply, Request
from tests.tui.commands.conftest import Shell

REFUSED = Reply(status=401, body={"error": {"message": "no such key", "code": "invalid_api_key"}})
STOOD = ("status", "overall_score", "ci_low", "passed_tests", "failed_tests", "error_tests", "config", "judging")
NUMBER = 12


class Server:
    """Answers and judges; after `most` requests it refuses the key, or waits where it is to `hang`."""

    def __init__(self) -> None:
        self.said, self.most, self.hang = 0, 10_000, False
        self.waits, self.released = threading.Event(), threading.Event()
        self.lock = threading.Lock()

    def __call__(self, request: Request) -> Reply:
        with self.lock:
            self.said += 1
            number = self.said
        if number > self.most:
            if not self.hang:
                return REFUSED
            self.waits.set()
            self.released.wait(30)
            return REFUSED
        if request.model == "judge":
            odd = any(f"answer {n}\\n" in str(request.body) for n in range(1, NUMBER, 2))
            return Reply(json.dumps({"reason": "parity", "score": int(odd)}))
        return Reply(f"answer {request.prompt.split()[-1]}")

    def from_now(self, most: int, *, hang: bool = False) -> None:
        """Fail after so many more requests."""
        self.said, self.most, self.hang = 0, most, hang


def served(shell: Shell) -> Server:
    """A run `e` of judged answers."""
    server = Server()
    tests = [{"id": f"t{n}", "prompt": f"q {n}", "expected": "x"} for n in range(NUMBER)]
    shell.suite(tests, evaluator_id="llm_judge", system_prompt="Be exact.")
    shell.server.behave(server)
    words = ("--judge-model", "openai/judge", "--judge-api-base", shell.server.url, "--concurrency", "1")
    assert shell.run(*words).code == 0
    return server


def stood(shell: Shell, name: str = "e") -> dict[str, Any]:
    found = shell("show", name, "--json").data
    tests = shell("export", name, "--format", "json").data["samples"]
    return {key: found[key] for key in STOOD} | {
        one["test_id"]: (one["status"], one["score"], one["reason"], one["details"], one["error_type"]) for one in tests
    }


def ended(shell: Shell, server: Server, *words: str) -> int:
    """The exit code of a command that gets SIGTERM while a request of it is under way."""
    with process(shell, *words) as started:
        assert server.waits.wait(60)
        started.send_signal(signal.SIGTERM)
        code = started.wait(30)
    server.released.set()
    return code


@contextmanager
def process(shell: Shell, *words: str) -> Iterator[subprocess.Popen[str]]:
    """The command as a process, ended at the end."""
    started = command(*words, "--db", shell.database)
    try:
        yield started
    finally:
        started.kill()
        started.communicate()


@pytest.mark.process
def test_noise_with_a_refused_key_or_ended_in_the_middle_leaves_the_run(shell: Shell) -> None:
    server = served(shell)
    before = stood(shell)
    server.from_now(9)
    assert shell("noise", "e").code == 3
    assert stood(shell) == before
    server.from_now(5, hang=True)
    assert ended(shell, server, "noise", "e") != 0
    assert stood(shell) == before
    server.from_now(10_000)
    found = shell("noise", "e", "--json")
    assert found.code == 0, found.err
    assert found.data["flips"] == 0
    assert stood(shell) == before


@pytest.mark.process
def test_certify_with_a_refused_judge_keeps_the_run_and_the_certificate_that_it_has(shell: Shell) -> None:
    server = served(shell)
    manager = DBDataManager(shell.database)
    try:
        for sample in manager.reader.samples(manager.reader.run("e").id):
            say(manager.reader, sample, "ana", HumanVerdict("passed" if int(sample.test_id[1:]) % 2 else "failed"))
    finally:
        manager.close()
    assert shell("certify", "e").code == 0
    before = stood(shell)
    assert before["judging"][0]["certified"] is True
    server.from_now(3)
    refused = shell("certify", "e", "--again", "8")
    assert refused.code == 3
    assert "nothing is certified anew" in refused.err
    assert stood(shell) == before
    server.from_now(3, hang=True)
    assert ended(shell, server, "certify", "e", "--again", "8") != 0
    assert stood(shell) == before


def ablate(shell: Shell) -> Called:
    return call(
        "ablate", "openai/m", "--layer", "domain", "--api-base", shell.server.url, "--suite", shell.root / "suite",
        "--judge-model", "openai/judge", "--judge-api-base", shell.server.url, "--concurrency", "1",
        "--exp-id", "a", "--json", "--db", shell.database,
    )  # fmt: skip


def test_an_ablation_that_fails_half_way_keeps_what_is_done_and_goes_on(shell: Shell) -> None:
    server = served(shell)
    server.from_now(2 * NUMBER + 7)
    assert ablate(shell).code == 3
    before = stood(shell, "a")
    assert (before["status"], before["overall_score"]) == ("completed", 0.5)
    server.from_now(10_000)
    assert ablate(shell).code == 0
    assert server.said == 2 * NUMBER - 7
    assert stood(shell, "a") == before


def has_open(pid: int, file: Path) -> bool:
    """Whether a process has a file open; where the system does not tell, it is taken to have."""
    folder = Path(f"/proc/{pid}/fd")
    if not folder.exists():
        return True
    with suppress(OSError):  # what is closed meanwhile
        return any(one.readlink() == file for one in folder.iterdir())
    return False


def until(holds: Callable[[], bool], within_s: float = 60.0) -> bool:
    """Whether it came to hold in time."""
    deadline = time.monotonic() + within_s
    while not holds():
        if time.monotonic() > deadline:
            return False
    return True


@pytest.mark.process
def test_stat_ended_while_it_waits_for_the_database_leaves_the_scores(shell: Shell) -> None:
    served(shell)
    before = stood(shell)
    held = sqlite3.connect(shell.database, isolation_level=None)
    try:
        held.execute("BEGIN IMMEDIATE")
        with process(shell, "stat", "e") as stat:
            assert until(lambda: has_open(stat.pid, shell.database))
            stat.send_signal(signal.SIGTERM)
            assert stat.wait(30) != 0
    finally:
        held.close()
    assert stood(shell) == before
    assert shell("stat", "e").code == 0
    assert stood(shell) == before
