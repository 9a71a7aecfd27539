"""Ctrl+C while a command reads a run: it ends, without a traceback and without half a file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.stores import add_run
from core.exit_codes import ExitCode
from core.reports.writing import write_export

ROOT = Path(__file__).parents[3]


def test_an_export_that_is_interrupted_ends_without_a_traceback(tmp_path: Path) -> None:
    database = tmp_path / "modex.db"
    add_run(database, "a", 300)
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "tui.cli", "export", "a", "--db", database],
        env={**os.environ, "PYTHONPATH": str(ROOT), "MODEX_CONFIG": os.devnull},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(
            1
        )  # it writes, and then waits for who reads no further: a pipe holds less than is to come
        process.send_signal(signal.SIGINT)
        said = process.stderr.read().decode()
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
