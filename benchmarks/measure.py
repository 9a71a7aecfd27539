"""What a command costs, and how figures are summed up: wall, processor seconds and peak memory; medians and exponents."""

from __future__ import annotations

import json
import math
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Cost:
    """One command, with every process it waited for."""

    started: float
    """Monotonic seconds."""
    wall_s: float
    cpu_s: float
    peak_mb: float
    """The largest of its processes."""
    code: int
    output: str


def run(
    command: Sequence[str | Path],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    timeout_s: float = 300.0,
) -> Cost:
    """Run `command` to its end (or kill it after `timeout_s`) and measure it."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as output, tempfile.NamedTemporaryFile("r") as report:
        process = subprocess.Popen(
            [sys.executable, "-S", "-E", "-c", _LAUNCHER, report.name, *(str(part) for part in command)],
            env={**environment, **(env or {})},
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        timer = threading.Timer(timeout_s, os.killpg, [process.pid, signal.SIGKILL])
        timer.start()
        process.wait()
        timer.cancel()
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
        found = report.read()
    if not found:
        raise SystemExit(f"{command[0]}: ended after {timeout_s:.0f} s: {text[-2000:]}")
    started, wall, cpu, peak_kb, code = json.loads(found)
    return Cost(started, wall, cpu, peak_kb / 1024, code, text)


_LAUNCHER = """
import json, os, sys, time
started = time.monotonic()
process = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, used = os.wait4(process, 0)
wall = time.monotonic() - started
with open(sys.argv[1], "w") as report:
    json.dump([started, wall, used.ru_utime + used.ru_stime, used.ru_maxrss, os.waitstatus_to_exitcode(status)], report)
"""
"""A process counts its parent's memory until it is another program, so that the parent must be a small one."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A figure measured several times."""

    median: float
    low: float
    high: float

    def shown(self, digits: int = 2, unit: str = "") -> str:
        """`median (low–high)`."""
        return f"{self.median:.{digits}f}{unit} ({self.low:.{digits}f}–{self.high:.{digits}f})"


def spread(values: Sequence[float]) -> Spread:
    """The median with the smallest and the largest."""
    return Spread(statistics.median(values), min(values), max(values))


def timed(function: Callable[[], object], times: int = 3) -> Spread:
    """Seconds that `function` takes."""
    found = []
    for _ in range(times):
        started = time.perf_counter()
        function()
        found.append(time.perf_counter() - started)
    return spread(found)


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """The slope of log(seconds) over log(size): 1 is linear."""
    xs, ys = [math.log(size) for size in sizes], [math.log(max(value, 1e-9)) for value in seconds]
    middle_x, middle_y = statistics.fmean(xs), statistics.fmean(ys)
    over = sum((x - middle_x) * (y - middle_y) for x, y in zip(xs, ys, strict=True))
    return over / sum((x - middle_x) ** 2 for x in xs)


def steps(sizes: Sequence[float], seconds: Sequence[float]) -> list[float]:
    """The exponent between each two neighbours: where it rises, the growth bends."""
    points = zip(sizes, seconds, strict=True)
    return [exponent([a[0], b[0]], [a[1], b[1]]) for a, b in pairwise(points)]


def growth(sizes: Sequence[int], seconds: Sequence[float]) -> str:
    """`exponent 1.02 (0.98, 1.05)`: overall, then step by step."""
    each = ", ".join(f"{value:.2f}" for value in steps(sizes, seconds))
    return f"{exponent(sizes, seconds):.2f} ({each})"
