"""Whole programs in a box, as its other side sees them: compiled once, run once a case, each with what it may take."""

from __future__ import annotations

import contextlib
import re
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from modex.core.sandbox.bubblewrap.box import PACKAGES, Box, BoxEnded, BoxLimits, BoxView
from modex.core.sandbox.bubblewrap.seccomp import seccomp_filter
from modex.core.sandbox.bubblewrap.session import SLACK_S, SLOWER
from modex.core.sandbox.languages import Toolchain

OUTPUT_BYTES = 1024 * 1024
_COMPILE_S = 60.0
_COMPILE_BYTES = 2 * 1024**3
_THREADS = 64
_COMPILERS = 64
"""How many processes a compiler may start."""
_TMP_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ProgramRan:
    """How a program ended and what it wrote."""

    out: str = ""
    err: str = ""
    code: int = 0
    """Its exit code; a signal's number below zero."""
    over: str = ""
    """What it took too much of: `seconds`, `memory`, `output`, `processes`; empty where it kept within its limits."""
    seconds: float = 0.0
    """Of processor time, with all that it started."""
    memory_bytes: int = 0
    """The most that it had at once."""

    @property
    def well(self) -> bool:
        """Whether it ended by itself, with 0."""
        return self.code == 0 and not self.over


class ProgramBox:
    """One program in a box of its own. What a run leaves in files is there for the next, processes are not."""

    def __init__(self, box: Box, chain: Toolchain) -> None:
        self._box, self._chain = box, chain

    def load(self, code: str) -> ProgramRan | None:
        """Put it there and compile it; how the compiler ended where there is one."""
        language = self._chain.language
        ended = self._ask({"do": "write", "files": {language.file: code}}, SLACK_S)
        if ended is not None:
            return ended
        if not language.compiles:
            return None
        return self._program(
            self._chain.command(language.compiles), "", _COMPILE_S, _COMPILE_BYTES, _COMPILERS, reserves=True
        )

    def run(self, given: str, seconds: float, memory_bytes: int) -> ProgramRan:
        """Run it with `given` as its input, `seconds` of processor time and so much memory."""
        language = self._chain.language
        return self._program(
            self._chain.command(language.run),
            given,
            seconds,
            memory_bytes,
            language.processes,
            reserves=language.reserves,
        )

    def _program(
        self, words: list[str], given: str, seconds: float, memory: int, processes: int, *, reserves: bool
    ) -> ProgramRan:
        rules = b"" if processes else seccomp_filter(processes=False) or b""
        wall = seconds * SLOWER + SLACK_S
        message = {
            "do": "run", "argv": words if words[0].startswith("/") else ["/tmp/work/" + words[0].removeprefix("./"), *words[1:]],
            "stdin": given, "seconds": seconds, "wall": wall, "memory": memory, "processes": processes,
            "output": OUTPUT_BYTES, "threads": _THREADS + processes, "reserves": reserves, "rules": rules.hex(),
            "environment": {
                "PATH": "/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8", "TZ": "UTC", "TMPDIR": "/tmp", "PYTHONPATH": PACKAGES,
                "PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1", **self._chain.environment,
            },
        }  # fmt: skip
        try:
            return _ran(self._box.ask(message, wall + 2 * SLACK_S))
        except BoxEnded:
            return ProgramRan(code=-signal.SIGKILL, over="seconds")

    def _ask(self, message: dict[str, Any], wall_s: float) -> ProgramRan | None:
        try:
            reply = self._box.ask(message, wall_s)
        except BoxEnded:
            return ProgramRan(code=-signal.SIGKILL, over="seconds")
        return ProgramRan(code=1, err=str(reply["failed"])) if "failed" in reply else None


def _ran(reply: dict[str, Any]) -> ProgramRan:
    """A reply, read with care: its sides could have been tampered with."""
    if "failed" in reply:
        return ProgramRan(code=126, err=str(reply["failed"]))
    try:
        return ProgramRan(
            str(reply["out"]), str(reply["err"]), int(reply["code"]), str(reply["over"]), float(reply["seconds"]),
            int(reply["memory"]),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, OverflowError):
        return ProgramRan(code=-signal.SIGKILL, err="the box gave back what is no reply")


@contextlib.contextmanager
def program_box(chain: Toolchain, packages: str = "") -> Iterator[ProgramBox]:
    """A box for one program of that language.

    Raises:
        BoxError: none can be started.
    """
    limits = BoxLimits(processes=True, tmp_bytes=max(_TMP_BYTES, chain.language.compile_bytes))
    with Box(limits, BoxView("running", chain.shows, packages=packages)) as box:
        yield ProgramBox(box, chain)


def lacked_by(chain: Toolchain, ran: ProgramRan) -> str | None:
    """What the program or its compiler says is not installed; None where it complains of something else."""
    for line in reversed(ran.err.splitlines()[-200:]):
        for pattern in chain.language.lacks:
            if (found := re.search(pattern, line)) is not None:
                return found[1]
    return None
