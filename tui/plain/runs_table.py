"""Runs side by side as plain text, a line each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from modex.core.foundation.parties import Party
from modex.core.reports.pace import pace_cells
from modex.core.reports.reached import address_of, named_model
from modex.core.reports.served import served_briefly
from modex.core.safety import clean_line
from modex.core.store.rows import RunRow
from modex.core.store.speeds import Pace
from modex.tui.look import format as fmt
from modex.tui.look.glyphs import Glyphs
from modex.tui.plain.lines import COLOURS

_STATES = {"completed": "passed", "running": "running", "starting": "running", "aborted": "error", "error": "error"}
"""The colour of a run's state, as that of a sample's."""
_NAME, _MODEL = 40, 40
_LEAST_NAME = 12
_PARTIES = 2
"""How many parties stand in a line: those with most errors."""
Faults = Mapping[int, Sequence[Party]]
"""By the run's id, whose its errors are, the most frequent first."""
_SPEEDS = ("first", "tok/s")
"""Medians, of runs whose answers were streamed."""


@dataclass(frozen=True, slots=True)
class _Column:
    title: str
    text: Callable[[RunRow], str]
    width: int
    right: bool = True
    goes: int = 0
    """The higher, the sooner it is left out where there is no room; 0 always stays."""


def _columns(moment: datetime, faults: Faults) -> list[_Column]:
    return [
        _Column("run", lambda run: clean_line(run.exp_id, _NAME), _NAME, right=False),
        _Column("state", lambda run: run.state, 11, right=False),
        _Column("score", lambda run: fmt.least(run.overall_score, run.bounds), 6),
        _Column("±", lambda run: fmt.spread(*(run.interval or (None, None))), 5, goes=2),
        _Column("passed", lambda run: fmt.passed(run.kind, run.passed_tests, run.total_tests), 11),
        _Column("err", lambda run: str(run.error_tests), 4),
        _Column("at fault", lambda run: ", ".join(faults.get(run.id, ())[:_PARTIES]), 12, right=False, goes=3),
        _Column("cost", lambda run: fmt.cost(run.cost_usd, unpriced=bool(run.unpriced_calls)), 8, goes=5),
        _Column("time", lambda run: fmt.clock(run.duration_ms / 1000), 8, goes=6),
        _Column("first", lambda run: pace_cells(Pace.of(run.pace))[0], 8, goes=8),
        _Column("tok/s", lambda run: pace_cells(Pace.of(run.pace))[1], 6, goes=7),
        _Column("started", lambda run: fmt.when(run.started_at, moment), 9, right=False, goes=4),
        _Column("at", _host, 16, right=False, goes=9),
        _Column("model", lambda run: clean_line(named_model(run), _MODEL), _MODEL, right=False, goes=1),
        _Column("served", served_briefly, 16, right=False, goes=10),
    ]


def runs_table(
    runs: Sequence[RunRow],
    *,
    faults: Faults | None = None,
    width: int | None = None,
    glyphs: Glyphs | None = None,
    colour: bool = False,
) -> str:
    """State, Weighted Score with its interval, tests, errors, cost, time, speed where measured, start, model and server of each;
    of models that modex served also file, quantization and program.

    `faults` says whose the errors are. Within `width` columns the less important figures go first, then names are cut;
    `glyphs` and `colour` mark the state.
    """
    shown = _columns(datetime.now().astimezone(), faults or {})
    if not faults:
        shown = [column for column in shown if column.title != "at fault"]
    if not any(map(address_of, runs)):
        shown = [column for column in shown if column.title != "at"]
    if not any(map(served_briefly, runs)):
        shown = [column for column in shown if column.title != "served"]
    if not any(run.pace for run in runs):
        shown = [column for column in shown if column.title not in _SPEEDS]
    texts = {column.title: [column.text(run) for run in runs] for column in shown}

    def needed(column: _Column) -> int:
        longest = max(len(column.title), *(len(text) for text in texts[column.title]))
        return longest if column.width in (_NAME, _MODEL) else max(longest, column.width if width is None else 0)

    sizes = {column.title: needed(column) for column in shown}
    if width is not None:
        while _total(shown, sizes) > width and any(column.goes for column in shown):
            last = max(shown, key=lambda column: column.goes)
            if last.title == "model" and _total(shown, {**sizes, "model": _LEAST_NAME}) <= width:
                break
            shown.remove(last)
        for name in ("model", "run"):
            over = _total(shown, sizes) - width
            if over > 0 and name in [column.title for column in shown]:
                sizes[name] = max(_LEAST_NAME if name == "model" else 8, sizes[name] - over)
    lines = ["  ".join(_cell(column, column.title, sizes[column.title]) for column in shown).rstrip()]
    for number, run in enumerate(runs):
        cells = []
        for column in shown:
            cell = _cell(column, texts[column.title][number], sizes[column.title])
            if column.title == "state" and (colour or glyphs):
                cell = _state(cell, run.state, glyphs, colour=colour)
            cells.append(cell)
        lines.append("  ".join(cells).rstrip())
    if glyphs is not None:
        at = 2 + sizes["run"]
        lines[0] = lines[0][:at] + "  " + lines[0][at:]
    return "\n".join(lines)


def _host(run: RunRow) -> str:
    """The server at which the model was asked, without what all addresses have."""
    return (address_of(run) or "").partition("://")[2].partition("/")[0]


def _total(columns: Sequence[_Column], sizes: dict[str, int]) -> int:
    return sum(sizes[column.title] for column in columns) + 2 * (len(columns) - 1) + 2  # the state's sign


def _cell(column: _Column, text: str, size: int) -> str:
    cut = text if len(text) <= size else text[: size - 1] + "…"
    return f"{cut:>{size}}" if column.right else f"{cut:<{size}}"


def _state(cell: str, state: str, glyphs: Glyphs | None, *, colour: bool) -> str:
    import click

    marked = cell if glyphs is None else f"{glyphs.status(state)} {cell}"
    return click.style(marked, fg=COLOURS.get(_STATES.get(state, ""))) if colour else marked
