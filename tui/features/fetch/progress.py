"""How far a download is: a line that is written over on a terminal, a line at its beginning elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TextIO

from modex.core.features.fetch.fetch import Telling
from modex.tui.plain.narration import say
from modex.tui.terminal.abilities import can_redraw

_PERIOD_S = 0.1


class DownloadLine(Telling):
    """Hears a fetch and says how far it is; nothing of it on a pipe but that another process is waited for."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._clock = stream, clock
        self._draws = can_redraw(stream)
        self._name, self._size, self._came = "", 0, 0
        self._drawn_at = float("-inf")
        self._drawn = 0

    def begins(self, name: str, size: int) -> None:
        """A download of so many bytes begins."""
        self._name, self._size, self._came = name, size, 0
        self._draw()

    def came(self, count: int) -> None:
        """So many more bytes are here."""
        self._came += count
        if self._clock() - self._drawn_at >= _PERIOD_S:
            self._draw()

    def waits(self, name: str) -> None:
        """Another process works on the same name."""
        say(f"{name}: another modex fetches it; waiting for it")

    def ends(self) -> None:
        """Nothing more comes."""
        if self._drawn:
            self._stream.write("\r" + " " * self._drawn + "\r")
            self._stream.flush()
            self._drawn = 0

    def _draw(self) -> None:
        if not self._draws:
            return
        self._drawn_at = self._clock()
        share = f"{100 * self._came / self._size:3.0f} %" if self._size else ""
        line = f"{self._name}  {self._came / 1e6:,.1f} of {self._size / 1e6:,.1f} MB  {share}".rstrip()
        self._stream.write("\r" + line.ljust(self._drawn))
        self._stream.flush()
        self._drawn = max(self._drawn, len(line))
