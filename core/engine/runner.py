"""The runner process: one run, no terminal. `python -m core.engine.runner --db FILE --exp-id ID`."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import FrameType, TracebackType

from core.engine.session import SIGINT_GRACE_S, SIGTERM_GRACE_S, Outcome, Session
from core.errors import ModexError
from core.safety import redact

EXIT_CODES = {"completed": 0, "stopped": 1, "paused": 1, "error": 2, "aborted": 3}


def main(arguments: list[str] | None = None) -> int:
    """Work on the named run until it is done or told to stop; the exit code."""
    parser = argparse.ArgumentParser(prog="modex runner")
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--exp-id", required=True)
    parser.add_argument("--judging", choices=("changed", "all"))
    options = parser.parse_args(arguments)
    guard_output()
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        session = Session(options.db, options.exp_id, narrate=_say)
    except ModexError as error:
        _say(f"{options.exp_id}: {error}")
        return error.exit_code
    with stopping_on_signals(session):
        try:
            outcome = session.run(judging=options.judging)
        except ModexError as error:
            _say(f"{options.exp_id}: {error}")
            return error.exit_code
        finally:
            session.close()
    return exit_code(outcome)


def exit_code(outcome: Outcome) -> int:
    """The process's exit code for how a session ended."""
    return EXIT_CODES[outcome.status]


@contextlib.contextmanager
def stopping_on_signals(session: Session) -> Iterator[list[int]]:
    """SIGINT and SIGTERM stop the session in order; a second one ends what is in flight at once; yields those seen."""
    seen: list[int] = []

    def handle(number: int, _frame: FrameType | None) -> None:
        seen.append(number)
        if len(seen) > 1:
            session.stop(grace_s=0.0)
        else:
            session.stop(grace_s=SIGTERM_GRACE_S if number == signal.SIGTERM else SIGINT_GRACE_S)

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield seen
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def guard_output() -> None:
    """Uncaught exceptions are written without locals and without secrets."""

    def written(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
        lines = "".join(traceback.format_exception(kind, error, trace))
        sys.stderr.write(redact(lines))

    sys.excepthook = written
    threading.excepthook = lambda args: written(args.exc_type, args.exc_value, args.exc_traceback)


def _say(text: str) -> None:
    sys.stderr.write(redact(text) + "\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
