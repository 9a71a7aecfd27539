"""A folder in a box of its own: commands and files there, and what stands in it after each of them.

The folder is memory of the box (a `tmpfs` with a size): nothing of it is on this machine's disk, and a box that ends takes it
along. What was kept of it last is here, so that a box that a command ended begins anew from there.
"""

from __future__ import annotations

import base64
import math
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from modex.core.sandbox.bubblewrap.box import PACKAGES, Box, BoxEnded, BoxError, BoxLimits, BoxView
from modex.core.sandbox.bubblewrap.running import WORK
from modex.core.sandbox.workspace.spec import WorkLimits, part_of
from modex.core.sandbox.workspace.tree import Tree, TreeEntry, with_folders

FOLDER = WORK
"""Where the folder is, for who works in it."""
_SLACK_S = 5.0
_ANSWER_S = 60.0
_PIECE = 4 * 1024 * 1024
_THREADS = 256
_TRIES = 3
_MB = 1024 * 1024
_ROOM = 32 * _MB
"""For temporary files of commands, beside the folder."""
_FOREVER_S = 10.0**9
"""Of processor time: a person leaves when she likes."""
_RATE = 2.0
"""How many times the seconds of processor time may pass."""
SHELL = ("/bin/bash", "/bin/sh")


@dataclass(frozen=True, slots=True)
class ShellRan:
    """How a command ended, and what it printed on both streams."""

    out: str = ""
    code: int = 0
    """Its exit code; a signal's number below zero."""
    over: str = ""
    """What it took too much of: `seconds`, `memory`, `output`, `processes`; empty where it kept within its limits."""
    seconds: float = 0.0
    lost: bool = False
    """Whether it ended its box: the folder is as it was before."""
    err: str = ""
    """What it printed on the second stream, where both were not one."""


def seconds_met(ran: ShellRan, limits: WorkLimits) -> str:
    """Which of the two limits of time a command met that took too much of it, with its number."""
    if ran.seconds > limits.seconds:
        return f"{limits.seconds:g} seconds of processor time"
    return f"{limits.seconds * _RATE + _SLACK_S:g} seconds that passed ({ran.seconds:.1f} of processor time)"


class TooMuchError(Exception):
    """There is more in the folder than can be kept; the message says of what."""


