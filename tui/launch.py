"""Opening the screen: what the command line calls, and nothing else of textual is imported before."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tui.app import ModexApp, StartScreen
    from tui.starting import Starting


def open_home(database: Path, *, mouse: bool = True) -> int:
    """Show the list of runs until the person leaves; the exit code.

    Raises:
        ConfigurationError: the settings file is wrong.
    """
    from tui.app import Home

    _begin(database)
    return _open(database, Home(), mouse=mouse)


def _begin(database: Path) -> None:
    """On first use make the store, so that the screen says how to start instead of what is missing."""
    if database.exists():
        return
    from core.errors import StoreError
    from core.store.database import open_database

    with contextlib.suppress(StoreError):  # a read-only folder: the screen says so
        open_database(database).close()


def watch(database: Path, exp_ids: Sequence[str], *, mouse: bool = True) -> int:
    """Show runs that exist in the store, live; several are several models side by side. The exit code.

    Raises:
        ConfigurationError: the settings file is wrong.
        StoreError: no such run.
    """
    from core.store.reader import Reader
    from tui.app import Watch

    reader = Reader(database)
    try:
        names = tuple(reader.run(exp_id).exp_id for exp_id in exp_ids)
    finally:
        reader.close()
    return _open(database, Watch(names), mouse=mouse)


def watch_starting(database: Path, starting: Starting, *, mouse: bool = True) -> int:
    """Show runs that are on their way to the store, then live; no screen where it is known by then that there will be none.

    Raises:
        ConfigurationError: the settings file is wrong.
    """
    from tui.app import Launch

    return 0 if starting.failed else _open(database, Launch(starting), mouse=mouse)


@contextlib.contextmanager
def _ended_by_sigterm(app: ModexApp) -> Iterator[None]:
    """A SIGTERM leaves the screen as `q` does, so that the terminal is given back; runs go on in their own processes."""
    before = signal.signal(signal.SIGTERM, lambda *_: app.exit(128 + signal.SIGTERM))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _open(database: Path, start: StartScreen, *, mouse: bool) -> int:
    from tui.app import ModexApp
    from tui.preferences import load

    app = ModexApp(database, start=start, mouse=mouse, preferences=load())
    with _ended_by_sigterm(app):
        result = app.run(mouse=app.uses_mouse)
    return result if result is not None else app.return_code or 0
