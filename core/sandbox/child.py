"""The child's side: confine this process, then answer requests until the input ends. Standard library only."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from modex.core.sandbox.wire import HEADER, MAX_MESSAGE, pack, unpack

Handler = Callable[[dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Confinement:
    """What the kernel grants the child: bytes of address space and of any one file, and open files.

    By rlimits: https://man7.org/linux/man-pages/man2/getrlimit.2.html.
    """

    memory_bytes: int = 192 * 1024 * 1024
    file_bytes: int = 0
    open_files: int = 16


def serve(handle: Handler, confinement: Confinement) -> None:
    """Answer each request by `handle`; what it raises goes back as `{"failed": …}`.

    Only the reply pipe stays open: printing goes nowhere. A request's `cpu_s` and `wall_s` are enforced by the kernel
    (RLIMIT_CPU, ITIMER_REAL), so that an orphan ends even while it is busy in C code.
    """
    requests, replies = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    os.close(nowhere)
    _confine(confinement)
    _send(replies, {"ready": True})
    while (request := _receive(requests)) is not None:
        _arm(request.pop("cpu_s", None), request.pop("wall_s", None))
        try:
            reply = handle(request)
        except Exception as error:  # whatever hostile input provokes must not end the child
            reply = {"failed": f"{type(error).__name__}: {error}"[:500]}
        signal.setitimer(signal.ITIMER_REAL, 0)
        _send(replies, reply)


def _confine(confinement: Confinement) -> None:
    import resource

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    wanted = {
        resource.RLIMIT_AS: confinement.memory_bytes,
        resource.RLIMIT_FSIZE: confinement.file_bytes,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: confinement.open_files,
        getattr(resource, "RLIMIT_NPROC", resource.RLIMIT_CORE): 0,
    }
    for limit, value in wanted.items():
        try:
            resource.setrlimit(limit, (value, value))
        except (OSError, ValueError):
            continue  # macOS refuses RLIMIT_AS; the others and the parent's kill still hold


def _arm(cpu_s: float | None, wall_s: float | None) -> None:
    import resource

    if cpu_s is not None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime + cpu_s) + 1, hard))
    if wall_s is not None:
        signal.setitimer(signal.ITIMER_REAL, wall_s)


def _receive(descriptor: int) -> dict[str, Any] | None:
    header = _read(descriptor, HEADER.size)
    if header is None:
        return None
    length = HEADER.unpack(header)[0]
    body = _read(descriptor, length) if length <= MAX_MESSAGE else None
    if body is None:
        return None
    request: dict[str, Any] = unpack(body)
    return request


def _read(descriptor: int, count: int) -> bytes | None:
    parts = bytearray()
    while len(parts) < count:
        part = os.read(descriptor, count - len(parts))
        if not part:
            return None
        parts += part
    return bytes(parts)


def _send(descriptor: int, reply: dict[str, Any]) -> None:
    data = memoryview(pack(reply))
    while data:
        data = data[os.write(descriptor, data) :]
