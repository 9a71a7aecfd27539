"""A virtual list: any number of rows, of which only those in sight are fetched and painted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from modex.tui.actions import bindings
from modex.tui.frame import painter
from modex.tui.look.paint import Line, Part, strip
from modex.tui.widgets.columns import Cell, ListColumn, column_at, header, row, widths

T = TypeVar("T")
PAGE = 100
_KEPT_PAGES = 40


class Listing(ScrollView, Generic[T], can_focus=True):
    """Rows in columns under a line of titles, with a selection that is moved by keys or mouse.

    The owner sets how many rows there are (`set_count`), hears `Wanted` when rows in sight are missing, and hands them
    in (`put`). `cells(item)` gives a row's cells in the columns' order.

    Textual's `DataTable` holds all rows: 200,000 take 43 s of processor time and 704 MB before the first is shown, and ten
    that change four times a second 27 % of a core. Here it is 1 s, 56 MB and 2 % with the start of modex.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("lists")
    DEFAULT_CSS = """
    Listing { height: 1fr; width: 1fr; overflow-x: hidden; scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
    """
    ALLOW_SELECT = False

    class Wanted(Message):
        """Rows `start` to `end` (exclusive) are in sight and not there."""

        def __init__(self, listing: Listing[Any], start: int, end: int) -> None:
            super().__init__()
            self.listing, self.start, self.end = listing, start, end

        @property
        def control(self) -> Listing[Any]:
            """The list."""
            return self.listing

    class Moved(Message):
        """Another row is selected."""

        def __init__(self, listing: Listing[Any]) -> None:
            super().__init__()
            self.listing = listing

        @property
        def control(self) -> Listing[Any]:
            """The list."""
            return self.listing

    class Opened(Message):
        """The selected row was opened with Enter or a second click."""

        def __init__(self, listing: Listing[Any]) -> None:
            super().__init__()
            self.listing = listing

        @property
        def control(self) -> Listing[Any]:
            """The list."""
            return self.listing

    class Titled(Message):
        """The title of a column that one can sort by was clicked; `order` is the column's `sorts`."""

        def __init__(self, listing: Listing[Any], order: str) -> None:
            super().__init__()
            self.listing, self.order = listing, order

        @property
        def control(self) -> Listing[Any]:
            """The list."""
            return self.listing

    def __init__(
        self,
        layout: Sequence[ListColumn],
        cells: Callable[[T], Sequence[Cell]],
        *,
        titles: bool = True,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self._top = 1 if titles else 0
        self.columns = tuple(layout)
        self.cells = cells
        self.sorted_by = ""
        self.turned = False
        """Whether the order is the other way round."""
        self.marked: Callable[[T], bool] = lambda _: False
        """Whether a row carries a mark: a sign of its own, which the selection and the row's state leave as it is."""
        self.beneath: Callable[[T, int], Line] | None = None
        """What stands on a second line under each row, at most so wide; None: rows have one line."""
        self.count = 0
        self.cursor = 0
        self._pages: dict[int, list[T | None]] = {}
        self._asked: set[int] = set()
        self._has_keys = True
        self._held = False
        self._kept: object = None
        """The key of the row that was selected last (`fill`)."""
        self._sizes: list[int] = []

    # what the owner tells

    def set_count(self, count: int, *, cursor: int | None = None, keep: bool = False) -> None:
        """There are `count` rows now. Rows known so far are forgotten unless `keep`; `cursor` selects one."""
        moved = cursor is not None and cursor != self.cursor
        self.count = count
        if not keep:
            self._pages.clear()
        self._asked.clear()
        self.cursor = max(0, min(count - 1, self.cursor if cursor is None else cursor))
        self.virtual_size = Size(self.size.width, count * self._each + 1)
        self._reveal()
        if not self.size:
            # Textual tells neither `Show` nor `Resize` to a list that comes back in a frame in which something scrolled.
            self.call_after_refresh(self.on_resize)
        self.refresh()
        self._ask()
        if moved:
            self.post_message(self.Moved(self))

    def put(self, start: int, items: Sequence[T]) -> None:
        """Rows `start` and following; those in sight that differ are repainted."""
        changed: list[int] = []
        for index, item in enumerate(items, start):
            page = self._pages.setdefault(index // PAGE, [None] * PAGE)
            if page[index % PAGE] != item:
                page[index % PAGE] = item
                changed.append(index)
        for number in range(start // PAGE, (start + max(1, len(items)) - 1) // PAGE + 1):
            self._asked.discard(number)
        self._forget_far()
        if changed:
            self._refresh_rows(changed)
            if changed[0] <= self.cursor <= changed[-1]:
                self.post_message(self.Moved(self))

    def fill(self, items: Sequence[T], key: Callable[[T], object]) -> None:
        """These are all the rows; the selection stays on the row of the same key.

        While a filter is typed (`hold`) that is the row that was selected before: what is typed in between may leave it out.
        """
        if (current := self.current) is not None and not (self._held and self._kept is not None):
            self._kept = key(current)
        keys = [key(item) for item in items]
        self.set_count(len(items), cursor=keys.index(self._kept) if self._kept in keys else 0)
        self.put(0, items)

    def hold(self, *, held: bool = True) -> None:
        """A filter begins to be typed, or is typed to its end."""
        self._held = held
        if held:
            self._kept = None

    def set_active(self, active: bool) -> None:
        """Whether the keys go here: without them the selection stands with no bar."""
        if active != self._has_keys:
            self._has_keys = active
            self._refresh_rows([self.cursor])

    def repaint(self) -> None:
        """Paint again what is in sight (marks or times changed)."""
        self.refresh()

    # what the owner asks

    def item(self, index: int) -> T | None:
        """The row at `index`, where it is known."""
        page = self._pages.get(index // PAGE)
        return page[index % PAGE] if page and 0 <= index < self.count else None

    @property
    def current(self) -> T | None:
        """The selected row, where it is known."""
        return self.item(self.cursor)

    def shows_column(self, order: str) -> bool:
        """Whether the column that stands for this order has room, and so says that the list is sorted by it."""
        return any(size and column.sorts == order for column, size in zip(self.columns, self._sizes, strict=False))

    def shows(self, column: ListColumn) -> bool:
        """Whether this column is there and has room."""
        return any(size and one == column for one, size in zip(self.columns, self._sizes, strict=False))

    @property
    def in_sight(self) -> range:
        """The rows that can be seen now."""
        top = self.scroll_offset.y // self._each
        return range(top, min(self.count, top + self._page_height))

    # moving

    def select(self, index: int) -> None:
        """Select the row at `index`, scrolling as little as needed."""
        index = max(0, min(self.count - 1, index))
        if index == self.cursor:
            return
        before, self.cursor = self.cursor, index
        self._reveal()
        self._refresh_rows([before, index])
        self.post_message(self.Moved(self))

    def action_move(self, step: int) -> None:
        """Move the selection by `step` rows."""
        self.select(self.cursor + step)

    def action_page(self, direction: int) -> None:
        """Move the selection by half of what is in sight."""
        self.select(self.cursor + direction * max(1, self._page_height // 2))

    def action_first(self) -> None:
        """Select the first row."""
        self.select(0)

    def action_last(self) -> None:
        """Select the last row."""
        self.select(self.count - 1)

    def action_open(self) -> None:
        """Open the selected row."""
        if self.count:
            self.post_message(self.Opened(self))

    def on_click(self, event: events.Click) -> None:
        """Select the row under the mouse; a click on the selected row opens it, one on a title sorts."""
        if self._top and event.y == 0:
            event.stop()
            if (order := column_at(self.columns, self._sizes, event.x - 1)) is not None:
                self.post_message(self.Titled(self, order))
            return
        index = (self.scroll_offset.y + event.y - self._top) // self._each
        if event.y < self._top or not 0 <= index < self.count:
            return
        event.stop()
        if index == self.cursor:
            self.action_open()
        else:
            self.select(index)

    # painting

    @property
    def shows_cursor(self) -> bool:
        """Whether the selection is drawn."""
        return True

    @property
    def room(self) -> int:
        """Lines under the titles."""
        return max(1, self.size.height - self._top)

    @property
    def _each(self) -> int:
        return 2 if self.beneath is not None else 1

    @property
    def _page_height(self) -> int:
        return max(1, self.room // self._each)

    def on_resize(self) -> None:
        """Lay the columns out anew and keep the selection in sight."""
        self.lay_out()
        self.virtual_size = Size(self.size.width, self.count * self._each + self._top)
        self._reveal()
        self.call_after_refresh(self._reveal)
        self._ask()

    def on_show(self) -> None:
        """Keep the selection in sight where the list was hidden when it moved: until now there was nothing to scroll."""
        self.call_after_refresh(self._reveal)

    def lay_out(self) -> None:
        """Set the columns' widths for the present size."""
        self._sizes = widths(self.columns, max(1, self.size.width - 2))
        self.refresh()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Fetch what came into sight."""
        super().watch_scroll_y(old_value, new_value)
        self._ask()

    def render_line(self, y: int) -> Strip:
        """The titles, then the rows in sight."""
        frame = painter(self)
        width = self.size.width
        if not self._sizes:
            return strip((), frame.palette, width)
        if y < self._top:
            titles = header(
                self.columns, self._sizes, self.sorted_by, frame.glyphs.turned if self.turned else frame.glyphs.sorted
            )
            return strip([(" ", "text"), *titles], frame.palette, width)
        index, line = divmod(self.scroll_offset.y + y - self._top, self._each)
        return self.paint(index, line)

    def paint(self, index: int, line: int = 0) -> Strip:
        """The row at `index`, or what stands beneath it; empty behind the last."""
        frame, width = painter(self), self.size.width
        if index >= self.count or not self._sizes:
            return strip((), frame.palette, width)
        selected = index == self.cursor and self.shows_cursor
        item = self.item(index)
        edge: Part = (" ", "text")
        if selected and self._has_keys:
            edge = (frame.glyphs.bar, "bar")
        if item is None:
            return strip([edge, (frame.glyphs.ellipsis, "faint")], frame.palette, width, selected=selected)
        if line and self.beneath is not None:
            parts = [edge, *self.beneath(item, width - 2)]
        else:
            mark: Part | None = (frame.glyphs.marked, "accent") if self.marked(item) else None
            parts = [edge, *row(self.columns, self._sizes, self.cells(item), mark)]
        return strip(parts, frame.palette, width, selected=selected)

    def _refresh_rows(self, indexes: Sequence[int]) -> None:
        width, height = self.size
        each, shift = self._each, self._top - self.scroll_offset.y
        lines = {index * each + shift for index in indexes if self._top <= index * each + shift < height}
        regions = [Region(0, y, width, each) for y in lines]
        if regions:
            self.refresh(*regions)

    def _reveal(self) -> None:
        if not self.size:
            return
        top, height, each = self.scroll_offset.y, self.room, self._each
        first = self.cursor * each
        wanted = min(max(top, first + each - height), first, max(0, self.count * each - height))
        if wanted != top:
            self.scroll_to(y=max(0, wanted), animate=False, immediate=True, force=True)

    # fetching

    def _ask(self) -> None:
        """Ask for the pages in sight that are not there and not asked for."""
        sight = self.in_sight
        if not sight:
            return
        for number in range(sight.start // PAGE, (sight.stop - 1) // PAGE + 1):
            start, stop = number * PAGE, min(self.count, (number + 1) * PAGE)
            page = self._pages.get(number)
            missing = page is None or any(item is None for item in page[: stop - start])
            if missing and number not in self._asked:
                self._asked.add(number)
                self.post_message(self.Wanted(self, start, stop))

    def _forget_far(self) -> None:
        if len(self._pages) <= _KEPT_PAGES:
            return
        here = self.scroll_offset.y // self._each // PAGE
        for number in sorted(self._pages, key=lambda number: -abs(number - here))[: len(self._pages) - _KEPT_PAGES]:
            del self._pages[number]
