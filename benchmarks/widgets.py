"""Our own widgets beside Textual's, with the same content in modex itself on a pseudo-terminal: CPU, memory, bytes.

python -m benchmarks.widgets [--quick] [part…]      parts: list tree log keys palette tabs

A page down is half a page in ours, a whole one in Textual's.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.screen import Screen
from benchmarks.tables import Table
from benchmarks.widget_screens import FIRST, SCREENS, fill

SIZES = ((80, 24), (200, 50))
_FEWER = {(80, 24): 1, (200, 50): 10}
"""So many times fewer rows: that memory and the first row follow their number, one size shows."""
_UP, _PAGE_UP = "\x1b[A", "\x1b[5~"
_DOWN, _PAGE, _HOME, _END, _BEAT, _OTHER = "\x1b[B", "\x1b[6~", "\x1b[H", "\x1b[F", "\x1b[19~", "\x1b[20~"
_QUESTION = b"\x1b[6n"
_POLL_S, _STILL = 0.015, 4
"""A screen is done when it sent nothing and none of its threads ran so many times in a row."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What something cost on average."""

    cpu_ms: float
    sent: float
    """Bytes."""

    def shown(self) -> str:
        """`2.1 ms, 340 B`."""
        return f"{self.cpu_ms:,.1f} ms, {self.sent:,.0f} B"


class Watched(Screen):
    """One prototype on a pseudo-terminal that answers as a terminal does."""

    def __init__(self, name: str, rows: int, folder: Path, size: tuple[int, int]) -> None:
        super().__init__(f"from benchmarks.widget_screens import show; show({name!r}, {rows}, {str(folder)!r})", *size)
        self._tail = b""

    def read(self, seconds: float) -> bytes:
        """What it sends, with answers to what it asks."""
        found = super().read(seconds)
        asked = (self._tail + found).count(_QUESTION)
        self._tail = found[-len(_QUESTION) + 1 :]
        os.write(self.terminal, b"\x1b[1;1R" * asked)
        return found

    def cpu(self) -> float:
        """Processor seconds of its threads, to the nanosecond: a key costs less than a tick of `stat`."""
        return (
            sum(int(path.read_text().split()[0]) for path in Path(f"/proc/{self.pid}/task").glob("*/schedstat")) / 1e9
        )

    @property
    def rss_mb(self) -> float:
        """Resident memory."""
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.pid}/status").read_text())
        return int(found[1]) / 1024 if found else 0.0

    def settle(self, timeout: float = 60.0) -> None:
        """Read until it waits."""
        still, end = 0, time.monotonic() + timeout
        while still < _STILL and time.monotonic() < end:
            sent = self.read(_POLL_S)
            stats = [path.read_text() for path in Path(f"/proc/{self.pid}/task").glob("*/stat")]
            waits = all(stat.rpartition(")")[2].split()[0] == "S" for stat in stats)
            still = still + 1 if waits and not sent else 0

    def each(self, keys: Sequence[str]) -> Spent:
        """What one of these keys costs on average, until all that it changed is shown."""
        self.settle()
        cpu, sent = self.cpu(), self.bytes
        for key in keys:
            self.press(key)
            self.settle()
        return Spent((self.cpu() - cpu) * 1000 / len(keys), (self.bytes - sent) / len(keys))

    def beats(self, seconds: float) -> str:
        """What ten rows that change four times a second cost; they go on changing."""
        self.press(_BEAT)
        self.read(1.0)
        cpu, sent, began = self.cpu(), self.bytes, time.monotonic()
        self.read(seconds)
        lasted = time.monotonic() - began
        return f"{(self.cpu() - cpu) / lasted:.1%}, {(self.bytes - sent) / lasted / 1000:.1f} kB/s"


@contextmanager
def _opened(name: str, rows: int, folder: Path, size: tuple[int, int]) -> Iterator[tuple[Watched, list[str]]]:
    """The prototype once it waits for keys, with its name, size, CPU until its first row stood, and memory."""
    watched = Watched(name, rows, folder, size)
    try:
        watched.wait_for(FIRST.encode(), timeout=900.0)
        first = watched.cpu()
        watched.settle()
        start = [
            name.partition(": ")[2] or name,
            "×".join(map(str, size)),
            f"{first:.2f} s",
            f"{watched.rss_mb:.0f} MB",
        ]
        yield watched, start
    finally:
        watched.close()


