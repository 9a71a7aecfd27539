"""Whether a sandbox holds on this machine: one harmless program and three hostile ones are run in it."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from modex.core.sandbox.interpreters import chosen, interpreter, unavailable
from modex.core.sandbox.names import SandboxName

_SECONDS = 5.0
_HARMLESS = "def total(values):\n    return sum(values)\ntotal([1, 2, 3])"
_FILE, _NETWORK, _PROCESS = "reading a file of this machine", "a connection to this machine", "starting a process"
_HOSTILE: Mapping[str, str] = {
    _FILE: "open({place!r}).read()",
    _NETWORK: "import socket\nsocket.create_connection(('127.0.0.1', {port}), 2)",
    _PROCESS: "import os\nos.fork()",
}


@dataclass(frozen=True, slots=True)
class TriedSandbox:
    """What a sandbox did with the programs."""

    name: str
    fault: str | None = None
    """Why it cannot be used, or what it did wrong with the harmless one; None where it works."""
    held: tuple[str, ...] = ()
    """What hostile programs tried and did not do."""
    let_through: tuple[str, ...] = ()
    """What they did."""

    @property
    def is_sound(self) -> bool:
        """Whether it works and let nothing through."""
        return self.fault is None and not self.let_through

    def __str__(self) -> str:
        if self.fault is not None:
            return self.fault
        if self.let_through:
            return (
                f"lets programs do what they must not: {', '.join(self.let_through)}; do not run answers' code with it"
            )
        return f"runs a harmless program; refused: {', '.join(self.held)}"


def try_sandbox(name: SandboxName) -> TriedSandbox:
    """Run the four programs in the sandbox of that name, each in one of its own. Never raises."""
    kind = chosen(name)
    if (reason := unavailable(name)) is not None:
        return TriedSandbox(kind, reason)
    held, through = list[str](), list[str]()
    try:
        with interpreter(name, _SECONDS) as session:
            ran = session.run(_HARMLESS)
        if ran.error is not None or ran.value != 6:
            return TriedSandbox(
                kind, f"a harmless program gave {ran.error or ran.value}; read what it says, then install it again"
            )
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(0.01)
            port = server.getsockname()[1]
            for what, code in _HOSTILE.items():
                with interpreter(name, _SECONDS) as session:
                    did = session.run(code.format(place=str(Path(__file__).resolve()), port=port)).error is None
                did = did or (what == _NETWORK and _reached(server))
                (through if did else held).append(what)
    except Exception as error:  # whatever it is, it is what is to be said
        return TriedSandbox(kind, f"{type(error).__name__}: {error}")
    return TriedSandbox(kind, None, tuple(held), tuple(through))


def _reached(server: socket.socket) -> bool:
    """Whether somebody connected."""
    try:
        server.accept()[0].close()
    except OSError:
        return False
    return True
