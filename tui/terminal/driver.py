"""Textual's driver, for terminals that are slow, or taken away and given back: over SSH, in tmux, by signals.

Modes 1049, 1004 and 2004 (bracketed paste): https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-Bracketed-Paste-Mode.
A frame at once (mode 2026): https://gist.github.com/christianparpart/d8a62cc1ab659194337d73e399004036.
"""

from __future__ import annotations

import asyncio
import select
import signal
import termios
import time
import tty
from types import FrameType
from typing import IO, Any, cast

from rich.color import ColorSystem
from textual import events
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from modex.tui.terminal.flow import Flow
from modex.tui.terminal.picture import Picture

_MODES = "\x1b[0m\x1b(B\x0f\x1b[?6l\x1b[r\x1b[?1049h\x1b[?25l\x1b[?1004h\x1b[?2004h\x1b[?7l\x1b[2J\x1b[H"
"""Colours, signs, margins and the modes that a full screen needs, as at the start; then nothing on it."""


_SYNCHRONIZED = ("\x1b[?2026h", "\x1b[?2026l")
_POLL_S = 0.02
"""How often a frame that waits looks whether it may go; an answer of the terminal lets it go at once."""
_LAST_ANSWERS_S = 1.0
"""How long leaving waits for answers that are on their way: the shell would take them for keys."""


class _Counted:
    """The terminal as a file of the writing thread, with how many characters of it have gone out."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._taken = 0
        self.gone = 0

    def write(self, text: str) -> None:
        """Write; waits while the terminal takes nothing."""
        self._file.write(text)
        self._taken += len(text)

    def flush(self) -> None:
        """Write what was held back."""
        self._file.flush()
        self.gone = self._taken

    def fileno(self) -> int:
        """The descriptor."""
        return self._file.fileno()


class TerminalDriver(LinuxDriver):
    """A terminal that may be slow, and whose picture may be lost without a word.

    A frame goes out when the terminal has read those before it: what is painted meanwhile is merged into the next
    (`modex.tui.terminal.flow`), and only what differs is sent (`modex.tui.terminal.picture`). Where the picture may be lost,
    `SignalResume` asks to paint all of it.
    """

    _last_size: tuple[int, int] | None = None

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """As Textual's."""
        super().__init__(*arguments, **options)
        self._counted = _Counted(cast("IO[str]", self._file))
        self._file = cast("Any", self._counted)  # its writing thread uses nothing else
        self._handed = 0
        """Characters given to the writing thread."""
        colours = self._app.console._color_system or ColorSystem.TRUECOLOR  # as `Strip.render` does
        self._picture = Picture(colours)
        self._flow = Flow()
        self._cursor = ""
        self._synchronized = False
        self._lost = False
        self._trying: asyncio.TimerHandle | None = None

    # frames

    def write(self, data: str) -> None:
        """Hand it to the writing thread."""
        self._handed += len(data)
        super().write(data)

    def show(self, update: CompositorUpdate, cursor: tuple[int, int], *, synchronized: bool) -> None:
        """Take what was painted, and send it as soon as the terminal has read what came before.

        `cursor` is where the cursor stands when it is painted, `synchronized` whether the terminal can be told where a frame
        begins and ends.
        """
        if isinstance(update, LayoutUpdate):
            self._picture.draw_all(update.strips)
        elif isinstance(update, ChopsUpdate):
            for y, start, end in update.spans:
                # Outside of its spans an update has the screen's empty ground where it did not ask a widget.
                for x, strip in update.chops[y].items():
                    if strip is not None:
                        self._picture.draw(y, x, strip, (start, end))
        self._cursor = f"\x1b[{cursor[1] + 1};{cursor[0] + 1}H"
        self._synchronized = synchronized
        self._send_frame()

    def _send_frame(self) -> None:
        if self._trying is not None:
            self._trying.cancel()
            self._trying = None
        if self._writer_thread is None or not (self._picture.changed or self._lost):
            return
        if not self._takes_more():
            self._trying = self._loop.call_later(_POLL_S, self._send_frame)
            return
        if self._lost:
            self._lost = False
            self._picture.forget()
        if frame := self._picture.frame():
            begin, end = _SYNCHRONIZED if self._synchronized else ("", "")
            whole = f"{begin}{frame}{self._cursor}{end}"
            self.write(whole + self._flow.sent(len(whole.encode())))

    def _takes_more(self) -> bool:
        """Whether what was sent before has left this process, and the terminal has read enough of it."""
        if self._counted.gone != self._handed or not self._flow.is_open():
            return False
        try:
            return bool(select.select([], [self._counted.fileno()], [], 0)[1])
        except (OSError, ValueError):  # closed, or beyond the descriptors that select knows
            return True

    def process_message(self, message: Message) -> None:
        """Hear that the terminal has read a frame, and what may have cost it its picture; all else as Textual does."""
        if isinstance(message, events.CursorPosition):
            self._flow.answered()
            self._loop.call_soon_threadsafe(self._send_waiting)
            return
        if isinstance(message, events.Resize):
            self._lost = True
        super().process_message(message)

    def _send_waiting(self) -> None:
        if self._trying is not None:
            self._send_frame()

    # modes

    def retake(self) -> None:
        """Set every mode of the terminal again and empty it; the caller paints."""
        if self._writer_thread is None:
            return
        self._lost = True
        self._flow.doubt()
        self._set_raw()
        self.write(_MODES)
        self._enable_mouse_support()
        if self._in_band_window_resize:
            self._enable_in_band_window_resize()
        self.flush()

    def start_application_mode(self) -> None:
        """As Textual does, and hear a window that comes back with the size it had."""
        self._lost = True
        self._flow.forget()
        super().start_application_mode()  # type: ignore[no-untyped-call]
        if self._writer_thread is not None:
            # Textual's queue of 30 writes would stop the whole screen where the terminal takes nothing; frames wait anyway.
            self._writer_thread._queue.maxsize = 0
        resized = signal.getsignal(signal.SIGWINCH)
        self._last_size = self._get_terminal_size()

        def heard(number: int, frame: FrameType | None) -> None:
            self._lost = True
            if callable(resized):
                resized(number, frame)
            size = self._get_terminal_size()
            if size == self._last_size:
                self._ask_to_paint()
            self._last_size = size

        signal.signal(signal.SIGWINCH, heard)

    def stop_application_mode(self) -> None:
        """As Textual does, when the last answers of the terminal are there."""
        end = time.monotonic() + _LAST_ANSWERS_S
        while self._flow.waits() and time.monotonic() < end:
            time.sleep(_POLL_S)
        super().stop_application_mode()

    def _sigcont_application(self, *_: object) -> None:
        """After ctrl+z Textual begins anew; a process that was stopped from outside still has its threads and modes."""
        if self._must_signal_resume:
            super()._sigcont_application()
        elif self._auto_restart and self._key_thread is not None and self._key_thread.is_alive():
            self._ask_to_paint()

    def _ask_to_paint(self) -> None:
        asyncio.run_coroutine_threadsafe(self._app._post_message(Driver.SignalResume()), loop=self._loop)

    def _set_raw(self) -> None:
        """A shell that saw the process stop has taken back its own line mode."""
        try:
            modes = termios.tcgetattr(self.fileno)
            modes[tty.LFLAG] = self._patch_lflag(modes[tty.LFLAG])
            modes[tty.IFLAG] = self._patch_iflag(modes[tty.IFLAG])
            modes[tty.CC][termios.VMIN] = 1
            termios.tcsetattr(self.fileno, termios.TCSANOW, modes)
        except termios.error:
            return
