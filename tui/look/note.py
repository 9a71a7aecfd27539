"""A short note in the row of the keys, one at a time."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from textual.app import App

from modex.tui.look.text import message

_LAST: WeakKeyDictionary[App[Any], tuple[str, int]] = WeakKeyDictionary()
"""What each application said last, and how many times one after another."""


def note(app: App[Any], words: str, *, severity: str = "information") -> None:
    """Show `words`, cleaned, for some seconds in place of any note before; an error stays longer.

    Said again while it is still shown, it is shown once, with how many times.
    """
    text = message(words)
    before, times = _LAST.get(app, ("", 0))
    times = times + 1 if before == text and len(app._notifications) else 1
    _LAST[app] = (text, times)
    app.clear_notifications()
    level = "error" if severity == "error" else "warning" if severity == "warning" else "information"
    shown = f"{words} ({times} times)" if times > 1 else words
    app.notify(message(shown), severity=level, markup=False, timeout=8 if level == "error" else 4)  # type: ignore[arg-type]
