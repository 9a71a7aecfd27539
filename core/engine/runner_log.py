"""The log of background runners, kept from growing without end: what is long goes beside it as `….1`, and it begins anew."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
from pathlib import Path

MOST_BYTES = 4 * 1024 * 1024
"""Bytes after which a log is put aside; with the one put aside before, twice as much is kept at most."""


def aside(log: Path) -> Path:
    """Where the log before this one is."""
    return log.with_name(log.name + ".1")


def rotate(log: Path, descriptors: tuple[int, ...] = (1, 2), most_bytes: int = MOST_BYTES) -> bool:
    """Where `descriptors` write to `log` and it has become long, put it aside and let them write to a new one.

    Several runners share the log: the first that finds it long renames it, the others follow to the new one. Whatever fails
    leaves them writing where they do; a log is no reason to end a run.
    """
    with contextlib.suppress(OSError):
        first = descriptors[0]
        own = os.fstat(first)
        if not stat.S_ISREG(own.st_mode) or own.st_size <= most_bytes:
            return False
        fcntl.flock(first, fcntl.LOCK_EX)  # on the file that all of them have open, so that only one renames it
        try:
            if log.exists() and os.path.samestat(own, log.stat()):
                log.replace(aside(log))
            fresh = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        finally:
            fcntl.flock(first, fcntl.LOCK_UN)
        for descriptor in descriptors:
            os.dup2(fresh, descriptor)
        os.close(fresh)
        return True
    return False
