"""Runs on their way: a forked child checks, stores and launches them while this process opens the screen.

One after the other took 0.6 s to the first frame; side by side, on two cores, the screen does not wait for the suite.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Started:
    """How it went."""

    exp_ids: tuple[str, ...]
    """The runs that were launched."""
    message: str
    """What a person should read: notes about the suite, or why nothing was started."""
    code: int
    """Exit code of the child: 0, or what `modex run` would have ended with."""


class Starting:
    """The parent's side: who is being started, and the outcome when it is there."""

    def __init__(self, pid: int, exp_ids: int, said: int, *, exp_id: str | None, models: Sequence[str]) -> None:
        self.exp_id = exp_id
        self.models = tuple(models)
        self.outcome: Future[Started] = Future()
        self.outcome.set_running_or_notify_cancel()  # a screen that closes and no longer waits must not cancel it
        self._pid = pid
        threading.Thread(target=self._follow, args=(exp_ids, said), name="starting", daemon=True).start()

    def _follow(self, exp_ids: int, said: int) -> None:
        found: list[bytes] = [b""]
        reading = threading.Thread(target=lambda: found.append(_all_of(said)), daemon=True)
        reading.start()  # on its own, so that a child with much to say is never held up
        names = _all_of(exp_ids).decode("utf-8", "replace").splitlines()
        reading.join()
        code = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        code = 128 - code if code < 0 else code
        self.outcome.set_result(Started(tuple(names), found[-1].decode("utf-8", "replace"), code))

    @property
    def failed(self) -> bool:
        """Whether it is known already that nothing was started."""
        return self.outcome.done() and not self.outcome.result().exp_ids

    def cancel(self) -> None:
        """Ask the child to give up; a run that it launched goes on."""
        if not self.outcome.done():
            os.kill(self._pid, signal.SIGINT)


def fork(models: Sequence[str], exp_id: str | None) -> Starting | None:
    """Go on twice: None in the child, whose stdout (names, one a line) and stderr are what the parent's `Starting` reads.

    To be called while this process has one thread and nothing open.
    """
    read_ids, write_ids = os.pipe()
    read_said, write_said = os.pipe()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    pid = os.fork()
    if pid:
        os.close(write_ids)
        os.close(write_said)
        return Starting(pid, read_ids, read_said, exp_id=exp_id, models=models)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # a terminal that closes now leaves the run to begin
    nothing = os.open(os.devnull, os.O_RDONLY)
    for given, wanted in ((nothing, 0), (write_ids, 1), (write_said, 2)):
        os.dup2(given, wanted)
        os.close(given)
    os.close(read_ids)
    os.close(read_said)
    return None


def _all_of(descriptor: int) -> bytes:
    with open(descriptor, "rb") as stream:
        return stream.read()
