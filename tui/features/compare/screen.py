"""Two runs side by side: how large the difference is and how sure, and every test that flipped."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.widget import Widget

from modex.core.comparison.difference import Difference
from modex.core.comparison.pairs import Pair
from modex.core.comparison.wording import (
    between,
    nothing_shared_words,
    open_difference,
    other_rules_words,
    p_value,
    points,
    sentence,
    would_show,
)
from modex.core.config.filters import Query, parse_query
from modex.core.features.certify.rule import corrected_briefly
from modex.core.features.compare.answers import other_pairs
from modex.core.features.compare.compare import Comparison
from modex.core.features.compare.compare import compare as compared
from modex.core.reports.machines import other_limits
from modex.core.reports.pace import briefly
from modex.core.reports.reached import named_model
from modex.core.statistics.distributions import ALPHA
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.core.store.speeds import Pace
from modex.tui.actions import bindings
from modex.tui.look import format as fmt
from modex.tui.look.glyphs import Glyphs
from modex.tui.look.paint import Line, Part, columns
from modex.tui.look.text import fit, fit_middle, width_of
from modex.tui.screens.base import ModexScreen
from modex.tui.widgets.columns import Cell, ListColumn
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.listing import Listing
from modex.tui.widgets.prompt import Prompt

WIDE = 110
_FIGURES = 49
"""Columns beside the names of the domains."""
_OPEN = 15
"""Columns of between which differences a domain's answers without a verdict leave it: `-100.0 to +12.5`."""
_LEAST_FLIPS = 4
"""Lines that the flips have at least, where they are shown under the domains."""
_FILTERS = ("source", "domain", "level", "test", "id", "change", "first", "second", "score", "spread")
"""What a filter of flips can name; `score` is either run's."""
_COLUMNS = (
    ListColumn("", 1),
    ListColumn("test", 16, grow=1, max_width=70),
    ListColumn("first", 5, align="right", from_width=52),
    ListColumn("second", 6, align="right", from_width=52),
    ListColumn("change", 6, align="right"),
)
_HOLM_FROM = 60
"""Columns of the list of domains from which the p value stands too; narrower, the counts would be cut."""
Which = Literal["both", "gained", "lost", "answers"]
_WHICH: tuple[Which, ...] = ("both", "lost", "gained", "answers")


