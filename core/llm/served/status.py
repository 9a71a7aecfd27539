"""What a server's keeper says of it in a file beside the locks, and the locks themselves.

`lease` is held (shared) by everyone who wants the server, `keeper` by its keeper: the system lets go of both when a process
ends, however it ends. https://man7.org/linux/man-pages/man2/flock.2.html.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Literal

from modex.core.foundation.atomic_write import PRIVATE, write_whole
from modex.core.llm.served.wish import place_of, served_home

State = Literal["starting", "ready", "failed", "ended"]
LEASE, KEEPER, START = "lease", "keeper", "start"
WISH, STATUS, LOG = "wish.json", "status.json", "server.log"
KEPT_PLACES = 20
"""Folders of servers that are gone, with their logs; of older ones nothing is left."""
_LAST_BYTES = 4000
_LAST_LINES = 8


@dataclass(frozen=True, slots=True)
class Status:
    """How a server stands. Holds its key: the file is its owner's alone."""

    serial: int = 0
    """Of the keeper, by its start: a later one is greater."""
    state: State = "ended"
    base: str = ""
    """Its address, with `/v1`."""
    key: str = ""
    words: str = ""
    """Why it failed; in other states what is going on."""
    starts: int = 0
    """How often it was started."""
    pid: int = 0
    peak_bytes: int = 0
    """The most memory that its processes took together."""
    log_from: int = 0
    """Where in the log its last start begins, in bytes."""
    facts: dict[str, object] = field(default_factory=dict)
    """What it says of itself: server, context, slots, digest of its template."""


def read_status(place: Path) -> Status:
    """The last word of the keeper of `place`; an empty one where there is none."""
    try:
        told = json.loads((place / STATUS).read_text(encoding="utf-8"))
        known = {one.name for one in fields(Status)}
        return Status(**{name: value for name, value in told.items() if name in known})
    except (OSError, ValueError, AttributeError):
        return Status()


def write_status(place: Path, status: Status) -> None:
    """Say how it stands, to everyone who looks.

    Raises:
        OSError: it cannot be written.
    """
    write_whole(place / STATUS, json.dumps(asdict(status)), mode=PRIVATE)


def opened(place: Path, lock: str) -> int:
    """A descriptor of one of the locks' files, made where it is not there; no process that is started inherits it.

    Raises:
        OSError: it cannot be made.
    """
    return os.open(place / f"{lock}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE)


def taken(descriptor: int, *, shared: bool = False) -> bool:
    """Whether the lock could be taken at once."""
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def is_held(place: Path, lock: str) -> bool:
    """Whether somebody else holds it; nobody does where the folder is gone."""
    try:
        descriptor = opened(place, lock)
    except FileNotFoundError:
        return False
    try:
        return not taken(descriptor)
    finally:
        os.close(descriptor)


def places() -> list[Path]:
    """The folders of this machine's servers, those that are gone too."""
    with contextlib.suppress(OSError):
        return [one for one in served_home().iterdir() if one.name.startswith(place_of("")) and one.is_dir()]
    return []


def places_held() -> list[Path]:
    """Those whose servers are there."""
    return [place for place in places() if is_held(place, KEEPER)]


def clear_away() -> None:
    """Remove the folders of servers that are gone, but for the newest."""
    by_age = sorted(places(), key=_last_word, reverse=True)
    for place in by_age[KEPT_PLACES:]:
        with contextlib.suppress(OSError):  # in use by now, or somebody else's
            _remove(place)


def _last_word(place: Path) -> float:
    with contextlib.suppress(OSError):
        return (place / STATUS).stat().st_mtime
    return 0.0


def _remove(place: Path) -> None:
    """Unless anybody holds a lock of it: who waits for one meanwhile gets it of a file that is gone, and looks (`is_there`)."""
    with contextlib.ExitStack() as stack:
        for lock in (LEASE, KEEPER, START):
            descriptor = opened(place, lock)
            stack.callback(os.close, descriptor)
            if not taken(descriptor):
                return
        for path in place.iterdir():
            path.unlink()
        place.rmdir()


def is_there(place: Path, lock: str, descriptor: int) -> bool:
    """Whether a lock's file is still the one that others find."""
    with contextlib.suppress(OSError):
        return os.path.samestat(os.fstat(descriptor), (place / f"{lock}.lock").stat())
    return False


def last_lines(place: Path, begin: int = 0) -> str:
    """The last lines of the server's log from `begin` on that say something, as one indented text; empty where there are none."""
    with contextlib.suppress(OSError), (place / LOG).open("rb") as file:
        end = file.seek(0, 2)
        file.seek(max(begin if begin <= end else 0, end - _LAST_BYTES))  # it may have gone on in a new file
        lines = [line.rstrip() for line in file.read().decode("utf-8", "replace").splitlines() if line.strip()]
        return "".join(f"\n  {line[:300]}" for line in lines[-_LAST_LINES:])
    return ""
