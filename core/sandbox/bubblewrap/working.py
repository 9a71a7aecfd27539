"""What keeps a folder within the namespaces: lays files down, runs commands in it, tells what stands there.

Nothing that a command started is alive while the folder is looked at; what it left outside of the folder is gone then. Links
are never followed. Standard library only.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import os
import shutil
import signal
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from modex.core.sandbox.bubblewrap.pipe import receive, send
from modex.core.sandbox.bubblewrap.running import WORK, FedProgram, become, end_all, main

MAX_ENTRIES = 20_000
_MAX_NAMES = 4 * 1024 * 1024
"""Characters of all paths together."""
_FLOOD = 256 * 1024 * 1024
"""Bytes of output after which a command is ended."""
_PIECE = 1024 * 1024
_LOOK_S = 0.02


class Shell(FedProgram):
    """A command whose output is kept as its beginning and its end."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        super().__init__(request)
        self._seen: dict[int, int] = {}

    def _keep(self, descriptor: int, kept: bytearray, part: bytes, most: int) -> bool:
        del most
        half = self._output // 2
        self._seen[descriptor] = self._seen.get(descriptor, 0) + len(part)
        kept += part
        if len(kept) > 2 * half + 65536:
            kept[half : len(kept) - half] = b""
        if self._seen[descriptor] > _FLOOD:
            self._over = self._over or "output"
            return False
        return True

    def _text(self, descriptor: int) -> str:
        kept, seen = bytes(self._kept.get(descriptor, b"")), self._seen.get(descriptor, 0)
        half = self._output // 2
        if seen <= 2 * half:
            return kept.decode("utf-8", "replace")
        head, tail = kept[:half].decode("utf-8", "ignore"), kept[len(kept) - half :].decode("utf-8", "ignore")
        return f"{head}\n[… {seen - 2 * half:,} of {seen:,} bytes left out here …]\n{tail}"


class Attended(FedProgram):
    """A program on a terminal, for as long as a person likes; what all of it takes is held to the limits."""

    def run(self) -> dict[str, Any]:
        """Start it, and wait until it ends."""
        pid = os.fork()
        if pid == 0:
            become(self._request, [int(self._request["terminal"])] * 3)
        try:
            while not (ended := os.waitpid(pid, os.WNOHANG))[0]:
                self.look()
                if self._over:
                    with contextlib.suppress(OSError):
                        os.kill(-1, signal.SIGKILL)
                time.sleep(_LOOK_S)
        finally:
            end_all()
        return {"code": os.waitstatus_to_exitcode(ended[1]), "over": self._over}


