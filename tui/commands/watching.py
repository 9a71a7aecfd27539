"""Watching runs that work in processes of their own, and what the command line says when the screen is left."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path

from core.safety import clean_line, redact
from tui.starting import Starting


def watch_starting(database: Path, starting: Starting, *, mouse: bool, fail_under: float | None = None) -> int:
    """Show runs from their first moment; then the exit code of the runs as they stand, or of what could not be started."""
    from tui.launch import watch_starting as show

    show(database, starting, mouse=mouse)
    started = starting.outcome.result()
    say(started.said.rstrip("\n"))
    return _farewell(database, started.exp_ids, fail_under) if started.exp_ids else started.code


def attach_to(database: Path, names: Sequence[str], *, mouse: bool, fail_under: float | None = None) -> int:
    """Show the live screen; then the exit code of the runs as they stand."""
    from tui.launch import watch

    watch(database, names, mouse=mouse)
    return _farewell(database, names, fail_under)


def _farewell(database: Path, names: Sequence[str], fail_under: float | None) -> int:
    from core.store.reader import Reader

    reader = Reader(database)
    try:
        runs = [reader.run(name) for name in names]
    finally:
        reader.close()
    for row in runs:
        if row.going:
            say(f"{row.exp_id} goes on in the background: modex attach {row.exp_id}")
    return max(
        0 if row.going else exit_code(row.status, row.error_tests, row.overall_score, fail_under) for row in runs
    )


def exit_code(status: str, errors: int, score: float | None, fail_under: float | None) -> int:
    """0 finished; 1 below `fail_under` or with errors, or not finished; 2 could not be run; 3 aborted."""
    if status == "aborted":
        return 3
    if status == "error":
        return 2
    below = fail_under is not None and (score is None or score < fail_under)
    return 1 if errors or below or status != "completed" else 0


def say(text: str) -> None:
    """Narrate on stderr, cleaned and without keys."""
    with contextlib.suppress(OSError):  # nobody reads it any more: no reason to end a run
        for line in text.splitlines():
            sys.stderr.write(clean_line(redact(line)) + "\n")
        sys.stderr.flush()
