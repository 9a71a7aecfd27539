"""What a container's first process does when its screen is left: it stays while runs are worked on, which would end with it."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

from modex.core.store.lock import holders_here
from modex.tui.plain.narration import say

_LOOK_S = 0.2
_WAITING = (
    "runs are still being worked on, and this container ends with this command: it waits until they are done. "
    "Ctrl-C stops them in order, for `modex resume`; Ctrl-P Ctrl-Q takes the terminal away and leaves them be"
)


def is_first_process() -> bool:
    """Whether all other processes here end with this one: process 1, as a container's command is."""
    return os.getpid() == 1


def stay(database: Path, *, stop: bool = False) -> None:
    """Return when nobody here works on runs or races of a database any more.

    SIGINT or SIGTERM (`docker stop`), or `stop` from the beginning, stops them in order; the next signal ends the wait. For the
    main thread, which hears the signals.
    """
    if not holders_here(database):
        return
    heard: list[int] = []
    before = {
        each: signal.signal(each, lambda number, _: heard.append(number)) for each in (signal.SIGINT, signal.SIGTERM)
    }
    if not stop:
        say(_WAITING)
    asked = 0
    try:
        while holders_here(database) and len(heard) + stop < 2:
            if len(heard) + stop > asked:
                asked += 1
                _stop(database)
            time.sleep(_LOOK_S)
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _stop(database: Path) -> None:
    """A runner, and whoever works on a race, takes SIGTERM as the wish to stop in order."""
    say("stopping: what is finished is stored")
    for pid in holders_here(database):
        with contextlib.suppress(ProcessLookupError):  # it ended after the look
            os.kill(pid, signal.SIGTERM)
