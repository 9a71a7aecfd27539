from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from modex.core.foundation.processes import PROGRAM
from modex.core.sandbox import worker
from modex.core.sandbox.wire import HEADER, MAX_MESSAGE, pack, unpack
from modex.core.sandbox.worker import ChildReply, WorkerError, WorkerPool, shared_pool
from tests.pace import stretched

MODULE = "tests.core.sandbox.misbehaving_child"


@pytest.fixture(autouse=True)
def beside(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where children find the program, and these tests beside it, which are no part of it."""
    place = tmp_path_factory.mktemp("program")
    (place / "modex").symlink_to(Path(PROGRAM) / "modex")
    (place / "tests").symlink_to(Path(__file__).parents[2])
    monkeypatch.setattr(worker, "PROGRAM", str(place))
    return place


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
def test_children_end_when_the_parent_is_killed(state: str, beside: Path) -> None:
    script = (
        "import sys, threading\n"
        "from modex.core.sandbox import worker\n"
        f"worker.PROGRAM = {str(beside)!r}\n"
        f"pool = worker.WorkerPool({MODULE!r}, size=1)\n"
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


class Scripted:
    """A child whose replies are told beforehand."""

    made: list[Scripted]

    def __init__(self, module: str, *, site: bool) -> None:
        self.module, self.site, self.alive, self.killed, self.closed = module, site, True, False, 0
        self.replies: list[ChildReply | Exception] = []
        self.asked: list[Any] = []
        self.pid = 100 + len(Scripted.made)
        Scripted.made.append(self)

    def ask(self, message: bytes, wall_s: float) -> ChildReply:
        self.asked.append((unpack(message[HEADER.size :]), wall_s))
        reply = self.replies.pop(0) if self.replies else ChildReply("ok", {})
        if isinstance(reply, Exception):
            raise reply
        return reply

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> type[Scripted]:
    Scripted.made = []
    monkeypatch.setattr("modex.core.sandbox.worker._Child", Scripted)
    return Scripted


@pytest.mark.parametrize(("cores", "size", "slots"), [(None, None, 2), (1, None, 2), (3, None, 3), (8, 1, 1)])
def test_a_pool_has_a_place_a_core_and_two_at_least(
    monkeypatch: pytest.MonkeyPatch, cores: int | None, size: int | None, slots: int
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    pool = WorkerPool("m", size)
    assert pool._slots.qsize() == slots
    pool.close()


def test_a_request_tells_its_child_a_second_more_than_is_waited(scripted: type[Scripted]) -> None:
    with WorkerPool("m", 1, site=True) as pool:
        assert pool.ask({"do": 1}, wall_s=3.0, cpu_s=2.0) == ChildReply("ok", {})
        (child,) = scripted.made
        assert child.asked == [({"do": 1, "wall_s": 4.0, "cpu_s": 2.0}, 3.0)]
        assert (child.module, child.site, pool.pids) == ("m", True, [100])
    assert (child.closed, pool.pids) == (1, [])
    with pytest.raises(WorkerError, match="are closed"):
        pool.ask({}, wall_s=1.0)


def test_a_child_that_died_between_two_requests_is_replaced_before_the_next(scripted: type[Scripted]) -> None:
    with WorkerPool("m", 1) as pool:
        pool.ask({}, wall_s=1.0)
        scripted.made[0].alive = False
        pool.ask({}, wall_s=1.0)
        assert ([one.closed for one in scripted.made], pool.pids) == ([1, 0], [101])


@pytest.mark.parametrize(
    ("first", "killed", "second", "status", "children"),
    [
        (ChildReply("died"), False, None, "died", [1]), (ChildReply("timeout"), True, None, "timeout", [1]),
        (ChildReply("died"), True, ChildReply("ok", {}), "ok", [1, 0]),
        (ChildReply("died"), True, ChildReply("died"), "died", [1, 1]),
        (OSError(), False, ChildReply("ok", {}), "ok", [1, 0]), (OSError(), False, OSError(), None, [1, 1]),
    ],
)  # fmt: skip
def test_another_child_is_asked_once_where_the_first_was_killed_or_did_not_hear(
    monkeypatch: pytest.MonkeyPatch,
    scripted: type[Scripted],
    first: Any,
    killed: bool,
    second: Any,
    status: str | None,
    children: list[int],
) -> None:
    answers = [first, second]

    def begin(self: Scripted, module: str, *, site: bool) -> None:
        begun(self, module, site=site)
        self.replies, self.killed = [answers.pop(0)], killed

    begun = Scripted.__init__
    monkeypatch.setattr(Scripted, "__init__", begin)
    with WorkerPool("m", 1) as pool:
        if status is None:
            with pytest.raises(WorkerError, match="two child processes for m did not hear"):
                pool.ask({}, wall_s=1.0)
        else:
            assert pool.ask({}, wall_s=1.0).status == status
        assert [one.closed for one in scripted.made] == children
        assert pool.pids == [100 + place for place, closed in enumerate(children) if not closed]


def test_a_module_has_one_shared_pool(monkeypatch: pytest.MonkeyPatch, scripted: type[Scripted]) -> None:
    monkeypatch.setattr("modex.core.sandbox.worker._shared", {})
    one = shared_pool("m", 3, site=True)
    assert (shared_pool("m"), one._slots.qsize()) == (one, 3)
    assert shared_pool("n", 1) is not one
    one.ask({}, wall_s=1.0)
    assert scripted.made[0].site
    one.close()


class Pipes:
    """The two pipes of a child: what it takes at once, what it gives, and a clock that only waiting moves."""

    def __init__(self, given: Sequence[bytes | None] = (), takes: Sequence[int | None] = ()) -> None:
        self.now, self.given, self.takes, self.taken, self.waits = 100.0, [*given], [*takes], b"", []  # type: ignore[var-annotated]
        self.ready = [True]

    def monotonic(self) -> float:
        return self.now

    def read(self, descriptor: int, count: int) -> bytes:
        part = self.given.pop(0)
        if part is None:
            raise BlockingIOError
        if len(part) > count:
            self.given.insert(0, part[count:])
        return part[:count]

    def write(self, descriptor: int, data: bytes) -> int:
        most = self.takes.pop(0) if self.takes else len(data)
        if most is None:
            raise BlockingIOError
        self.taken += bytes(data[:most])
        return min(most, len(data))

    def register(self, descriptor: int, event: int) -> None:
        self.waits.append((descriptor, event))

    def poll(self, milliseconds: float) -> bool:
        found = self.ready.pop(0) if len(self.ready) > 1 else self.ready[0]
        if not found:
            self.now += milliseconds / 1000
        return found


def child_of(monkeypatch: pytest.MonkeyPatch, pipes: Pipes) -> Any:
    from modex.core.sandbox import worker

    monkeypatch.setattr(worker, "time", pipes)
    monkeypatch.setattr(worker, "os", pipes)
    monkeypatch.setattr(worker, "select", SimpleNamespace(poll=lambda: pipes, POLLIN=1, POLLOUT=4))
    child = object.__new__(worker._Child)
    child._in, child._out = 5, 6
    return child


def test_a_request_is_written_and_its_reply_read_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    reply = pack({"n": 1})
    pipes = Pipes([reply[:2], None, reply[2:6], reply[6:]], [2, None, 3])
    child = child_of(monkeypatch, pipes)
    assert child.ask(b"question", 10.0) == ChildReply("ok", {"n": 1})
    assert (pipes.taken, set(pipes.waits)) == (b"question", {(5, 4), (6, 1)})


@pytest.mark.parametrize(
    ("given", "status"), [([b""], "died"), ([pack({})[:5], b""], "died"), ([HEADER.pack(MAX_MESSAGE + 1)], "died")]
)
def test_a_reply_that_ends_early_or_is_too_long_is_none(
    monkeypatch: pytest.MonkeyPatch, given: list[bytes], status: str
) -> None:
    assert child_of(monkeypatch, Pipes(given)).ask(b"q", 1.0) == ChildReply(status)  # type: ignore[arg-type]


@pytest.mark.parametrize(("wall_s", "waited"), [(0.4, 0.4), (0.5, 0.5), (1.2, 1.2), (0.0, 0.0)])
def test_a_wait_lasts_as_long_as_it_may_and_looks_up_now_and_then(
    monkeypatch: pytest.MonkeyPatch, wall_s: float, waited: float
) -> None:
    pipes = Pipes()
    pipes.ready = [False]
    assert child_of(monkeypatch, pipes).ask(b"q", wall_s) == ChildReply("timeout")
    assert pipes.now - 100.0 == pytest.approx(waited)
    pipes = Pipes(takes=[None])
    pipes.ready = [False]
    assert child_of(monkeypatch, pipes).ask(b"q", wall_s) == ChildReply("timeout")
    late = Pipes([pack({})])
    late.ready = [False, False, True]
    assert child_of(monkeypatch, late).ask(b"q", 2.0).status == "ok"
    assert late.now - 100.0 == pytest.approx(1.0)
