"""Rules as they are now, tried on a run's stored answers: which verdicts would flip, before, after and why."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import ClassVar

from textual import getters, on
from textual.binding import BindingType
from textual.widget import Widget

from modex.core.features.dry_run.rule import ChangedVerdict, DryRun, store, try_rules
from modex.core.foundation.errors import ModexError
from modex.tui.actions import Action, bindings
from modex.tui.look import format as fmt
from modex.tui.look.paint import Line, Part
from modex.tui.look.text import message
from modex.tui.screens.ask import Answer, AskScreen
from modex.tui.screens.base import READ_ONLY, ModexScreen
from modex.tui.widgets.columns import Cell, ListColumn
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.listing import Listing

COLUMNS = (
    ListColumn("", 3),
    ListColumn("test", 16, grow=2, max_width=48),
    ListColumn("score", 12),
    ListColumn("before", 12, grow=3, from_width=64),
    ListColumn("after", 12, grow=3),
)


class DryRunScreen(ModexScreen[None]):
    """Tries the suite of the run `run_id` as it is on disk; asks no model."""

    SCOPES = ("dry_run", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("dry_run")]
    DEFAULT_CSS = """
    DryRunScreen #told { height: auto; margin: 1 4; }
    """
    listing: getters.query_one[Listing[ChangedVerdict]] = getters.query_one("#changes", Listing)
    """What would change."""

    def __init__(self, run_id: int) -> None:
        super().__init__()
        self._run_id = run_id
        self._everything = False
        self._stop = threading.Event()
        self.result: DryRun | None = None
        self._problem = ""

    @property
    def about_run(self) -> int | None:
        """The run that is tried."""
        return self._run_id

    @property
    def about_sample(self) -> int | None:
        """The selected sample."""
        change = self.listing.current if self.is_mounted else None
        return None if change is None else change.sample.id

    def body(self) -> Iterable[Widget]:
        """What would change, under what is said of it."""
        yield Lines(id="told")
        yield Listing[ChangedVerdict](COLUMNS, self._cells, id="changes")

    def on_mount(self) -> None:
        """Try at once."""
        super().on_mount()
        self.set_focus(self.listing)
        self.action_again()

    def on_unmount(self) -> None:
        """Judge no more."""
        self._stop.set()

    def action_again(self) -> None:
        """Try the rules as they are now."""
        self.result, self._problem = None, ""
        self._show()
        self.run_worker(self._try(), group="try", exclusive=True)

    def action_everything(self) -> None:
        """Judge everything, or only what a changed rule is about."""
        self._everything = not self._everything
        self.action_again()

    async def _try(self) -> None:
        everything, database = self._everything, self.frame.database
        try:
            run = await self.frame.store.ask(lambda reader: reader.run_by_id(self._run_id))
            self.result = await self.frame.store.work(
                lambda: try_rules(database, run.exp_id, everything=everything, stop=self._stop)
            )
        except ModexError as error:
            self._problem = str(error)
        self._show()

    def _show(self) -> None:
        result = self.result
        self.listing.set_count(len(result.changes) if result else 0, cursor=0)
        if result:
            self.listing.put(0, result.changes)
        self.listing.display = result is None or bool(result.changes)
        if self.listing.display and self.focused is None:
            self.set_focus(self.listing)
        self.query_one("#told", Lines).show(self._told())
        left: list[Part] = [("changed rules, tried", "title"), (f"  {result.run.exp_id}" if result else "", "muted")]
        right: list[Part] = [
            (f"{len(result.flips)} would flip" if result else "judging in memory", "accent" if result else "running")
        ]
        self.identity(left, right)
        self.keys_changed()

    def _told(self) -> list[Line]:
        result = self.result
        if self._problem:
            return [[(message(line, 200), "failed")] for line in self._problem.splitlines()[:12]]
        if result is None:
            return [[("The suite as it is on disk judges the stored answers; nothing is stored.", "muted")]]
        gained = sum(change.after.status == "passed" for change in result.flips)
        lines: list[Line] = [
            [(f"{fmt.count(result.judged)} judged: ", "text"), (f"{gained} to passed", "passed"), (", ", "text"),
             (f"{sum(change.before.status == 'passed' for change in result.flips)} from passed", "failed"),
             (f", {len(result.changes) - len(result.flips)} otherwise changed", "text")]
        ]  # fmt: skip
        for number, words in (
            (result.unchanged, "left: no rule about them has changed (a judges all)"),
            (result.not_asked, "left: a model would have to be asked (modex judge --dry-run --max-cost)"),
            (result.asked_otherwise, "left: they are asked otherwise now"),
        ):
            if number:
                lines.append([(f"{fmt.count(number)} {words}", "muted")])
        return lines

    def _cells(self, change: ChangedVerdict) -> list[Cell]:
        sample, before, after, glyphs = change.sample, change.before, change.after, self.frame.glyphs
        return [
            (
                lambda _: [
                    (glyphs.status(before.status), before.status),
                    (" ", "text"),
                    (glyphs.status(after.status), after.status),
                ]
            ),
            (f"{sample.domain}/{sample.level}/{sample.test_id}", "text"),
            (f"{fmt.one(before.score)} > {fmt.one(after.score)}", "text"),
            (before.why or before.answer or before.status, "muted"),
            (after.why or after.answer or after.status, "text"),
        ]

    @on(Listing.Opened)
    def _open(self) -> None:
        from modex.tui.screens.transcript import TranscriptScreen

        if (change := self.listing.current) is not None and change.sample.id is not None:
            self.app.push_screen(TranscriptScreen(self.frame.database, self._run_id, [change.sample.id], 0))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Storing needs changes and a store that takes them."""
        return action != "keep" or bool(self.result and self.result.changes and self.frame.store.writable)

    def why_not(self, action: Action) -> str:  # noqa: ARG002
        """Why nothing can be stored."""
        return "nothing would change" if self.frame.store.writable else READ_ONLY

    def action_keep(self) -> None:
        """Ask, then store what is shown."""
        result = self.result
        if result is None:
            return

        async def keep() -> None:
            try:
                number = await self.frame.store.work(lambda: store(self.frame.database, result))
            except ModexError as error:
                self.say(str(error), severity="error")
                return
            self.say(f"{number} verdicts stored; those before them are kept")
            self.action_again()

        def decided(answer: str | None) -> None:
            if answer:
                self.run_worker(keep(), group="do")

        self.app.push_screen(
            AskScreen(
                f"Store {len(result.changes)} verdicts?",
                [
                    Answer(
                        "s",
                        "store",
                        "in place of those that stand, which are kept beside them; scores are computed anew",
                    )
                ],
            ),
            decided,
        )
