"""What the fault tests share: suites of any size, modex as a real process, its database read from outside, and waiting."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from tests.cli import call
from tests.forked import Forked
from tests.pace import stretched

T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 40.0
"""How long a condition may take to come true on a quiet machine; only a failing test, or a busy machine, waits that long."""
KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "TMPDIR", "SSL_CERT_FILE")


def wait_until(condition: Callable[[], T], what: str, patience_s: float = PATIENCE_S) -> T:
    """Poll until `condition` is true, and return what it gave; fails with `what` when it never is.

    Where the machine turns out to be busy, the patience is as much longer.
    """
    pause = threading.Event()
    begun = time.monotonic()
    while True:
        found = condition()
        if found:
            return found
        waited = time.monotonic() - begun
        if waited > patience_s and waited > stretched(patience_s):
            raise AssertionError(f"never came true: {what}")
        pause.wait(0.01 if waited < 1 else 0.05)  # to look costs the processor that the awaited works on


def keyword_tests(count: int, *, word: str = "ok") -> list[dict[str, Any]]:
    """Tests that are judged without asking a model: passed where the answer holds `word`."""
    return [
        {"id": f"t{n:04}", "prompt": f"question {n}", "expected": {"keywords": [word]}, "evaluator_id": "keyword"}
        for n in range(count)
    ]


def extracted_tests(count: int, answer: int = 18) -> list[dict[str, Any]]:
    """Tests that need PASS 2, so that a judgement asks the model again."""
    return [{"id": f"t{n:04}", "prompt": f"question {n}", "expected": answer} for n in range(count)]


def write_suite(root: Path, tests: Sequence[Mapping[str, Any]], domain: str = "faults", **more: Any) -> Path:
    """A suite of one domain at level 1 with these tests; `more` goes into its `domain.json`."""
    folder = root / "test_definitions" / domain / "level_1"
    folder.mkdir(parents=True, exist_ok=True)
    described = {"id": domain, "name": domain, "evaluator_id": "two_pass", **more}
    (folder.parent / "domain.json").write_text(json.dumps(described))
    (folder / "tests.jsonl").write_text("".join(json.dumps(test) + "\n" for test in tests))
    return root


def is_extraction(request: Any) -> bool:
    """Whether a request is a PASS 2 (its template wants a line `ANSWER:`)."""
    return "ANSWER:" in json.dumps(request.body.get("messages"))


@dataclass
class Finished:
    """A process that ended."""

    code: int
    out: str
    err: str


@dataclass
class Modex:
    """modex as a user calls it: its own home, its own database, an environment that holds nothing of the tester's."""

    home: Path
    variables: dict[str, str] = field(default_factory=dict)
    started: list[subprocess.Popen[str]] = field(default_factory=list)
    nobody: bool = False
    """Whether the commands run for a user without any rights; only the superuser can have that."""
    fresh: bool = False
    """Whether each command begins as an interpreter of its own, as a user's does, instead of as a fork."""

    @property
    def db(self) -> Path:
        """The database."""
        return self.home / "runs.db"

    def environment(self) -> dict[str, str]:
        """The child's environment."""
        kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
        return {
            **kept,
            "HOME": str(self.home),
            "XDG_DATA_HOME": str(self.home / "data"),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "PYTHONPATH": str(ROOT),
            "TERM": "xterm-256color",
            "MODEX_RETRY_WAIT": "0.01",
            **self.variables,
        }

    def command(self, *arguments: str | Path) -> list[str]:
        """The command line."""
        return [sys.executable, "-P", "-m", "modex.tui.cli", *self.words(arguments)]

    def words(self, arguments: Sequence[str | Path]) -> list[str]:
        """The words behind `modex`; `--db` names this home's database unless given."""
        words = [str(word) for word in arguments]
        if "--db" not in words and words and words[0] not in ("check", "prompt", "schema", "doctor", "models"):
            words += ["--db", str(self.db)]
        return words

    def here(self, *arguments: str | Path) -> Finished:
        """Run a command that only reads in this process, with the same home and environment: that costs no start."""
        before = dict(os.environ)
        try:
            os.environ.clear()
            os.environ.update(self.environment())
            with contextlib.chdir(self.home):
                called = call(*self.words(arguments))
        finally:
            os.environ.clear()
            os.environ.update(before)
        return Finished(called.code, called.out, called.err)

    def start(self, *arguments: str | Path, **options: Any) -> subprocess.Popen[str]:
        """Start a command without a terminal, its output in pipes."""
        settings: dict[str, Any] = {
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "env": self.environment(),
            "cwd": self.home,
            **options,
        }
        process: subprocess.Popen[str]
        if self.fresh or "preexec_fn" in options:
            process = subprocess.Popen(self.command(*arguments), text=True, **settings)
        else:
            process = Forked(self.words(arguments), nobody=self.nobody, **settings)
        self.started.append(process)
        return process

    def run(self, *arguments: str | Path, timeout: float = PATIENCE_S, **options: Any) -> Finished:
        """Run a command to its end."""
        return finish(self.start(*arguments, **options), timeout)

    def headless(
        self, url: str, suite: Path, *more: str | Path, exp: str = "r", model: str = "openai/test-model"
    ) -> Any:
        """The arguments of a run in the foreground against the server at `url`."""
        return ("run", "--model", model, "--api-base", url, "--suite", suite, "--exp-id", exp, "--headless", *more)

    def rows(self, columns: str = "*") -> list[dict[str, Any]]:
        """Every sample in planning order, as another program reads it."""
        return self.query(f"SELECT {columns} FROM individual_test_results ORDER BY position")

    def the_run(self) -> dict[str, Any]:
        """The one run's row."""
        return self.query("SELECT * FROM evaluation_runs")[0]

    def query(self, sql: str) -> list[dict[str, Any]]:
        """Rows of a statement as dictionaries; empty while there is no such table yet."""
        if not self.db.exists():
            return []
        with contextlib.closing(sqlite3.connect(f"file:{self.db}?mode=ro", uri=True, timeout=20)) as connection:
            connection.row_factory = sqlite3.Row
            try:
                return [dict(row) for row in connection.execute(sql)]
            except sqlite3.OperationalError as error:
                if "no such table" in str(error):
                    return []
                raise

    def count(self, condition: str) -> int:
        """How many samples meet an SQL condition."""
        found = self.query(f"SELECT count(*) AS n FROM individual_test_results WHERE {condition}")
        return int(found[0]["n"]) if found else 0

    def assert_sound(self) -> None:
        """SQLite finds nothing wrong with the file."""
        assert self.query("PRAGMA integrity_check") == [{"integrity_check": "ok"}]
        assert self.query("PRAGMA foreign_key_check") == []

    def end(self) -> None:
        """End what still runs, by the process ids that were started here."""
        for process in self.started:
            left = process.poll() is None
            if left and isinstance(process, Forked):
                process.tell_where()
            if left:
                process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired, ValueError):
                out, err = process.communicate(timeout=10)
                if left:
                    print("left at work:", process.args, (out or "")[-4_000:], (err or "")[-20_000:], sep="\n")
        for pid in runners_of(self.db):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def finish(process: subprocess.Popen[str], timeout: float = PATIENCE_S) -> Finished:
    """Wait for a process, on a busy machine as much longer, and collect what it wrote."""
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        out, err = process.communicate(timeout=stretched(timeout) - timeout)
    return Finished(process.returncode, out or "", err or "")


def processes() -> Iterator[tuple[int, list[str]]]:
    """Every living process with its arguments."""
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                words = (folder / "cmdline").read_bytes().split(b"\0")
                if words != [b""]:
                    yield int(folder.name), [word.decode(errors="replace") for word in words]


def runners_of(db: Path) -> list[int]:
    """Runner processes that work on the database."""
    return [pid for pid, words in processes() if "modex.core.engine.runner" in words and str(db) in words]


def descendants(pid: int) -> list[int]:
    """The processes below `pid`, by their parents' ids; those of other sessions too."""
    parents: dict[int, int] = {}
    for child, _ in processes():
        with contextlib.suppress(OSError, ValueError, IndexError):
            parents[child] = int(Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[1])
    found, front = [], [pid]
    while front:
        front = [child for child, parent in parents.items() if parent in front]
        found += front
    return found


def alive(pid: int) -> bool:
    """Whether a process lives (and is no zombie)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


VERDICT = "source, domain, level, test_id, epoch, stage, status, score, response, extracted_answer, error_type"
"""What must not depend on how often a run was interrupted."""
