"""Which interpreter runs a model's Python: CPython within namespaces where that works, else one that is safe by construction."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any, Literal, Protocol

from modex.core.sandbox.bubblewrap.binary import INSTALL
from modex.core.sandbox.bubblewrap.probe import bubblewrap_unavailable
from modex.core.sandbox.names import SandboxName
from modex.core.sandbox.python import Ran, python_session, python_unavailable


class Interpreter(Protocol):
    """What one piece of code after the other runs in."""

    def run(self, code: str, inputs: Mapping[str, Any] | None = None) -> Ran:
        """Run `code` with the variables `inputs`; never raises for what the code does."""
        ...


def chosen(name: SandboxName) -> Literal["bubblewrap", "monty"]:
    """The sandbox of that name on this machine."""
    if name != "auto":
        return name
    return "bubblewrap" if bubblewrap_unavailable() is None else "monty"


def unavailable(name: SandboxName) -> str | None:
    """Why that sandbox cannot run anything here, or None."""
    return bubblewrap_unavailable() if chosen(name) == "bubblewrap" else python_unavailable()


@contextlib.contextmanager
def interpreter(
    name: SandboxName, seconds: float, *, memory_mb: float = 512, packages: str = ""
) -> Iterator[Interpreter]:
    """An interpreter of its own: no files of this machine, no network, environment or other processes.

    `seconds` of processor time for each piece of code. Memory and the folder of packages are for CPython; `monty` has its own.

    Raises:
        BoxError: none can be started.
    """
    if chosen(name) == "bubblewrap":
        from modex.core.sandbox.bubblewrap.box import BoxLimits, BoxView
        from modex.core.sandbox.bubblewrap.session import boxed_session

        limits = BoxLimits(memory_bytes=int(memory_mb * 1024 * 1024))
        with boxed_session(seconds, limits, BoxView(packages=packages)) as boxed:
            yield boxed
    else:
        with python_session(seconds) as session:
            yield session


def real_python_missing(name: SandboxName) -> str | None:
    """Why a test that needs CPython itself cannot be judged, or None."""
    if name != "monty":
        reason = bubblewrap_unavailable()
        return reason and f"it needs Python itself, and {reason}"
    return f"it needs Python itself, and the sandbox `monty` has a part of it; {INSTALL}"
