"""How close to the wire: N trivial tests on a server of known latency, modex beside its peers, all in one run.

python -m benchmarks.throughput [--quick]
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import Cost, growth, run, spread
from benchmarks.peers.inspect_peer import InspectPeer
from benchmarks.peers.lmeval_peer import LmEvalPeer
from benchmarks.peers.peer import Command, Peer, Work, cache_folder
from benchmarks.peers.promptfoo_peer import PromptfooPeer
from benchmarks.server import ROOT, ServerProcess, Stats, serving
from benchmarks.tables import Table
from benchmarks.trees import python_path

PEERS: tuple[Peer, ...] = (LmEvalPeer(), PromptfooPeer(), InspectPeer())


@dataclass(frozen=True, slots=True)
class Load:
    tests: int
    latency_s: float
    concurrency: int
    evaluator: str = "match"

    def __str__(self) -> str:
        return f"{self.tests:,} × {self.latency_s * 1000:.0f} ms at {self.concurrency}"


@dataclass(frozen=True, slots=True)
class Result:
    cost: Cost
    stats: Stats
    load: Load

    @property
    def over_ideal(self) -> float:
        """Span of the calls over calls · latency / concurrency."""
        return self.stats.span_s * self.load.concurrency / (self.stats.hits * self.load.latency_s)


def modex_command(
    work: Work,
    evaluator: str = "match",
    model: str = "openai/test-model",
    more: Sequence[str] = (),
    root: Path | None = None,
) -> Command:
    """The same work for modex: this one, or that of another tree, `root`."""
    return Command(
        [
            sys.executable, "-m", "modex.tui.cli", "run", "--headless", "--model", model, "--api-base", work.base,
            "--dataset", work.rows, "--evaluator", evaluator, "--concurrency", str(work.concurrency),
            "--db", work.folder / "modex.db", "--exp-id", "bench", *more,
        ],
        {"PYTHONPATH": python_path(root or ROOT), "MODEX_CONFIG": "/dev/null"},
    )  # fmt: skip


def write_rows(path: Path, count: int) -> None:
    """`count` questions with their answers."""
    with path.open("w") as file:
        for number in range(count):
            row = {"id": f"q{number}", "question": f"What is {number} + 1?", "answer": str(number + 1)}
            file.write(json.dumps(row) + "\n")


def once(
    server: ServerProcess,
    load: Load,
    peer: Peer | None = None,
    model: str = "openai/test-model",
    more: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
    keep: Callable[[Path], None] = lambda _: None,
    root: Path | None = None,
) -> Result:
    """Do the work once, with `peer` or with modex (`more` flags, `env`); `keep` is shown the database before it goes.

    `root` is a tree of another modex, which does it instead of this one.
    """
    with tempfile.TemporaryDirectory() as name:
        work = Work(Path(name), Path(name) / "questions.jsonl", server.base, load.concurrency)
        write_rows(work.rows, load.tests)
        command = (
            modex_command(work, load.evaluator, model, more, root)
            if peer is None
            else peer.command(cache_folder(), work)
        )
        server.reset()
        cost = run(command.arguments, env={**command.env, **(env or {})}, cwd=work.folder)
        stats = server.stats()
        if peer is None:
            keep(work.folder / "modex.db")
    if stats.hits < load.tests:
        raise SystemExit(
            f"{peer.name if peer else 'modex'} made {stats.hits} calls of {load.tests}:\n{cost.output[-2000:]}"
        )
    return Result(cost, stats, load)


def installed_peers() -> tuple[list[Peer], list[str]]:
    """Those that are there or can be installed, and why the others cannot."""
    there, problems = [], []
    for peer in PEERS:
        try:
            peer.install(cache_folder())
            there.append(peer)
        except (OSError, subprocess.CalledProcessError) as error:
            problems.append(f"{peer.name} {peer.version} could not be installed here: {error}")
    return there, problems


def measure(*, quick: bool) -> list[Table]:
    """modex alone over latencies and concurrencies, over growing numbers of tests, then beside the peers."""
    times = 1 if quick else 2
    sizes = [200, 2000] if quick else [200, 2000, 20_000]
    return [_alone(times), _growing(sizes), _beside(quick=quick)]


def _alone(times: int) -> Table:
    loads = [
        Load(2000, 0.05, 64), Load(2000, 0.05, 128), Load(4000, 0.05, 256),
        Load(1280, 0.2, 64), Load(2560, 0.2, 128), Load(5120, 0.2, 256),
        Load(1000, 0.05, 64, "two_pass"),
    ]  # fmt: skip
    rows = []
    for load in loads:
        with serving(load.latency_s) as server:
            results = [once(server, load) for _ in range(times)]
        stats = results[0].stats
        rows.append(
            [
                f"{load}{', two passes' if load.evaluator == 'two_pass' else ''}",
                f"{stats.hits * load.latency_s / load.concurrency:.2f} s",
                spread([result.over_ideal for result in results]).shown(),
                spread([result.cost.wall_s for result in results]).shown(2, " s"),
                spread([1000 * result.cost.cpu_s / load.tests for result in results]).shown(2, " ms"),
                spread([result.cost.peak_mb for result in results]).shown(0, " MB"),
            ]
        )
    header = ["tests × latency at concurrency", "ideal span", "span / ideal", "whole command", "CPU a test", "peak RSS"]
    return Table("Throughput of modex, everything stored durably", header, rows)


def _growing(sizes: Sequence[int]) -> Table:
    """The whole command over growing numbers of tests: planning, calls, storing, and the statistics at the end."""
    with serving(0.05) as server:
        results = [once(server, Load(size, 0.05, 64)) for size in sizes]
    seconds = [result.cost.wall_s for result in results]
    rows = [
        ["whole command", *(f"{value:.2f} s" for value in seconds), growth(sizes, seconds)],
        ["span / ideal", *(f"{result.over_ideal:.2f}" for result in results), ""],
        ["CPU a test", *(f"{1000 * result.cost.cpu_s / result.load.tests:.2f} ms" for result in results), ""],
        ["peak RSS", *(f"{result.cost.peak_mb:.0f} MB" for result in results), ""],
    ]
    header = ["64 at a time × 50 ms", *(f"{size:,} tests" for size in sizes), "exponent (by step)"]
    return Table("Throughput of modex on growing runs", header, rows)


def _beside(*, quick: bool) -> Table:
    """Every tool once, in turns; the peers take so long that all else would wait for more than that."""
    peers, problems = installed_peers()
    loads = {Load(500, 0.05, 64): 1} if quick else {Load(2000, 0.05, 64): 1, Load(1280, 0.2, 64): 1}
    rows: list[Sequence[str]] = []
    for load, times in loads.items():
        contenders: list[Peer | None] = [None, *peers]
        found: dict[str, list[Result]] = {}
        with serving(load.latency_s) as server:
            for _ in range(times):
                for peer in contenders:
                    name = f"{peer.name} {peer.version}" if peer else "**modex**"
                    found.setdefault(name, []).append(once(server, load, peer))
        own = spread([result.cost.wall_s for result in found["**modex**"]]).median
        for name, results in found.items():
            wall = spread([result.cost.wall_s for result in results])
            rows.append(
                [
                    str(load),
                    name,
                    wall.shown(2, " s"),
                    f"{wall.median / own:.1f} ×",
                    spread([result.over_ideal for result in results]).shown(),
                    spread([result.stats.first - result.cost.started for result in results]).shown(2, " s"),
                    spread([1000 * result.cost.cpu_s / load.tests for result in results]).shown(2, " ms"),
                    spread([result.cost.peak_mb for result in results]).shown(0, " MB"),
                ]
            )
    header = [
        "load",
        "tool",
        "whole command",
        "over modex",
        "span / ideal",
        "first request at",
        "CPU a test",
        "peak RSS",
    ]
    return Table("Beside the peers, same server, same questions", header, rows, " ".join(problems))


if __name__ == "__main__":
    for table in measure(quick="--quick" in sys.argv):
        print(table.markdown(), end="\n\n")
