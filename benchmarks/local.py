"""What modex itself takes of the processor beside the server of a real model that it started.

python -m benchmarks local [--quick]
python -m benchmarks.local [--questions N] [--threads N]

SmolLM2 answers short questions in four slots; each has a PASS 2, as everywhere. The server is kept by the measurement, so that
what it takes for the run is told apart from what its start takes. Processor seconds, not wall: other work counts little.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from benchmarks.measure import Cost, run
from benchmarks.tables import Table
from benchmarks.trees import python_path
from modex.core.config.entries.inside import weights
from modex.core.config.entries.naming import model_spec
from modex.core.llm.served.filling import filled, wish_of
from modex.core.llm.served.lease import ServerLease

QUESTIONS = 64
SLOTS = 4
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Spent:
    """Processor seconds."""

    modex: float
    """Of the command with what it started and waited for, and of the two processes that keep the server."""
    server: float

    def __sub__(self, other: Spent) -> Spent:
        return Spent(self.modex - other.modex, self.server - other.server)

    @property
    def share(self) -> float:
        """Of modex beside the server."""
        return self.modex / self.server


def measure(*, quick: bool) -> list[Table]:
    """One thread and two, as many questions as were asked for."""
    rows: list[Sequence[str]] = []
    for threads in (1,) if quick else (1, 2):
        rows += shares(16 if quick else QUESTIONS, threads)
    return [_table(rows)]


def _table(rows: Sequence[Sequence[str]]) -> Table:
    header = ["what", "modex", "its server", "share"]
    note = (
        "Processor seconds. “Start-up apart” is the same command less one of a single question; “all” has the server's own start,"
        " with the reading of its weights. Threads that wait for each other on a busy machine turn: one is the figure there."
    )
    return Table("Beside a real model's server", header, rows, note)


def shares(questions: int, threads: int) -> list[list[str]]:
    """The rows of one number of threads."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "models.toml").write_text(
            f"[models.small]\ngguf = '{weights()}'\n"
            f"serve = {{ context = 1024, slots = {SLOTS}, threads = {threads} }}\n"
            "params = { temperature = 0, max_tokens = 48 }\n"
        )
        for count in (1, questions):
            rows = (f"What is {number} plus {number % 7 + 1}?,{number + number % 7 + 1}\n" for number in range(count))
            (folder / f"{count}.csv").write_text("question,answer\n" + "".join(rows))
        own = {"MODEX_SERVED": name + "/served", "MODEX_MODELS": name + "/models.toml", "MODEX_CONFIG": os.devnull}
        with mock.patch.dict(os.environ, own):
            lease = ServerLease(wish_of(filled(model_spec("small"))))
            try:
                begun = _kept(lease.ready().pid)
                _command(folder, 1, "first")  # its prompts' beginnings are known to the server from now on
                one = _between(lease, folder, 1, "one")
                whole = _between(lease, folder, questions, "whole")
            finally:
                lease.close()
    of = f"{questions} questions, {SLOTS} slots, {threads} thread{'s' if threads != 1 else ''}"
    return [
        _row(f"{of}: start-up apart", whole - one),
        _row(f"{of}: the command", whole),
        _row(f"{of}: all", Spent(whole.modex + begun.modex, whole.server + begun.server)),
    ]


def _row(words: str, spent: Spent) -> list[str]:
    return [words, f"{spent.modex:.2f} s", f"{spent.server:.1f} s", f"{spent.share:.1%}"]


def _between(lease: ServerLease, folder: Path, count: int, exp_id: str) -> Spent:
    before = _kept(lease.ready().pid)
    cost = _command(folder, count, exp_id)
    after = _kept(lease.ready().pid) - before
    return Spent(after.modex + cost.cpu_s, after.server)


def _command(folder: Path, count: int, exp_id: str) -> Cost:
    cost = run(
        [
            sys.executable, "-m", "modex.tui.cli", "run", "--headless", "--model", "small", "--concurrency", str(SLOTS),
            "--dataset", folder / f"{count}.csv", "--evaluator", "match", "--db", folder / "modex.db", "--exp-id", exp_id,
        ],
        env={"PYTHONPATH": os.pathsep.join(filter(None, (python_path(), os.environ.get("PYTHONPATH"))))},
        cwd=folder,
        timeout_s=1800,
    )  # fmt: skip
    if cost.code not in (0, 1):
        raise SystemExit(cost.output[-2000:])
    return cost


def _kept(keeper: int) -> Spent:
    """What the keeper, the supervisor below it and the server below that have taken so far."""
    (supervisor,) = _children(keeper)
    return Spent(_spent(keeper) + _spent(supervisor), sum(_spent(pid) for pid in _children(supervisor)))


def _children(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _spent(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    print(_table(shares(options.questions, options.threads)).markdown())
