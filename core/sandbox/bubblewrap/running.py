"""What runs whole programs within the namespaces: each in a process of its own, fed and read by pipes, with all that it may take.

The process here is not to be looked into by those that it starts (prctl(2), PR_SET_DUMPABLE), and knows nothing that they may
not know: what a program should print never comes here. Standard library only.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import resource
import select
import signal
import termios
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from modex.core.sandbox.bubblewrap.pipe import receive, send

_PIECE = 65536
_TICK_S = 0.02
_SOON_S = 0.002
"""Where a program may start others: the kernel limits no processes of root, whose box this may be."""
_GONE_S = 5.0
_STDERR_BYTES = 16 * 1024
_FILE_BYTES = 64 * 1024 * 1024
_OPEN_FILES = 256
_STACK_BYTES = 64 * 1024 * 1024
_THREAD_BYTES = 4 * 1024 * 1024
"""Of each thread of an engine that starts a dozen: they count as its data."""
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 1, 4, 22, 2
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
WORK = "/tmp/work"


class _Filter(ctypes.Structure):
    """`struct sock_fprog` of linux/filter.h."""

    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def serve(requests: int, replies: int) -> None:
    """Do what is asked until the other side is gone."""
    send(replies, {"ready": True})
    while (request := receive(requests)) is not None:
        try:
            Path(WORK).chmod(0o700)  # whatever the program before made of it
            reply = _write(request) if request["do"] == "write" else FedProgram(request).run()
        except OSError as error:
            reply = {"failed": str(error)}
        send(replies, reply)


def _write(request: Mapping[str, Any]) -> dict[str, Any]:
    for name, text in request["files"].items():
        Path(WORK, name).write_bytes(text.encode("utf-8", "surrogateescape"))
    return {"written": len(request["files"])}


class FedProgram:
    """One program, from its start to the end of all that it started."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        self._request = request
        self._seconds, self._memory = float(request["seconds"]), int(request["memory"])
        self._processes, self._output = int(request["processes"]), int(request["output"])
        self._cpu, self._peak = 0.0, 0
        self._over = ""
        self._kept: dict[int, bytearray] = {}

    def run(self) -> dict[str, Any]:
        """Start it, feed it, watch it; how it ended and what it wrote."""
        pipes = [os.pipe() for _ in range(3)]
        pid = os.fork()
        if pid == 0:
            errors = pipes[1 if self._request.get("merged") else 2][1]
            become(self._request, [pipes[0][0], pipes[1][1], errors])
        for one in (pipes[0][0], pipes[1][1], pipes[2][1]):
            os.close(one)
        into, out, error = pipes[0][1], pipes[1][0], pipes[2][0]
        for one in (into, out, error):
            os.set_blocking(one, False)
        try:
            status, usage = self._watched(pid, into, out, error)
        finally:
            left = end_all()
        self._read(out, self._output)
        self._read(error, _STDERR_BYTES)
        for one in (out, error):
            os.close(one)
        cpu = max(self._cpu, usage.ru_utime + usage.ru_stime)
        return {
            "code": os.waitstatus_to_exitcode(status), "out": self._text(out), "err": self._text(error),
            "over": "processes" if left else self._over or ("seconds" if cpu > self._seconds else ""),
            "seconds": cpu, "memory": max(self._peak, usage.ru_maxrss * 1024),
        }  # fmt: skip

    def _watched(self, pid: int, into: int, out: int, error: int) -> tuple[int, resource.struct_rusage]:
        data = memoryview(self._request["stdin"].encode("utf-8", "surrogateescape"))
        poll = select.poll()
        poll.register(out, select.POLLIN)
        poll.register(error, select.POLLIN)
        poll.register(into, select.POLLOUT)
        wall = time.monotonic() + float(self._request["wall"])
        tick = _SOON_S if self._processes else _TICK_S
        look = time.monotonic() + tick
        feeding = True
        while True:
            for descriptor, event in poll.poll(tick * 1000):
                if descriptor == into:
                    try:
                        data = data[os.write(into, data) :] if event & select.POLLOUT and data else data[:0]
                    except BlockingIOError:
                        continue
                    except OSError:
                        data = data[:0]
                elif not self._read(descriptor, self._output if descriptor == out else _STDERR_BYTES):
                    poll.unregister(descriptor)
            if feeding and not data:
                feeding = False
                poll.unregister(into)
                os.close(into)
            found, status, usage = os.wait4(pid, os.WNOHANG)
            if found:
                if feeding:
                    os.close(into)
                return status, usage
            if time.monotonic() >= look:
                look = time.monotonic() + tick
                self.look()
            self._over = self._over or ("seconds" if time.monotonic() > wall else "")
            if self._over:
                with contextlib.suppress(OSError):
                    os.kill(-1, signal.SIGKILL)  # all at once: what is left would go on starting others

    def look(self) -> None:
        """What everything here takes together, but this process and the first."""
        others = list(_others())
        if len(others) > self._processes + 1:  # before anything is read of them: they are more with every moment
            self._over = "processes"
            return
        cpu, memory = 0.0, 0
        for place in others:
            try:
                fields = (place / "stat").read_bytes().rpartition(b") ")[2].split()
            except OSError:
                continue
            if len(fields) > 21:
                cpu += sum(map(int, fields[11:15])) / _TICKS
                memory += int(fields[21]) * _PAGE
        self._cpu, self._peak = max(self._cpu, cpu), max(self._peak, memory)
        if cpu > self._seconds:
            self._over = "seconds"
        elif memory > self._memory:
            self._over = "memory"

    def _read(self, descriptor: int, most: int) -> bool:
        """Take what is there; whether more may come."""
        kept = self._kept.setdefault(descriptor, bytearray())
        try:
            while part := os.read(descriptor, _PIECE):
                if not self._keep(descriptor, kept, part, most):
                    return True
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def _keep(self, descriptor: int, kept: bytearray, part: bytes, most: int) -> bool:
        """Add what came to what is kept; whether more is wanted now."""
        del descriptor
        if most == self._output and len(kept) + len(part) > most:
            self._over = self._over or "output"
        kept += part
        if len(kept) > most:
            # Of what it complains the end counts, of what it answers the beginning.
            kept[:] = kept[:most] if most == self._output else kept[-most:]
            return False
        return True

    def _text(self, descriptor: int) -> str:
        return bytes(self._kept.get(descriptor, b"")).decode("utf-8", "replace")


