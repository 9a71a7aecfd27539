"""How a session comes to its end: who asked it to stop, how long calls in flight get, and how it ended."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

SIGINT_GRACE_S = 8.0
SIGTERM_GRACE_S = 2.0
ABANDON_S = 0.5
"""How long workers get to come back once their calls were ended; what they do then, nobody waits for."""
STOPPED_WORDS = "stopped by hand; the same command or `modex resume` continues it"


class Stopped(Exception):  # noqa: N818
    """The session was stopped while it was still planning, or while it summed up."""


@dataclass(frozen=True, slots=True)
class SessionOutcome:
    """How a session ended."""

    status: str
    reason: str | None = None


class Stopping:
    """Whether a session is to stop, until when its calls may go on, and how it ends.

    `ask` may be called from any thread or signal handler, and more than once: the shortest grace counts.
    """

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.deadline: float | None = None
        """Monotonic seconds at which calls in flight are ended; None where nobody asked to stop."""
        self.calls_ended = threading.Event()
        """Set when the calls in flight are ended, by who ends them."""
        self.outcome: SessionOutcome | None = None
        """How it ends, as far as that is known before everything is done."""

    def ask(self, grace_s: float) -> None:
        """Hand out no more work; calls in flight get `grace_s` seconds to finish."""
        # No lock: this runs in signal handlers, where the interrupted thread may hold any lock; each step is atomic.
        deadline = time.monotonic() + grace_s
        self.deadline = deadline if self.deadline is None else min(self.deadline, deadline)
        self.asked.set()
