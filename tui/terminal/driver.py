"""Textual's driver, for terminals that are taken away and given back: over SSH, in tmux, by signals."""

from __future__ import annotations

import asyncio
import signal
import termios
import tty
from types import FrameType

from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver

_MODES = "\x1b[0m\x1b(B\x0f\x1b[?6l\x1b[r\x1b[?1049h\x1b[?25l\x1b[?1004h\x1b[?2004h\x1b[?7l\x1b[2J\x1b[H"
"""Colours, signs, margins and the modes that a full screen needs, as at the start; then nothing on it."""


class TerminalDriver(LinuxDriver):
    """A terminal whose picture may be lost without a word: where it may be, `SignalResume` asks to paint all of it."""

    _last_size: tuple[int, int] | None = None

    def take_anew(self) -> None:
        """Set every mode of the terminal again and empty it; the caller paints."""
        if self._writer_thread is None:
            return
        self._set_raw()
        self.write(_MODES)
        self._enable_mouse_support()
        if self._in_band_window_resize:
            self._enable_in_band_window_resize()
        self.flush()

    def start_application_mode(self) -> None:
        """As Textual does, and hear a window that comes back with the size it had."""
        super().start_application_mode()  # type: ignore[no-untyped-call]
        resized = signal.getsignal(signal.SIGWINCH)
        self._last_size = self._get_terminal_size()

        def heard(number: int, frame: FrameType | None) -> None:
            if callable(resized):
                resized(number, frame)
            size = self._get_terminal_size()
            if size == self._last_size:
                self._ask_to_paint()
            self._last_size = size

        signal.signal(signal.SIGWINCH, heard)

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
