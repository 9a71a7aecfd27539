"""The top line of every screen: what this is, and how it stands."""

from __future__ import annotations

from modex.tui.look.paint import Line, between
from modex.tui.widgets.lines import Lines


class IdentityLine(Lines):
    """Something on the left, something on the right; the left is cut where both do not fit."""

    DEFAULT_CSS = """
    IdentityLine { dock: top; height: 1; }
    """

    def __init__(self) -> None:
        super().__init__(id="identity")
        self._left: Line = [(" modex", "title")]
        self._right: Line = ()

    def set(self, left: Line, right: Line = ()) -> None:
        """Show `left` and `right`."""
        self._left, self._right = left, right
        self.changed()

    def lines_for(self, width: int) -> list[Line]:
        """The one line."""
        return [between([(" ", "text"), *self._left], [*self._right, (" ", "text")], width)]
