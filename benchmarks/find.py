"""Finding out why: how long search, review, history and counts take on stores of growing size, and what an index costs.

python -m benchmarks.find [--quick]
"""

from __future__ import annotations

import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.measure import spread
from benchmarks.server import serving
from benchmarks.stores import add_run
from benchmarks.tables import Table
from benchmarks.throughput import Load, Result, once
from modex.core.features.changes.changes import changes
from modex.core.features.history.query import history
from modex.core.features.review.draw import draw
from modex.core.features.review.kinds import count_kinds
from modex.core.features.review.query import HumanVerdict, reviews, say
from modex.core.features.suite_faults.examine import examine
from modex.core.statistics.distributions import t_quantile
from modex.core.store.exact import encode_json
from modex.core.store.manager import DBDataManager
from modex.core.store.reader import Reader
from modex.core.store.search.find import Search, find, hits, parse_search
from modex.core.store.search.index import SearchIndex
from modex.core.store.selecting import sample_query

_RUN = 20_000
"""Samples of a run."""
_WORDS = [f"{first}{middle}{last}" for first in ("ka", "ro", "mi", "ten", "sul", "par", "vo", "ler")
          for middle in ("lan", "ti", "mus", "re", "dor", "gi", "ba", "no", "chi", "zan")
          for last in ("a", "er", "ing", "is", "ot", "um", "ed", "y", "as", "el")]  # fmt: skip
_CHINESE = "价格是多少首都哪里今天天气怎么样模型回答错误单位换算结果正确请问如何计算"
_SEARCHES = {
    "a word in one of 10,000": "needle",
    "a word in every other": "karlana",
    "two words": "karlana sulreis",
    "a phrase": '"because adding one"',
    "Chinese, two signs": "答错",
    "a word, failed, level 3 and above": "karlana status:failed level>=3",
    "a word, in one run": "karlana run:r0",
    "a tool that was called": "tool:get_weather",
}


