"""What the terminal can do: a full screen, colour, line editing; decided before anything is drawn.

Colour that nobody wants: https://no-color.org.
"""

from __future__ import annotations

import os
import sys

from modex.tui.look.glyphs import Glyphs, choose


def screen_problem() -> str | None:
    """Why no full screen can be shown here, or None."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return "no terminal here: use the commands above, or --headless"
    if _is_dumb():
        return "TERM is dumb: no full screen; use the commands above, or --headless"
    return None


def use_colour(stream: object) -> bool:
    """Whether plain output to `stream` may be coloured."""
    return can_redraw(stream) and not os.environ.get("NO_COLOR")


def can_redraw(stream: object) -> bool:
    """Whether `stream` is a terminal on which a line can be written over."""
    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty()) and not _is_dumb()


def _is_dumb() -> bool:
    return os.environ.get("TERM", "dumb") in ("dumb", "")


def glyphs_for(stream: object) -> Glyphs:
    """The signs that `stream` can show."""
    return choose("auto", encoding=str(getattr(stream, "encoding", "") or "ascii"))


def demo_note(model: str) -> str:
    """What must stand beside the scripted model's name."""
    return " (scripted model, for trying modex out)" if model.partition("/")[0] == "demo" else ""
