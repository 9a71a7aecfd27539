"""A process between us and a program of somebody else's, which leaves none of its processes behind, whatever their sessions.

A process that forks twice and begins a session of its own is reached by no signal to the group. On Linux it becomes a child of
the supervisor, the nearest *subreaper* above it (prctl(2), PR_SET_CHILD_SUBREAPER), which kills its children until there are
none: once the program ends, when it is told to (SIGTERM), and when whoever started it is gone, by SIGKILL too. Elsewhere, and
in a process that was not asked for, programs start as they are.

https://man7.org/linux/man-pages/man2/prctl.2.html.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36  # linux/prctl.h
_GRACE_S = 3.0
_NOT_STARTED = 127


def supervised(words: Sequence[str], *, status: Path | None = None, folder: Path | None = None) -> list[str]:
    """The words of a command that starts `words` under a supervisor; `words` themselves where there can be none.

    In the file `status` stands how they ended by themselves: the exit code, or the signal's number with a minus. The `folder`
    and the files in it go with them.
    """
    if not sys.platform.startswith("linux"):
        return list(words)
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), str(status or ""), str(folder or ""), *words]


def end(process: subprocess.Popen[bytes]) -> None:
    """End a supervised program with every process below it; leaves no zombie. It was started in a session of its own."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        if sys.platform.startswith("linux"):
            process.wait(_GRACE_S)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _main(parent: int, left: str, folder: str, words: list[str]) -> NoReturn:
    """Run `words` with our own standard streams, and end as they end."""
    told = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}
    signal.pthread_sigmask(signal.SIG_BLOCK, told | {signal.SIGCHLD})
    _control(_PR_SET_CHILD_SUBREAPER, 1)
    _control(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:  # gone before it could be watched
        _remove(folder)
        os._exit(1)
    child = os.fork()
    if child == 0:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, told | {signal.SIGCHLD})
        try:
            os.execvp(words[0], words)
        except OSError as error:
            os.write(2, f"cannot be started: {words[0]}: {error.strerror}\n".encode(errors="replace"))
        os._exit(_NOT_STARTED)
    _let_go_of_streams()
    status, ended = _wait(child, told)
    code = os.waitstatus_to_exitcode(status)
    if left and ended:
        with contextlib.suppress(OSError):
            Path(left).write_text(str(code), encoding="ascii")
    _kill_all()
    _remove(folder)
    if code < 0:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, told)
        if -code not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


def _wait(child: int, told: set[signal.Signals]) -> tuple[int, bool]:
    """How `child` ended, and whether by itself or because we were told to end it; others that end meanwhile are reaped."""
    while True:
        if signal.sigwait(told | {signal.SIGCHLD}) in told:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            return os.waitpid(child, 0)[1], False
        while True:
            ended, status = os.waitpid(-1, os.WNOHANG)
            if ended == child:
                return status, True
            if not ended:
                break


def _kill_all() -> None:
    """Kill every child until there is none: what loses its parent by that becomes our child."""
    with contextlib.suppress(ChildProcessError):
        while True:
            for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split():
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(int(pid), signal.SIGKILL)
            os.waitpid(-1, 0)


def _remove(folder: str) -> None:
    """Remove a folder that holds nothing but files."""
    if folder:
        with contextlib.suppress(OSError):
            for file in Path(folder).iterdir():
                file.unlink(missing_ok=True)
            Path(folder).rmdir()


def _let_go_of_streams() -> None:
    """Hold no end of the program's pipes: who reads its output hears of its end."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)


def _control(option: int, value: int) -> None:
    import ctypes

    ctypes.CDLL(None, use_errno=True).prctl(option, ctypes.c_ulong(value), 0, 0, 0)


if __name__ == "__main__":
    _main(int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:])
