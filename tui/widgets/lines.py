"""A widget of painted lines that re-sends only the lines that changed."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import RenderResult
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from modex.tui.frame import painter
from modex.tui.look.paint import Line, strip, whole_words


class Lines(Widget):
    """Lines of `(text, role)` parts, each cut or filled to the widget's width.

    Subclasses may override `lines_for(width)` to lay out by width; `show` is for lines that do not depend on it.
    """

    DEFAULT_CSS = """
    Lines { height: auto; width: 1fr; }
    """
    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._lines: list[Line] = []
        self._painted: list[Line] = []

    def show(self, lines: Sequence[Line]) -> None:
        """Replace the lines."""
        self._lines = list(lines)
        self.changed()

    def lines_for(self, width: int) -> Sequence[Line]:  # noqa: ARG002
        """The lines at this width."""
        return self._lines

    def changed(self) -> None:
        """Lay the lines out again and repaint those that differ; asks for another height where their number changed."""
        if not self.is_mounted or self.size.width == 0:
            return
        new = list(self.lines_for(self.size.width))
        old, self._painted = self._painted, new
        if len(new) != len(old):
            self.refresh(layout=True)
            return
        if changed := [y for y, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]:
            self.refresh(*(Region(0, y, self.size.width, 1) for y in changed))

    def get_content_height(self, container: object, viewport: object, width: int) -> int:  # noqa: ARG002
        """As many rows as there are lines."""
        return len(self.lines_for(width))

    def on_resize(self) -> None:
        """Lay out for the new width."""
        self._painted = list(self.lines_for(self.size.width))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One painted line."""
        line: Line = self._painted[y] if y < len(self._painted) else ()
        return strip(line, painter(self).palette, self.size.width)

    def render(self) -> RenderResult:
        """Not used: the lines are painted one by one."""
        return ""


class Whole(Lines):
    """Lines that end with a whole word where they are longer than the widget is wide."""

    def lines_for(self, width: int) -> Sequence[Line]:
        """The lines, cut between words."""
        return [whole_words(line, width) for line in self._lines]
