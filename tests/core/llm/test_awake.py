"""The time in which a process did not run is nobody's latency."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from modex.core.llm.awake import Awake


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def ticking(awake: Awake, clock: Clock, seconds: float) -> None:
    for _ in range(round(seconds * 2)):
        clock.now += 0.5
        awake.tick()


def test_a_gap_between_ticks_is_lost_time() -> None:
    clock = Clock()
    awake = Awake(clock)
    awake.tick()
    ticking(awake, clock, 3)
    clock.now += 40
    awake.tick()
    ticking(awake, clock, 3)
    assert awake.lost_s(100, clock.now) == 39.5
    assert awake.lost_s(100, 103) == 0
    assert awake.lost_s(144, clock.now) == 0


def test_who_asks_first_after_a_gap_sees_it_before_the_next_tick() -> None:
    clock = Clock()
    awake = Awake(clock)
    awake.tick()
    clock.now += 40
    assert awake.lost_s(100, clock.now) == 39.5


def test_several_gaps_add_up_and_never_exceed_the_span() -> None:
    clock = Clock()
    awake = Awake(clock)
    awake.tick()
    for _ in range(3):
        clock.now += 10
        awake.tick()
        ticking(awake, clock, 1)
    assert awake.lost_s(100, clock.now) == 28.5
    assert awake.lost_s(109, 110) <= 1


def test_a_busy_machine_loses_nothing() -> None:
    clock = Clock()
    awake = Awake(clock)
    awake.tick()
    for _ in range(20):
        clock.now += 1.9
        awake.tick()
    assert awake.lost_s(100, clock.now) == 0


def test_without_ticks_nothing_is_said_to_be_lost() -> None:
    assert Awake(Clock()).lost_s(0, 1000) == 0


STOPPED = """
import sys, time
from modex.core.llm.awake import elapsed_s, keep_watch
keep_watch()
time.sleep(0.3)
begun = time.monotonic()
print("ready", flush=True)
sys.stdin.readline()
print(time.monotonic() - begun, elapsed_s(begun), flush=True)
"""


@pytest.mark.process
def test_a_stopped_process_is_not_counted() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", STOPPED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    os.kill(process.pid, signal.SIGSTOP)
    subprocess.run(["sleep", "3"], check=True)
    os.kill(process.pid, signal.SIGCONT)
    process.stdin.write("go\n")
    process.stdin.close()
    wall, ran = map(float, process.stdout.readline().split())
    assert process.wait() == 0
    process.stdout.close()
    assert wall >= 3
    assert ran < wall - 2
