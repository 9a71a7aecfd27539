"""The screens that `benchmarks.widgets` lays side by side: the same content in a widget of ours and in one of Textual's."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar, cast

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.screen import Screen
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import DataTable, Footer, OptionList, RichLog, Tabs, Tree
from textual.widgets.option_list import Option
from textual.widgets.tree import TreeNode

from modex.core.suite.definitions import Location, TestCase
from modex.tui.actions import bindings, by_id
from modex.tui.app import At, ModexApp
from modex.tui.frame import painter
from modex.tui.look.paint import Line, Part
from modex.tui.look.text import shown
from modex.tui.reading.run import LogLine
from modex.tui.reading.suite import Leaf
from modex.tui.screens.base import ModexScreen
from modex.tui.screens.palette import ActionEntry, Destination, PaletteScreen
from modex.tui.widgets.columns import Cell, ListColumn, row, widths
from modex.tui.widgets.keyline import KeyLine
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.listing import Listing
from modex.tui.widgets.log import LogPane
from modex.tui.widgets.suite_tree import SuiteTree

Row = tuple[int, str, str, str, str, str]
"""Number, state, test, score, seconds, reason."""
UPDATED = 10
PERIOD_S = 0.25
FIRST = "math/1/first"
"""What stands in the first row of every screen."""
_STATES = ("passed", "failed", "passed", "error")
_REASONS = ("off by 2.5 (16.7 %)", "got_weather was not called", "expected ('jam', 18.5), got ('jam', 18.0)", "")
_COLUMNS = (
    ListColumn("", 1),
    ListColumn("test", 20, grow=1),
    ListColumn("score", 5, align="right"),
    ListColumn("took", 6, align="right"),
    ListColumn("reason", 10, grow=3),
)
_RUNS = 6


def made_row(number: int) -> Row:
    """The row with this number, of a list that is as mixed as a run's."""
    state = _STATES[number % 4]
    name = FIRST if number == 0 else f"domain_{number % 20}/{number % 5 + 1}/test_{number:06d}"
    return (
        number,
        state,
        name,
        "1.00" if state == "passed" else "0.00",
        f"{number % 90 / 10:.1f} s",
        _REASONS[number % 4],
    )


def fill(path: Path, rows: int) -> None:
    """Write `rows` rows into a database, from which lists read them."""
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE one (number INTEGER PRIMARY KEY, state, test, score, took, reason)")
        database.executemany("INSERT INTO one VALUES (?, ?, ?, ?, ?, ?)", map(made_row, range(rows)))
    database.close()


class Prototype(ModexScreen[None]):
    """A screen with one widget; F8 starts to change ten of its rows four times a second, F9 does what else is measured."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("f8", "beat", show=False), Binding("f9", "other", show=False)]

    def __init__(self, rows: int, path: Path) -> None:
        super().__init__()
        self.rows = rows
        self.path = path
        self.beats = 0
        self._timer: Timer | None = None

    def action_beat(self) -> None:
        """Start or stop changing rows."""
        if self._timer is None:
            self._timer = self.set_interval(PERIOD_S, self._beat)
        else:
            self._timer.stop()
            self._timer = None

    def _beat(self) -> None:
        self.beats += 1
        self.change()

    def change(self) -> None:
        """Change ten rows in sight."""

    def read(self, start: int, end: int) -> list[Row]:
        """Rows `start` to `end` (exclusive) of the database."""
        database = sqlite3.connect(self.path)
        found = database.execute("SELECT * FROM one WHERE number >= ? AND number < ?", (start, end)).fetchall()
        database.close()
        return cast("list[Row]", found)

    def changed(self, start: int) -> list[Row]:
        """Ten rows with another score."""
        return [
            (*made_row(start + n)[:3], f"0.{self.beats % 90 + 10}", *made_row(start + n)[4:]) for n in range(UPDATED)
        ]

    def cells(self, item: Row) -> Sequence[Cell]:
        """A row's cells."""
        _, state, test, score, took, reason = item
        sign = painter(self).glyphs.status(state)
        return (sign, state), (test, "text"), (score, "muted"), (took, "faint"), (reason, "muted")

    def text(self, parts: Line) -> Text:
        """Parts as a text of Rich, cleaned as ours are, in the same colours."""
        palette = painter(self).palette
        return Text.assemble(*((shown(text), palette.style(role)) for text, role in parts), no_wrap=True, end="")