class WorkBox:
    """A folder and what happens to it. For one thread at a time; the box is started by one that lives as long as the process."""

    def __init__(
        self,
        tree: Mapping[str, TreeEntry],
        limits: WorkLimits,
        packages: str = "",
        given_up: Callable[[], bool] = lambda: False,
        terminal: int | None = None,
    ) -> None:
        """Start it with `tree`; `given_up` is asked while a command runs: true ends it. `attend` needs a `terminal`.

        Raises:
            BoxError: none can be started.
        """
        self._limits, self._packages, self._given_up = limits, packages, given_up
        self._terminal = terminal
        self._kept: Tree = with_folders(tree)
        # What a test gives may be more than its limit: that is not for the model to mend.
        self._most = max(int(limits.size_mb * _MB), sum(len(one.data) for one in tree.values() if one.kind == "file"))
        self._contents: dict[str, bytes] = {}
        self._box = self._started()

    @property
    def kept(self) -> Tree:
        """What stood in the folder when it was looked at last."""
        return dict(self._kept)

    def shell(self, command: str, *, given: str = "", merged: bool = True, output_bytes: int = 0) -> ShellRan:
        """Run a command line; both streams are one unless `merged` says otherwise."""
        words = [next((one for one in SHELL if Path(one).exists()), SHELL[-1]), "-c", command]
        return self.run(words, given=given, merged=merged, output_bytes=output_bytes)

    def run(self, words: Sequence[str], *, given: str = "", merged: bool = False, output_bytes: int = 0) -> ShellRan:
        """Run a program in the folder, which is kept afterwards.

        A program that leaves more than can be kept has done nothing to what is kept; see `keep`. One whose box was ended from
        outside is run again, from what was kept.

        Raises:
            BoxError: no box can be started, or each is ended from outside.
        """
        limits = self._limits
        wall = limits.seconds * _RATE + _SLACK_S
        message = {
            **self._asked(words), "do": "run", "stdin": given, "seconds": limits.seconds, "wall": wall,
            "output": output_bytes or int(limits.output_kb * 1024), "merged": merged,
        }  # fmt: skip
        for _ in range(_TRIES):
            try:
                return _ran(self._box.ask(message, wall + 2 * _SLACK_S))
            except BoxEnded as ended:
                self._begin_anew()
                if ended.code is None or ended.code >= 0:
                    return ShellRan(code=-9, lost=True)
            # Its outer process was ended by a signal, which nothing in it can send: the command is not to blame.
        raise BoxError(
            "a sandbox is ended from outside again and again; find out what ends processes here, then resume"
        )

    def attend(self, words: Sequence[str], variables: Mapping[str, str]) -> ShellRan:
        """Run a program in the folder on the terminal, for as long as it likes; what it printed went there."""
        message = {**self._asked(words), "do": "attend", "seconds": _FOREVER_S, "output": 0, "terminal": self._terminal}
        message["environment"] = {**_variables(self._limits.places), **variables}
        try:
            reply = self._box.ask(message, math.inf)
            return ShellRan(code=int(reply["code"]), over=str(reply["over"]))
        except (BoxEnded, KeyError, TypeError, ValueError):
            return ShellRan(code=-9, lost=True)

    def keep(self) -> Tree:
        """Look at the folder, and keep what stands there.

        Raises:
            TooMuchError: it is more than can be kept; what was kept before still is.
        """
        try:
            reply = self._box.ask({"do": "tree", "most": self._most}, _ANSWER_S)
            if reply.get("over") or "failed" in reply:
                raise TooMuchError(str(reply.get("over") or reply["failed"]))
            found: Tree = {}
            before, self._contents = self._contents, {}
            for path, kind, mode, mtime, size, more in reply["entries"]:
                if kind == "file":
                    data = self._contents[more] = before.get(more, self._contents.get(more)) or self._read(path, size)
                else:
                    data = base64.b64decode(more) if kind == "link" else b""
                found[str(path)] = TreeEntry(kind, data, int(mode), int(mtime))
        except (BoxEnded, KeyError, ValueError, TypeError):
            self._begin_anew()
            return self.kept
        self._kept = found
        return dict(found)

    def read(self, path: str, at: int = 0, count: int = _PIECE) -> bytes:
        """A piece of a file.

        Raises:
            OSError: it is none, or cannot be read.
        """
        try:
            reply = self._box.ask({"do": "get", "path": path, "at": at, "count": count}, _ANSWER_S)
        except BoxEnded:
            self._begin_anew()
            raise OSError("the sandbox ended; try again") from None
        if "failed" in reply:
            raise OSError(str(reply["failed"]))
        return base64.b64decode(str(reply["data"]))

    def led(self, path: str) -> str:
        """Where the file of a path is, or would be: links that stay in the folder are followed.

        Raises:
            OSError: a folder is there, a file above it, or a link that leads out of the folder.
        """
        try:
            reply = self._box.ask({"do": "led", "path": path}, _ANSWER_S)
        except BoxEnded:
            self._begin_anew()
            raise OSError("the sandbox ended; try again") from None
        if "failed" in reply:
            raise OSError(str(reply["failed"]))
        return str(reply["path"])

    def lay(self, tree: Mapping[str, TreeEntry], gone: Iterable[str] = ()) -> None:
        """Put things into the folder, whatever stands at their paths.

        Raises:
            OSError: there is no room, or a path cannot be.
        """
        try:
            _lay(self._box, tree, gone)
        except BoxEnded:
            self._begin_anew()
            raise OSError("the sandbox ended; try again") from None

    def close(self) -> None:
        """End it. May be called twice."""
        self._box.close()

    def _asked(self, words: Sequence[str]) -> dict[str, Any]:
        """What every program is told of its limits."""
        limits = self._limits
        return {
            "argv": list(words), "memory": int(limits.memory_mb * _MB), "processes": limits.processes,
            "threads": _THREADS + limits.processes, "reserves": True, "rules": "", "environment": _variables(limits.places),
        }  # fmt: skip

    def _read(self, path: str, size: int) -> bytes:
        parts = bytearray()
        while len(parts) < size and (part := self.read(path, len(parts))):
            parts += part
        return bytes(parts)

    def _begin_anew(self) -> None:
        self._box.close()
        self._box = self._started()

    def _started(self) -> Box:
        limits = BoxLimits(
            processes=True,
            tmp_bytes=int(self._limits.size_mb * _MB) + _ROOM,
            memory_bytes=int(self._limits.memory_mb * _MB),
        )
        places = _links(self._limits.places)
        view = BoxView("working", packages=self._packages, terminal=self._terminal, links=places)
        box = _starter().submit(Box, limits, view).result()
        box.given_up = self._given_up
        try:
            _lay(box, self._kept)
        except (OSError, BoxEnded) as error:
            box.close()
            raise BoxError(
                f"the files of the workspace have no room: {error}; raise `size_mb` in the test's limits"
            ) from error
        return box


