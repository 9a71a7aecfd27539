"""Writing what a read transaction gives to a reader that may stop reading: `modex export EXP | less`.

While a transaction reads, SQLite cannot reuse its log, which grows with every sample that a run stores meanwhile. So a reader
that does not take a piece within a moment gets the rest from a spool, and the transaction ends.
"""

from __future__ import annotations

import os
import select
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator
from typing import IO

_PIECE = 4096
"""Bytes that a pipe takes at once where it takes any (`PIPE_BUF` of Linux): such a write never waits."""
_COPIED = 1 << 20


class Pour:
    """Pieces on their way into `out`: `take` while the transaction is open, `finish` when it has ended."""

    def __init__(self, out: IO[bytes], *, patience_s: float = 1.0) -> None:
        """`patience_s`: how long a reader may take nothing before the rest is spooled."""
        out.flush()
        self._out = out
        self._patience_s = patience_s
        try:
            self._pipe = None if stat.S_ISREG(os.fstat(out.fileno()).st_mode) else out.fileno()
        except OSError:  # it stands in memory
            self._pipe = None
        self._spool: IO[bytes] | None = None

    @property
    def spooled(self) -> bool:
        """Whether the reader was too slow."""
        return self._spool is not None

    def take(self, pieces: Iterable[bytes]) -> None:
        """Write all of `pieces`, or keep what the reader does not take.

        Raises:
            OSError: the reader is gone, or there is no room for the spool.
        """
        for piece in pieces:
            rest = memoryview(piece)
            while rest and self._spool is None:
                if self._pipe is None:
                    self._out.write(rest)
                    break
                if not select.select([], [self._pipe], [], self._patience_s)[1]:
                    self._spool = tempfile.TemporaryFile()  # noqa: SIM115 - `finish` closes it
                    break
                rest = rest[os.write(self._pipe, rest[:_PIECE]) :]
            if self._spool is not None:
                self._spool.write(rest)
        self._out.flush()

    def finish(self) -> None:
        """Give the reader what was kept, at its own pace.

        Raises:
            OSError: the reader is gone.
        """
        if self._spool is None:
            return
        with self._spool as spool:
            spool.seek(0)
            shutil.copyfileobj(spool, self._out, _COPIED)
        self._out.flush()
        self._spool = None


def encoded(pieces: Iterable[str]) -> Iterator[bytes]:
    """Text as an export writes it: UTF-8, with a question mark for what it cannot hold."""
    for piece in pieces:
        yield piece.encode(errors="replace")