class CompareScreen(ModexScreen[None]):
    """Compares run `second` with run `first`; opening a flip shows both transcripts."""

    SCOPES = ("compare", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("compare")]
    AUTO_FOCUS = "#flips"
    REFRESHES = True
    PERIOD_S = 5.0
    DEFAULT_CSS = """
    CompareScreen #figures { height: auto; }
    CompareScreen #sides { height: 1fr; layout: vertical; }
    CompareScreen #domains { height: 3; margin-top: 1; }
    CompareScreen #flips { height: 1fr; margin-top: 1; }
    CompareScreen.-wide #sides { layout: horizontal; }
    CompareScreen.-wide #domains { height: 100%; margin: 1 2 0 0; }
    CompareScreen.-wide #flips { width: 1fr; }
    CompareScreen #none { height: auto; margin: 1 4; }
    """
    flips: getters.query_one[Listing[Pair]] = getters.query_one("#flips", Listing)
    """The list of flips."""
    domains: getters.query_one[Listing[DomainItem]] = getters.query_one("#domains", Listing)
    """The list of domains."""

    def __init__(self, database: Path, first: str, second: str) -> None:
        super().__init__()
        self.database = database
        self._names = (first, second)
        self._seen: tuple[int, int] = (-1, -1)
        self.comparison: Comparison | None = None
        self._judging: list[str] = []
        self._otherwise: list[Pair] | None = None
        """Tests whose answers differ though nothing but how they were served may; None where that cannot be told."""
        self._which: Which = "both"
        self._domains: bool | None = None
        self._query = Query()

    def body(self) -> Iterable[Widget]:
        """The answer first, then domains and flips."""
        yield Lines(id="figures")
        yield _Sides(self._domain_cells, self._cells)
        yield Prompt(id="filter", placeholder="words, domain:math, level>=3, change:lost, spread>0.5")

    @property
    def reading(self) -> bool:
        """Whether these runs, this way round, were not compared yet."""
        done = self.comparison is not None and self._seen != (-1, -1)
        return super().reading or not (done or self._store_error)

    def on_mount(self) -> None:
        """Say at once what is compared: many tests take a moment."""
        super().on_mount()
        self._show_identity([("comparing", "muted")])

    # looking

    async def refresh_data(self) -> bool:
        """Compare again where a run changed."""
        names, seen = self._names, self._seen

        def ask(reader: Reader) -> tuple[Comparison, list[str], list[Pair] | None] | None:
            runs = first, second = reader.run(names[0]), reader.run(names[1])
            if (first.seq, second.seq) == seen:
                return None
            judging = [f"{run.exp_id}: {words}" for run in runs for words in corrected_briefly(reader, run)]
            return compared(reader, first, second, tools=False), judging, other_pairs(reader, first, second)

        found = await self.frame.store.ask(ask, lane="work")
        if found is not None and names == self._names:
            self.comparison, self._judging, self._otherwise = found
            self._seen = (self.comparison.first.seq, self.comparison.second.seq)
            self._show()
        now = self.comparison
        return now is not None and (now.first.alive or now.second.alive)

    def _show(self) -> None:
        comparison = self.comparison
        if comparison is None:
            return
        glyphs = self.frame.glyphs
        figures = [
            *_figures(comparison, glyphs, self.size.width),
            *_answer_lines(self._otherwise, comparison),
            *_judge_lines(self._judging, self.size.width),
        ]
        self.query_one("#figures", Lines).show(figures)
        domains, pairs = self.domains, self.pairs
        wide = self.size.width >= WIDE
        names = self._room_for_names(comparison)
        bounded = any(open_difference(one) for one in comparison.domains.values())
        domains.columns = _domain_columns(glyphs, names, bounded=bounded)
        domains.styles.width = names + _FIGURES + (_OPEN + 2) * bounded if wide else None
        room = self.size.height - len(figures) - 3
        length = len(comparison.domains) + 1
        alone = self._shows_domains and not wide and room - length - 1 < _LEAST_FLIPS
        domains.styles.height = None if wide else max(3, min(room, length))
        domains.set_count(len(comparison.domains))
        domains.put(0, [DomainItem(domain, difference) for domain, difference in comparison.domains.items()])
        domains.lay_out()
        domains.display = self._shows_domains
        self.flips.fill(pairs, lambda pair: pair.key)
        none = self.query_one("#none", Lines)
        none.show([[(self._nothing(comparison), "muted")]])
        none.display, self.flips.display = not pairs and not alone, bool(pairs) and not alone
        self._show_identity(self._counts(comparison, alone=alone))
        if self.focused is None or not self.focused.display:
            self.set_focus(self.flips if self.flips.display else domains if domains.display else None)

    def _show_identity(self, right: Line) -> None:
        first, second = self._names
        branch = self.frame.glyphs.branch
        self.identity(
            [("compare  ", "muted"), (first, "title"), (f" {branch} ", "faint"), (second, "title")],
            [*self.store_state(), *right],
        )

    def _counts(self, comparison: Comparison, *, alone: bool) -> list[Part]:
        shared = fmt.count(comparison.overall.n if comparison.overall else 0)
        parts: list[Part] = [(f"{shared} tests in both", "muted")]
        if alone:
            parts = [(f"d: {fmt.count(len(self.pairs))} flips   ", "accent"), *parts]
        elif comparison.domains and not self._shows_domains:
            hint: Part = (f"d: {len(comparison.domains)} domains   ", "accent")
            names = sum(map(width_of, self._names)) + len("compare   ↔   ")
            if names + columns([hint, *parts]) <= self.size.width:  # both names before a hint
                parts = [hint, *parts]
        if self._query:
            parts = [(f"{fmt.count(len(self.pairs))} of {fmt.count(len(comparison.flips))} flips   ", "accent"), *parts]
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
            return sentence(nothing_shared_words(comparison.questions.otherwise, comparison.questions.twice))
        if self._query:
            return "No flip matches the filter; / and esc clear it."
        if self._which == "answers":
            return "No answer differs."
        kind = {"both": "flipped", "gained": "was gained", "lost": "was lost"}[self._which]
        why = ": every shared test went the same way in both runs" if self._which == "both" else ""
        return f"No test {kind}{why}."

    @property
    def pairs(self) -> list[Pair]:
        """The flips that are listed, or the tests whose answers differ."""
        if self.comparison is None:
            return []
        query, answers = self._query, self._which == "answers"
        return [
            pair
            for pair in ((self._otherwise or []) if answers else self.comparison.flips)
            if (answers or self._which in ("both", pair.flip))
            and (not query or query.holds(_fields(pair), "/".join(map(str, pair.key))))
        ]

    def on_resize(self, event: events.Resize) -> None:
        """Domains beside the flips where there is room."""
        self.set_class(event.size.width >= WIDE, "-wide")
        self._show()

    def _cells(self, pair: Pair) -> list[Cell]:
        glyphs = self.frame.glyphs
        mark, role = {"gained": (glyphs.passed, "passed"), "lost": (glyphs.failed, "failed")}.get(
            pair.flip or "", (" ", "muted")
        )
        _, domain, level, test_id = pair.key
        change = f"{pair.difference:+.2f}" if pair.difference is not None else ""
        return [
            (mark, role),
            lambda width: [(fit_middle(f"{domain}/{level}/{test_id}", width), "text")],
            (fmt.one(pair.first.mean), "muted"),
            (fmt.one(pair.second.mean), "text"),
            (change, role),
        ]

    def _domain_cells(self, item: DomainItem) -> list[Cell]:
        difference = item.difference
        sure = difference.holm_p is not None and difference.holm_p < ALPHA
        return [
            (item.domain, "text"),
            (str(difference.n), "text"),
            (f"{100 * difference.first_score:.1f}", "muted"),
            (f"{100 * difference.second_score:.1f}", "muted"),
            (f"{100 * difference.difference:+.1f}", _role(difference) if sure else "text"),
            (str(difference.lost), "muted"),
            (str(difference.gained), "muted"),
            (p_value(difference.holm_p) if difference.holm_p is not None else "", "text" if sure else "faint"),
            (open_difference(difference), "warning"),
        ]

    def on_descendant_focus(self) -> None:
        """The bar of the selection stands where the keys go."""
        for one in (self.domains, self.flips):
            one.set_active(self.focused is one)

    # acting

    @on(Listing.Opened)
    def _open(self, event: Listing.Opened) -> None:
        if event.control is self.domains:
            if self.domains.current is not None:
                self._list_domain(self.domains.current.domain)
            return
        if self.comparison is not None and self.flips.current is not None:
            from modex.tui.features.compare.pair_screen import ComparePairScreen

            runs = (self.comparison.first, self.comparison.second)
            self.app.push_screen(ComparePairScreen(runs, self.pairs, self.flips.cursor))

    def action_which(self) -> None:
        """Lost, gained or both; then the tests whose answers differ, where there are some."""
        every = _WHICH if self._otherwise else _WHICH[:-1]
        self._which = every[(every.index(self._which) + 1) % len(every)] if self._which in every else "both"
        self._show()
        if self.flips.display:
            self.set_focus(self.flips)

    def action_domains(self) -> None:
        """Show or hide the domains."""
        self._domains = not self._shows_domains
        self._show()
        if self._domains:
            self.set_focus(self.domains)

    def action_switch(self) -> None:
        """Give the keys to the flips, or to the domains, which are shown for it."""
        if self.focused is self.domains and self.flips.display:
            self.set_focus(self.flips)
        elif self.focused is self.domains or not self.domains.display:
            self.action_domains()
        else:
            self.set_focus(self.domains)

    def _list_domain(self, domain: str) -> None:
        """List the flips of one domain."""
        if self.size.width < WIDE:
            self._domains = False
        quoted = f'"{domain}"' if " " in domain else domain
        prompt = self.query_one("#filter", Prompt)
        prompt.fill(f"domain={quoted}")
        self._show()
        self.set_focus(self.flips if self.flips.display else self.domains if self.domains.display else None)

    def action_filter(self) -> None:
        """Ask for a filter."""
        self.flips.hold()
        self.query_one("#filter", Prompt).ask()

    @on(Prompt.Changed)
    def _filtered(self, event: Prompt.Changed) -> None:
        self._query = parse_query(event.value, _FILTERS)
        self.tell_problem(self._query.problem)
        self._show()

    @on(Prompt.Closed)
    def _filter_closed(self) -> None:
        self.flips.hold(held=False)
        self.set_focus(self.flips if self.flips.display else self.domains if self.domains.display else None)

    def action_changes(self) -> None:
        """List what is other in the second run."""
        from modex.tui.lazy import ChangesScreen

        if self.comparison is not None:
            self.app.push_screen(ChangesScreen(self.comparison.first.id, self.comparison.second.id))

    def action_swap(self) -> None:
        """The other way round."""
        self._names = (self._names[1], self._names[0])
        self._seen = (-1, -1)
        self.refresh_now()