def environment() -> dict[str, str]:
    """The variables of programs in a workspace."""
    base = str(Path(getattr(sys, "_base_executable", None) or sys.executable).resolve().parent)
    return {
        "PATH": f"{base}:/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "TMPDIR": "/tmp", "LANG": "C.UTF-8", "TZ": "UTC",
        "PYTHONPATH": PACKAGES, "PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1", "PAGER": "cat",
        "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0",
        "GIT_AUTHOR_NAME": "modex", "GIT_AUTHOR_EMAIL": "modex@localhost",
        "GIT_COMMITTER_NAME": "modex", "GIT_COMMITTER_EMAIL": "modex@localhost",
    }  # fmt: skip


def _variables(places: Sequence[str]) -> dict[str, str]:
    """The variables of programs, with the folder by the name that the test gives it."""
    return {**environment(), "PWD": places[0]} if places else environment()


def _links(places: Sequence[str]) -> tuple[tuple[str, str], ...]:
    return tuple((f"{FOLDER}/{part_of(places, one)}".rstrip("/"), one) for one in places)


def missing_program(names: Iterable[str]) -> str | None:
    """The first of the programs that commands of a workspace would not find here; None where all are there."""
    path = environment()["PATH"]
    return next((name for name in names if shutil.which(name, path=path) is None), None)


def _lay(box: Box, tree: Mapping[str, TreeEntry], gone: Iterable[str] = ()) -> None:
    """Put `tree` into the folder of a box, piece by piece.

    Raises:
        OSError: it cannot be.
        BoxEnded: the box ended.
    """
    _asked(box, {"do": "lay", "entries": [], "gone": list(gone)})
    waiting: list[list[Any]] = []
    size = 0
    for path, entry in tree.items():
        for at in range(0, max(1, len(entry.data)), _PIECE):
            piece = base64.b64encode(entry.data[at : at + _PIECE]).decode()
            waiting.append([path, entry.kind, piece, at > 0])
            size += len(piece) + 6 * len(path) + 100
            if size > _PIECE:
                _asked(box, {"do": "lay", "entries": waiting})
                waiting, size = [], 0
    if waiting:
        _asked(box, {"do": "lay", "entries": waiting})
    settled = [[path, entry.mode, entry.mtime_ns] for path, entry in tree.items()]
    settled.sort(key=lambda one: str(one[0]).count("/"), reverse=True)
    for at in range(0, len(settled), 2000):
        _asked(box, {"do": "settle", "entries": settled[at : at + 2000]})


def _asked(box: Box, message: dict[str, Any]) -> None:
    reply = box.ask(message, _ANSWER_S)
    if "failed" in reply:
        raise OSError(str(reply["failed"]))


def _ran(reply: Mapping[str, Any]) -> ShellRan:
    """A reply, read with care: what runs there can write to our pipe."""
    if "failed" in reply:
        return ShellRan(str(reply["failed"]), 126)
    try:
        return ShellRan(
            str(reply["out"]), int(reply["code"]), str(reply["over"]), float(reply["seconds"]), err=str(reply["err"])
        )
    except (KeyError, TypeError, ValueError, OverflowError):
        return ShellRan(code=-9, over="output")


_lock = threading.Lock()
_starters: dict[int, ThreadPoolExecutor] = {}


def _starter() -> ThreadPoolExecutor:
    """What starts boxes in this process: a box ends with the thread that started it."""
    with _lock:
        if (pid := os.getpid()) not in _starters:
            _starters.clear()
            _starters[pid] = ThreadPoolExecutor(1, "workspaces")
        return _starters[pid]