def moved(part: str, rows: int, folder: Path, *, keys: int, seconds: float, unfold: bool = False) -> list[list[str]]:
    """Lists, trees and logs: what their keys cost."""
    found = []
    for size in SIZES:
        for name in _of(part):
            with _opened(name, rows // _FEWER[size], folder, size) as (watched, start):
                start.insert(1, f"{rows // _FEWER[size]:,}")
                unfolded = [f"{watched.each([_OTHER]).cpu_ms:,.0f} ms"] if unfold else []
                one, many = (_UP, _PAGE_UP) if part == "log" else (_DOWN, _PAGE)  # a log begins at its end
                down, page = watched.each([one] * keys), watched.each([many] * (keys // 2))
                end = watched.each([_END])
                if unfold:
                    watched.each([_HOME])  # a beat changes the first tests
                found.append([*start, *unfolded, down.shown(), page.shown(), end.shown(), watched.beats(seconds)])
                print(*found[-1], sep=" | ", file=sys.stderr)
    return found


def pressed(part: str, rows: int, folder: Path, *, seconds: float) -> list[list[str]]:
    """Keys and tabs: what changes cost."""
    found = []
    for name in _of(part):
        for size in ((60, 24), *SIZES):
            with _opened(name, rows, folder, size) as (watched, start):
                other = [watched.each([_OTHER] * 5).shown()] if part == "tabs" else []
                found.append([*start, *other, watched.beats(seconds)])
                print(*found[-1], sep=" | ", file=sys.stderr)
    return found


def typed(rows: int, folder: Path) -> list[list[str]]:
    """The palette: opened, typed into, moved through."""
    found = []
    for name in _of("palette"):
        for size in SIZES:
            with _opened(name, rows, folder, size) as (watched, start):
                opened = watched.each([_OTHER])
                letters = watched.each(list("tes"))
                down = watched.each([_DOWN] * 5)
                memory = f"{watched.rss_mb:.0f} MB"
                found.append([*start[:2], opened.shown(), letters.shown(), down.shown(), memory])
                print(*found[-1], sep=" | ", file=sys.stderr)
    return found


def _of(part: str) -> list[str]:
    return [name for name in SCREENS if name.partition(":")[0] == part]


def measure(*, quick: bool, parts: Sequence[str] = ()) -> list[Table]:
    """Every part, or those named."""
    few, keys, seconds = (10 if quick else 1), (10 if quick else 20), (2.0 if quick else 5.0)
    start = ["widget", "size", "CPU to the first row", "memory"]
    each = ["a row down", "a page down", "to the end", "10 rows changed, 4 Hz"]
    tables = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lists, tests, lines, places = 200_000 // few, 20_000 // few, 100_000 // few, 20_000 // few
        fill(folder / "rows.db", lists)
        lists_start = [start[0], "rows", *start[1:]]
        for part in parts or ("list", "tree", "log", "keys", "palette", "tabs"):
            if part == "list":
                rows = moved(part, lists, folder, keys=keys, seconds=seconds)
                with _opened("an empty screen", 0, folder, SIZES[0]) as (_, empty):
                    rows.append([empty[0], "", *empty[1:], "", "", "", ""])
                tables.append(
                    Table("Widgets: a list", [*lists_start, *each], rows, "In `DataTable` End goes to the last column.")
                )
            elif part == "tree":
                rows = moved(part, tests, folder, keys=keys, seconds=seconds, unfold=True)
                tables.append(Table("Widgets: a tree of tests, all unfolded", [*lists_start, "unfolding", *each], rows))
            elif part == "log":
                rows = moved(part, lines, folder, keys=keys, seconds=seconds)
                tables.append(
                    Table(
                        "Widgets: a log", [*lists_start, "a row up", "a page up", each[2], "10 lines more, 4 Hz"], rows
                    )
                )
            elif part == "keys":
                rows = pressed(part, 0, folder, seconds=seconds)
                tables.append(Table("Widgets: the line of keys", [*start, "other keys, 4 Hz"], rows))
            elif part == "palette":
                header = [*start[:2], "opening", "a letter", "a row down", "memory"]
                title = f"Widgets: the palette over every command and {places:,} tests"
                tables.append(Table(title, header, typed(places, folder)))
            else:
                header = [*start, "the next run", "other scores, 4 Hz"]
                tables.append(Table("Widgets: six runs on one line", header, pressed(part, 0, folder, seconds=seconds)))
    return tables


if __name__ == "__main__":
    for table in measure(quick="--quick" in sys.argv, parts=[word for word in sys.argv[1:] if word != "--quick"]):
        print(table.markdown(), end="\n\n", flush=True)
