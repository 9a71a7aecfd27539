"""The log of a run: finished tests and what the runner says, newest at the bottom, following until one scrolls."""

from __future__ import annotations

from collections.abc import Sequence

from textual.strip import Strip

from modex.core.config.filters import Query
from modex.core.foundation.parties import fault_words
from modex.core.store.reader import expected_text
from modex.core.store.rows import SampleHead
from modex.tui.frame import painter
from modex.tui.look import format as fmt
from modex.tui.reading.run import MOST_TOLD, LogLine
from modex.tui.widgets.columns import Cell, ListColumn
from modex.tui.widgets.listing import Listing

MOST_LINES = MOST_TOLD
_CALM_S, _BUSY_S = 0.5, 1.5
"""How often lines are shown at most, in seconds: while few come, and while more come than can be read."""
_FEW = 4
_COLUMNS = (
    ListColumn("time", 8, from_width=56),
    ListColumn("", 1),
    ListColumn("test", 16, grow=2, max_width=34),
    ListColumn("score", 4, align="right", from_width=36),
    ListColumn("took", 6, align="right", from_width=72),
    ListColumn("", 6, grow=3),
)
_ROLES = {"info": "muted", "warning": "accent", "error": "error"}
LOG_FILTERS = ("status", "domain", "level", "test", "score", "error", "evaluator", "seconds")
"""What a filter of the log can name."""


class LogPane(Listing[LogLine]):
    """Shows the last lines; with focus it scrolls, and a line can be selected and opened.

    Without focus it is a plain tail of fixed size: growing a scrolled area makes Textual lay the whole screen out again.
    Textual's `RichLog` paints each line as it is added: 10,000 take 5 s of processor time with the start of modex, here 0.8 s,
    and forty a second 5–10 % of a core, here 1 %.
    """

    DEFAULT_CSS = """
    LogPane { height: 1fr; overflow-y: hidden; }
    LogPane:focus { overflow-y: auto; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(_COLUMNS, self._line, titles=False, id=id)
        self._all: list[LogLine] = []
        self._shown: list[LogLine] = []
        self._query = Query()
        self._painted_at = -_BUSY_S
        self._left: LogLine | None = None
        """The line that was selected when the keys went elsewhere; None where that was the newest."""

    def add(self, lines: Sequence[LogLine]) -> None:
        """Append lines; the view follows them unless one scrolled away from the end."""
        if not lines:
            return
        self._all += lines
        self._shown += [line for line in lines if self._fits(line)]
        if len(self._all) > MOST_LINES + 500:
            del self._all[: len(self._all) - MOST_LINES]
            self._shown = [line for line in self._all if self._fits(line)]
        self.catch_up()

    def catch_up(self) -> None:
        """Show what was added, at most twice a second, and seldomer where whole screens of it come: nobody reads faster."""
        now, new = painter(self).clock(), len(self._shown) - self.count
        if new == 0 or now < self._painted_at + (_CALM_S if new <= _FEW else _BUSY_S):
            return
        self._painted_at = now
        self._grow()

    def _grow(self) -> None:
        following = self.cursor >= self.count - 1
        last = len(self._shown) - 1
        if self.has_focus:
            self.set_count(len(self._shown), cursor=last if following else None)
        else:
            self.count, self.cursor = len(self._shown), max(0, last)
            self.refresh()

    def clear(self) -> None:
        """Forget every line."""
        self._all, self._shown = [], []
        self._painted_at = -_BUSY_S
        self._grow()

    def filter(self, query: Query) -> None:
        """Show only lines that fit."""
        self._query = query
        self._refilter()

    def _refilter(self) -> None:
        self._shown = [line for line in self._all if self._fits(line)]
        self.cursor = self.count
        self._grow()

    def _fits(self, line: LogLine) -> bool:
        head = line.head
        fields: dict[str, object] = {"status": line.kind}
        text = line.message
        if head is not None:
            fields |= {
                "domain": head.domain,
                "level": head.level,
                "test": head.test_id,
                "score": head.score,
                "error": head.error_type or "",
                "evaluator": head.evaluator_id,
                "seconds": (head.duration_ms or 0) / 1000,
            }
            named = (head.domain, head.test_id, head.name, head.error_type, head.extracted_answer, head.reason)
            text = "\n".join(piece for piece in named if piece)
        return self._query.holds({name: value for name, value in fields.items() if value is not None}, text or "")

    @property
    def shows_cursor(self) -> bool:
        """The selection is drawn only while the log has the keys."""
        return self.has_focus

    def item(self, index: int) -> LogLine | None:
        """The line at `index`."""
        return self._shown[index] if 0 <= index < len(self._shown) else None

    def on_focus(self) -> None:
        """Scroll and draw the selection: where it was left, else on the newest line."""
        at = (
            self._shown.index(self._left)
            if self._left is not None and self._left in self._shown
            else len(self._shown) - 1
        )
        self.set_count(len(self._shown), cursor=at)

    def on_blur(self) -> None:
        """Be a tail again."""
        self._left = self.current if self.cursor < self.count - 1 else None
        self.scroll_to(y=0, animate=False, immediate=True, force=True)
        self.virtual_size = self.size
        self._grow()

    def on_resize(self) -> None:
        """Lay out anew."""
        if self.has_focus:
            super().on_resize()
        else:
            self.lay_out()

    def render_line(self, y: int) -> Strip:
        """A line of the tail, or of what is scrolled to."""
        if self.has_focus:
            return super().render_line(y)
        return self.paint(max(0, self.count - self.size.height) + y)

    def _ask(self) -> None:
        """Every line is here already."""

    def _line(self, line: LogLine) -> list[Cell]:
        frame = painter(self)
        time = (fmt.time_of_day(line.at, frame.wall()), "faint")
        head = line.head
        if head is None:
            role = _ROLES.get(line.kind, "muted")
            sign = frame.glyphs.error if line.kind == "error" else frame.glyphs.dot
            return [time, (sign, role), (line.message, role)]
        sign = frame.glyphs.status(head.status)
        name = f"{head.domain}/{head.level}/{head.test_id}"
        return [
            time,
            (sign, head.status),
            (name, "text"),
            (fmt.one(head.score) if head.score is not None else "", "muted"),
            (fmt.seconds(head.duration_ms) if head.duration_ms else "", "faint"),
            (outcome(head), "error" if head.status == "error" else "muted"),
        ]


def outcome(head: SampleHead) -> str:
    """What came of a sample, in one line: the verdict's reason, or the answer and what was expected where it gives none."""
    if head.status == "error":
        return f"{fault_words(head)}: {head.error_type or 'error'}: {head.error_message or ''}".rstrip(": ")
    if head.status == "skipped":
        return head.error_message or "skipped"
    if head.status in ("pending", "running"):
        return ""
    got = (head.extracted_answer or "").strip()
    if head.status == "passed":
        return got
    if head.reason:
        return head.reason
    expected = expected_text(head)
    if not got:
        return f"no answer, expected {expected}" if expected else "no answer"
    return f"got {got}, expected {expected}" if expected else f"got {got}"
