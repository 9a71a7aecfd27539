"""How far a command is that works on many things, one after the other: a bar on a terminal, lines elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TextIO

from modex.core.safety import clean_line
from modex.tui.terminal.abilities import can_redraw, glyphs_for

_WIDTH = 24
_PERIOD_S = 0.2


class Counting:
    """Counts up to `total` on stderr; use it in a `with`. Lines that are said stand above the bar."""

    def __init__(self, total: int, what: str, stream: TextIO | None = None, *, after_s: float = 0.0) -> None:
        """`after_s` seconds pass before there is a bar: work that is done sooner shows none."""
        self._stream = stream if stream is not None else sys.stderr
        self._total, self._what = total, what
        self._bar = total > 1 and can_redraw(self._stream)
        self._glyphs = glyphs_for(self._stream)
        self._done = 0
        self._started = time.monotonic()
        self._next = self._started + after_s
        self._drawn = False

    def __enter__(self) -> Counting:
        return self

    def __exit__(self, *_: object) -> None:
        if self._drawn:
            self._write("\r\x1b[K")

    def say(self, text: str) -> None:
        """One line."""
        self._write(("\r\x1b[K" if self._drawn else "") + clean_line(text, 1000) + "\n")
        self._draw(at_once=True)

    def step(self, number: int = 1) -> None:
        """So many more are done."""
        self._done = min(self._total, self._done + number)
        self._draw(at_once=self._drawn and self._done >= self._total)

    def _draw(self, *, at_once: bool) -> None:
        at = time.monotonic()
        if not self._bar or (not at_once and at < self._next):
            return
        self._next, self._drawn = at + _PERIOD_S, True
        filled = _WIDTH * self._done // max(1, self._total)
        rate = self._done / max(at - self._started, 0.001)
        bar = self._glyphs.full * filled + ("-" if self._glyphs.full == "=" else "·") * (_WIDTH - filled)
        self._write(
            f"\r\x1b[K{bar}  {self._done:,}/{self._total:,} {self._what}  {rate:,.{0 if rate >= 10 or not self._done else 1}f}/s"
        )

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
