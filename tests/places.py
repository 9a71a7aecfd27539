"""Where the tests of a session write: in memory where there is room, since each store waits for the disk many times."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
_ROOM = 4 << 30
"""Bytes that have to be free: the tests of a session leave a quarter of that at most."""
_NAMES = ("TMPDIR", "PYTEST_DEBUG_TEMPROOT")
"""The variables that say where: to all programs, and to pytest."""
_before: dict[str, str | None] = {}


def write_in_memory(memory: Path = MEMORY, room: int = _ROOM) -> Path | None:
    """Let this process and those it starts make their temporary files in a new folder in memory.

    Returns that folder; none where there is too little room, or where no program may be started from.
    """
    if _before or not _fits(memory, room):
        return None
    folder = Path(tempfile.mkdtemp(prefix="mdx-", dir=memory))
    folder.chmod(0o1777)  # as the usual folder is: a test may be nobody
    for name in _NAMES:
        _before[name] = os.environ.get(name)
        os.environ[name] = str(folder)
    tempfile.tempdir = None  # asks the variable anew
    return folder


def forget() -> None:
    """Remove that folder, and write where it was before."""
    if not _before:
        return
    shutil.rmtree(os.environ[_NAMES[0]], ignore_errors=True)
    for name, value in _before.items():
        if value is None:
            del os.environ[name]
        else:
            os.environ[name] = value
    _before.clear()
    tempfile.tempdir = None


def _fits(memory: Path, room: int) -> bool:
    try:
        found = os.statvfs(memory)
    except OSError:
        return False
    return (
        found.f_bavail * found.f_frsize >= room
        and not found.f_flag & (os.ST_NOEXEC | os.ST_RDONLY)
        and os.access(memory, os.W_OK)
        and os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >= room
    )