def become(request: Mapping[str, Any], ends: list[int]) -> None:
    """In the new process: take its limits on and be the program. Never returns."""
    try:
        os.setsid()
        for number, one in enumerate(ends):
            os.dup2(one, number)
        os.closerange(3, _OPEN_FILES)
        if "terminal" in request:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that what runs there is in the foreground, and hears Ctrl+C
        memory, seconds = int(request["memory"]), float(request["seconds"])
        stack = min(_THREAD_BYTES if request["reserves"] else _STACK_BYTES, memory)
        for limit, value in (
            # What is only reserved (of engines that make code at run time) counts as address space, not as data.
            (resource.RLIMIT_DATA, memory),
            *([] if request["reserves"] else [(resource.RLIMIT_AS, memory + stack)]),
            (resource.RLIMIT_CPU, int(seconds) + 1),
            (resource.RLIMIT_FSIZE, _FILE_BYTES),
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_NOFILE, _OPEN_FILES),
            (resource.RLIMIT_STACK, stack),
            (resource.RLIMIT_NPROC, int(request["threads"])),
        ):
            resource.setrlimit(limit, (value, value))
        rules = bytes.fromhex(request["rules"])
        os.chdir(WORK)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, and programs would inherit that
        if rules:
            held = _Filter(len(rules) // 8, rules)
            if _libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(held), 0, 0) != 0:
                os._exit(125)
        os.execve(request["argv"][0], request["argv"], request["environment"])
    except BaseException as failure:  # whatever it was, this process must not go on as its parent
        os.write(2, f"cannot be started: {failure}".encode())
    finally:
        os._exit(126)


def _others() -> Iterator[Path]:
    """Every process here but this and the first, as its folder in `/proc`."""
    return (one for one in Path("/proc").iterdir() if one.name.isdigit() and int(one.name) not in (1, os.getpid()))


def end_all() -> bool:
    """End everything but this process and the first; whether something would not end."""
    end = time.monotonic() + _GONE_S
    while True:
        with contextlib.suppress(OSError):
            os.kill(-1, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not any(_others()):
            return False
        if time.monotonic() > end:
            return True
        time.sleep(0.001)


def main(serving: Callable[[int, int], None]) -> None:
    """Serve on the standard streams, which no program gets."""
    requests, replies = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    os.close(nowhere)
    _libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    Path(WORK).mkdir(exist_ok=True)
    serving(requests, replies)


def _main() -> None:
    main(serve)


_libc = ctypes.CDLL(None, use_errno=True)
if __name__ == "__main__":
    _main()
