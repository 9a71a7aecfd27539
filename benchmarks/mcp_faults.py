"""Twelve MCP servers, good ones and such that raise, die, hang, change their tools or flood, asked side by side by one run.

python -m benchmarks mcp_faults     200 samples of each at a concurrency of 16; exits 1 where a promise is broken

What is promised: no sample of a server that did nothing wrong fails; of the others none fails either: it passes, or is an error
`tool_unavailable` that names the server; every epoch finds its server as it began; no process is left.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks.tables import Table
from modex.core.store.reader import Reader
from modex.core.store.sample import EvaluationSample

GOOD = ("good", "counts", "keeps_files", "reset", "shared", "floods")
"""Servers that give every call its answer, the last one with a megabyte of notes and of standard error before it."""
FAULTY = ("raises", "raises_at_times", "dies_at_times", "hangs_at_times", "changes_tools", "dies_at_start")
_FRESH = frozenset({"counts", "keeps_files", "reset"})
"""Servers whose answer to a sample's first call is 1 where nothing of another sample is left."""
EPOCHS = 4
_MORE: dict[str, dict[str, object]] = {
    "reset": {"reset": "wipe"}, "shared": {"shared": True}, "hangs_at_times": {"timeout_s": 5},
}  # fmt: skip
"""What stands in the files of some servers beside their command."""
_SERVER = """
import json, os, random, sys

kind, seen, offered = sys.argv[1], [], True
if kind == "dies_at_start" and random.random() < 0.3:
    sys.exit("no licence")


def say(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def answer():
    if kind.startswith("raises") and (kind == "raises" or random.random() < 0.5):
        print("the database is locked", file=sys.stderr, flush=True)
        return {"error": {"code": -32000, "message": "internal"}}
    if kind == "dies_at_times" and random.random() < 0.5:
        print("out of memory", file=sys.stderr, flush=True)
        os._exit(9)
    if kind == "hangs_at_times" and random.random() < 0.1:
        sys.stdin.read()
    if kind == "changes_tools" and random.random() < 0.3:
        global offered
        offered = False
        return {"error": {"code": -32602, "message": "unknown tool"}}
    if kind == "floods":
        for number in range(1000):
            say({"method": "notifications/message", "params": {"level": "info", "data": "x" * 1000}})
        print("y" * 1000000, file=sys.stderr, flush=True)
    seen.append(1)
    text = len(seen)
    if kind == "keeps_files":
        with open(os.path.join(os.environ["MODEX_FILES"], "a%d" % text), "w"):
            text = len(os.listdir(os.environ["MODEX_FILES"]))
    return {"result": {"content": [{"type": "text", "text": str(text)}]}}


for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    params = asked.get("params") or {}
    if asked["method"] == "initialize":
        said = {"result": {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}, "logging": {}},
                "serverInfo": {"name": kind, "version": "1"}}}
    elif asked["method"] == "tools/list":
        names = ["ask_" + kind, "wipe"] if offered else []
        said = {"result": {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in names]}}
    elif asked["method"] == "tools/call" and params["name"] == "wipe":
        seen.clear()
        said = {"result": {"content": []}}
    elif asked["method"] == "tools/call":
        said = answer()
    else:
        said = {"error": {"code": -32601, "message": "method not found"}}
    say({"id": asked["id"], **said})
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a run over all servers."""

    counts: dict[str, Counter[str]]
    """By server, its samples by status, errors by type."""
    broken: list[str]
    """The promises that were not kept, in words."""
    seconds: float