class Empty(Prototype):
    """Nothing but the frame of every screen."""

    def on_mount(self) -> None:
        """Show when it stands."""
        super().on_mount()
        self.identity([(FIRST, "text")])


class OurList(Prototype):
    """Rows come by windows."""

    def body(self) -> Iterable[Widget]:
        """The list."""
        yield Listing[Row](_COLUMNS, self.cells)

    def on_mount(self) -> None:
        """Tell how many rows there are."""
        super().on_mount()
        self.query_one(Listing).set_count(self.rows)

    @on(Listing.Wanted)
    def _wanted(self, event: Listing.Wanted) -> None:
        event.listing.put(event.start, self.read(event.start, event.end))

    def change(self) -> None:
        """Put other rows."""
        listing = self.query_one(Listing)
        listing.put(listing.in_sight.start, self.changed(listing.in_sight.start))


class TheirTable(Prototype):
    """`DataTable`, with columns as wide as ours, so that it need not measure them."""

    def body(self) -> Iterable[Widget]:
        """The table."""
        yield DataTable[Text](cursor_type="row", show_row_labels=False)

    def on_mount(self) -> None:
        """Hand in all rows."""
        super().on_mount()
        table = self.query_one(DataTable)
        for column, width in zip(_COLUMNS, widths(_COLUMNS, self.app.size.width - 12), strict=True):
            table.add_column(column.title, width=width, key=column.title or "sign")
        table.add_rows(
            [[self.text([cast("Any", cell)]) for cell in self.cells(item)] for item in self.read(0, self.rows)]
        )

    def change(self) -> None:
        """Update cells."""
        table = self.query_one(DataTable)
        first = int(table.scroll_offset.y)
        for number, item in enumerate(self.changed(first), first):
            table.update_cell_at(cast("Any", (number, 2)), self.text([(item[3], "muted")]))


class TheirOptions(Prototype):
    """`OptionList`, a row's cells laid out as ours."""

    def body(self) -> Iterable[Widget]:
        """The list."""
        yield OptionList(*(Option(self._row(item)) for item in self.read(0, self.rows)), markup=False)

    def _row(self, item: Row) -> Text:
        return self.text(row(_COLUMNS, widths(_COLUMNS, self.app.size.width - 8), self.cells(item)))

    def change(self) -> None:
        """Replace prompts."""
        options = self.query_one(OptionList)
        first = int(options.scroll_offset.y)
        for number, item in enumerate(self.changed(first), first):
            options.replace_option_prompt_at_index(number, self._row(item))


