"""What a screen learns of a run, look by look: the same for a run just started, one attached to, and one long ended."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from modex.core.reports.reasons import with_reasons
from modex.core.statistics.intervals import score_interval
from modex.core.statistics.moments import Shared
from modex.core.statistics.weighted import weighted_score
from modex.core.store.bounds import Ends, Open, open_bounds
from modex.core.store.clock import now
from modex.core.store.races import awaited
from modex.core.store.reader import Reader
from modex.core.store.rows import EventRow, RunRow, SampleHead
from modex.core.store.tallies import CellTally, cell_statuses, clusters_of, data_version, domain_order, tallies

MOST_MARKS = 48
"""Cells with more samples than this are drawn as a bar; their samples' own states are not read."""
MOST_TOLD = 5000
"""Changed samples that one look tells of at most, the newest: a screen that was covered for hours missed more."""
_FIRST_LINES = 400
_COMMAND = "shell: "
"""How a worker's phase begins while a command runs in its sample's workspace."""
_MOST_COMMANDS = 4
"""That one look tells of: with many workers the screen of workers shows them all."""
_SHARE = 50
"""The matrix is counted again after at least this many times what the last count took: at most 2 % of a core."""


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """A domain: its cells by level, and its Weighted Score."""

    domain: str
    cells: tuple[CellTally | None, ...]
    marks: tuple[str | None, ...]
    """For each cell that has few tests, a letter a test in planning order (`MARK_LETTERS`); `Y`: its epochs went both ways."""
    score: float | None
    scored: int
    ends: tuple[Ends, ...] = ()
    """By cell: the scores that samples without a verdict leave it between; empty where every cell is settled."""
    between: Ends = None
    """The same of the domain's Weighted Score."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """Everything the matrix shows."""

    levels: tuple[int, ...] = ()
    rows: tuple[MatrixRow, ...] = ()
    level_scores: tuple[float | None, ...] = ()
    overall: float | None = None
    half_width: float | None = None
    """Half of the interval of `overall`."""
    bounds: Ends = None
    """The scores that samples without a verdict leave it between; None where none bounds it."""
    level_bounds: tuple[Ends, ...] = ()
    """The same of each level; empty where every level is settled."""

    def count(self, status: str) -> int:
        """Samples of the run in `status`."""
        return sum(getattr(cell, status) for row in self.rows for cell in row.cells if cell)

    @property
    def total(self) -> int:
        """All samples of the run."""
        return sum(cell.total for row in self.rows for cell in row.cells if cell)


MARK_LETTERS = {
    "passed": "P", "failed": "F", "error": "E", "skipped": "S", "running": "R", "pending": ".", "flaky": "Y",
}  # fmt: skip
MARK_STATUS = {letter: status for status, letter in MARK_LETTERS.items()}


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log: a finished sample, or something the runner says."""

    seq: int
    at: str | None
    kind: str
    """A sample's status, or an event's kind (`info`, `warning`, `error`)."""
    sample_id: int | None
    head: SampleHead | None
    message: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What one look found."""

    run: RunRow
    matrix: Matrix
    updates: list[LogLine] = field(default_factory=list)
    """Log lines since the look before, in order."""
    first: bool = False
    race: str = ""
    """The race whose next look the run waits for; empty where it waits for none."""


class RunFeed:
    """Reads one run incrementally. `read` is called on one thread at a time and keeps what it has seen."""

    def __init__(self, exp_id: str, clock: Callable[[], float] = time.perf_counter) -> None:
        self.exp_id = exp_id
        self._clock = clock
        self._run_id: int | None = None
        self._seen = 0
        self._seen_events = 0
        self._version = -1
        self._order: list[str] = []
        self._marks: dict[tuple[str, int], dict[int, str]] = {}
        self._tests: dict[tuple[str, int], dict[int, str]] = {}
        """What names a sample's test, by position, where a test has several samples."""
        self._tallies: dict[tuple[str, int], CellTally] = {}
        self._counted_at = -math.inf
        self._count_cost = 0.0
        self._stale = True
        self._alive = False
        self._race = ""
        self._running: dict[int, tuple[str, str]] = {}
        """The command that runs in each sample's workspace, behind the test's name."""
        self._matrix = Matrix()

    def read(self, reader: Reader, *, force: bool = False) -> Snapshot | None:
        """What changed since the last read; None where nothing did.

        Raises:
            StoreError: there is no such run, or the store cannot be read.
        """
        version = data_version(reader)
        if version == self._version and not force and not self._stale and not self._alive and not self._race:
            return None
        first = self._run_id is None
        run = reader.run(self.exp_id) if self._run_id is None else reader.run_by_id(self._run_id)
        race = "" if run.alive else awaited(reader).get(run.exp_id, "")
        same = (version, run.alive, race) == (self._version, self._alive, self._race)
        if same and not force and not self._stale:
            return None
        self._version, self._run_id, self._alive, self._race = version, run.id, run.alive, race
        heads = self._changes(reader, run, first=first)
        self._stale = self._stale or bool(heads) or first
        self._count(reader, run, force=first or force or not run.alive)
        events = reader.events(run.id, self._seen_events, _FIRST_LINES)
        if events:
            self._seen_events = events[-1].seq
        # What finished since the look before; a first look tells at most what the log begins with.
        told = with_reasons(reader, heads) if len(heads) <= _FIRST_LINES else heads
        return Snapshot(run, self._matrix, [*_log(told, events), *self._commands(run)], first, race)

    def _commands(self, run: RunRow) -> list[LogLine]:
        """The commands that began in samples' workspaces since the look before, a few of them."""
        workers = run.live.get("workers") if run.alive else None
        running = {
            int(one["sample_id"]): (f"{one.get('domain')}/{one.get('level')}/{one.get('test_id')}", str(one["phase"]))
            for one in workers or ()
            if isinstance(one, dict) and one.get("sample_id") and str(one.get("phase")).startswith(_COMMAND)
        }
        begun = [key for key, value in running.items() if self._running.get(key) != value][:_MOST_COMMANDS]
        self._running = running
        at = now() if begun else None
        return [LogLine(self._seen, at, "info", key, None, ": ".join(running[key])) for key in begun]

    def _changes(self, reader: Reader, run: RunRow, *, first: bool) -> list[SampleHead]:
        """Note what every changed sample is now; the newest of them."""
        if first:
            self._seen = max(0, run.seq - _FIRST_LINES)
        heads: deque[SampleHead] = deque(maxlen=MOST_TOLD)
        while page := reader.changes(run.id, self._seen, 2000):
            for head in page:
                if (marks := self._marks.get((head.domain, head.level))) is not None:
                    marks[head.position] = MARK_LETTERS[head.status]
            heads += page
            self._seen = page[-1].seq
            if len(page) < 2000:
                break
        return list(heads)

    def _count(self, reader: Reader, run: RunRow, *, force: bool) -> None:
        """Count the matrix again, unless the last count was too long a work to repeat so soon."""
        begun = self._clock()
        if not self._stale or (not force and begun < self._counted_at + _SHARE * self._count_cost):
            return
        epochs = run.config.get("epochs") or 1
        clusters = clusters_of(reader, run.id)
        cells = tallies(reader, run.id, epochs=epochs, clusters=clusters)
        # The run's own count of errors may be behind while it goes on.
        open_ = open_bounds(reader, replace(run, error_tests=sum(cell.error for cell in cells)))
        found = {(cell.domain, cell.level): cell for cell in cells}
        self._count_cost, self._counted_at = self._clock() - begun, self._clock()
        if {domain for domain, _ in found} - set(self._order):
            self._order = domain_order(reader, run.id)
        self._read_marks(reader, run, found, epochs)
        self._tallies, self._stale = found, False
        matrix = build_matrix(self._order, found, self._marks, clusters, self._tests)
        self._matrix = _bounded(matrix, open_)

    def _read_marks(self, reader: Reader, run: RunRow, found: dict[tuple[str, int], CellTally], epochs: int) -> None:
        """Read the samples of small cells that are new here, or whose number of samples changed."""
        small = [
            key
            for key, cell in found.items()
            if cell.total <= MOST_MARKS * epochs and len(self._marks.get(key, ())) != cell.total
        ]
        for key, samples in cell_statuses(reader, run.id, small).items() if small else ():
            self._marks[key] = {position: MARK_LETTERS[status] for position, (status, _) in samples.items()}
            if epochs > 1:
                self._tests[key] = {position: test for position, (_, test) in samples.items()}


