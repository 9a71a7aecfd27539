"""Who holds a run: an OS lock on a small file beside the database, freed by the holder's death."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import time
from pathlib import Path

from core.errors import RunBusyError, StoreError

_TRIES = 10


def lock_path(database: Path, run_id: int) -> Path:
    """Where the run's lock file is while somebody holds it."""
    return database.with_name(database.name + ".locks") / f"run-{run_id}.lock"


class RunLock:
    """The exclusive right to work on a run; a context manager."""

    def __init__(self, database: Path, run_id: int, exp_id: str) -> None:
        """Take the lock.

        Raises:
            RunBusyError: another process holds it.
            StoreError: the folder cannot be written.
        """
        self._path = lock_path(database, run_id)
        try:
            self._path.parent.mkdir(mode=0o700, exist_ok=True)
            refusals = 0
            while True:
                descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    os.close(descriptor)
                    refusals += 1
                    if refusals < _TRIES:  # a viewer that only looks holds a shared lock for an instant
                        time.sleep(0.02)
                        continue
                    raise RunBusyError(
                        f"{exp_id}: {holder(database, run_id)} is working on this run; "
                        f"watch it with `modex attach {exp_id}`, or end it with `modex stop {exp_id}`"
                    ) from None
                if self._path.exists() and os.fstat(descriptor).st_ino == self._path.stat().st_ino:
                    break
                os.close(descriptor)  # the holder before us removed the file between our open and our lock
        except OSError as error:
            raise StoreError(f"{self._path}: cannot be written ({error.strerror}); use another --db") from error
        self._descriptor = descriptor
        os.ftruncate(descriptor, 0)
        os.write(descriptor, json.dumps({"pid": os.getpid(), "host": socket.gethostname()}).encode())

    def release(self) -> None:
        """Give the run free and remove the file."""
        if self._descriptor >= 0:
            self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> RunLock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def is_held(database: Path, run_id: int) -> bool:
    """Whether a living process holds the run."""
    try:
        descriptor = os.open(lock_path(database, run_id), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    else:
        return False
    finally:
        os.close(descriptor)


def holder_pid(database: Path, run_id: int) -> int | None:
    """The holder's process id as it wrote it itself; None where nobody holds the run."""
    if not is_held(database, run_id):
        return None
    try:
        return int(json.loads(lock_path(database, run_id).read_text())["pid"])
    except (OSError, ValueError, KeyError):
        return None


def holder(database: Path, run_id: int) -> str:
    """The holder in words."""
    pid = holder_pid(database, run_id)
    return f"process {pid}" if pid else "another process"
