"""Opening the screen, and what is said and returned when it is left; nothing of textual is imported before."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modex.core.foundation import exit_codes
from modex.core.foundation.interrupts import leave_interrupts
from modex.core.safety import as_words
from modex.tui.plain.narration import say, tell_missed
from modex.tui.start.staying import is_first_process, stay

if TYPE_CHECKING:
    from textual.screen import Screen

    from modex.tui.app import ModexApp, StartScreen
    from modex.tui.start.fork import Starting


_TERMINATED = 128 + signal.SIGTERM


def open_home(database: Path, *, mouse: bool = True) -> int:
    """Show the list of runs until the person leaves; the exit code.

    Raises:
        ConfigurationError: the settings file is wrong.
        StoreError: the file is no database of ours, or a damaged one.
    """
    from modex.core.store.schema import look_at
    from modex.tui.app import Home

    _begin(database)
    look_at(database)
    return _open(database, Home(), mouse=mouse)


def _begin(database: Path) -> None:
    """On first use make the store, so that the screen says how to start instead of what is missing."""
    if database.exists():
        return
    from modex.core.foundation.errors import StoreError
    from modex.core.store.database import open_database

    with contextlib.suppress(StoreError):  # a read-only folder: the screen says so
        open_database(database).close()


def watch(database: Path, exp_ids: Sequence[str], *, mouse: bool = True) -> int:
    """Show runs that exist in the store, live; several are several models side by side. The exit code.

    Raises:
        ConfigurationError: the settings file is wrong.
        StoreError: no such run.
    """
    from modex.core.store.reader import Reader
    from modex.tui.app import Watch

    with contextlib.closing(Reader(database)) as reader:
        names = tuple(reader.run(exp_id).exp_id for exp_id in exp_ids)
    return _open(database, Watch(names), mouse=mouse)


def show_screen(database: Path, make: Callable[[], Screen[Any]], *, mouse: bool = True) -> int:
    """Show the screen that `make` gives, of a feature's own, until the person leaves; the exit code.

    Raises:
        ConfigurationError: the settings file is wrong.
    """
    from modex.tui.app import At

    return _open(database, At(make), mouse=mouse)


def watch_starting(
    database: Path, starting: Starting, *, mouse: bool, fail_under: exit_codes.Floor | None = None
) -> int:
    """Show runs from their first moment; then the exit code of the runs as they stand, or of what could not be started."""
    if not starting.failed:
        from modex.tui.app import Launch

        _open(database, Launch(starting), mouse=mouse)
    started = starting.outcome.result()
    say(started.message.rstrip("\n"))
    return _farewell(database, started.exp_ids, fail_under) if started.exp_ids else started.code


def attach_to(database: Path, names: Sequence[str], *, mouse: bool, fail_under: exit_codes.Floor | None = None) -> int:
    """Show the live screen; then the exit code of the runs as they stand."""
    watch(database, names, mouse=mouse)
    return _farewell(database, names, fail_under)


def _farewell(database: Path, names: Sequence[str], fail_under: exit_codes.Floor | None) -> int:
    from modex.core.store.reader import Reader

    if is_first_process():  # again: a run that was starting when the screen was left is under way only now
        stay(database)
    with contextlib.closing(Reader(database)) as reader:
        runs = [reader.run(name) for name in names]
        lacking = {row.id: reader.lacking(row) for row in runs}
    for row in runs:
        if row.going:
            say(f"{row.exp_id} goes on in the background: modex attach {as_words(row.exp_id)}")
        else:
            tell_missed(row, fail_under)
    return max(
        0
        if row.going
        else exit_codes.of_run(
            row.status, row.error_tests + lacking[row.id], row.overall_score, fail_under, least=row.least_score
        )
        for row in runs
    )


@contextlib.contextmanager
def _ended_by_sigterm(app: ModexApp) -> Iterator[None]:
    """A SIGTERM leaves the screen as `q` does, so that the terminal is given back; runs go on in their own processes.

    A SIGHUP that the caller ignores (`nohup`) ends it too: without a terminal a screen would only turn in circles.
    """
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    before = signal.signal(signal.SIGTERM, lambda *_: app.exit(_TERMINATED))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _open(database: Path, start: StartScreen, *, mouse: bool) -> int:
    from modex.tui.app import ModexApp
    from modex.tui.look.preferences import load

    app = ModexApp(database, start=start, mouse=mouse, preferences=load())
    leave_interrupts()
    with _ended_by_sigterm(app):
        result = app.run(mouse=app.uses_mouse)
    if is_first_process():
        stay(database, stop=result == _TERMINATED)
    return result if result is not None else app.return_code or 0
