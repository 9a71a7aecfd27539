"""The runner process: one run, no terminal. `python -m core.engine.runner --db FILE --exp-id ID`."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import FrameType, TracebackType
from typing import get_args

from core import exit_codes
from core.engine.session import SIGINT_GRACE_S, SIGTERM_GRACE_S, Session
from core.errors import ModexError
from core.safety import redact
from core.store.lock import RunLock
from core.store.manager import Chosen, Redo
from core.store.reader import Reader

_LAST_RESORT_S = 1.5


def main(arguments: list[str] | None = None) -> int:
    """Work on the named run until it is done or told to stop; the exit code."""
    parser = argparse.ArgumentParser(prog="modex runner")
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--exp-id", required=True)
    parser.add_argument("--lock", type=int, help="the open file of the run's lock, as the starter holds it")
    parser.add_argument("--judging", choices=("changed", "all"))
    parser.add_argument("--only", help="ids of samples, with commas: these are done again and nothing else")
    parser.add_argument("--redo", choices=get_args(Redo), default="changed")
    options = parser.parse_args(arguments)
    # Before anything else: the terminal may be closed while the suite is still read.
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    guard_output()
    try:
        session = Session(options.db, options.exp_id, narrate=say, lock=_handed_over(options))
    except ModexError as error:
        say(f"{options.exp_id}: {error}")
        return error.exit_code
    with stopping_on_signals(session):
        try:
            outcome = session.run(judging=options.judging, chosen=_chosen(options))
        except ModexError as error:
            say(f"{options.exp_id}: {error}")
            return error.exit_code
        finally:
            session.close()
    return exit_codes.of_run(outcome.status, 0, None)


def _chosen(options: argparse.Namespace) -> Chosen | None:
    return Chosen(frozenset(map(int, options.only.split(","))), options.redo) if options.only else None


def _handed_over(options: argparse.Namespace) -> RunLock | None:
    """The lock that the starter handed over."""
    if options.lock is None:
        return None
    reader = Reader(options.db)
    try:
        run = reader.run(options.exp_id)
    finally:
        reader.close()
    return RunLock(options.db, run.id, run.exp_id, descriptor=options.lock)


@contextlib.contextmanager
def stopping_on_signals(session: Session) -> Iterator[list[int]]:
    """SIGINT and SIGTERM stop the session in order; a second one ends what is in flight at once; yields those seen.

    SIGHUP is ignored: a lost terminal loses no run. What does not end in its time after a signal (a model's code that
    cannot be interrupted, a dead network file system) ends with the process: the store is then as after any crash.
    """
    seen: list[int] = []
    last_resorts: list[threading.Timer] = []

    def handle(number: int, _frame: FrameType | None) -> None:
        seen.append(number)
        grace = SIGTERM_GRACE_S if number == signal.SIGTERM else SIGINT_GRACE_S
        # A person who asks twice does not want to wait.
        if len(seen) > 1:
            grace = 0.0
        session.stop(grace_s=grace)
        # `os._exit` from a thread of its own: the main thread may never come back to Python to see a signal.
        timer = threading.Timer(grace + _LAST_RESORT_S, os._exit, [exit_codes.ExitCode.INTERRUPTED])
        timer.daemon = True
        timer.start()
        last_resorts.append(timer)

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    before[signal.SIGHUP] = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        yield seen
    finally:
        # Ended in time; an embedding process (tests, the foreground run) must outlive the session.
        for timer in last_resorts:
            timer.cancel()
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


if __name__ == "__main__":
    sys.exit(main())
