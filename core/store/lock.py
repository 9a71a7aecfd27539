"""Who holds a run or a race: an OS lock on a small file beside the database, freed by the holder's death.

A lock belongs to an open file, not to a process: a starter that has decided what the run is hands the open file to the
runner it starts, so that nobody can come in between.

Locks of open files: https://man7.org/linux/man-pages/man2/flock.2.html.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import socket
import stat
import time
from pathlib import Path
from typing import Literal, cast, get_args

from modex.core.foundation.errors import RunBusyError, StoreError
from modex.core.safety import as_words

Kind = Literal["run", "race"]
_ATTEMPTS = 10
_LOCK_NAME = re.compile(rf"(?:{'|'.join(get_args(Kind))})-\d+\.lock")


def lock_path(database: Path, run_id: int, kind: Kind = "run") -> Path:
    """Where the lock file of a run (or race) is while somebody holds it: beside the file itself, whatever links lead to it."""
    found = database.resolve()
    return found.with_name(found.name + ".locks") / f"{kind}-{run_id}.lock"


def is_lock_path(path: Path) -> bool:
    """Whether `path` is named as `lock_path` names them."""
    return path.parent.name.endswith(".locks") and _LOCK_NAME.fullmatch(path.name) is not None


class RunLock:
    """The exclusive right to work on a run, or a race; a context manager, given free at the latest when nothing refers to it."""

    def __init__(
        self, database: Path, run_id: int, exp_id: str, *, descriptor: int | None = None, kind: Kind = "run"
    ) -> None:
        """Take the lock, or go on with the `descriptor` that another process took it with and handed over.

        Raises:
            RunBusyError: another process holds it.
            StoreError: the folder cannot be written, or is not ours.
        """
        self.descriptor = -1
        self._pid = os.getpid()
        self._path = lock_path(database, run_id, kind)
        try:
            if descriptor is None:
                descriptor = _taken(self._path, database, run_id, exp_id, kind)
            else:
                os.set_inheritable(descriptor, False)
            self.descriptor = descriptor
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, json.dumps({"pid": os.getpid(), **_place()}).encode(), 0)
        except OSError as error:
            self.release()
            raise StoreError(
                f"{self._path}: cannot be written ({error.strerror}); make room, or use another --db"
            ) from error

    def release(self) -> None:
        """Give the run free and remove the file."""
        if self.descriptor >= 0:
            self._path.unlink(missing_ok=True)
            self.hand_over()

    def hand_over(self) -> None:
        """Leave the lock to the process that was given the descriptor."""
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def __enter__(self) -> RunLock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def __del__(self) -> None:
        if self._pid == os.getpid():  # a forked child has a copy of the object, and no right to the file
            self.release()


def _taken(path: Path, database: Path, run_id: int, exp_id: str, kind: Kind) -> int:
    """The descriptor of the locked file."""
    refusals = 0
    while True:
        folder = _folder(path.parent)
        try:
            descriptor = os.open(path.name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600, dir_fd=folder)
        finally:
            os.close(folder)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            refusals += 1
            if refusals < _ATTEMPTS:  # a viewer that only looks holds a shared lock for an instant
                time.sleep(0.02)
                continue
            raise RunBusyError(
                f"{exp_id}: {holder(database, run_id, kind)} is working on this {kind}; "
                f"watch it with `modex attach {as_words(exp_id)}`, or end it with `modex stop {as_words(exp_id)}`"
            ) from None
        if path.exists() and os.fstat(descriptor).st_ino == path.stat().st_ino:
            return descriptor
        os.close(descriptor)  # the holder before us removed the file between our open and our lock


def _folder(path: Path) -> int:
    """The folder of the locks, opened: made where it is missing, and refused where it is not ours."""
    path.mkdir(mode=0o700, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise StoreError(
            f"{path}: this is no folder of modex ({error.strerror}); remove it, or use another --db"
        ) from error
    found = os.fstat(descriptor)
    if found.st_uid not in (os.geteuid(), _owner_beside(path)) or stat.S_IMODE(found.st_mode) & stat.S_IWOTH:
        os.close(descriptor)
        raise StoreError(f"{path}: others may write there, so its locks say nothing; chmod 700 it, or use another --db")
    return descriptor


def _owner_beside(path: Path) -> int:
    """Who owns the folder of the database: root may work on a user's runs."""
    return path.parent.stat().st_uid


def is_held(database: Path, run_id: int, kind: Kind = "run") -> bool:
    """Whether a living process holds the run, or the race."""
    try:
        descriptor = os.open(lock_path(database, run_id, kind), os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
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


def holder_pid(database: Path, run_id: int, kind: Kind = "run") -> int | None:
    """The holder's process id as it wrote it itself; None where nobody holds the run, or somebody of another container or host.

    There the number is another process here, which must not be given the holder's signals.
    """
    return _local_pid(lock_path(database, run_id, kind)) if is_held(database, run_id, kind) else None


def holders_here(database: Path) -> list[int]:
    """The processes of this container (or host) that hold runs or races of a database, this one left out."""
    found = set()
    for path in lock_path(database, 0).parent.glob("*.lock"):
        kind, _, number = path.stem.partition("-")
        if kind in ("run", "race") and number.isdecimal() and is_held(database, int(number), cast(Kind, kind)):
            found.add(_local_pid(path))
    return sorted(pid for pid in found if pid is not None and pid != os.getpid())


def _local_pid(path: Path) -> int | None:
    try:
        written = json.loads(path.read_text())
        here = all(written.get(name, value) == value for name, value in _place().items())
        return int(written["pid"]) if here else None
    except (OSError, ValueError, KeyError, AttributeError):
        return None


def _place() -> dict[str, str]:
    """Where a process id means something: the host, and where the system tells, its space of process ids."""
    place = {"host": socket.gethostname()}
    with contextlib.suppress(OSError):
        place["processes"] = os.readlink("/proc/self/ns/pid")  # noqa: PTH115 - no path: "pid:[4026531836]"
    return place


def holder(database: Path, run_id: int, kind: Kind = "run") -> str:
    """The holder in words."""
    pid = holder_pid(database, run_id, kind)
    return f"process {pid}" if pid else "another process"
