"""What streaming costs, and whether its figures are those of the server.

python -m benchmarks.streaming [--quick]
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.measure import Spread, spread
from benchmarks.server import serving
from benchmarks.tables import Table
from benchmarks.throughput import Load, Result, once
from modex.core.store.reader import Reader


def measure(*, quick: bool) -> list[Table]:
    """Streamed beside whole, alternating; then the figures beside a server whose timing is known."""
    return [_cost(quick=quick), _truth(quick=quick)]


def _cost(*, quick: bool) -> Table:
    cases = [(Load(640 if quick else 1280, 0.05, 64), 5), (Load(128 if quick else 256, 2.0, 64), 400)]
    rows = []
    for load, events in cases:
        streamed: list[Result] = []
        whole: list[Result] = []
        with serving(load.latency_s, events=events) as server:
            for _ in range(2 if quick else 3):
                whole.append(once(server, load, more=["--no-stream"]))
                streamed.append(once(server, load))
        ratios = [a.stats.span_s / b.stats.span_s for a, b in zip(streamed, whole, strict=True)]
        each = [
            1e6 * (a.cost.cpu_s - b.cost.cpu_s) / (load.tests * events) for a, b in zip(streamed, whole, strict=True)
        ]
        rows.append(
            [
                f"{load}, {events} events",
                spread([one.over_ideal for one in whole]).shown(),
                spread([one.over_ideal for one in streamed]).shown(),
                spread(ratios).shown(3),
                spread(each).shown(1, " µs"),
            ]
        )
    header = ["load", "whole: span / ideal", "streamed: span / ideal", "streamed / whole", "CPU an event"]
    return Table("Streaming: throughput and processor time, streamed beside whole", header, rows)


def _truth(*, quick: bool) -> Table:
    rows = []
    for concurrency in (1, 32):
        tests, first_s, whole_s, events = (6 if concurrency == 1 else 96), 0.4, 1.4, 101
        found: list[tuple[Spread, Spread]] = []

        def keep(database: Path, found: list[tuple[Spread, Spread]] = found) -> None:
            reader = Reader(database)
            heads = reader.heads(reader.run("bench").id, limit=1_000_000)
            first = [head.ttft_ms for head in heads if head.ttft_ms]
            per_second = [head.output_tokens_per_s for head in heads if head.output_tokens_per_s]
            found.append((spread(first), spread(per_second)))
            reader.close()

        with serving(whole_s, events=events, first_s=first_s) as server:
            for _ in range(1 if quick else 3):
                once(server, Load(tests, whole_s, concurrency), keep=keep)
        # The server counts 400 tokens, whatever it sends: the speed is that of the usage, over the time of the writing.
        speed = 399 / (whole_s - first_s)
        rows.append(
            [
                str(concurrency),
                f"{1000 * first_s:.0f} ms",
                spread([one.median for one, _ in found]).shown(1, " ms"),
                f"{100 * (spread([one.median for one, _ in found]).median / (1000 * first_s) - 1):+.1f} %",
                f"{speed:.0f}",
                spread([one.median for _, one in found]).shown(1),
                f"{100 * (spread([one.median for _, one in found]).median / speed - 1):+.1f} %",
            ]
        )
    header = ["at once", "first token", "measured", "off by", "tokens/s", "measured", "off by"]
    return Table("Streaming: figures beside a server of known timing", header, rows)


if __name__ == "__main__":
    for table in measure(quick="--quick" in sys.argv):
        print(table.markdown(), end="\n\n")
