from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.sandbox.worker import WorkerError, WorkerPool
from tests.pace import stretched

MODULE = "tests.core.sandbox.misbehaving_child"


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(MODULE, size=2) as pool:
        yield pool


def _gone(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rsplit(")", 1)[1].split()[0] == "Z"


def _wait_until_gone(pid: int, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if _gone(pid):
            return True
        threading.Event().wait(0.02)
    return False


def test_a_child_answers_and_is_reused(pool: WorkerPool) -> None:
    first = pool.ask({"do": "pid"}, wall_s=5)
    second = pool.ask({"do": "pid"}, wall_s=5)
    assert first.status == "ok"
    assert first.data == second.data


def test_a_child_that_overruns_is_killed_reaped_and_replaced(pool: WorkerPool) -> None:
    reply = pool.ask({"do": "pid"}, wall_s=5)
    assert reply.data is not None
    before = time.monotonic()
    assert pool.ask({"do": "sleep"}, wall_s=0.2).status == "timeout"
    assert time.monotonic() - before < stretched(2)
    assert not Path(f"/proc/{reply.data['pid']}").exists()
    assert pool.ask({"do": "pid"}, wall_s=5).status == "ok"


def test_a_child_that_dies_is_reported_and_replaced(pool: WorkerPool) -> None:
    assert pool.ask({"do": "die"}, wall_s=5).status == "died"
    assert pool.ask({"do": "pid"}, wall_s=5).status == "ok"


def test_a_request_whose_child_the_kernel_killed_is_asked_of_another(pool: WorkerPool, tmp_path: Path) -> None:
    (tmp_path / "once").touch()
    assert pool.ask({"do": "be killed", "folder": str(tmp_path)}, wall_s=5).status == "ok"
    for number in range(3):
        (tmp_path / f"{number}").touch()
    assert pool.ask({"do": "be killed", "folder": str(tmp_path)}, wall_s=5).status == "died"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_child_that_does_not_hear_says_nothing_of_what_it_was_asked(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool.ask({"do": "pid"}, wall_s=5)
    left = [1, 2]
    write = os.write

    def fails(descriptor: int, data: bytes) -> int:
        if left.pop():
            raise OSError(5, "Input/output error")
        return write(descriptor, data)

    monkeypatch.setattr(os, "write", fails)
    with pytest.raises(WorkerError, match="did not hear"):
        pool.ask({"do": "pid"}, wall_s=5)
    left[:] = [0, 1]
    assert pool.ask({"do": "pid"}, wall_s=5).status == "ok"


def test_an_exception_in_the_child_comes_back_as_data(pool: WorkerPool) -> None:
    reply = pool.ask({"do": "raise"}, wall_s=5)
    assert reply.data == {"failed": "ValueError: planted"}


def test_what_a_child_prints_does_not_disturb_the_reply(pool: WorkerPool) -> None:
    assert pool.ask({"do": "print"}, wall_s=5).data == {"printed": True}


def test_a_child_sees_no_environment(pool: WorkerPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANARY_KEY", "sk-canary")
    reply = pool.ask({"do": "environ"}, wall_s=5)
    assert reply.data is not None
    assert set(reply.data["names"]) <= {"LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LC_CTYPE"}


def test_a_child_writes_no_file_and_its_memory_is_bounded(pool: WorkerPool, tmp_path: Path) -> None:
    reply = pool.ask({"do": "write", "path": str(tmp_path / "out")}, wall_s=5)
    assert reply.status == "died" or "failed" in (reply.data or {})
    assert not (tmp_path / "out").exists() or (tmp_path / "out").stat().st_size == 0
    reply = pool.ask({"do": "memory"}, wall_s=5)
    assert reply.data == {"failed": "MemoryError: "}


def test_the_processor_time_of_a_request_is_bounded_by_the_kernel(pool: WorkerPool) -> None:
    before = time.monotonic()
    assert pool.ask({"do": "spin"}, wall_s=30, cpu_s=0.1).status == "died"
    assert time.monotonic() - before < 15


def test_never_more_children_than_slots_whatever_the_number_of_threads(pool: WorkerPool) -> None:
    seen: set[int] = set()

    def work() -> None:
        for _ in range(5):
            reply = pool.ask({"do": "pid"}, wall_s=20)
            assert reply.data is not None
            seen.add(reply.data["pid"])

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 1 <= len(seen) <= 2


def test_a_large_request_and_a_large_reply_get_through(pool: WorkerPool) -> None:
    reply = pool.ask({"do": "echo", "text": "x" * 2_000_000}, wall_s=20)
    assert reply.data == {"length": 2_000_000, "text": "x" * 2_000_000}


def test_a_closed_pool_has_no_children_and_says_so() -> None:
    pool = WorkerPool(MODULE, size=1)
    pool.ask({"do": "pid"}, wall_s=5)
    (pid,) = pool.pids
    pool.close()
    assert not Path(f"/proc/{pid}").exists()
    with pytest.raises(WorkerError, match="ending"):
        pool.ask({"do": "pid"}, wall_s=5)


def test_a_module_that_does_not_serve_is_an_error_of_ours() -> None:
    with WorkerPool("json.no_such_module", size=1) as pool, pytest.raises(WorkerError, match="did not start"):
        pool.ask({}, wall_s=5)


@pytest.mark.process
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
@pytest.mark.parametrize("state", ["idle", "busy"])
def test_children_end_when_the_parent_is_killed(state: str) -> None:
    script = (
        "import sys, threading\n"
        "from core.sandbox.worker import WorkerPool\n"
        f"pool = WorkerPool({MODULE!r}, size=1)\n"
        "pool.ask({'do': 'pid'}, wall_s=5)\n"
        "print(pool.pids[0], flush=True)\n"
        + ("pool.ask({'do': 'sleep'}, wall_s=1)\n" if state == "busy" else "threading.Event().wait()\n")
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        os.kill(parent.pid, signal.SIGKILL)
    assert _wait_until_gone(child, 6)


def test_a_signal_that_does_not_end_the_wait_is_heard_all_the_same(pool: WorkerPool) -> None:
    """Another thread takes it, as a signal may also come in the moment before the wait begins."""
    pool.ask({"do": "pid"}, wall_s=30)
    other = threading.Timer(0.1, lambda: signal.pthread_kill(threading.get_ident(), signal.SIGINT))
    before = time.monotonic()

    def interrupted() -> None:
        other.start()
        pool.ask({"do": "sleep"}, wall_s=50)

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert time.monotonic() - before < 25
    other.join()
