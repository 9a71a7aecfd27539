"""A transcript on the screen: foldable parts in one virtual view, of which only what is in sight is wrapped and painted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from modex.tui.actions import bindings
from modex.tui.frame import painter
from modex.tui.look.paint import Line, Part, between, columns, strip
from modex.tui.look.text import fit, fit_middle
from modex.tui.widgets.transcript_layout import LaidRow, Layout, TextPlace
from modex.tui.widgets.transcript_search import Matches
from modex.tui.widgets.transcript_text import Block, Section, Span, paint

_MOVES = [b for b in bindings("lists") if isinstance(b, Binding) and b.id != "lists.open"]


class TranscriptView(ScrollView, can_focus=True):
    """Rows under a selection that moves line by line; titles fold their part."""

    BINDINGS: ClassVar[list[BindingType]] = [*_MOVES]
    DEFAULT_CSS = """
    TranscriptView { height: 1fr; width: 1fr; overflow-x: hidden; scrollbar-size-vertical: 1;
      scrollbar-gutter: stable; }
    """
    ALLOW_SELECT = False

    class Moved(Message):
        """The selection stands elsewhere, or the matches changed."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.sections: list[Section] = []
        self._layout = Layout([], 80)
        self._cursor = 0
        self._all_folded = False
        self._bodies: dict[str, Callable[[int], Block]] = {}
        self._laid: list[Section] = []
        self.matches = Matches([], "")
        self.current = -1

    # what the owner tells

    def show(self, sections: Sequence[Section], *, keep_place: bool = False, start: str = "") -> None:
        """Show these parts; folds chosen before are kept by key. `start` is the part to begin at."""
        place = self._named_place() if keep_place else None
        folds = painter(self).folds
        self.sections = [replace(section, folded=folds.get(section.key, section.folded)) for section in sections]
        self._bodies.clear()
        self._lay_out()
        if place is not None and (found := self._find(place[0])) >= 0:
            self._go(replace(place[1], section=found))
        else:
            self._cursor = 0
            self.scroll_to(y=0, animate=False, immediate=True)
            if start and (found := self._find(start)) >= 0:
                self._go(TextPlace(found), near_top=True)
        self.search(self.matches.words, jump=False)
        self.refresh()
        self.post_message(self.Moved())

    def render_bodies(self, bodies: dict[str, Callable[[int], Block]]) -> None:
        """Show other bodies (Markdown) for some parts, made for a width; an empty mapping shows the parts as they are."""
        self._bodies = dict(bodies)
        self._keeping(self._lay_out)

    @property
    def _width(self) -> int:
        """Columns beside the scroll bar."""
        return self.scrollable_content_region.width

    # what the owner asks

    @property
    def size_of_text(self) -> int:
        """Characters in all parts."""
        return sum(len(item.text) for section in self._laid for item in section.blocks)

    @property
    def section(self) -> Section | None:
        """The part under the selection."""
        number = self._layout.place(self._cursor).section if self.sections else -1
        return self.sections[number] if 0 <= number < len(self.sections) else None

    # searching

    def search(self, words: str, *, jump: bool = True) -> None:
        """Mark every place of `words`, and go to the first from here; nothing ends the search."""
        self.matches = Matches(self._laid, words)
        self.current = -1
        if jump and len(self.matches):
            self._go_to_match(self.matches.nearest(self._layout.place(self._cursor), 1, here=True))
        self.refresh()
        self.post_message(self.Moved())

    def next_match(self, direction: int) -> None:
        """Go to the next match, around the ends; unfolds the part it stands in."""
        if not len(self.matches):
            return
        if self.current >= 0:
            self._go_to_match((self.current + direction) % len(self.matches))
        else:
            self._go_to_match(self.matches.nearest(self._layout.place(self._cursor), direction))

    def _go_to_match(self, number: int) -> None:
        self.current = number
        match = self.matches.found[number]
        if self.sections[match.section].folded:
            self._set_fold(match.section, False)
            self._lay_out()
        self._go(match.place)
        self.refresh()
        self.post_message(self.Moved())

    # folding

    def fold(self) -> None:
        """Fold or unfold the part under the selection."""
        if self.section is None:
            return
        number = self._layout.place(self._cursor).section
        self._set_fold(number, not self.sections[number].folded)
        self._lay_out()
        self._go(TextPlace(number))
        self.refresh()

    def fold_all(self) -> None:
        """Fold everything but the response and the verdict, or unfold everything."""
        self._all_folded = not self._all_folded
        place = self._layout.place(self._cursor) if self.sections else TextPlace(0)
        for number, section in enumerate(self.sections):
            self._set_fold(number, self._all_folded and not section.hero)
        self._lay_out()
        self._go(place)
        self.refresh()

    def _set_fold(self, number: int, folded: bool) -> None:
        section = self.sections[number]
        painter(self).folds[section.key] = folded
        self.sections[number] = replace(section, folded=folded)

    def part(self, step: int) -> None:
        """Select the title of the next part (or the one before)."""
        if not self.sections:
            return
        place = self._layout.place(self._cursor)
        number = place.section + step if place.block < 0 or step > 0 else place.section
        self._go(TextPlace(max(0, min(len(self.sections) - 1, number))))

    def go_to(self, key: str) -> None:
        """Select the title of the part with this key, near the top."""
        if (number := self._find(key)) >= 0:
            self._go(TextPlace(number), near_top=True)

    @property
    def line(self) -> int:
        """On which line of the screen the title of the part under the selection stands, or would stand above it."""
        return self._layout.title_y(self._layout.place(self._cursor).section) - self.scroll_offset.y

    def bring(self, key: str, line: int) -> None:
        """Scroll so that the title of the part with this key stands on `line`, where there is text enough for that."""
        if (number := self._find(key)) < 0:
            return
        y = self._layout.title_y(number)
        self._cursor = y
        self._scroll(y - max(0, min(line, self.size.height - 1)))
        self._settle()
        self.refresh()

    # moving

    def action_move(self, step: int) -> None:
        """Move the selection by rows."""
        self._select(self._cursor + step)

    def action_page(self, direction: int) -> None:
        """Move by half of what is in sight."""
        self._select(self._cursor + direction * max(1, self.size.height // 2))

    def roll(self, direction: int) -> None:
        """Scroll by half of what is in sight, and take the selection along only where it would leave."""
        self._scroll(self.scroll_offset.y + direction * max(1, self.size.height // 2))

    def action_first(self) -> None:
        """Go to the first row."""
        self._select(0)

    def action_last(self) -> None:
        """Go to the last row."""
        last = self._layout.height - 1
        self._layout.settle(last - 2 * self.size.height, last, 0)
        self._select(self._layout.height - 1)

    def _select(self, y: int) -> None:
        if not self.sections:
            return
        before, top = self._cursor, self.scroll_offset.y
        y = max(0, min(self._layout.height - 1, y))
        if self._layout.at(y).section < 0 and y:
            y += 1 if before < y < self._layout.height - 1 else -1
        self._cursor = y
        self._reveal()
        if self.scroll_offset.y == top:
            self.refresh(*(Region(0, line - top, self._width, 1) for line in {before, self._cursor}))
        if before != self._cursor:
            self.post_message(self.Moved())

    def _go(self, place: TextPlace, *, near_top: bool = False) -> None:
        """Select the row of `place`, with some of what stands around it in sight."""
        self._cursor = max(0, self._layout.y_of(place))
        self.virtual_size = Size(self._width, self._layout.height)
        height = max(1, self.size.height)
        top = round(self.scroll_target_y)
        if near_top and self._cursor >= height:
            self._scroll(self._cursor)
        elif not top <= self._cursor < top + height:
            self._scroll(self._cursor - height // 3)
        self._settle()
        self.refresh()
        self.post_message(self.Moved())

    def _reveal(self) -> None:
        top, height = round(self.scroll_target_y), max(1, self.size.height)
        if self._cursor < top:
            self._scroll(self._cursor)
        elif self._cursor >= top + height:
            self._scroll(self._cursor - height + 1)
        self._settle()

    def _scroll(self, y: int) -> None:
        self.virtual_size = Size(self._width, self._layout.height)
        y = max(0, min(y, self._layout.height - self.size.height))
        # Forced: the first rows come before the layout that shows the scroll bar.
        self.scroll_to(y=y, animate=False, immediate=True, force=True)

    def _settle(self) -> None:
        """Wrap what is in sight and around it; what is in sight stays where it is."""
        top, height = round(self.scroll_target_y), max(1, self.size.height)
        shift = self._layout.settle(max(0, top - 2 * height), top + 3 * height, top)
        if shift:
            self._cursor += shift
            self._scroll(top + shift)
        elif self.virtual_size.height != self._layout.height:
            self.virtual_size = Size(self._width, self._layout.height)

    def on_click(self, event: events.Click) -> None:
        """Select the row under the mouse; a click on a title folds its part."""
        y = self.scroll_offset.y + event.y
        if y >= self._layout.height or self._layout.at(y).section < 0:
            return
        event.stop()
        self._select(y)
        if self._layout.at(y).block is None:
            self.fold()

    # laying out

    def on_resize(self) -> None:
        """Lay out for the new width; the same text stays in sight."""
        if self._width > 1 and self._layout.width != max(8, self._width - 1):
            self._keeping(self._lay_out)
        else:
            self._reveal()

    def _keeping(self, change: Callable[[], None]) -> None:
        """Do what changes the rows, and keep the selected text on the same line of the screen."""
        if not self.sections or not self._laid:
            change()
            return
        place = self._layout.place(self._cursor)
        line = self._cursor - self.scroll_offset.y
        change()
        self._cursor = max(0, self._layout.y_of(place))
        self._scroll(self._cursor - line)
        self.search(self.matches.words, jump=False)
        self._reveal()
        self.refresh()

    def _lay_out(self) -> None:
        width = max(8, self._width - 1)
        self._laid = [
            replace(section, blocks=[self._bodies[section.key](width - 2)]) if section.key in self._bodies else section
            for section in self.sections
        ]
        self._layout = Layout(self._laid, width)
        self.virtual_size = Size(self._width, self._layout.height)

    def _find(self, key: str) -> int:
        return next((number for number, section in enumerate(self.sections) if section.key == key), -1)

    def _named_place(self) -> tuple[str, TextPlace] | None:
        section = self.section
        return None if section is None else (section.key, self._layout.place(self._cursor))

    # painting

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Wrap what came into sight, so that the rows below stay where they are; the selection stays in sight."""
        super().watch_scroll_y(old_value, new_value)
        self._settle()
        top, bottom = round(self.scroll_y), round(self.scroll_y) + max(1, self.size.height) - 1
        if not top <= self._cursor <= bottom and self.sections:
            self._cursor = max(top, min(bottom, self._cursor, self._layout.height - 1))
            self.post_message(self.Moved())

    def render_line(self, y: int) -> Strip:
        """One row."""
        frame = painter(self)
        width = self._width
        at = self.scroll_offset.y + y
        if not self.sections or at >= self._layout.height:
            return strip((), frame.palette, width)
        found = self._layout.at(at)
        selected = at == self._cursor and self.has_focus
        edge: Part = (frame.glyphs.bar, "bar") if selected else (" ", "text")
        if found.section < 0:
            return strip([edge], frame.palette, width, selected=selected)
        parts = self._title(found.section, width) if found.block is None else self._body(found)
        return strip([edge, *parts], frame.palette, width, selected=selected)

    def _title(self, number: int, width: int) -> list[Part]:
        section, glyphs = self.sections[number], painter(self).glyphs
        empty = not section.blocks
        sign = " " if empty else glyphs.folded if section.folded else glyphs.open
        role = "muted" if section.folded and section.role == "title" else section.role
        room = max(width - 10 - columns(section.note[-1:]), width // 2)
        left: Line = [(f"{sign} ", "faint"), (fit(section.title, room).rstrip(), role)]
        note = fitted(section.note, width - columns(left) - 6)
        return between(left, [*note, ("  ", "text")], width - 1)

    def _body(self, found: LaidRow) -> list[Part]:
        item = found.block
        if item is None:
            return []
        lead = list(item.lead) if found.leads else [(" " * (item.hang - item.indent), "text")]
        spans: list[Span] = [*item.colours_in(found.row), *item.spans]
        start, end = found.row
        for match in self.matches.within(found.section, found.number, start, end):
            here = self.current >= 0 and self.matches.found[self.current] == match
            spans.append((match.start, match.end, "match" if here else "mark"))
        return [(" " * item.indent, "text"), *lead, *paint(item.text, found.row, item.role, spans)]

    def on_focus(self) -> None:
        """Draw the selection."""
        self.refresh()

    def on_blur(self) -> None:
        """Take the selection away."""
        self.refresh()


def fitted(note: Sequence[Part], room: int) -> list[Part]:
    """As much of a title's note as fits: the first parts give way, and a last one alone is cut in the middle."""
    parts = list(note)
    while len(parts) > 1 and columns(parts) > room:
        del parts[0]
    if parts and columns(parts) > room:
        text, role = parts[0]
        return [(fit_middle(text, room), role)] if room >= 12 else []
    return parts