def _bounded(matrix: Matrix, open_: Open) -> Matrix:
    """The matrix with what samples without a verdict leave open in it."""
    if open_.whole is None:
        return matrix
    rows = tuple(
        replace(
            row, ends=tuple(open_.ends(row.domain, level) for level in matrix.levels), between=open_.ends(row.domain)
        )
        if row.domain in open_.domains
        else row
        for row in matrix.rows
    )
    levels = tuple(found.ends if (found := open_.levels.get(level)) else None for level in matrix.levels)
    return replace(matrix, rows=rows, bounds=open_.whole.ends, level_bounds=levels)


def build_matrix(
    order: list[str],
    found: dict[tuple[str, int], CellTally],
    marks: dict[tuple[str, int], dict[int, str]],
    clusters: Sequence[Shared] = (),
    tests: Mapping[tuple[str, int], Mapping[int, str]] = MappingProxyType({}),
) -> Matrix:
    """The matrix of these cells, with row, column and overall Weighted Scores; `tests` name what samples of a test share."""
    levels = tuple(sorted({level for _, level in found}))
    rows = []
    for domain in order:
        cells = tuple(found.get((domain, level)) for level in levels)
        drawn = tuple(
            _letters(marks[domain, level], tests.get((domain, level))) if (domain, level) in marks else None
            for level in levels
        )
        score = weighted_score({cell.level: cell.score for cell in cells if cell})
        rows.append(MatrixRow(domain, cells, drawn, score, sum(cell.scored for cell in cells if cell)))
    by_level = tuple(
        weighted_score({key: cell.score for key, cell in found.items() if key[1] == level}) for level in levels
    )
    overall = weighted_score({key: cell.score for key, cell in found.items()})
    return Matrix(levels, tuple(rows), by_level, overall, _half_width(found, clusters))


