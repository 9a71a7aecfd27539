"""Plain progress of a run in the foreground: a line per finished test, and on a terminal a bar with rate and ETA."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from modex.core.foundation.errors import ModexError
from modex.core.safety import clean_line
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.tui.look import format as fmt
from modex.tui.look.glyphs import Glyphs
from modex.tui.plain.lines import sample_line
from modex.tui.terminal.abilities import can_redraw, glyphs_for, use_colour

_PERIOD_S, _LONGEST_PERIOD_S = 0.2, 1.0
"""How often it is looked for lines, and how seldom while there are none: a look takes 2.5 ms beside a slow model."""
_BAR = 24
QUIET_S, LONGEST_QUIET_S = 15.0, 60.0
"""After how long without a line a run says what it waits for, the first time and at most."""
_REMEMBERED = 20_000
"""Samples whose lines are not written twice where something else of them is stored again: the newest ones."""


class Progress:
    """Reads the store like every viewer and writes to stderr, on a thread of its own; a slow reader delays nothing."""

    def __init__(
        self,
        database: Path,
        run_id: int,
        *,
        since: int,
        planned: Callable[[], int | None] = lambda: 0,
        stream: TextIO | None = None,
        quiet: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`planned` gives `Session.planned_seq`: a verdict that waits to be given anew keeps its old score until then."""
        stream = stream if stream is not None else sys.stderr
        self._database = database
        self._run_id = run_id
        self._since = since
        self._planned = planned
        self._stream = stream
        self._quiet = quiet
        self._bar = can_redraw(stream) and not quiet
        self._colour = use_colour(stream)
        self._glyphs: Glyphs = glyphs_for(stream)
        self._clock = clock
        self._started = self._spoke = clock()
        self._patience = QUIET_S
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._shown = ""
        self._reported: dict[tuple[int, str | None], None] = {}
        self._thread = threading.Thread(target=self._loop, name="progress", daemon=True)

    def __enter__(self) -> Progress:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join(timeout=5)

    def say(self, text: str) -> None:
        """Write one line of narration, above the bar."""
        with self._lock, contextlib.suppress(OSError, ValueError):  # a lost terminal or a closed pipe ends no run
            self._write_lines([clean_line(text)])

    def _loop(self) -> None:
        reader = Reader(self._database)
        try:
            last, period = False, _PERIOD_S
            while not last:
                last, since = self._ended.wait(period), self._since
                self._show(reader, last)
                period = _PERIOD_S if self._bar or since != self._since else min(1.5 * period, _LONGEST_PERIOD_S)
        except ModexError as error:
            self.say(str(error))
        except (OSError, ValueError):
            return  # the terminal is gone: the run goes on without being watched
        finally:
            reader.close()

    def _show(self, reader: Reader, last: bool) -> None:
        lines = []
        while (planned := self._planned()) is not None:
            heads, since = reader.finished(self._run_id, self._since)
            for head in heads:
                if head.seq <= planned and head.status in ("passed", "failed"):
                    continue
                identity = (head.id, head.completed_at or head.status)
                if identity not in self._reported:
                    self._reported[identity] = None
                    elapsed = self._clock() - self._started
                    lines.append(sample_line(head, self._glyphs, elapsed_s=elapsed, colour=self._colour))
            while len(self._reported) > _REMEMBERED:
                del self._reported[next(iter(self._reported))]
            if since == self._since:
                break
            self._since = since
        with self._lock:
            if self._bar:
                self._shown_bar(lines, "" if last else self._bar_text(reader.run_by_id(self._run_id)))
            elif not self._quiet:
                self._write_lines(lines or ([] if last else self._heartbeat(reader)))

    def _heartbeat(self, reader: Reader) -> list[str]:
        """What the run waits for, where nothing was written for a while; each time a little later."""
        if self._clock() - self._spoke < self._patience:
            return []
        patience = min(2 * self._patience, LONGEST_QUIET_S)
        said = waiting_words(reader.run_by_id(self._run_id))
        self._spoke, self._patience = self._clock(), patience
        return [clean_line(said)] if said else []

    def _write_lines(self, lines: list[str]) -> None:
        if self._bar:
            self._shown_bar(lines, self._shown)
        elif lines:
            self._spoke = self._clock()
            self._stream.write("".join(f"{line}\n" for line in lines))
            self._stream.flush()

    def _shown_bar(self, lines: list[str], bar: str) -> None:
        if not lines and bar == self._shown:
            return
        self._stream.write("\r\x1b[K" + "".join(f"{line}\n" for line in lines) + bar)
        self._stream.flush()
        self._shown = bar

    def _bar_text(self, run: RunRow) -> str:
        import shutil

        total, done = max(1, run.total_tests), run.done_tests
        filled = _BAR * done // total
        live = run.live
        parts = [
            self._glyphs.full * filled + ("-" if self._glyphs.full == "=" else "·") * (_BAR - filled),
            f"{done}/{run.total_tests}",
            f"{fmt.rate(live.get('tests_per_s'))}/s",
            f"eta {fmt.remaining(live.get('eta_s'))}",
            fmt.cost(run.cost_usd, unpriced=bool(run.unpriced_calls)),
        ]
        if run.status == "paused":
            parts.append(f"paused: {clean_line(run.reason or '', 60)}")
        return "  ".join(parts)[: shutil.get_terminal_size().columns - 1]


def waiting_words(run: RunRow) -> str:
    """`3 calls waiting, longest 42 s (d/1/t0: pass 1), model M; 0 of 20 done`, from the runner's pulse; empty without one."""
    live = run.live
    if not live or not run.alive:
        return ""
    done = f"{run.done_tests:,} of {run.total_tests:,} done"
    if run.status == "paused":
        return f"paused{f': {run.reason}' if run.reason else ''}; {done}"
    parts = []
    calls, workers = live.get("in_flight"), live.get("workers") or []
    if calls:
        parts.append(f"{calls:,} call{'s' if calls != 1 else ''} waiting")
    elif workers:
        parts.append(f"{len(workers):,} sample{'s' if len(workers) != 1 else ''} under way")
    if workers:
        oldest = max(workers, key=lambda one: one.get("since_s") or 0)
        where = f"{oldest.get('domain')}/{oldest.get('level')}/{oldest.get('test_id')}: {oldest.get('phase')}"
        parts.append(f"longest {oldest.get('since_s') or 0:.0f} s ({where})")
    parts += [f"{one.get('model')} holds calls back for {one.get('seconds_left')} s" for one in live.get("holds") or ()]
    if outage := live.get("outage_s"):
        parts.append(f"nothing answers since {outage:,} s")
    return f"{', '.join([*parts, f'model {run.model}'])}; {done}" if parts else ""