def _answer_lines(otherwise: Sequence[Pair] | None, comparison: Comparison) -> list[Line]:
    """How many answers at temperature 0 differ between two ways of serving the same weights."""
    if otherwise is None:
        return []
    of = fmt.count(min(comparison.first.total_tests, comparison.second.total_tests))
    said = f"{fmt.count(len(otherwise))} of {of} differ at temperature 0, same weights"
    hint: list[Part] = [("   f lists them", "faint")] if otherwise else []
    return [[(" answers     ", "muted"), (said, "text"), *hint]]


def _judge_lines(judging: Sequence[str], width: int) -> list[Line]:
    """What people's labels make of each run's judged pass rates."""
    pieces = [piece for words in judging for piece in textwrap.wrap(words, max(20, width - 14), subsequent_indent="  ")]
    return [
        [(" judge       " if number == 0 else " " * 13, "muted"), (piece, "text")]
        for number, piece in enumerate(pieces)
    ]


@dataclass(frozen=True, slots=True)
class DomainItem:
    """One line of the list of domains."""

    domain: str
    difference: Difference


class _Sides(Container):
    """Domains, and flips under or beside them."""

    def __init__(
        self, domains: Callable[[DomainItem], Sequence[Cell]], cells: Callable[[Pair], Sequence[Cell]]
    ) -> None:
        super().__init__(id="sides")
        self._domains = domains
        self._cells = cells

    def compose(self) -> ComposeResult:
        """Domains and flips."""
        yield Listing((ListColumn("domain", 20),), self._domains, id="domains")
        with Vertical():
            yield Listing(_COLUMNS, self._cells, id="flips")
            yield Lines(id="none")