def _letters(marks: dict[int, str], tests: Mapping[int, str] | None) -> str:
    """A letter a test: of several samples what is still to come, else whether they agree."""
    if not tests:
        return "".join(letter for _, letter in sorted(marks.items()))
    groups: dict[str, str] = {}
    for position, letter in sorted(marks.items()):
        test = tests.get(position, str(position))
        groups[test] = groups.get(test, "") + letter
    return "".join(_together(letters) for letters in groups.values())


def _together(letters: str) -> str:
    for going in ("R", "."):
        if going in letters:
            return going
    scored = {letter for letter in letters if letter in "PF"}
    return "Y" if len(scored) > 1 else scored.pop() if scored else letters[0]


def _half_width(found: dict[tuple[str, int], CellTally], clusters: Sequence[Shared]) -> float | None:
    """Half the interval of the overall Weighted Score, as `stat` will store it; None with fewer than two tests."""
    interval = score_interval({key: cell.moments for key, cell in found.items()}, clusters)
    return None if interval is None else (interval[1] - interval[0]) / 2


def _log(heads: list[SampleHead], events: list[EventRow]) -> list[LogLine]:
    """Finished samples and events, in the order they were stored."""
    lines = [
        LogLine(head.seq, head.completed_at, head.status, head.id, head, "")
        for head in heads
        if head.status in ("passed", "failed", "error", "skipped")
    ]
    lines += [LogLine(event.seq, event.at, event.kind, event.result_id, None, event.message) for event in events]
    return sorted(lines, key=lambda entry: entry.seq)
