"""A short note in the row of the keys, one at a time."""

from __future__ import annotations

from typing import Any

from textual.app import App

from tui.look.text import message


def note(app: App[Any], words: str, *, severity: str = "information") -> None:
    """Show `words`, cleaned, for some seconds in place of any note before; an error stays longer."""
    app.clear_notifications()
    level = "error" if severity == "error" else "warning" if severity == "warning" else "information"
    app.notify(message(words), severity=level, markup=False, timeout=8 if level == "error" else 4)  # type: ignore[arg-type]
