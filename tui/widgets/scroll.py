"""Painted lines that scroll: help and other texts of moderate length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from modex.tui.actions import bindings
from modex.tui.frame import painter
from modex.tui.look.paint import Line, strip


class ScrollLines(ScrollView, can_focus=True):
    """Lines that are longer than the screen, moved through with the keys of lists."""

    BINDINGS: ClassVar[list[BindingType]] = [binding for binding in bindings("lists") if binding.action != "open"]  # type: ignore[union-attr]
    DEFAULT_CSS = """
    ScrollLines { height: 1fr; width: 1fr; overflow-x: hidden; scrollbar-size-vertical: 1; }
    """
    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines: list[Line] = []

    def show(self, lines: Sequence[Line]) -> None:
        """Replace the lines."""
        self._lines = list(lines)
        self.virtual_size = Size(self.size.width, len(self._lines))
        self.refresh()

    def on_resize(self) -> None:
        """The width follows the screen."""
        self.virtual_size = Size(self.size.width, len(self._lines))

    def render_line(self, y: int) -> Strip:
        """One line."""
        index = self.scroll_offset.y + y
        line = self._lines[index] if index < len(self._lines) else ()
        return strip(line, painter(self).palette, self.size.width)

    def action_move(self, step: int) -> None:
        """Scroll by lines."""
        self.scroll_to(y=self.scroll_target_y + step, animate=False)

    def action_page(self, direction: int) -> None:
        """Scroll by half a page."""
        self.action_move(direction * max(1, self.size.height // 2))

    def action_first(self) -> None:
        """To the top."""
        self.scroll_to(y=0, animate=False)

    def action_last(self) -> None:
        """To the end."""
        self.scroll_to(y=len(self._lines), animate=False)
