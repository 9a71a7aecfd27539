"""Two runs side by side: how large the difference is and how sure, and every test that flipped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import ClassVar, Literal

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.widget import Widget

from core.reports.compare import Comparison, Difference
from core.reports.compare import compare as compared
from core.reports.pairs import Pair
from core.store.reader import Reader
from core.store.rows import RunRow
from tui import format as fmt
from tui.actions import bindings
from tui.glyphs import Glyphs
from tui.paint import Line, Part, columns
from tui.screens.base import ModexScreen
from tui.text import fit, fit_middle, width_of
from tui.widgets.columns import Cell, Column
from tui.widgets.lines import Lines
from tui.widgets.listing import Listing

WIDE = 110
_FIGURES = 46
"""Columns beside the names of the domains."""
_COLUMNS = (
    Column("", 1),
    Column("test", 16, grow=1, max_width=70),
    Column("first", 5, align="right"),
    Column("second", 6, align="right"),
    Column("change", 6, align="right"),
)
Which = Literal["both", "gained", "lost"]
_WHICH: tuple[Which, ...] = ("both", "gained", "lost")


class CompareScreen(ModexScreen[None]):
    """Compares run `second` with run `first`; opening a flip shows both transcripts."""

    SCOPES = ("compare", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("compare")]
    LOOKS = True
    PERIOD_S = 5.0
    DEFAULT_CSS = """
    CompareScreen #figures { height: auto; }
    CompareScreen #sides { height: 1fr; layout: vertical; }
    CompareScreen #domains { height: auto; max-height: 60%; margin-top: 1; }
    CompareScreen #flips { height: 1fr; margin-top: 1; }
    CompareScreen.-wide #sides { layout: horizontal; }
    CompareScreen.-wide #domains { max-height: 100%; margin: 1 2 0 0; }
    CompareScreen.-wide #flips { width: 1fr; }
    CompareScreen #none { height: auto; margin: 1 4; }
    """

    def __init__(self, database: Path, first: str, second: str) -> None:
        super().__init__()
        self.database = database
        self._names = (first, second)
        self._seen: tuple[int, int] = (-1, -1)
        self.comparison: Comparison | None = None
        self._which: Which = "both"
        self._domains: bool | None = None

    def body(self) -> Iterable[Widget]:
        """The answer first, then domains and flips."""
        yield Lines(id="figures")
        yield _Sides(self._cells)

    @property
    def flips(self) -> Listing[Pair]:
        """The list of flips."""
        return self.query_one("#flips", Listing)

    def on_mount(self) -> None:
        """Say at once what is compared: many tests take a moment."""
        super().on_mount()
        self._show_identity([("comparing", "muted")])

    # looking

    async def look(self) -> bool:
        """Compare again where a run changed."""
        names, seen = self._names, self._seen

        def ask(reader: Reader) -> Comparison | None:
            first, second = reader.run(names[0]), reader.run(names[1])
            return None if (first.seq, second.seq) == seen else compared(reader, first, second)

        found = await self.frame.store.ask(ask)
        if found is not None and names == self._names:
            self.comparison = found
            self._seen = (found.first.seq, found.second.seq)
            self._show()
        now = self.comparison
        return now is not None and (now.first.alive or now.second.alive)

    def _show(self) -> None:
        comparison = self.comparison
        if comparison is None:
            return
        glyphs = self.frame.glyphs
        self._show_identity(self._counts(comparison))
        self.query_one("#figures", Lines).show(_figures(comparison, glyphs, self.size.width))
        domains = self.query_one("#domains", Lines)
        names = self._room_for_names(comparison)
        domains.styles.width = names + _FIGURES if self.size.width >= WIDE else None
        domains.show(_domain_lines(comparison, glyphs, names))
        domains.display = self._shows_domains
        pairs = self.pairs
        self.flips.set_count(len(pairs))
        self.flips.put(0, pairs)
        none = self.query_one("#none", Lines)
        none.show([[(self._nothing(comparison), "muted")]])
        none.display, self.flips.display = not pairs, bool(pairs)
        if pairs and self.focused is None:
            self.flips.focus()

    def _show_identity(self, right: Line) -> None:
        first, second = self._names
        branch = self.frame.glyphs.branch
        self.identity(
            [("compare  ", "muted"), (first, "title"), (f" {branch} ", "faint"), (second, "title")],
            [*self.store_state(), *right],
        )

    def _counts(self, comparison: Comparison) -> list[Part]:
        shared = fmt.count(comparison.overall.n if comparison.overall else 0)
        parts: list[Part] = [(f"{shared} tests in both", "muted")]
        return parts if self._which == "both" else [(f"{self._which} only   ", "accent"), *parts]

    @property
    def _shows_domains(self) -> bool:
        roomy = self.size.width >= WIDE or self.size.height >= 34
        return roomy if self._domains is None else self._domains

    def _room_for_names(self, comparison: Comparison) -> int:
        """Domains by their whole names where the flips leave room for that."""
        most = 20 if self.size.width < WIDE else 24 if self.size.width < 150 else 40
        return min(most, max(20, *(width_of(domain) for domain in comparison.domains), 0))

    def _nothing(self, comparison: Comparison) -> str:
        if comparison.overall is None:
            return "The runs share no scored test."
        kind = {"both": "flipped", "gained": "was gained", "lost": "was lost"}[self._which]
        why = ": every shared test went the same way in both runs" if self._which == "both" else ""
        return f"No test {kind}{why}."

    @property
    def pairs(self) -> list[Pair]:
        """The flips that are listed."""
        if self.comparison is None:
            return []
        return [pair for pair in self.comparison.flips if self._which in ("both", pair.flip)]

    def on_resize(self, event: events.Resize) -> None:
        """Domains beside the flips where there is room."""
        self.set_class(event.size.width >= WIDE, "-wide")
        self._show()

    def _cells(self, pair: Pair) -> list[Cell]:
        gained = pair.flip == "gained"
        glyphs = self.frame.glyphs
        role = "passed" if gained else "failed"
        _, domain, level, test_id = pair.key
        change = f"{pair.difference:+.2f}" if pair.difference is not None else ""
        return [
            (glyphs.passed if gained else glyphs.failed, role),
            lambda width: [(fit_middle(f"{domain}/{level}/{test_id}", width), "text")],
            (fmt.one(pair.first.mean), "muted"),
            (fmt.one(pair.second.mean), "text"),
            (change, role),
        ]

    # acting

    @on(Listing.Opened)
    def _open(self) -> None:
        if self.comparison is not None and self.flips.current is not None:
            from tui.screens.compare_pair import ComparePairScreen

            runs = (self.comparison.first, self.comparison.second)
            self.app.push_screen(ComparePairScreen(runs, self.pairs, self.flips.cursor))

    def action_which(self) -> None:
        """Gained, lost or both."""
        self._which = _WHICH[(_WHICH.index(self._which) + 1) % len(_WHICH)]
        self.flips.set_count(0, cursor=0)
        self._show()

    def action_domains(self) -> None:
        """Show or hide the domains."""
        self._domains = not self._shows_domains
        self._show()

    def action_swap(self) -> None:
        """The other way round."""
        self._names = (self._names[1], self._names[0])
        self._seen = (-1, -1)
        self.look_now()


class _Sides(Container):
    """Domains, and flips under or beside them."""

    def __init__(self, cells: Callable[[Pair], Sequence[Cell]]) -> None:
        super().__init__(id="sides")
        self._cells = cells

    def compose(self) -> ComposeResult:
        """Domains and flips."""
        yield Lines(id="domains")
        with Vertical():
            yield Listing(_COLUMNS, self._cells, id="flips")
            yield Lines(id="none")


def _figures(comparison: Comparison, glyphs: Glyphs, width: int) -> list[Line]:
    lines: list[Line] = [(), _run("first", comparison.first, width), _run("second", comparison.second, width), ()]
    overall = comparison.overall
    if overall is None:
        return lines
    parts: list[Part] = [(" difference  ", "muted"), (_points(overall.mean), _role(overall))]
    if overall.interval:
        low, high = overall.interval
        parts.append((f"   95 %: {100 * low:+.1f} to {100 * high:+.1f}", "text"))
    parts.append((f"   p {_p(overall.p_value)}", "muted"))
    lines.append(parts)
    counts: list[Part] = [
        (" flips       ", "muted"),
        (f"{glyphs.passed} {overall.gained} gained", "passed"),
        ("   ", "text"),
        (f"{glyphs.failed} {overall.lost} lost", "failed"),
    ]
    for number, words in (
        (comparison.unscored, "without a score on one side"),
        (len(comparison.only_first), "only in the first"),
        (len(comparison.only_second), "only in the second"),
    ):
        if number:
            counts.append((f"   {fmt.count(number)} {words}", "faint"))
    lines.append(_whole(counts, width))
    if overall.detectable is not None:
        words = f"{overall.n} pairs would have shown a difference of {100 * overall.detectable:.1f} points"
        lines.append([(" " * min(13, max(1, width - len(words))), "text"), (words, "faint")])
    return lines


def _run(name: str, run: RunRow, width: int) -> Line:
    room = min(44, max(12, width - 74))
    spread = fmt.spread(run.ci_low, run.ci_high)
    parts: list[Part] = [
        (f" {name:<7}", "muted"),
        (fit_middle(run.exp_id, room), "title"),
        ("  ", "text"),
        (fit_middle(run.model, 20), "muted"),
        (f"  {fmt.hundred(run.overall_score, 1):>5}", "text"),
        (f" {'±' + spread if spread else '':<5}", "faint"),
        (f"  {fmt.cost(run.cost_usd, unpriced=run.unpriced_calls > 0):>7}", "muted"),
        (f"  {fmt.clock(run.duration_ms / 1000):>7}", "muted"),
        (f"  {fmt.compact(run.prompt_tokens + run.completion_tokens):>5} tok", "muted"),
    ]
    return _whole(parts, width)


def _whole(parts: list[Part], width: int) -> Line:
    """The parts that fit whole: half a number says something else."""
    return next(parts[:end] for end in range(len(parts), -1, -1) if columns(parts[:end]) <= width)


def _domain_lines(comparison: Comparison, glyphs: Glyphs, names: int) -> list[Line]:
    titles = (
        f" {'domain':<{names}} {'n':>4}  {'first':>5} {'second':>6}  {'diff':>6}  {glyphs.passed:>3} {glyphs.failed:>3}"
    )
    lines: list[Line] = [[(f"{titles} {'p':>6}", "faint")]]
    for domain, difference in comparison.domains.items():
        adjusted = difference.adjusted_p
        sure = adjusted is not None and adjusted < 0.05
        lines.append([
            (f" {fit(domain, names)} {difference.n:>4}  ", "text"),
            (f"{100 * difference.first_rate:>5.1f} {100 * difference.second_rate:>6.1f}  ", "muted"),
            (f"{100 * difference.mean:>+6.1f}", _role(difference) if sure else "text"),
            (f"  {difference.gained:>3} {difference.lost:>3}", "muted"),
            (f" {_p(adjusted):>6}", "text" if sure else "faint"),
        ])  # fmt: skip
    return lines


def _points(mean: float) -> str:
    return f"{100 * mean:+.1f} points"


def _p(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if value >= 0.001 else "<0.001"


def _role(difference: Difference) -> str:
    if difference.interval and difference.interval[0] <= 0 <= difference.interval[1]:
        return "text"
    return "passed" if difference.mean > 0 else "failed" if difference.mean < 0 else "text"
