"""What a child does before and between its requests, each step by itself."""

from __future__ import annotations

import resource
import signal
from typing import Any

import pytest

from modex.core.sandbox import child
from modex.core.sandbox.child import Confinement, serve
from modex.core.sandbox.wire import HEADER, MAX_MESSAGE, pack, unpack


def test_every_kind_of_limit_is_set_and_one_that_the_system_refuses_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: dict[int, tuple[int, int]] = {}
    handlers: dict[int, object] = {}

    def setrlimit(limit: int, values: tuple[int, int]) -> None:
        if limit == resource.RLIMIT_AS:
            raise ValueError("refused")
        limits[limit] = values

    monkeypatch.setattr(resource, "setrlimit", setrlimit)
    monkeypatch.setattr(signal, "signal", handlers.__setitem__)
    child._confine(Confinement(memory_bytes=5, file_bytes=6, open_files=7))
    assert limits == {
        resource.RLIMIT_FSIZE: (6, 6),
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_NOFILE: (7, 7),
        resource.RLIMIT_NPROC: (0, 0),
    }
    assert handlers == {signal.SIGINT: signal.SIG_IGN, signal.SIGALRM: signal.SIG_DFL}
    monkeypatch.setattr(resource, "setrlimit", limits.__setitem__)
    child._confine(Confinement(memory_bytes=5))
    assert (limits[resource.RLIMIT_AS], limits[resource.RLIMIT_FSIZE]) == ((5, 5), (0, 0))


@pytest.mark.parametrize(
    ("cpu_s", "wall_s", "limit", "timer"),
    [(2.0, 5.0, 5, 5.0), (1.75, None, 5, None), (None, 3.0, None, 3.0), (0.0, None, 3, None), (None, None, None, None)],
)
def test_a_request_may_use_its_processor_time_beyond_what_was_used_before(
    monkeypatch: pytest.MonkeyPatch, cpu_s: float | None, wall_s: float | None, limit: int | None, timer: float | None
) -> None:
    set_: list[Any] = []
    used = type("Used", (), {"ru_utime": 1.5, "ru_stime": 0.75})
    monkeypatch.setattr(resource, "getrusage", lambda who: used if who == resource.RUSAGE_SELF else None)
    monkeypatch.setattr(resource, "getrlimit", lambda which: (1, 99) if which == resource.RLIMIT_CPU else None)
    monkeypatch.setattr(resource, "setrlimit", lambda which, values: set_.append((which, values)))
    monkeypatch.setattr(signal, "setitimer", lambda which, seconds: set_.append((which, seconds)))
    child._arm(cpu_s, wall_s)
    wanted: list[Any] = [] if limit is None else [(resource.RLIMIT_CPU, (limit, 99))]
    assert set_ == wanted + ([] if timer is None else [(signal.ITIMER_REAL, timer)])


class Pipe:
    """Both ends of a pipe that takes and gives a few bytes at a time."""

    def __init__(self, given: bytes = b"", most: int = 3) -> None:
        self.given, self.most, self.taken = given, most, b""

    def read(self, descriptor: int, count: int) -> bytes:
        part, self.given = self.given[: min(count, self.most)], self.given[min(count, self.most) :]
        return part

    def write(self, descriptor: int, data: bytes) -> int:
        self.taken += bytes(data[: self.most])
        return min(len(data), self.most)


@pytest.mark.parametrize("most", [1, 3, 1000])
def test_messages_come_whole_however_few_bytes_a_pipe_takes_at_once(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    message = {"text": "é" * 50, "number": 3}
    pipe = Pipe(pack(message) + pack({}), most)
    monkeypatch.setattr(child, "os", pipe)
    assert [child._receive(0) for _ in range(3)] == [message, {}, None]
    child._send(1, message)
    assert unpack(pipe.taken[HEADER.size :]) == message
    assert HEADER.unpack(pipe.taken[: HEADER.size])[0] == len(pipe.taken) - HEADER.size


@pytest.mark.parametrize("given", [b"", HEADER.pack(5) + b"123", b"\0\0", HEADER.pack(MAX_MESSAGE + 1) + b"1" * 99])
def test_a_message_that_ends_early_or_is_too_long_is_none(monkeypatch: pytest.MonkeyPatch, given: bytes) -> None:
    monkeypatch.setattr(child, "os", Pipe(given, 1000))
    assert child._receive(0) is None


def test_a_message_of_the_largest_size_is_taken_and_a_larger_one_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "x" * (MAX_MESSAGE - 2)
    monkeypatch.setattr(child, "os", Pipe(pack(text), MAX_MESSAGE))
    assert str(child._receive(0)) == text
    with pytest.raises(ValueError, match="16,777,217 bytes is more than the 16,777,216"):
        pack("x" * (MAX_MESSAGE - 1))


def test_requests_are_answered_within_their_limits_over_streams_that_nobody_else_holds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[Any] = []

    class System:
        """The descriptors 0 to 2 are the pipes and the error stream; new ones count on from 10."""

        devnull, O_RDWR = "/dev/null", 2

        def __init__(self) -> None:
            self.next = 10

        def dup(self, descriptor: int) -> int:
            self.next += 1
            done.append(("dup", descriptor, self.next))
            return self.next

        def open(self, path: str, flags: int) -> int:
            return 20

        def dup2(self, one: int, other: int) -> None:
            done.append(("dup2", one, other))

        def close(self, descriptor: int) -> None:
            done.append(("close", descriptor))

    def handle(request: dict[str, Any]) -> dict[str, Any]:
        done.append(request)
        if request["n"] == 2:
            raise ValueError("y" * 600)
        return {"n": request["n"]}

    requests = iter([{"n": 1, "cpu_s": 2.0, "wall_s": 3.0}, {"n": 2}, None])
    monkeypatch.setattr(child, "os", System())
    monkeypatch.setattr(child, "_confine", done.append)
    monkeypatch.setattr(child, "_arm", lambda cpu_s, wall_s: done.append((cpu_s, wall_s)))
    monkeypatch.setattr(child, "_receive", lambda descriptor: next(requests) if descriptor == 11 else None)
    monkeypatch.setattr(child, "_send", lambda descriptor, reply: done.append((descriptor, reply)))
    monkeypatch.setattr(signal, "setitimer", lambda which, seconds: done.append((which, seconds)))
    serve(handle, Confinement(open_files=3))
    over = (signal.ITIMER_REAL, 0)
    assert done == [
        ("dup", 0, 11), ("dup", 1, 12),
        ("dup2", 20, 0), ("dup2", 20, 1), ("dup2", 20, 2), ("close", 20), Confinement(open_files=3), (12, {"ready": True}),
        (2.0, 3.0), {"n": 1}, over, (12, {"n": 1}),
        (None, None), {"n": 2}, over, (12, {"failed": f"ValueError: {'y' * 488}"}),
    ]  # fmt: skip


def test_what_a_child_may_have_unless_more_is_said() -> None:
    assert Confinement() == Confinement(192 * 1024**2, 0, 16)
