"""The floor under a test: the smallest honest script that asks and keeps the same, beside modex in the same run.

As many threads, the same HTTP library, one request a question, and a row of the same JSON that is on the disk before the thread
goes on, many in one transaction. It plans nothing, checks nothing, judges nothing, shows nothing, and cannot be stopped.

python -m benchmarks.floor [--quick]      the ratio, modex and floor alternating
python -m benchmarks.floor --ask ROWS BASE CONCURRENCY DATABASE      the script itself
"""

from __future__ import annotations

import json
import queue
import sqlite3
import sys
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import urllib3

from benchmarks.measure import Cost, run, spread
from benchmarks.server import ROOT, ServerProcess, serving
from benchmarks.tables import Table
from benchmarks.throughput import Load, once, write_rows
from benchmarks.trees import python_path


def ask_all(rows: Path, base: str, concurrency: int, database: Path) -> None:
    """Ask every question of `rows` and keep what came of it."""
    store = _Store(database)
    pool = urllib3.PoolManager(maxsize=concurrency)
    headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}

    def one(line: str) -> None:
        row = json.loads(line)
        messages = [{"role": "user", "content": row["question"]}]
        body = json.dumps({"model": "test-model", "messages": messages}).encode()
        answer = pool.request("POST", f"{base}/chat/completions", body=body, headers=headers).json()
        text, usage = answer["choices"][0]["message"]["content"], answer["usage"]
        transcript = [*messages, {"role": "assistant", "content": text, "usage": usage}]
        details = {"right": row["answer"] in text}
        store.keep((row["id"], row["question"], text, json.dumps(transcript), json.dumps(details))).result()

    with ThreadPoolExecutor(concurrency) as threads, rows.open() as lines:
        list(threads.map(one, lines))
    store.close()


class _Store:
    """One table, one thread that writes whatever waits in one synced transaction."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._queue: queue.SimpleQueue[tuple[tuple[str, ...], Future[None]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._loop)
        self._thread.start()

    def keep(self, row: tuple[str, ...]) -> Future[None]:
        done: Future[None] = Future()
        self._queue.put((row, done))
        return done

    def close(self) -> None:
        self._queue.put(None)
        self._thread.join()

    def _loop(self) -> None:
        database = sqlite3.connect(self._path, isolation_level=None)
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
        database.execute("CREATE TABLE kept (id TEXT, question TEXT, response TEXT, transcript TEXT, details TEXT)")
        while (item := self._queue.get()) is not None:
            group = [item]
            while not self._queue.empty() and (further := self._queue.get()) is not None:
                group.append(further)
            database.execute("BEGIN")
            database.executemany("INSERT INTO kept VALUES (?, ?, ?, ?, ?)", [row for row, _ in group])
            database.execute("COMMIT")
            for _, done in group:
                done.set_result(None)
        database.close()


def _floor(server: ServerProcess, load: Load) -> Cost:
    with tempfile.TemporaryDirectory() as name:
        rows = Path(name) / "questions.jsonl"
        write_rows(rows, load.tests)
        words = [sys.executable, "-m", "benchmarks.floor", "--ask", str(rows), server.base, str(load.concurrency)]
        server.reset()
        cost = run([*words, str(Path(name) / "floor.db")], env={"PYTHONPATH": python_path()}, cwd=ROOT)
    if server.stats().hits < load.tests:
        raise SystemExit(f"the floor made {server.stats().hits} calls of {load.tests}:\n{cost.output[-2000:]}")
    return cost


def measure(*, quick: bool) -> list[Table]:
    """CPU a further test of modex over the floor's, the two alternating."""
    few, many = Load(1000, 0.05, 64), Load(2000 if quick else 4000, 0.05, 64)
    floor, own, ratios = [], [], []
    with serving(few.latency_s) as server:
        for _ in range(2 if quick else 3):
            floor.append(_further(few, many, lambda load: _floor(server, load)))
            own.append(_further(few, many, lambda load: once(server, load).cost))
            ratios.append(own[-1] / floor[-1])
    rows = [
        ["the floor", spread(floor).shown(2, " ms"), ""],
        ["modex", spread(own).shown(2, " ms"), f"{spread(ratios).shown()} ×"],
    ]
    note = (
        f"What {many.tests:,} tests cost more than {few.tests:,}, so that neither start is in it: the same threads, HTTP "
        "library, request and durable row, and nothing else; modex plans, judges and shows them too."
    )
    title = f"CPU a further test beside a floor, {few} and {many}"
    return [Table(title, ["what", "CPU a test", "over the floor"], rows, note)]


def _further(few: Load, many: Load, cost: Callable[[Load], Cost]) -> float:
    """Milliseconds of CPU that a test more costs."""
    return 1000 * (cost(many).cpu_s - cost(few).cpu_s) / (many.tests - few.tests)


if __name__ == "__main__":
    if "--ask" in sys.argv:
        rows, base, concurrency, database = sys.argv[2:]
        ask_all(Path(rows), base, int(concurrency), Path(database))
    else:
        for table in measure(quick="--quick" in sys.argv):
            print(table.markdown(), end="\n\n")