def leaves(count: int) -> list[Leaf]:
    """Tests in 20 domains of 5 levels, as `modex suite` shows them."""
    found = []
    for number in range(count):
        domain = FIRST if number % 20 == 0 else f"domain_{number % 20:02d}"
        name = f"test_{number:06d}"
        test = TestCase("suite", domain, number // 20 % 5 + 1, name, "?", 1, "two_pass", Location("a.json"))
        found.append(Leaf(test, domain))
    return found


class OurTree(Prototype):
    """F9 unfolds everything; a beat chooses and unchooses ten tests."""

    def body(self) -> Iterable[Widget]:
        """The tree."""
        yield SuiteTree(boxes=True)

    def on_mount(self) -> None:
        """Hand in the suite."""
        super().on_mount()
        self.query_one(SuiteTree).show(leaves(self.rows))

    def action_other(self) -> None:
        """Unfold everything."""
        tree = self.query_one(SuiteTree)
        for level in (False, True):
            for index in reversed(range(tree.count)):
                node = tree.item(index)
                if node is not None and node.leaf < 0 and bool(node.level) is level:
                    tree._open.add(node)
            tree.filter("")

    def change(self) -> None:
        """Choose or not."""
        tree = self.query_one(SuiteTree)
        tree.chosen ^= set(range(UPDATED))
        tree.repaint()


class TheirTree(Prototype):
    """`Tree`, with a box in each label."""

    def body(self) -> Iterable[Widget]:
        """The tree."""
        tree = Tree[Leaf | None]("suite")
        tree.show_root = False
        yield tree

    def on_mount(self) -> None:
        """Hand in the suite."""
        super().on_mount()
        tree = self.query_one(Tree)
        nodes: dict[tuple[str, int], TreeNode[Leaf | None]] = {}
        for leaf in leaves(self.rows):
            domain, level = (leaf.group, 0), (leaf.group, leaf.test.level)
            if domain not in nodes:
                nodes[domain] = tree.root.add(self.text([self._box(chosen=False), (leaf.group, "title")]))
            if level not in nodes:
                nodes[level] = nodes[domain].add(
                    self.text([self._box(chosen=False), (f"level {leaf.test.level}", "muted")])
                )
            nodes[level].add_leaf(self.text([self._box(chosen=False), (leaf.test.test_id, "text")]), leaf)
        tree.root.expand()

    def _box(self, *, chosen: bool) -> Part:
        glyphs = painter(self).glyphs
        return (f"{glyphs.checked} ", "accent") if chosen else (f"{glyphs.unchecked} ", "faint")

    def action_other(self) -> None:
        """Unfold everything."""
        self.query_one(Tree).root.expand_all()

    def change(self) -> None:
        """Label ten tests anew, and the level and domain above them, whose boxes change too."""
        domain = self.query_one(Tree).root.children[0]
        level = domain.children[0]
        sign = self._box(chosen=self.beats % 2 == 1)
        for node in (domain, level, *level.children[:UPDATED]):
            node.set_label(self.text([sign, (str(node.label)[2:], "text")]))


def log_line(number: int) -> LogLine:
    """A warning or a note of the runner."""
    kind = ("info", "info", "info", "warning", "error")[number % 5]
    return LogLine(number, None, kind, None, None, f"{made_row(number)[2]}  {_REASONS[number % 4]}")


class OurLog(Prototype):
    """Lines are added at its end; it keeps the last 5,000."""

    def body(self) -> Iterable[Widget]:
        """The log."""
        yield LogPane()

    def on_mount(self) -> None:
        """Hand in all lines, then the title of the first row, which stands at its end."""
        super().on_mount()
        self.query_one(LogPane).add([log_line(number) for number in reversed(range(self.rows))])

    def change(self) -> None:
        """Add ten lines."""
        first = self.rows + self.beats * UPDATED
        self.query_one(LogPane).add([log_line(number) for number in range(first, first + UPDATED)])


class TheirLog(Prototype):
    """`RichLog`, which keeps all lines."""

    MOST: ClassVar[int | None] = None

    def body(self) -> Iterable[Widget]:
        """The log."""
        yield RichLog(max_lines=self.MOST, wrap=False, markup=False)

    def on_mount(self) -> None:
        """Hand in all lines."""
        super().on_mount()
        self._add(reversed(range(self.rows)))

    def _add(self, numbers: Iterable[int]) -> None:
        log = self.query_one(RichLog)
        for number in numbers:
            line = log_line(number)
            role = {"info": "muted", "warning": "accent", "error": "error"}[line.kind]
            log.write(self.text([("● ", role), (line.message, role)]))

    def change(self) -> None:
        """Add ten lines."""
        first = self.rows + self.beats * UPDATED
        self._add(range(first, first + UPDATED))


class TheirShortLog(TheirLog):
    """`RichLog`, which keeps as many lines as ours."""

    MOST: ClassVar[int | None] = 5000


class OurKeys(Prototype):
    """The keys of a list of samples, every other of which can be used at a beat and cannot at the next."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("samples")

    def on_mount(self) -> None:
        """Show when it stands."""
        super().on_mount()
        self.identity([(FIRST, "text")])

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Every other one."""
        return action in ("beat", "other") or len(action) % 2 == self.beats % 2 or action in ("back", "help")

    def change(self) -> None:
        """Let other keys be usable."""
        self.refresh_bindings()


class TheirKeys(OurKeys):
    """`Footer` in place of the key line."""

    def compose(self) -> ComposeResult:
        """Without ours."""
        yield from (widget for widget in super().compose() if not isinstance(widget, KeyLine))
        yield Footer(show_command_palette=False, compact=True)


def _commands(node: Screen[Any]) -> list[ActionEntry]:
    return [ActionEntry(action, action.keys.partition(",")[0], node) for action in by_id().values()]


class OurPalette(Prototype):
    """F9 opens the palette over this many runs and tests."""

    def on_mount(self) -> None:
        """Show when it stands."""
        super().on_mount()
        self.identity([(FIRST, "text")])

    def action_other(self) -> None:
        """Open it."""
        places = [Destination("test", made_row(number)[2], lambda: Empty(0, self.path)) for number in range(self.rows)]

        class Filled(PaletteScreen):
            """Commands of every screen, and places that need no store."""

            async def _read(self) -> None:
                self._entries = _commands(self)
                self._places = places
                self._unread = False
                self._search("")

        self.app.push_screen(Filled(self))


class TheirPalette(OurPalette):
    """`CommandPalette` in its place."""

    def action_other(self) -> None:
        """Open it."""
        commands = [(entry.action.help, entry.key) for entry in _commands(self)]
        places = [(made_row(number)[2], "test") for number in range(self.rows)]

        class Found(Provider):
            """The same commands and places."""

            async def discover(self) -> Hits:
                """Every command."""
                for words, key in commands:
                    yield DiscoveryHit(words, lambda: None, help=key)

            async def search(self, query: str) -> Hits:
                """What fits."""
                matcher = self.matcher(query)
                for words, key in (*commands, *places):
                    if (score := matcher.match(words)) > 0:
                        yield Hit(score, matcher.highlight(words), lambda: None, words, key)

        self.app.push_screen(CommandPalette(providers=[Found]))


class OurTabs(Prototype):
    """The line of runs as `RunTabs` paints it; a beat changes all scores, F9 goes to the next run."""

    def body(self) -> Iterable[Widget]:
        """The line."""
        yield Lines(id="tabs")

    def on_mount(self) -> None:
        """Paint it."""
        super().on_mount()
        self.chosen = 0
        self.change()

    def change(self) -> None:
        """Other scores."""
        parts: list[tuple[str, str]] = []
        for number in range(_RUNS):
            active = number == self.chosen
            parts += [("▐" if active else " ", "bar"), ("▸", "running")]
            parts += [(f" {self._title(number)}", "title" if active else "muted"), (f" {self._score(number)} ", "text")]
        self.query_one("#tabs", Lines).show([parts])

    def _title(self, number: int) -> str:
        return FIRST if number == 0 else f"run-{number}"

    def _score(self, number: int) -> str:
        return f"{(self.beats * 7 + number) % 90 + 10}.0"

    def action_other(self) -> None:
        """Next."""
        self.chosen = (self.chosen + 1) % _RUNS
        self.change()


class TheirTabs(OurTabs):
    """`Tabs`, which `TabbedContent` has on its top."""

    def body(self) -> Iterable[Widget]:
        """The tabs."""
        yield Tabs(*(f"▸ {self._title(number)} {self._score(number)}" for number in range(_RUNS)))

    def change(self) -> None:
        """Other scores."""
        for number, tab in enumerate(self.query("Tab").results()):
            cast("Any", tab).label = f"▸ {self._title(number)} {self._score(number)}"

    def action_other(self) -> None:
        """Next."""
        self.query_one(Tabs).action_next_tab()


SCREENS: dict[str, Callable[[int, Path], Prototype]] = {
    "an empty screen": Empty,
    "list: ours": OurList,
    "list: DataTable": TheirTable,
    "list: OptionList": TheirOptions,
    "tree: ours": OurTree,
    "tree: Tree": TheirTree,
    "log: ours": OurLog,
    "log: RichLog": TheirLog,
    "log: RichLog, last 5,000": TheirShortLog,
    "keys: ours": OurKeys,
    "keys: Footer": TheirKeys,
    "palette: ours": OurPalette,
    "palette: CommandPalette": TheirPalette,
    "tabs: ours": OurTabs,
    "tabs: Tabs": TheirTabs,
}


def show(name: str, rows: int, path: str) -> None:
    """Run modex with this screen on top."""
    folder = Path(path)
    ModexApp(folder / "none.db", start=At(lambda: SCREENS[name](rows, folder / "rows.db"))).run()
