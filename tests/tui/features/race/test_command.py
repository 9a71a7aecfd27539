"""`modex race`: asked until it is decided, counted at the server; stopped or killed and gone on with, it decides the same."""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from hashlib import blake2b
from typing import Any

import pytest

from modex.core.store.lock import holder_pid
from modex.core.store.races import RaceRow, find_race
from modex.core.store.reader import Reader
from modex.tui.app import At, ModexApp
from modex.tui.features.race.screen import RaceScreen
from tests.forked import command
from tests.server import Reply, Request
from tests.tui.commands.conftest import Shell
from tests.tui.conftest import seen, settle

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


@pytest.mark.long
@pytest.mark.process
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
    process = command(*arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: raceable.server.hits >= hits // 4 or process.poll() is not None)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    again = raceable(*words(raceable, "killed", "good", "poor")).data
    assert told(again) == told(calm)
    assert raceable.server.hits <= hits + 16
    assert json.dumps(again["not_decided"]) == "[]"


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def stored(shell: Shell, name: str) -> RaceRow:
    reader = Reader(shell.database)
    try:
        race = find_race(reader, name)
    finally:
        reader.close()
    assert race is not None
    return race


@pytest.mark.long
async def test_a_race_aside_is_stopped_killed_and_gone_on_with_from_the_screen_and_decides_the_same(
    raceable: Shell,
) -> None:
    calm = raceable(*words(raceable, "calm", "good", "poor")).data
    hits = raceable.server.hits
    raceable.server.forget()

    raceable.server.behave(lambda request: replace(answer(request), latency=4.0))
    begun = raceable(*words(raceable, "aside", "good", "poor")[:-1], "--detach")
    assert (begun.code, begun.out) == (0, "aside\n")
    assert "process" in raceable(*words(raceable, "aside", "good", "poor")).err  # somebody works on it
    stopped = raceable("stop", "aside")
    assert (stopped.code, stopped.err) == (0, "aside: stopped; go on with: modex resume aside\n")
    assert stored(raceable, "aside").state == "stopped"
    assert raceable("stop", "aside").code == 2

    asked = itertools.count(raceable.server.hits)
    half = hits // 2
    raceable.server.behave(lambda one: replace(answer(one), latency=3.0 if next(asked) >= half else 0.005))
    assert raceable("resume", "aside", "--detach").code == 0
    wait_for(lambda: raceable.server.hits > half)
    pid = holder_pid(raceable.database, stored(raceable, "aside").id, "race")
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: not stored(raceable, "aside").alive)
    assert stored(raceable, "aside").state == "interrupted"
    raceable.server.behave(answer)

    app = ModexApp(raceable.database, start=At(lambda: RaceScreen("aside")))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "interrupted" in seen(app)
        await pilot.press("r")
        await settle(pilot)
        assert "Go on with aside?" in seen(app)
        assert not stored(raceable, "aside").alive  # nothing is asked of a model before the question is answered
        await pilot.press("r")
        deadline = time.monotonic() + 60
        while stored(raceable, "aside").status != "completed":
            assert time.monotonic() < deadline
            await pilot.pause(0.05)
        app.screen.refresh_now()  # type: ignore[attr-defined]
        await settle(pilot)
        text = seen(app)
    last = stored(raceable, "aside").looks[-1]
    assert told(last) == told(calm)
    assert raceable.server.hits <= hits + 3 * 16
    assert "the race is decided: aside@openai/good is the best of 2" in text
    caveats = [f"caveat: {words}" for words in last["caveats"]]
    shown = raceable("show", "aside").out.splitlines()[1:]
    assert (shown[: len(last["words"])], shown[-len(caveats) :]) == (last["words"], caveats)
    assert [line.split()[0] for line in shown[len(last["words"]) : -len(caveats)]] == [
        "model",
        "openai/good",
        "openai/poor",
    ]
    assert [words.partition(":")[0] for words in last["caveats"]] == ["noise", "wording"]
    assert raceable("resume", "aside").code == 2
    assert raceable("pause", "aside").code == 2
    assert raceable("delete", "aside", "--yes").err.endswith("its runs stay\ndeleted 1 race\n")
    assert raceable("show", "aside@openai/good").code == 0


@pytest.mark.long
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
    assert f"; {saved} of {TESTS} tests need not be asked: about {saved} calls saved" in called.out
    assert raceable.run("--against", "old", exp_id="x", model="openai/poor").code == 2
