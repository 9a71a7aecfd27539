"""Commands to a runner, from any terminal that sees the database."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from modex.core.foundation.errors import StoreError
from modex.core.store.commands import CommandName, add_command
from modex.core.store.database import open_database
from modex.core.store.lock import is_held


def send_command(database: Path, run_id: int, command: CommandName, argument: object = None) -> None:
    """Ask the run's runner for something; it reacts within a fraction of a second, or as soon as it has begun.

    Raises:
        StoreError: nobody works on the run or is about to, or the database cannot be written.
    """
    with closing(open_database(database)) as store:
        if not is_held(database, run_id):
            raise StoreError("nobody works on this run now; `modex resume` continues it")
        add_command(store, run_id, command, argument)
