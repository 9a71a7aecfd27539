"""What is to be served: a file of weights with its options, or a command; and the folder in which all who want it meet."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from platformdirs import user_state_path

READY = "/health"
START_TIMEOUT_S = 300.0
LINGER_S = 3.0
_HOME = "MODEX_SERVED"


@dataclass(frozen=True, slots=True)
class Wish:
    """One server that is wanted. Two runs that wish for the same share one."""

    name: str
    """As the server calls the model."""
    file: str | None = None
    """Absolute path of the weights; None where a command is all there is."""
    digest: str = ""
    """Of the weights' content: another file at the same place is another wish."""
    context: int = 0
    """Tokens of each slot; 0 leaves it to the command."""
    slots: int = 0
    """Calls that are answered at the same time; 0 leaves it to the command."""
    threads: int = 0
    gpu_layers: int | str | None = None
    template: str | None = None
    """The name of a chat template, for weights that have none."""
    command: str | None = None
    """With `{port}`, `{key}`, `{context}` and `{slots}` to be filled in."""
    folder: str | None = None
    """Where the command is run."""
    ready: str = READY
    start_timeout_s: float = START_TIMEOUT_S
    linger_s: float = LINGER_S
    """How long the server is kept once nobody wants it: the next command of a script wants it again."""

    @property
    def key(self) -> str:
        """Names the wish: 16 hex digits. Neither where the weights lie nor how long is waited is part of it."""
        told = asdict(self)
        del told["ready"], told["start_timeout_s"], told["linger_s"]
        if self.digest:
            del told["file"]
        return hashlib.blake2b(json.dumps(told, sort_keys=True).encode(), digest_size=8).hexdigest()

    @property
    def place(self) -> Path:
        """The folder of its server on this machine."""
        return served_home() / place_of(self.key)

    def to_json(self) -> str:
        """As its keeper reads it."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Wish:
        """The wish that `to_json` wrote; keys of another version are passed over.

        Raises:
            ValueError: it is none.
        """
        told = json.loads(text)
        known = {one.name for one in fields(cls)}
        return cls(**{name: value for name, value in told.items() if name in known})


def place_of(key: str) -> str:
    """The name of the folder of a wish: a home may be shared by several machines."""
    return f"{platform.node() or 'here'}-{key}"


def served_home() -> Path:
    """Where what is served on this machine is known: `MODEX_SERVED`, else below the platform's folder for states."""
    given = os.environ.get(_HOME, "").strip()
    return Path(given).expanduser() if given else user_state_path("modex", appauthor=False) / "served"