def fill(path: Path, samples: int) -> None:
    """Runs of 20,000 samples with answers of some 150 words; one in ten thousand holds `needle`, one in five is Chinese too."""
    for number in range(max(1, samples // _RUN)):
        add_run(path, f"r{number}", min(_RUN, samples), variant=number)
    manager = DBDataManager(path)
    draws = random.Random(0)
    database = manager.database
    ids = [row[0] for row in database.rows("SELECT id FROM individual_test_results ORDER BY id")]
    with database.atomic("IMMEDIATE"):
        rows = []
        for place, id_ in enumerate(ids):
            said = draws.choices(_WORDS, k=150)
            if place % 2:
                said[7] = "karlana"
            if place % 10_000 == 77:
                said[40] = "needle"
            if place % 5 == 0:
                said.append("".join(draws.choices(_CHINESE, k=40)))
            answer = f"{' '.join(said)}. {place} + 1 = {place + 1}, because adding one moves to the next number."
            called = [{"id": "1", "name": "get_weather", "arguments": {"city": said[3]}}] if place % 20 == 0 else []
            transcript = [{"role": "assistant", "content": answer, **({"tool_calls": called} if called else {})}]
            rows.append([answer, encode_json(transcript), id_])
        database.run_many("UPDATE individual_test_results SET response = ?, transcript = ? WHERE id = ?", rows)
    manager.close()


def measure(*, quick: bool) -> list[Table]:
    """The tables of this question."""
    return [finding([2_000, 20_000] if quick else [20_000, 100_000]), indexing(2 if quick else 4)]


def finding(sizes: list[int]) -> Table:
    """How long each way of finding out takes on stores of these sizes."""
    columns: dict[str, list[str]] = {}
    note = ""
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "bench.db"
            fill(path, size)
            note = _measure(path, size, columns)
    header = ["question", *(f"{size:,} samples" for size in sizes)]
    return Table("Finding out why", header, [[name, *cells] for name, cells in columns.items()], note)


def indexing(pairs: int) -> Table:
    """What keeping the index in step costs a run: the same run with and without it, in turn, which goes first in turn too."""
    load = Load(4000, 0.05, 64)
    answer = " ".join(["Adding one moves to the next number, so that the sum stands on the line after it."] * 9)
    ratios: dict[str, list[float]] = {"span of the calls": [], "whole command": [], "CPU of the whole command": []}
    indexed: list[int] = []
    with serving(load.latency_s, answer) as server:
        for number in range(pairs):
            found: dict[str, Result] = {}
            for setting in ("01", "10")[number % 2]:
                keep = (lambda database: indexed.append(_indexed(database))) if setting == "1" else (lambda _: None)
                found[setting] = once(server, load, env={"MODEX_SEARCH": setting}, keep=keep)
            on, off = found["1"], found["0"]
            ratios["span of the calls"].append(on.stats.span_s / off.stats.span_s)
            ratios["whole command"].append(on.cost.wall_s / off.cost.wall_s)
            ratios["CPU of the whole command"].append(on.cost.cpu_s / off.cost.cpu_s)
    rows = []
    for name, values in ratios.items():
        middle, error = statistics.fmean(values), statistics.stdev(values) / len(values) ** 0.5
        half = t_quantile(len(values) - 1) * error
        rows.append([name, spread(values).shown(3), f"{middle:.3f} ({middle - half:.3f} to {middle + half:.3f})"])
    note = (
        f"{load}, answers of 150 words, {pairs} pairs, with and without in turn. Before a run ended, {min(indexed):,} to "
        f"{max(indexed):,} of its {load.tests:,} samples stood in the index; the first search takes in the rest."
    )
    return Table(
        "A run with the search index kept in step, over one without",
        ["ratio", "median (smallest–largest)", "mean (95 %)"],
        rows,
        note,
    )


def _indexed(database: Path) -> int:
    """How many samples stand in the index beside a database; 0 where it was not begun."""
    index = SearchIndex(database)
    (number,) = index.rows("SELECT count(*) FROM documents", [])[0]
    index.close()
    return int(number)


def _measure(path: Path, size: int, columns: dict[str, list[str]]) -> str:
    reader, index = Reader(path), SearchIndex(path)

    def put(name: str, cell: str) -> None:
        columns.setdefault(name, []).append(cell)

    started = time.perf_counter()
    for one in index.behind(reader):
        index.catch_up(reader, one.run_id)
    seconds = time.perf_counter() - started
    put("building the index", f"{seconds:.1f} s ({1e6 * seconds / size:.0f} µs a sample)")
    put("its size, of the database's", f"{index.path.stat().st_size / path.stat().st_size:.0%}")
    for name, typed in _SEARCHES.items():
        search = parse_search(typed)

        def ask(search: Search = search) -> None:
            index.behind(reader)
            found = find(reader, index, search)
            hits(reader, found.ids[:40], search)

        found = len(find(reader, index, search).ids)
        put(f"search: {name}", f"{_milliseconds(ask)} ({found:,} found)")
    run = reader.run("r0")
    put("draw 100 of a run at random", _milliseconds(lambda: draw(reader, run.id, number=100)))
    put("draw 100, every cell in turn", _milliseconds(lambda: draw(reader, run.id, "cells", number=100)))
    put("history of a test", _milliseconds(lambda: history(reader, "test_77")))
    manager = DBDataManager(path)
    for id_ in draw(reader, run.id, number=1000):
        say(manager.reader, manager.reader.sample(id_), "ann", HumanVerdict("failed", label=f"kind {id_ % 6}"))
    manager.close()
    put("counts of 1,000 reviews", _milliseconds(lambda: count_kinds(reviews(reader))))
    labelled = sample_query('label:"kind 3"')
    put("samples of a run with a label", _milliseconds(lambda: reader.count(run.id, labelled)))
    runs = sorted(reader.runs(), key=lambda one: one.id)
    two = _seconds(lambda: changes(reader, runs[0], runs[1])) if len(runs) > 1 else ""
    put(f"changes between two runs of {_RUN:,}", two)
    put("faults of the suite, from every run", _seconds(lambda: examine(reader, None, runs)))
    index.close()
    reader.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return (
        "Median (smallest–largest) of five, of seconds of three; a search looks first whether anything is new, and shows the"
        " lines of 40 hits. "
        f"Answers of some 150 words, one in five with Chinese. Peak RSS of the process that also filled the store: {peak:.0f} MB."
    )


def _seconds(ask: Callable[[], object]) -> str:
    """What a person waits for with a bar: the median of three."""
    found = []
    for _ in range(3):
        started = time.perf_counter()
        ask()
        found.append(time.perf_counter() - started)
    return f"{spread(found).shown(1)} s"


def _milliseconds(ask: Callable[[], object]) -> str:
    found = []
    for _ in range(5):
        started = time.perf_counter()
        ask()
        found.append(1000 * (time.perf_counter() - started))
    return f"{spread(found).shown(1)} ms"


if __name__ == "__main__":
    for table in measure(quick="--quick" in sys.argv):
        print(table.markdown(), end="\n\n")