def _fields(pair: Pair) -> dict[str, object]:
    """What a filter of flips can name."""
    source, domain, level, test_id = pair.key
    first, second = pair.first.mean, pair.second.mean
    return {
        "source": source,
        "domain": domain,
        "level": level,
        "test": test_id,
        "id": test_id,
        "change": pair.flip,
        "first": first,
        "second": second,
        "score": [first, second],
        "spread": abs(pair.difference or 0.0),
    }


def _figures(comparison: Comparison, glyphs: Glyphs, width: int) -> list[Line]:
    lines: list[Line] = [(), _run("first", comparison.first, width), _run("second", comparison.second, width), ()]
    overall = comparison.overall
    if overall is None:
        return lines
    parts: list[Part] = [(" score diff  ", "muted"), (points(overall.difference), _role(overall))]
    if overall.interval:
        parts.append((f"   {between(overall.interval)}", "text"))
    parts.append((f"   p {p_value(overall.p_value)}", "muted"))
    lines.append(parts)
    if ends := open_difference(overall):
        text = f"{ends} points by answers without a verdict"
        lines.append([(" open        ", "muted"), (fit(text, max(1, width - 14)), "warning")])
    counts: list[Part] = [
        (" flips       ", "muted"),
        (f"{glyphs.failed} {overall.lost} lost", "failed"),
        ("   ", "text"),
        (f"{glyphs.passed} {overall.gained} gained", "passed"),
    ]
    for number, words in (
        (comparison.unscored, "without a score on one side"),
        (comparison.questions.by_question, "paired by question"),
        (len(comparison.only_first), "only in the first"),
        (len(comparison.only_second), "only in the second"),
    ):
        if number:
            counts.append((f"   {fmt.count(number)} {words}", "faint"))
    lines.append(_whole(counts, width))
    if words := would_show(overall):
        lines.append([(" " * min(13, max(1, width - len(words))), "text"), (words, "faint")])
    if words := other_rules_words(len(comparison.other_rules or ())):
        lines.append([(" rules       ", "muted"), (fit(f"{words} (c)", max(1, width - 14)), "text")])
    if limits := other_limits((comparison.first, comparison.second)):
        lines.append([(" limits      ", "muted"), (fit(limits, max(1, width - 14)), "text")])
    return lines


