"""What people said, counted: labels with their intervals, whether reading on finds more kinds, what the judge is worth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from textual import getters, on
from textual.binding import BindingType
from textual.screen import Screen
from textual.widget import Widget

from modex.core.config.filters import Condition
from modex.core.features.certify.rule import corrected_briefly
from modex.core.features.review.agreement import Agreement, agreement, by_label
from modex.core.features.review.kinds import GROUPS, Kinds, LabelledShare, count_kinds
from modex.core.features.review.query import reviews
from modex.core.statistics.distributions import LEVEL_TEXT
from modex.core.statistics.intervals import wilson
from modex.core.store.reader import Reader, SampleQuery
from modex.core.store.rows import RunRow
from modex.tui.actions import Action, bindings
from modex.tui.look import format as fmt
from modex.tui.look.paint import Line, Part
from modex.tui.look.text import message
from modex.tui.screens.base import ModexScreen
from modex.tui.widgets.columns import Cell, ListColumn
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.listing import Listing

COLUMNS = (
    ListColumn("of", 14, grow=1, max_width=36),
    ListColumn("label", 16, grow=1, max_width=40),
    ListColumn("n", 4, align="right"),
    ListColumn("read", 5, align="right"),
    ListColumn("%", 5, align="right"),
    ListColumn(LEVEL_TEXT, 11),
    ListColumn("judge agrees", 12, from_width=76),
)
_CURVE = 40
"""Columns of the saturation curve."""


@dataclass(frozen=True, slots=True)
class LabelCount:
    """One label in one group."""

    group: str
    """`domain`, `level`, `model`, or empty over all."""
    value: str
    share: LabelledShare
    agreement: Agreement | None = None


@dataclass(frozen=True, slots=True)
class LabelsShown:
    """Everything that is shown of a set of runs."""

    run: RunRow | None
    kinds: Kinds
    agreement: Agreement
    labels: dict[str, Agreement]
    corrected: tuple[str, ...]
    people: int


def labels_shown(reader: Reader, run_id: int | None) -> LabelsShown:
    """Count what people said of a run, or of all."""
    run = None if run_id is None else reader.run_by_id(run_id)
    rows = reviews(reader, None if run is None else [run.id])
    told = () if run is None else tuple(corrected_briefly(reader, run))
    return LabelsShown(run, count_kinds(rows), agreement(rows), by_label(rows), told, len({row.author for row in rows}))


class LabelsScreen(ModexScreen[None]):
    """Counts what people said of the run `run_id`, or of every run where it is None."""

    SCOPES = ("labels", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("labels")]
    REFRESHES = True
    PERIOD_S = 2.0
    DEFAULT_CSS = """
    LabelsScreen #told { height: auto; margin: 1 1 1 1; }
    """
    listing: getters.query_one[Listing[LabelCount]] = getters.query_one("#labels", Listing)
    """The labels."""

    def __init__(self, run_id: int | None) -> None:
        super().__init__()
        self._run_id = run_id
        self._everything = run_id is None
        self._group = ""
        self.shown: LabelsShown | None = None

    @classmethod
    def over(cls, below: Screen[Any]) -> Self:
        """Of the run that the screen below shows, else of every run."""
        return cls(getattr(below, "about_run", None))

    def body(self) -> Iterable[Widget]:
        """What is said of all, and the labels."""
        yield Lines(id="told")
        yield Listing[LabelCount](COLUMNS, self._cells, id="labels")

    @property
    def about_run(self) -> int | None:
        """The run, where one is counted."""
        return self._run_id

    async def refresh_data(self) -> bool:
        """Count again."""
        wanted = None if self._everything else self._run_id
        said = await self.frame.store.ask(lambda reader: labels_shown(reader, wanted))
        if said != self.shown:
            self.shown = said
            self._show()
        return False

    @property
    def rows(self) -> list[LabelCount]:
        """The labels over all, or by the group that is shown."""
        if self.shown is None:
            return []
        kinds = self.shown.kinds
        if not self._group:
            return [LabelCount("", "all", one, self.shown.labels.get(one.label)) for one in kinds.shares]
        groups = kinds.groups[self._group].items()
        return [LabelCount(self._group, value, one) for value, shares in groups for one in shares]

    def _show(self) -> None:
        rows, said = self.rows, self.shown
        self.listing.set_count(len(rows))
        self.listing.put(0, rows)
        if said is not None:
            name = said.run.exp_id if said.run is not None else "every run"
            read = said.kinds.read
            right: list[Part] = [
                (f"{fmt.count(read)} answer{'s' if read != 1 else ''} read by {said.people}", "muted"),
                (f"   by {self._group}" if self._group else "", "accent"),
            ]
            self.identity([("kinds of failure  ", "muted"), (name, "title")], right)
        self.query_one("#told", Lines).show(self._told())
        self.keys_changed()

    def _told(self) -> list[Line]:
        said = self.shown
        if said is None:
            return []
        kinds = said.kinds
        if not kinds.read:
            stale = f"{kinds.stale} reviews are of answers that have changed since. " if kinds.stale else ""
            return [
                [(f"{stale}Nobody has reviewed an answer here yet.", "title")],
                [("V on a run begins; 1 to 9 give labels, l names a new one.", "muted")],
            ]
        lines: list[Line] = [[(kinds.saturation, "text"), ("  ", "text"), (self._curve(kinds.curve), "accent")]]
        if kinds.stale:
            lines.append([(f"{kinds.stale} reviews of answers that have changed since count for nothing", "muted")])
        lines += _judge_lines(said.agreement)
        lines += [[(message(line, 300), "text")] for line in said.corrected]
        return lines

    def _curve(self, curve: tuple[int, ...]) -> str:
        """How many kinds were known, over the answers in the order of reading."""
        if not curve or not curve[-1]:
            return ""
        width = min(_CURVE, len(curve))
        points = [curve[(place + 1) * len(curve) // width - 1] for place in range(width)]
        return "".join(self.frame.glyphs.level(point / curve[-1] * 0.999) for point in points)

    def _cells(self, one: LabelCount) -> list[Cell]:
        low, high = one.share.interval or (0.0, 1.0)
        agreed = one.agreement
        return [
            (f"{one.group} {one.value}" if one.group else one.value, "muted"),
            (one.share.label, "text"),
            (str(one.share.number), "text"),
            (str(one.share.read), "muted"),
            (f"{100 * one.share.share:.1f}", "text"),
            (f"{100 * low:.1f}–{100 * high:.1f}", "faint"),
            (f"{agreed.agreed} of {agreed.number}" if agreed is not None and agreed.number else "", "muted"),
        ]

    # acting

    @on(Listing.Opened)
    def _open(self) -> None:
        one = self.listing.current
        if one is None:
            return
        if self._everything or self._run_id is None:
            self.say("of every run: search with label: (F), or count one run (a) to list its answers")
            return
        self.fetch_then(self._list(one))

    async def _list(self, one: LabelCount) -> None:
        from modex.tui.screens.samples import SamplesScreen

        run_id = self._run_id or 0
        run = await self.frame.store.ask(lambda reader: reader.run_by_id(run_id))
        query = SampleQuery(
            domains=(one.value,) if one.group == "domain" else (),
            levels=(int(one.value),) if one.group == "level" else (),
            conditions=(Condition("label", "=", one.share.label),),
        )
        self.app.push_screen(SamplesScreen(run, query))

    def action_group(self) -> None:
        """Over all, then by each group."""
        order = ["", *GROUPS]
        self._group = order[(order.index(self._group) + 1) % len(order)]
        self._show()

    def action_everything(self) -> None:
        """Every run, or this one."""
        self._everything = not self._everything
        self.shown = None
        self.refresh_now()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """One run needs one."""
        if action == "everything":
            return self._run_id is not None
        return action != "group" or bool(self.shown and self.shown.kinds.shares)

    def why_not(self, action: Action) -> str:
        """What is missing."""
        return "no label was given yet" if action.name == "group" else "no run was chosen"


def _judge_lines(found: Agreement) -> list[Line]:
    """What the judge is worth by what people said, in lines that fit the narrowest screen."""
    if not found.number:
        return [[("judge and people: no answer has a verdict of both", "muted")]]
    agreed: list[Part] = [
        ("judge and people agree on ", "muted"),
        (f"{found.agreed} of {found.number}", "title"),
        (f"   a constant answer on {found.constant}", "muted"),
    ]
    if found.kappa is not None:
        agreed += [("   κ ", "muted"), (f"{found.kappa:.2f}", "text"), (", of a constant answer 0", "muted")]
    told: list[Part] = []
    for name, (number, of) in (("sensitivity", found.sensitivity), ("specificity", found.specificity)):
        low, high = wilson(number, of) or (0.0, 1.0)
        rate = f"{number}/{of} ({100 * low:.0f}–{100 * high:.0f} %)" if of else "–"
        told += [(f"{name} ", "muted"), (f"{rate}   ", "text")]
    return [agreed, told]
