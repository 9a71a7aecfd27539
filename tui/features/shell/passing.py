"""What passes between a person's terminal and one that a sandbox was given: keys in, what is drawn out, its size.

The sandbox has a terminal of its own (a pseudo-terminal), so that nothing in it can type on the person's; and of what it prints
control strings (OSC, DCS and the like: titles, the clipboard, device settings) are dropped. Moving, colours and clearing pass.
ECMA-48, 5.6: https://ecma-international.org/publications-and-standards/standards/ecma-48/.
"""

from __future__ import annotations

import codecs
import contextlib
import fcntl
import os
import select
import signal
import termios
import threading
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_PIECE = 65536
_LAST_S = 0.2
_LONGEST = 65536
_OPENS = frozenset("]PX^_")
_ENDS = frozenset("\x07\x18\x1a")


class WithoutStrings:
    """Takes control strings out of what a terminal is told, piece by piece."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._escape = False
        self._inside = 0
        """Characters of the string that it is in, from 1 on; 0 outside of any."""

    def feed(self, data: bytes) -> bytes:
        """What of it may be shown."""
        return "".join(self._kept(self._decoder.decode(data))).encode("utf-8", "replace")

    def _kept(self, text: str) -> Iterator[str]:
        for letter in text:
            if self._inside:
                self._inside += 1
                ended = letter in _ENDS or (self._escape and letter == "\\") or self._inside > _LONGEST
                self._escape = letter == "\x1b"
                if ended:
                    self._inside, self._escape = 0, False
            elif self._escape:
                self._escape = letter == "\x1b"
                if letter in _OPENS:
                    self._inside = 1
                else:
                    yield letter if self._escape else f"\x1b{letter}"
            elif letter == "\x1b":
                self._escape = True
            elif not "\x80" <= letter <= "\x9f":
                yield letter


def pass_through(master: int, work: Callable[[], None], into: int = 0, out: int = 1) -> None:
    """Let a person work on the terminal behind `master` while `work` runs in a thread of its own, until that ends."""
    heard, wake = os.pipe()
    resized, resize = os.pipe()
    os.set_blocking(resize, False)

    def done() -> None:
        try:
            work()
        finally:
            os.write(wake, b".")

    def on_resize(_number: int, _frame: FrameType | None) -> None:
        with contextlib.suppress(OSError):
            os.write(resize, b".")

    take_size(into, master)
    thread = threading.Thread(target=done, name="attended", daemon=True)
    before = signal.signal(signal.SIGWINCH, on_resize)
    try:
        with _raw(into):
            thread.start()
            _pass(master, into, out, heard, resized)
        thread.join()
        for one in (heard, wake):  # where a signal ends this, `work` still has its end
            os.close(one)
    finally:
        signal.signal(signal.SIGWINCH, before)
        for one in (resized, resize):
            os.close(one)


def take_size(of: int, to: int) -> None:
    """Give the terminal `to` the size of another; nothing where that has none."""
    with contextlib.suppress(OSError):
        size = fcntl.ioctl(of, termios.TIOCGWINSZ, b"\0" * 8)
        fcntl.ioctl(to, termios.TIOCSWINSZ, size)


def _pass(master: int, into: int, out: int, heard: int, resized: int) -> None:
    shown = WithoutStrings()
    sources = [master, into, heard, resized]
    while True:
        ready, _, _ = select.select(sources, [], [])
        if resized in ready:
            os.read(resized, _PIECE)
            take_size(into, master)
        if master in ready:
            _write(out, shown.feed(os.read(master, _PIECE)))
        if into in ready:
            if keys := os.read(into, _PIECE):
                _write(master, keys)
            else:
                sources.remove(into)
        if heard in ready:
            while select.select([master], [], [], _LAST_S)[0]:
                _write(out, shown.feed(os.read(master, _PIECE)))
            return


def _write(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


@contextmanager
def _raw(terminal: int) -> Iterator[None]:
    """Every key goes where it belongs, Ctrl+C too; the terminal is as before afterwards, whatever ends this."""
    before = termios.tcgetattr(terminal)

    def end(number: int, _frame: FrameType | None) -> None:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
        raise SystemExit(128 + number)

    handlers = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        tty.setraw(terminal)
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
        for number, handler in handlers.items():
            signal.signal(number, handler)