def write_suite(root: Path, tests: int) -> Path:
    """A suite with a domain of `tests` tests for each server."""
    (root / "tool_mocks").mkdir(parents=True)
    (root / "server.py").write_text(_SERVER, encoding="utf-8")
    for kind in (*GOOD, *FAULTY):
        server: dict[str, object] = {"command": [sys.executable, "-I", "-S", "server.py", kind]}
        server |= _MORE.get(kind, {})
        tool = {"name": f"ask_{kind}", "description": "Ask.", "parameters": {"type": "object", "properties": {}}}
        (root / "tool_mocks" / f"{kind}.json").write_text(json.dumps({"mcp": server, "tools": [tool]}))
        level = root / "test_definitions" / kind / "level_1"
        level.mkdir(parents=True)
        domain = {"id": kind, "name": kind, "evaluator_id": "tool_call", "tool_ids": [tool["name"]]}
        (level.parent / "domain.json").write_text(json.dumps(domain))
        lines = (
            {"id": f"{kind}_{number}", "prompt": "Ask.", "expected": {"tool": tool["name"], "args": {}}}
            for number in range(tests)
        )
        (level / "all.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
    return root


def run(folder: Path, tests: int, concurrency: int = 16) -> Outcome:
    """Ask `tests` tests of each server, in epochs, and look at what came of each sample."""
    suite, database = write_suite(folder / "suite", tests), folder / "suite" / "kept.db"
    begun = time.monotonic()
    words = [
        "run",
        "--headless",
        "--suite",
        str(suite),
        "--model",
        "demo/perfect",
        "--exp-id",
        "faults",
        "--allow-plugins",
    ]
    words += ["--epochs", str(EPOCHS), "--concurrency", str(concurrency), "--db", str(database)]
    environment = {**os.environ, "MODEX_DEMO_LATENCY": "0", "HOME": str(folder)}
    ended = subprocess.run(
        [sys.executable, "-m", "modex.tui.cli", *words], env=environment, capture_output=True, text=True, check=False
    )
    seconds = time.monotonic() - begun
    left = _processes_of(folder)
    broken = [f"{len(left)} processes are left: {left[:3]}"] if left else []
    if ended.returncode not in (0, 1) or not database.exists():
        return Outcome({}, [*broken, f"exit code {ended.returncode}: {ended.stderr[-2000:]}"], seconds)
    with closing(Reader(database)) as reader:
        counts, wrong = _looked_at(reader.samples(reader.run("faults").id))
    lost = [
        f"{kind}: {counts[kind].total()} samples" for kind in (*GOOD, *FAULTY) if counts[kind].total() != tests * EPOCHS
    ]
    return Outcome(counts, [*broken, *lost, *wrong], seconds)


def _looked_at(samples: Iterable[EvaluationSample]) -> tuple[dict[str, Counter[str]], list[str]]:
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in (*GOOD, *FAULTY)}
    broken = []
    for sample in samples:
        kind, name = sample.domain, f"{sample.test_id} #{sample.epoch}"
        counts[kind][sample.error_type or sample.status] += 1
        told = next((str(one["content"]) for one in sample.transcript if one["role"] == "tool"), "")
        excused = kind in FAULTY and sample.error_type == "tool_unavailable"
        if sample.status != "passed" and not (excused and f"server.py {kind}" in (sample.error_message or "")):
            broken.append(f"{name} {sample.status}: {sample.error_message or sample.why}")
        if kind in _FRESH and told != "1":
            broken.append(f"{name} found what another sample left: {told!r}")
    return counts, broken


def _processes_of(folder: Path) -> list[str]:
    """The command lines of processes whose program or folder is `folder`."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            line = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            where = str((place / "cwd").readlink())
        except OSError:
            continue
        if str(folder) in line or where.startswith(str(folder)):
            found.append(line)
    return found


def measure(*, quick: bool = False) -> list[Table]:
    """One table: what came of each server's samples."""
    tests = 5 if quick else 50
    with tempfile.TemporaryDirectory(prefix="modex-faults-") as folder:
        found = run(Path(folder).resolve(), tests)
    rows = [
        [kind, "nothing" if kind in GOOD else "something", f"{counts['passed']}", f"{counts['tool_unavailable']}",
         f"{counts.total() - counts['passed'] - counts['tool_unavailable']}"]
        for kind, counts in found.counts.items()
    ]  # fmt: skip
    for words in found.broken[:20]:
        print(f"broken: {words}")
    if found.broken:
        raise SystemExit(1)
    title = f"{tests * EPOCHS} samples of each of 12 MCP servers at 16, {found.seconds:.0f} s"
    return [Table(title, ["server", "does wrong", "passed", "tool_unavailable", "anything else"], rows)]
