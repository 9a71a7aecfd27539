"""An answer as far as it is written: thinking dimmed, calls and what tools said set apart, the end in sight."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

from modex.core.safety import clean
from modex.tui.look.paint import Line
from modex.tui.widgets.lines import Lines

_ROLES = {"thinking": "faint", "text": "text", "call": "accent", "result": "muted", "judging": "text"}
_MARKS = {"thinking": "", "text": "", "call": "calls ", "result": "gets  "}


class Written(Lines):
    """The last lines of one answer; `scroll` leaves the end, `follow` goes back to it."""

    DEFAULT_CSS = """
    Written { height: 1fr; margin: 0 1; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._view: Mapping[str, Any] = {}
        self._above = 0
        """Lines between the end in sight and the end of the answer."""

    def tell(self, view: Mapping[str, Any]) -> None:
        """Show this view (`modex.core.engine.window`)."""
        self._view = view
        self.changed()

    def scroll_by_lines(self, lines: int) -> None:
        """Up or down; at the end it follows."""
        self._above = max(0, self._above - lines)
        self.changed()

    def follow(self) -> None:
        """Keep the end in sight."""
        self._above = 0
        self.changed()

    def lines_for(self, width: int) -> list[Line]:
        """The lines in sight."""
        room = max(1, self.size.height)
        lines = self._laid_out(max(20, width))
        self._above = max(0, min(self._above, len(lines) - room))
        end = len(lines) - self._above
        shown = lines[max(0, end - room) : end]
        return [*shown, *([()] * (room - len(shown)))]

    def _laid_out(self, width: int) -> list[Line]:
        lines: list[Line] = []
        left_out = int(self._view.get("left_out") or 0)
        if left_out:
            lines.append([(f"… {left_out:,} characters before", "faint")])
        before = ""
        for kind, text in self._view.get("parts") or ():
            if lines and kind != before:
                lines.append(())
            before = kind
            role, mark = _ROLES.get(kind, "text"), _MARKS.get(kind, "")
            if kind == "judging":
                mark = f"{self._view.get('phase') or 'judge'}: "
            for number, paragraph in enumerate(clean(str(text)).split("\n")):
                pieces = textwrap.wrap(
                    paragraph, width - len(mark), drop_whitespace=False, replace_whitespace=False, tabsize=4
                ) or [""]
                for index, piece in enumerate(pieces):
                    first = number == 0 and index == 0
                    lines.append(
                        [(mark if first else " " * len(mark), "muted"), (piece.lstrip(" ") if index else piece, role)]
                    )
        return lines
