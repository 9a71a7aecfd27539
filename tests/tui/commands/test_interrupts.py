"""Ctrl+C while a command reads a run: it ends, without a traceback and without half a file."""

from __future__ import annotations

import contextlib
import hashlib
import os
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from benchmarks.stores import add_run
from modex.core.features.export.writing import write_export
from modex.core.foundation.exit_codes import ExitCode
from modex.core.foundation.processes import cores
from modex.core.store.readers import WORTH
from tests.cli import call
from tests.faults.harness import alive, descendants, wait_until
from tests.forked import command

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[3]
ENDLESS = """
    ALTER TABLE individual_test_results RENAME TO kept;
    CREATE VIEW individual_test_results AS
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT kept.* FROM n, kept WHERE n.i < 0;
"""
"""After it SQLite counts without end, to find no sample."""


def test_an_export_that_is_interrupted_ends_without_a_traceback(tmp_path: Path) -> None:
    database = tmp_path / "modex.db"
    add_run(database, "a", 300)
    with command("export", "a", "--db", database) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(
            1
        )  # it writes, and then waits for who reads no further: a pipe holds less than is to come
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
    assert (process.returncode, "Traceback" in said) == (ExitCode.INTERRUPTED, False), said


@pytest.mark.parametrize("old", [None, "old"])
def test_a_file_that_is_interrupted_stays_what_it_was(tmp_path: Path, old: str | None) -> None:
    out = tmp_path / "out.json"
    if old is not None:
        out.write_text(old)

    def pieces() -> Iterator[str]:
        yield "new"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_export(out, pieces(), database=tmp_path / "modex.db")
    assert [path.read_text() for path in tmp_path.iterdir()] == ([] if old is None else [old])


@pytest.mark.long
@pytest.mark.parametrize("ended", ["the command is interrupted", "one that reads is killed"])
def test_processes_that_read_a_large_run_end_with_the_command(tmp_path: Path, ended: str) -> None:
    database, out = tmp_path / "modex.db", tmp_path / "out"
    add_run(database, "a", WORTH)
    os.mkfifo(out)
    with command("export", "a", "--out", out, "--db", database) as process:
        with _begun(out, process) as written:  # it writes, and then waits for who reads no further
            reading = descendants(process.pid)
            assert len(reading) == (0 if cores() == 1 else min(4, cores()))
            if ended == "the command is interrupted" or not reading:
                code: int = ExitCode.INTERRUPTED
                process.send_signal(signal.SIGINT)
            else:
                code = ExitCode.MISTAKE
                os.kill(reading[0], signal.SIGKILL)
                while written.read(1 << 20):
                    pass
        assert process.stderr is not None
        said = process.stderr.read()
    assert (process.returncode, "Traceback" in said) == (code, False), said
    assert ("ended by signal 9" in said) == (code == ExitCode.MISTAKE), said
    assert not any(alive(pid) for pid in reading)


def _begun(pipe: Path, process: subprocess.Popen[str]) -> BinaryIO:
    """A named pipe that a command has begun to write to; fails with what it said where it ended before."""
    descriptor = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)

    def first() -> bytes:
        if process.poll() is not None:
            assert process.stderr is not None
            pytest.fail(f"it ended with {process.returncode}: {process.stderr.read()}")
        try:
            return os.read(descriptor, 1)
        except BlockingIOError:
            return b""

    wait_until(first, "the first byte of the file")
    os.set_blocking(descriptor, True)
    return os.fdopen(descriptor, "rb")


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    """A database in which every question about samples lasts for ever: SQLite counts without end to find none."""
    database = tmp_path / "modex.db"
    add_run(database, "a", 20)
    add_run(database, "b", 20)
    connection = sqlite3.connect(database)
    connection.executescript(ENDLESS)
    connection.close()
    return database


@pytest.mark.parametrize(
    "words",
    [
        ("compare", "a", "b"),
        ("export", "a", "--out", "out.json"),
        ("history", "domain_1/1/test_1"),
        ("grep", "Addition"),
        ("show", "a"),
    ],
    ids=lambda words: words[0],
)
def test_a_statement_that_lasts_is_ended_at_once(endless: Path, words: tuple[str, ...], tmp_path: Path) -> None:
    before = hashlib.sha256(endless.read_bytes()).hexdigest()
    with command(*words, "--db", endless, folder=tmp_path) as process:
        try:
            wait_until(lambda: _is_counting(process.pid, endless), "the statement under way")
            process.send_signal(signal.SIGINT)
            wait_until(lambda: process.poll() is not None, "the command to end")
        finally:
            process.kill()
        assert process.stdout is not None
        assert process.stderr is not None
        said, printed = process.stderr.read(), process.stdout.read()
    assert (process.returncode, printed, "Traceback" in said) == (ExitCode.INTERRUPTED, "", False), said
    assert hashlib.sha256(endless.read_bytes()).hexdigest() == before
    assert not (tmp_path / "out.json").exists()


def test_summing_up_that_is_interrupted_amid_a_statement_leaves_the_run_as_it_was(tmp_path: Path) -> None:
    database = tmp_path / "modex.db"
    add_run(database, "a", 20)
    words = ("stat", "a", "--db", database)
    assert call(*words).code == 0
    with contextlib.closing(sqlite3.connect(database)) as connection:
        connection.executescript(ENDLESS)
        before = _all_but_its_changes(connection)
        with command(*words) as process:
            try:
                wait_until(lambda: _is_counting(process.pid, database), "the statement under way")
                process.send_signal(signal.SIGINT)
                wait_until(lambda: process.poll() is not None, "the command to end", 4.0)
            finally:
                process.kill()
            assert process.stdout is not None
            assert process.stderr is not None
            said, printed = process.stderr.read(), process.stdout.read()
        assert (process.returncode, printed, "Traceback" in said) == (ExitCode.INTERRUPTED, "", False), said
        assert _all_but_its_changes(connection) == before
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def _all_but_its_changes(connection: sqlite3.Connection) -> list[str]:
    """Everything that is stored, but for the number of the run's newest change."""
    connection.execute("BEGIN")
    connection.execute("UPDATE evaluation_runs SET seq = 0")
    found = list(connection.iterdump())
    connection.rollback()
    return found


def _is_counting(pid: int, database: Path) -> bool:
    """Whether a process has the database open and has computed for half a second: beginning takes a tenth of one."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    opened = False
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):  # closed meanwhile
            opened |= file.resolve() == database
    return opened and int(fields[11]) >= os.sysconf("SC_CLK_TCK") // 2
