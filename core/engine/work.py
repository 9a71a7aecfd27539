"""Working on a run in this process, to its end, stopped in order by signals: what the runner, `--headless` and a race do."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING

from modex.core.engine.session import Session
from modex.core.engine.stopping import SIGINT_GRACE_S, SIGTERM_GRACE_S
from modex.core.engine.watchdog import SLACK_S, watched
from modex.core.foundation.exit_codes import ExitCode
from modex.core.safety import redact
from modex.core.store.lock import RunLock

if TYPE_CHECKING:
    from modex.core.pipeline.assembly import CheckedTests

_LAST_RESORT_S = {signal.SIGINT: 1.5, signal.SIGTERM: 2.2}
"""How long after its grace a run has to let go by itself; with the watchdog's slack, SIGTERM takes less than 5 s."""
_AGAIN_S = 1.5
_SWITCH_S = 0.0005
"""How long a thread keeps the interpreter once a signal came: those that settle the run wait behind those that read answers."""


@contextlib.contextmanager
def at_work(
    database: Path,
    exp_id: str,
    *,
    narrate: Callable[[str], None],
    checked: CheckedTests | None = None,
    lock: RunLock | None = None,
) -> Iterator[tuple[Session, list[int]]]:
    """A session of the run, which signals stop, and those signals as they come; the run is let go of at the end.

    Raises:
        StoreError: no such run, or the database cannot be written.
        RunBusyError: another process works on it.
    """
    session = Session(database, exp_id, narrate=narrate, checked=checked, lock=lock)
    with stopping_on_signals(session) as seen:
        try:
            yield session, seen
        finally:
            session.close()  # still under the signals' last resort: a dead network file system hangs here too


@contextlib.contextmanager
def stopping_on_signals(session: Session) -> Iterator[list[int]]:
    """SIGINT and SIGTERM stop the session in order; a second one ends what is in flight at once; yields those seen.

    SIGHUP is ignored: a lost terminal loses no run. What does not end in its time after a signal (a model's code that
    cannot be interrupted, a dead network file system) ends with the process: the store is then as after any crash. Where
    the interpreter is held, so that no handler runs, the watchdog ends it.
    """
    seen: list[int] = []
    last_resorts: list[threading.Timer] = []

    def handle(number: int, _frame: FrameType | None) -> None:
        seen.append(number)
        grace = SIGTERM_GRACE_S if number == signal.SIGTERM else SIGINT_GRACE_S
        rest = _LAST_RESORT_S[signal.Signals(number)]
        # A person who asks twice does not want to wait.
        if len(seen) > 1:
            grace, rest = 0.0, _AGAIN_S
        sys.setswitchinterval(_SWITCH_S)
        session.stop(grace_s=grace)
        # `os._exit` from a thread of its own: the main thread may never come back to Python to see a signal.
        timer = threading.Timer(grace + rest, os._exit, [ExitCode.INTERRUPTED])
        timer.daemon = True
        timer.start()
        last_resorts.append(timer)

    switching = sys.getswitchinterval()
    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    before[signal.SIGHUP] = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    patience = {
        int(number): grace + _LAST_RESORT_S[number] + SLACK_S
        for number, grace in ((signal.SIGINT, SIGINT_GRACE_S), (signal.SIGTERM, SIGTERM_GRACE_S))
    }
    try:
        with watched(patience):
            yield seen
    finally:
        # Ended in time; an embedding process (tests, the foreground run) must outlive the session.
        for timer in last_resorts:
            timer.cancel()
        if not seen:  # else the summary, too, is written behind threads that still read
            sys.setswitchinterval(switching)
        for number, handler in before.items():
            signal.signal(number, handler)


def guard_output() -> None:
    """Uncaught exceptions are written without locals and without secrets."""

    def written(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
        lines = "".join(traceback.format_exception(kind, error, trace))
        say(lines.rstrip())

    sys.excepthook = written
    threading.excepthook = lambda args: written(args.exc_type, args.exc_value, args.exc_traceback)


def say(text: str) -> None:
    """Write narration to stderr, redacted; a full disk or a closed pipe there must not end a run."""
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(redact(text) + "\n")
        sys.stderr.flush()