class ServedFolder:
    """The folder, and what was known of its files."""

    def __init__(self) -> None:
        self._digests: dict[str, tuple[tuple[int, ...], str]] = {}

    def serve(self, requests: int, replies: int) -> None:
        """Do what is asked until the other side is gone."""
        doing: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
            "lay": self.lay, "settle": self.settle, "run": self.run, "attend": self.attend,
            "tree": self.tree, "get": self.get, "led": self.led,
        }  # fmt: skip
        send(replies, {"ready": True})
        while (request := receive(requests)) is not None:
            try:
                _there()
                reply = doing[request["do"]](request)
            except OSError as error:
                reply = {"failed": error.strerror or str(error)}
            send(replies, reply)

    def lay(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Put things at their paths, whatever stands there; `gone` are removed before."""
        for path in request.get("gone", ()):
            _remove(_place(path))
        for path, kind, data, more in request["entries"]:
            place = _place(path)
            if more:
                with place.open("ab") as file:
                    file.write(base64.b64decode(data))
                continue
            _make_way(place)
            if kind == "folder":
                if place.is_symlink() or not place.is_dir():
                    _remove(place)
                    place.mkdir()
                place.chmod(0o755)
                continue
            _remove(place)
            if kind == "link":
                place.symlink_to(os.fsdecode(base64.b64decode(data)))
            else:
                place.write_bytes(base64.b64decode(data))
        return {"done": True}

    def settle(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Give things their permissions and times; what is deepest comes first."""
        for path, mode, mtime in request["entries"]:
            place = _place(path)
            if not place.is_symlink():
                place.chmod(mode)
            os.utime(place, ns=(mtime, mtime), follow_symlinks=False)
        return {"done": True}

    def run(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Run a program in the folder, and leave nothing of it but what stands there."""
        try:
            return Shell(request).run()
        finally:
            _clean()

    def attend(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Run a program in the folder on a terminal that this process was given."""
        return Attended(request).run()

    def tree(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """What stands there, with a digest of each file; `over` says of what there is too much (`most`: bytes of all files)."""
        found: list[list[Any]] = []
        names, over, most = 0, "", int(request["most"])
        try:
            size = sum(seen.st_size for _, seen, _ in _walk() if stat.S_ISREG(seen.st_mode))
            if size > most:
                return {
                    "entries": [],
                    "over": f"{_megabytes(size)} MB of files, where it may hold {_megabytes(most)} MB",
                }
            for path, seen, mode in _walk():
                names += len(path)
                if len(found) >= MAX_ENTRIES or names > _MAX_NAMES:
                    over = (
                        f"more than {MAX_ENTRIES:,} files" if len(found) >= MAX_ENTRIES else "names that are too long"
                    )
                    break
                if stat.S_ISREG(seen.st_mode):
                    found.append([path, "file", mode, seen.st_mtime_ns, seen.st_size, self._digest(path, seen)])
                elif stat.S_ISDIR(seen.st_mode):
                    found.append([path, "folder", mode | 0o700, seen.st_mtime_ns, 0, ""])
                elif stat.S_ISLNK(seen.st_mode):
                    leads = base64.b64encode(os.fsencode(_place(path).readlink())).decode()
                    found.append([path, "link", 0o777, seen.st_mtime_ns, 0, leads])
        except OSError as error:
            over = f"what cannot be read ({error.strerror or error})"
        return {"entries": found, "over": over}

    def led(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Where a file is whose path goes through links that stay in the folder; `failed` where none can be there."""
        place, root = _place(request["path"]), Path(WORK).resolve()
        try:
            found = place.resolve()
        except RuntimeError:
            return {"failed": "links lead in a circle there"}
        if not found.is_relative_to(root) or found.is_symlink():
            return {"failed": "a link leads out of the work folder there"}
        above = found.parent
        while above != root:
            if above.exists() and not above.is_dir():
                return {"failed": f"{above.relative_to(root)} is a file"}
            above = above.parent
        return {"failed": "it is a folder"} if found.is_dir() else {"path": str(found.relative_to(root))}

    def get(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """A piece of a file; `failed` where it is none."""
        with _opened(_place(request["path"])) as descriptor:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return {"failed": "it is no file"}
            data = os.pread(descriptor, int(request["count"]), int(request["at"]))
        return {"data": base64.b64encode(data).decode()}

    def _digest(self, path: str, seen: os.stat_result) -> str:
        mark = (seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino)
        known = self._digests.get(path)
        if known is not None and known[0] == mark:
            return known[1]
        digest = hashlib.blake2b(digest_size=16)
        with _opened(_place(path)) as descriptor:
            while piece := os.read(descriptor, _PIECE):
                digest.update(piece)
        self._digests[path] = (mark, digest.hexdigest())
        return digest.hexdigest()


def _megabytes(size: int) -> str:
    """A size for a person: rounded up in its second place, so that more than a limit never reads as the limit."""
    return f"{-(-size * 100 // (1024 * 1024)) / 100:g}"


def _place(path: str) -> Path:
    return Path(WORK, path)


@contextlib.contextmanager
def _opened(place: Path) -> Iterator[int]:
    """A file, whatever its permissions; a pipe blocks nobody, and a link leads nowhere."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(place, flags)
    except PermissionError:
        mode = stat.S_IMODE(place.lstat().st_mode)
        place.chmod(mode | 0o400)
        try:
            descriptor = os.open(place, flags)
        finally:
            place.chmod(mode)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _walk() -> Iterator[tuple[str, os.stat_result, int]]:
    """Everything in the folder, each folder before what is in it; with the permissions that it has."""
    waiting = [""]
    while waiting:
        above = waiting.pop()
        place = _place(above)
        mode = stat.S_IMODE(place.lstat().st_mode)
        if mode & 0o700 != 0o700:
            place.chmod(mode | 0o700)
        with os.scandir(place) as found:
            names = sorted(one.name for one in found)
        inner = []
        for name in names:
            path = f"{above}/{name}" if above else name
            seen = _place(path).lstat()
            yield path, seen, stat.S_IMODE(seen.st_mode)
            if stat.S_ISDIR(seen.st_mode):
                inner.append(path)
        waiting += reversed(inner)


def _there() -> None:
    """See that the folder is one, whatever the program before made of it."""
    place = Path(WORK)
    if place.is_symlink() or not place.is_dir():
        place.unlink(missing_ok=True)
        place.mkdir()
    place.chmod(0o700)


def _make_way(place: Path) -> None:
    """Make the folders above a path, real ones: a link that stands there is none."""
    steps = place.relative_to(WORK).parts[:-1]
    for count in range(1, len(steps) + 1):
        above = Path(WORK, *steps[:count])
        if above.is_symlink() or not above.is_dir():
            _remove(above)
            above.mkdir()
        above.chmod(stat.S_IMODE(above.lstat().st_mode) | 0o700)


def _remove(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        place.chmod(0o700)
        for folder, inner, _ in os.walk(place):
            for one in (Path(folder, name) for name in inner):
                if not one.is_symlink():
                    one.chmod(0o700)
        shutil.rmtree(place, ignore_errors=True)
    else:
        place.unlink(missing_ok=True)


def _clean() -> None:
    """Leave nothing beside the folder: what is taken up again elsewhere begins with the folder alone."""
    for place in Path(WORK).parent.iterdir():
        if place != Path(WORK):
            with contextlib.suppress(OSError):
                _remove(place)


def _main() -> None:
    main(ServedFolder().serve)


if __name__ == "__main__":
    _main()
