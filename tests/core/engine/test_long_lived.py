"""A runner that lives long: no thread and no descriptor stays behind."""

from __future__ import annotations

import gc
import threading
import time
from pathlib import Path

import pytest

from modex.core.engine.session import Session
from tests.core.engine.conftest import Bench
from tests.server import Reply


def run(bench: Bench, exp_id: str) -> None:
    session = Session(bench.database, exp_id)
    try:
        assert session.run().status == "completed"
    finally:
        session.close()


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
