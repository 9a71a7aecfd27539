"""Stored runs as a person handles them: rename, archive, delete, stop. How one begins is `modex.core.engine.start`."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import time
from pathlib import Path

from modex.core.engine.commands import send_command
from modex.core.foundation.errors import ConfigurationError, StoreError
from modex.core.store.lock import RunLock, holder_pid, is_held
from modex.core.store.manager import DBDataManager
from modex.core.store.races import RaceRow, delete_race
from modex.core.store.reader import Reader

EXP_ID = re.compile(r"[^\s/\\\x00-\x1f\ud800-\udfff][^\x00-\x1f\\\ud800-\udfff]{0,199}")
"""What a run may be called."""
_STOP_WITHIN_S = 15.0


def refuse_as_option(name: str) -> None:
    """Whether a new run, or one that gets another name, can have this one; those that have it already keep it.

    Raises:
        ConfigurationError: it begins as an option does, so that no command could name the run.
    """
    if name.startswith("-"):
        raise ConfigurationError(
            f"{name!r}: a command would take this name for an option; choose one without - in front"
        )


def rename_run(database: Path, exp_id: str, name: str) -> tuple[str, str]:
    """Give a run another name; the old one and the new one.

    Raises:
        ConfigurationError: `name` cannot be one, or another run has it.
        RunBusyError: somebody works on the run: its runner knows it by its name.
        StoreError: no such run, or the database cannot be written.
    """
    if not EXP_ID.fullmatch(name):
        raise ConfigurationError(
            f"{name!r}: a name has up to 200 printable characters, no slash or space in front; choose another"
        )
    refuse_as_option(name)
    with contextlib.closing(DBDataManager(database)) as manager:
        run = manager.reader.run(exp_id)
        # Under the lock, since a runner looks its run up by the name.
        with RunLock(database, run.id, run.exp_id):
            if manager.reader.find_run(name) is not None:
                raise ConfigurationError(f"{name}: another run is called so; choose another name")
            manager.update_run(run.id, exp_id=name)
        return run.exp_id, name


def archive_run(database: Path, exp_id: str, *, archived: bool) -> str:
    """Put a run away, or take it back; its name.

    Raises:
        RunBusyError: somebody works on it.
        StoreError: no such run, or the database cannot be written.
    """
    with contextlib.closing(DBDataManager(database)) as manager:
        run = manager.reader.run(exp_id)
        with RunLock(database, run.id, run.exp_id):
            manager.update_run(run.id, archived=archived)
        return run.exp_id


def restore_run(database: Path, run_id: int) -> None:
    """Put back what stood before a start that came to nothing."""
    with contextlib.closing(DBDataManager(database)) as manager:
        manager.restore(run_id)


def delete_run(database: Path, run_id: int) -> None:
    """Delete a run and everything of it, its words in the search index too.

    Raises:
        StoreError: somebody works on it, or the database cannot be written.
    """
    with contextlib.closing(DBDataManager(database)) as manager:
        if not is_held(database, run_id):
            _forget_words(manager.reader, run_id)
        manager.delete_run(run_id)


def forget_race(database: Path, race: RaceRow) -> None:
    """Delete what was decided in a race; its runs stay.

    Raises:
        StoreError: somebody works on it, or the database cannot be written.
    """
    with contextlib.closing(DBDataManager(database)) as manager:
        delete_race(manager.reader, race)


def _forget_words(reader: Reader, run_id: int) -> None:
    from modex.core.store.search.index import SearchIndex, index_path  # here: who starts a run does not wait for it

    if not index_path(reader.path).exists():
        return
    # An index that cannot be used keeps no run from being deleted; the next search makes another.
    with contextlib.suppress(StoreError), contextlib.closing(SearchIndex(reader.path)) as index:
        index.forget_run(reader, run_id)


def stop_and_wait(database: Path, run_id: int) -> bool:
    """Ask the runner to stop and wait until it let the run go; whether it did."""
    send_command(database, run_id, "stop")
    deadline = time.monotonic() + _STOP_WITHIN_S
    while time.monotonic() < deadline:
        if not is_held(database, run_id):
            return True
        # Asked at every look: a person may suspend it while this waits.
        if (pid := holder_pid(database, run_id)) is not None and _is_suspended(pid):
            raise StoreError(
                f"process {pid}, which works on this run, is suspended and hears nothing: `kill -CONT {pid}` lets it go on "
                f"and stop in order, `kill -KILL {pid}` ends it; what is finished is stored"
            )
        time.sleep(0.05)
    # A runner that cannot read its commands (a locked disk, a call that hangs) still takes the signal, whose last resort ends it.
    if (pid := holder_pid(database, run_id)) is not None:
        with contextlib.suppress(ProcessLookupError):  # it ended after the look
            os.kill(pid, signal.SIGTERM)
    return False


def _is_suspended(pid: int) -> bool:
    """Whether a process was stopped by a signal (Ctrl-Z, SIGSTOP, a debugger); False where the system does not tell."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in ("T", "t")
    except (OSError, IndexError):
        return False
