"""`modex race`: asked until it is decided, counted at the server; killed and gone on with, it decides the same."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from hashlib import blake2b
from typing import Any

import pytest

from tests.server import Reply, Request
from tests.tui.commands.conftest import Shell

TESTS = 120
RATES = {"good": 0.9, "poor": 0.2}


def answer(request: Request) -> Reply:
    """Right by the question's own luck, so that the same question is answered alike whenever it is asked."""
    luck = blake2b(f"{request.model} {request.prompt}".encode(), digest_size=4).digest()
    return Reply("ok" if int.from_bytes(luck) / 2**32 < RATES[request.model] else "no", latency=0.005)


@pytest.fixture
def raceable(shell: Shell) -> Shell:
    """A suite over five levels and a server of two models."""
    shell.server.behave(answer)
    shell.suite(
        [
            {"id": f"t{n}", "prompt": f"question {n}", "expected": {"keywords": ["ok"]}, "level": n % 5 + 1}
            for n in range(TESTS)
        ]
    )
    return shell


def words(shell: Shell, exp_id: str, *models: str) -> list[str]:
    return [
        "race", *(f"openai/{model}" for model in models), "--api-base", shell.server.url, "--suite",
        str(shell.root / "suite"), "--exp-id", exp_id, "--seed", "3", "--json",
    ]  # fmt: skip


def told(found: dict[str, Any]) -> Any:
    """What was decided, without the race's name."""
    return [(one["run"].partition("@")[2], one["look"], one["bound"]) for one in found["dropped"]], found["ending"]


def test_a_clear_loser_is_asked_no_more_and_a_killed_race_decides_the_same(raceable: Shell) -> None:
    called = raceable(*words(raceable, "calm", "good", "poor"))
    assert called.code == 0, called.err
    calm = called.data
    hits = raceable.server.hits
    (dropped,) = calm["dropped"]
    assert (dropped["run"], calm["ending"]) == ("calm@openai/poor", "decided")
    asked = Counter(request.model for request in raceable.server.requests)
    assert asked["poor"] == dropped["tests"] < TESTS
    assert calm["saved_tests"]["calm@openai/poor"] == TESTS - asked["poor"]
    raceable.server.forget()
    arguments = [*words(raceable, "killed", "good", "poor"), "--db", str(raceable.database)]
    for goal in (hits // 4, hits // 2):
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "tui.cli", *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ,
        )
        deadline = time.monotonic() + 60
        while raceable.server.hits < goal and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        process.kill()
        assert process.wait() == -signal.SIGKILL
    again = raceable(*words(raceable, "killed", "good", "poor")).data
    assert told(again) == told(calm)
    assert raceable.server.hits <= hits + 2 * 16
    assert json.dumps(again["not_decided"]) == "[]"


def test_a_new_model_is_asked_only_until_it_is_decided_against_a_stored_run(raceable: Shell) -> None:
    raceable.run("--concurrency", "32", exp_id="old", model="openai/good")
    raceable.server.forget()
    called = raceable.run("--against", "old", "--until-decided", exp_id="new", model="openai/poor")
    assert called.code == 0, called.err
    assert "new@openai/poor is worse than old: decided" in called.out
    looks = [line for line in called.err.splitlines() if line.startswith("look ")]
    gap = r"-[\d.]+ points \(-[\d.]+ to [+-][\d.]+\)"
    first = rf"look 1 of 20, 6 tests: old leads; new@openai/poor {gap}; 19 looks left; 0 tests saved"
    assert re.fullmatch(first, looks[0])
    saved = TESTS - raceable.server.hits
    assert looks[-1].endswith(f"old leads; new@openai/poor is out; 0 looks left; {saved} tests saved")
    assert raceable.server.hits < TESTS
    assert raceable.run("--against", "old", exp_id="x", model="openai/poor").code == 2
