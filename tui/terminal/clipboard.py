"""Copying over any connection: the terminal is asked to take the text (OSC 52); whether it does, it does not say.

OSC 52: https://invisible-island.net/xterm/ctlseqs/ctlseqs.html; tmux passes it on: https://github.com/tmux/tmux/wiki/Clipboard.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping
from typing import Any

from textual.app import App

from modex.core.safety import clean

MOST = 74_000
"""Bytes that terminals commonly take; more is dropped by some without a word."""


def sequence(text: str, environment: Mapping[str, str] = os.environ) -> str | None:
    """What is sent for `text` (cleaned: pasting it must not steer a shell), or None where it is too long.

    Inside tmux the sequence goes both to tmux and through it to the terminal around it; inside screen through it.
    """
    data = clean(text).encode("utf-8", "replace")
    if len(data) > MOST:
        return None
    plain = f"\x1b]52;c;{base64.b64encode(data).decode('ascii')}\x07"
    if environment.get("TMUX"):
        doubled = plain.replace("\x1b", "\x1b\x1b")
        return f"{plain}\x1bPtmux;{doubled}\x1b\\"
    if environment.get("TERM", "").startswith("screen"):
        pieces = [plain[at : at + 250] for at in range(0, len(plain), 250)]
        return "".join(f"\x1bP{piece}\x1b\\" for piece in pieces)
    return plain


def send(app: App[Any], text: str, *, instead: str = "") -> str:
    """Send `text` to the terminal; what to tell the person, which is what else can be done (`instead`) where it is too long."""
    wanted = sequence(text)
    if wanted is None:
        return "too long for a terminal's clipboard" + (f"; {instead}" if instead else "")
    driver = app._driver
    if driver is not None:
        driver.write(wanted)
    count = len(text)
    return f"sent to the terminal: {count:,} character{'s' if count != 1 else ''}"
