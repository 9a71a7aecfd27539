"""What a server writes, kept without the keys that its keeper knows: a command may say what it was given."""

from __future__ import annotations

import contextlib
import os
import threading
from pathlib import Path
from typing import IO

from modex.core.foundation.atomic_write import PRIVATE
from modex.core.safety import redact
from modex.core.safety.known import MASK

_LONGEST = 8192
"""Of a line, in bytes: what goes on is a line of its own."""
_HELD = 512
"""Of a piece whose line goes on, in characters: written with the next one, in which a key that stands across both is whole."""
_MOST_BYTES = 1_000_000
"""Of a file: what was written before is kept beside it, once."""
_CATCH_UP_S = 2.0
"""The rest of what a program wrote that ended is read in less; a process of its own that holds the pipe is not waited for."""


class Log:
    """Copies a program's output to a file, line by line, on a thread of its own."""

    def __init__(self, source: IO[bytes], path: Path, key: str) -> None:
        """Takes `source`, which is read to its end and closed by `close`. `key` is the server's own.

        Raises:
            OSError: the file cannot be opened.
        """
        self._path = path
        self._descriptor = self._opened()
        self.begin = os.fstat(self._descriptor).st_size
        """Where in the file it goes on, in bytes."""
        self._source = source
        self._written = self.begin
        self._key = key
        self._thread = threading.Thread(target=self._copy, name="server-log", daemon=True)
        self._thread.start()

    def catch_up(self) -> None:
        """Wait until what an ended program wrote is in the file."""
        self._thread.join(_CATCH_UP_S)

    def close(self) -> None:
        """The end; what was written is there."""
        self.catch_up()
        if not self._thread.is_alive():
            os.close(self._descriptor)
            self._source.close()

    def _copy(self) -> None:
        held = ""
        while piece := self._source.readline(_LONGEST):
            text = redact((held + piece.decode("utf-8", "replace")).replace(self._key, MASK))
            at = len(text) if piece.endswith(b"\n") else max(0, len(text) - _HELD)
            held = text[at:]
            self._write(text[:at])
        self._write(held)

    def _write(self, text: str) -> None:
        with contextlib.suppress(OSError):  # no room: the server goes on
            if self._written > _MOST_BYTES:
                self._turn()
                self._written = 0
            self._written += os.write(self._descriptor, text.encode("utf-8", "replace"))

    def _turn(self) -> None:
        """Go on in a new file."""
        self._path.replace(self._path.with_name(f"{self._path.name}.1"))
        descriptor = self._opened()
        os.close(self._descriptor)
        self._descriptor = descriptor

    def _opened(self) -> int:
        return os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
