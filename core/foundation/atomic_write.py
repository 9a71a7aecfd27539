"""A file written whole or not at all: beside it first, on the disk, then in its place.

A name points to the old bytes or to the new ones: https://man7.org/linux/man-pages/man2/rename.2.html.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from modex.core.foundation.errors import ConfigurationError

PRIVATE = 0o600
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def write_whole(path: Path, content: bytes | str | Iterable[str], *, mode: int | None = None) -> None:
    """Write `content`, text as UTF-8; whatever happens meanwhile, the file is the old one or the new one.

    Through a link the file behind it is written, a device or a pipe is written into, and an old file keeps its mode.
    A new one has `mode`, by default what the process's umask leaves of read and write for all.

    Raises:
        OSError: it cannot be written; `not_written` says so to a person.
    """
    place = Path(os.path.realpath(path))  # the link stays, and what it leads to is replaced
    try:
        old = place.stat()
    except FileNotFoundError:
        old = None
    if old is None or stat.S_ISREG(old.st_mode):
        _replace(place, content, old, 0o666 & ~_umask() if mode is None else mode)
    else:
        _write_into(place, content)


def not_written(path: Path | str, error: OSError, otherwise: str) -> ConfigurationError:
    """Why `path` was not written and what to do; `otherwise` is where else it could be, as `name another file`."""
    why = error.strerror or str(error)
    if error.errno in _NO_ROOM:
        return ConfigurationError(f"{path}: cannot be written ({why}); make room on that disk, or {otherwise}")
    return ConfigurationError(f"{path}: cannot be written ({why}); make it writable, or {otherwise}")


def _replace(place: Path, content: bytes | str | Iterable[str], old: os.stat_result | None, mode: int) -> None:
    descriptor, name = tempfile.mkstemp(prefix=f".{place.name[:100]}.", suffix=".part", dir=place.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            _write(file, content)
            file.flush()
            if old is not None:
                with contextlib.suppress(OSError):  # only root may leave a file to whom it belonged
                    os.fchown(file.fileno(), old.st_uid, old.st_gid)
            os.fchmod(file.fileno(), mode if old is None else stat.S_IMODE(old.st_mode))
            # The rename may reach the disk before the content does, unless the content is there already.
            os.fsync(file.fileno())
        Path(name).replace(place)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
    folder = os.open(place.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _write_into(place: Path, content: bytes | str | Iterable[str]) -> None:
    # A pipe that nobody reads would hold the opening for ever.
    descriptor = os.open(place, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
    os.set_blocking(descriptor, True)
    with os.fdopen(descriptor, "wb") as file:
        _write(file, content)


def _write(file: BinaryIO, content: bytes | str | Iterable[str]) -> None:
    file.writelines(_pieces(content))


def _pieces(content: bytes | str | Iterable[str]) -> Iterator[bytes]:
    if isinstance(content, bytes):
        yield content
        return
    for piece in [content] if isinstance(content, str) else content:
        yield piece.encode("utf-8", "replace")


def _umask() -> int:
    """What files of this process are made without; asking for it sets it, so it is set back."""
    value = os.umask(0o077)
    os.umask(value)
    return value