def _run(name: str, run: RunRow, width: int) -> Line:
    room = min(44, max(12, width - 74))
    spread = fmt.spread(*(run.interval or (None, None)))
    parts: list[Part] = [
        (f" {name:<7}", "muted"),
        (fit_middle(run.exp_id, room), "title"),
        ("  ", "text"),
        (fit_middle(named_model(run), 20), "muted"),
        (f"  {fmt.least(run.overall_score, run.bounds):>5}", "text"),
        (f" {'±' + spread if spread else '':<5}", "faint"),
        (f"  {fmt.cost(run.cost_usd, unpriced=run.unpriced_calls > 0):>7}", "muted"),
        (f"  {fmt.clock(run.duration_ms / 1000):>7}", "muted"),
        (f"  {fmt.compact(run.prompt_tokens + run.completion_tokens):>5} tok", "muted"),
    ]
    if (pace := Pace.of(run.pace)) is not None:
        parts.append((f"  {briefly(pace)}", "muted"))
    return _whole(parts, width)


def _whole(parts: list[Part], width: int) -> Line:
    """The parts that fit whole: half a number says something else."""
    return next(parts[:end] for end in range(len(parts), -1, -1) if columns(parts[:end]) <= width)


def _domain_columns(glyphs: Glyphs, names: int, *, bounded: bool) -> tuple[ListColumn, ...]:
    return (
        ListColumn("domain", names, grow=1, max_width=names),
        ListColumn("n", 4, align="right"),
        ListColumn("first", 5, align="right"),
        ListColumn("second", 6, align="right"),
        ListColumn("diff", 6, align="right"),
        ListColumn(glyphs.failed, 3, align="right"),
        ListColumn(glyphs.passed, 3, align="right"),
        ListColumn("Holm p", 6, align="right", from_width=_HOLM_FROM),
        *((ListColumn("wrong to right", _OPEN, align="right", from_width=_HOLM_FROM + _OPEN),) if bounded else ()),
    )


def _role(difference: Difference) -> str:
    return {"better": "passed", "worse": "failed"}.get(difference.decision or "", "text")
