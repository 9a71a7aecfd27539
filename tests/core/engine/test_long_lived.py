"""A runner that lives long: what it holds does not grow with what it has done."""

from __future__ import annotations

import gc
import threading
import time
import tracemalloc
from pathlib import Path

import pytest

from core.engine.session import Session
from tests.core.engine.conftest import Bench
from tests.server import Reply, Request

ANSWER = "word " * 4000
"""20 kB."""
SAMPLES = 320


def run(bench: Bench, exp_id: str) -> None:
    session = Session(bench.database, exp_id)
    try:
        assert session.run().status == "completed"
    finally:
        session.close()


def test_memory_does_not_grow_with_the_answers_that_were_stored(bench: Bench) -> None:
    held: dict[int, int] = {}

    def answer(request: Request) -> Reply:
        if request.index in (SAMPLES // 4, SAMPLES - 10):
            bench.server.forget()  # which keeps what it was asked
            gc.collect()
            held[request.index] = tracemalloc.get_traced_memory()[0]
        return Reply(f"ok {ANSWER}")

    bench.server.behave(answer)
    bench.prepare(SAMPLES, concurrency=4)
    tracemalloc.start()
    try:
        run(bench, "e")
    finally:
        tracemalloc.stop()
    assert bench.run().passed_tests == SAMPLES
    early, late = sorted(held.values()) if len(held) == 2 else pytest.fail(f"looked {len(held)} times")
    answers = (SAMPLES - SAMPLES // 4) * len(ANSWER)
    assert late - early < answers / 4, "the answers stay in memory"


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts descriptors as Linux shows them")
def test_no_thread_and_no_descriptor_is_left_of_a_run(bench: Bench) -> None:
    bench.server.behave(Reply("ok"))
    for number in range(4):
        bench.prepare(6, exp_id=f"e{number}")

    def counted() -> tuple[int, int]:
        gc.collect()
        return threading.active_count(), sum(1 for _ in Path("/proc/self/fd").iterdir())

    run(bench, "e0")  # what is made once stays: pools of children, the watchdog's pipe
    threads, descriptors = counted()
    for number in range(1, 4):
        run(bench, f"e{number}")
    deadline = time.monotonic() + 20
    left = counted()
    while (left[0] > threads or left[1] > descriptors) and time.monotonic() < deadline:
        time.sleep(0.02)  # the server closes its ends on a thread of its own
        left = counted()
    assert left[0] <= threads
    assert left[1] <= descriptors
