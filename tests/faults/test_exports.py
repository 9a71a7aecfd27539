"""An export is the old file or the new one, of one moment, and never the database."""

from __future__ import annotations

import hashlib
import json
import os
import resource
import shutil
import signal
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from modex.core.store.manager import DBDataManager
from tests.faults.harness import Modex, finish, keyword_tests, wait_until, write_suite
from tests.server import Reply, serve

pytestmark = pytest.mark.process

COUNT = 60
LIMIT = 100_000


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of a finished run whose JSON is far larger than a pipe holds."""
    modex = Modex(tmp_path_factory.mktemp("finished"))
    suite = write_suite(modex.home / "suite", keyword_tests(COUNT))
    with serve(Reply(content="ok " + "x" * 20_000)) as server:
        ended = modex.run(*modex.headless(server.url, suite))
    assert ended.code == 0, ended.err
    with closing(sqlite3.connect(modex.db)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # the file alone is copied, so it must hold all
    return modex.db


@pytest.fixture
def ran(modex: Modex, finished: Path) -> Modex:
    """That run in a home of its own."""
    shutil.copy(finished, modex.db)
    return modex


def _digest(path: Path) -> str:
    return hashlib.blake2b(path.read_bytes()).hexdigest()


def test_the_database_and_what_belongs_to_it_is_no_place_for_an_export(ran: Modex) -> None:
    before = _digest(ran.db)
    linked, hard = ran.home / "linked.json", ran.home / "hard.json"
    linked.symlink_to(ran.db)
    hard.hardlink_to(ran.db)
    for out in (ran.db, Path(f"{ran.db}-wal"), Path(f"{ran.db}-shm"), Path(f"{ran.db}-journal"), linked, hard):
        ended = ran.run("export", "r", "--out", out)
        assert ended.code == 2, out
        assert "name another file" in ended.err
        assert _digest(ran.db) == before
    ran.assert_sound()


def test_a_killed_export_leaves_the_old_file(ran: Modex) -> None:
    out = ran.home / "out.json"
    out.write_text("old")
    process = ran.start("export", "r", "--out", out)
    wait_until(
        lambda: process.poll() is not None or any(path.stat().st_size for path in ran.home.glob(".out.json.*.part"))
        or out.read_text() != "old",
        "the first bytes",
    )  # fmt: skip
    process.send_signal(signal.SIGKILL)
    finish(process)
    assert out.read_text() == "old"


def test_a_full_disk_leaves_the_old_file_and_no_other(ran: Modex) -> None:
    out = ran.home / "out.json"
    out.write_text("old")
    out.chmod(0o640)

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))

    ended = ran.run("export", "r", "--out", out, preexec_fn=small)
    assert ended.code == 2
    assert f"{out}: " in ended.err
    assert "internal" not in ended.err
    assert out.read_text() == "old"
    assert list(ran.home.glob(".*.part")) == []
    written = ran.run("export", "r", "--out", out)
    assert written.code == 0
    assert len(json.loads(out.read_text())["samples"]) == COUNT
    assert stat.S_IMODE(out.stat().st_mode) == 0o640


def test_a_run_deleted_meanwhile_is_whole_in_the_export(ran: Modex) -> None:
    process = ran.start("export", "r")
    assert process.stdout is not None
    first = os.read(process.stdout.fileno(), 1000).decode()  # it began, and the pipe is full now
    manager = DBDataManager(ran.db)
    try:
        manager.delete_run(manager.reader.run("r").id)
    finally:
        manager.close()
    ended = finish(process)
    assert ended.code == 0, ended.err
    assert len(json.loads(first + ended.out)["samples"]) == COUNT
    assert ran.run("export", "r").code == 2


def test_an_export_that_nobody_reads_lets_the_log_of_the_database_be_reused(ran: Modex) -> None:
    process = ran.start("export", "r")
    assert process.stdout is not None
    first = os.read(process.stdout.fileno(), 1000).decode()  # it began, and the pipe is full now
    wait_until(lambda: _log_can_be_emptied(ran.db), "the export holds on to an older moment of the database")
    ended = finish(process)
    assert ended.code == 0, ended.err
    assert len(json.loads(first + ended.out)["samples"]) == COUNT


def _log_can_be_emptied(path: Path) -> bool:
    """Whether no reader holds on to an older moment of the file."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE evaluation_runs SET note = coalesce(note, '') || 'x'")
    with closing(sqlite3.connect(path)) as connection:
        busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy


def test_a_device_that_is_full_is_an_error_in_words(ran: Modex) -> None:
    named = ran.run("export", "r", "--out", "/dev/full")
    assert (named.code, named.err) == (
        2,
        "modex: /dev/full: cannot be written (No space left on device); make room on that disk, or name another place\n",
    )
    for words in (("export", "r"), ("runs",), ("show", "r", "--json"), ("schema",)):
        with Path("/dev/full").open("w") as full:
            ended = ran.run(*words, stdout=full)
        assert ended.code == 2, words
        assert ended.err.endswith(
            "modex: the output cannot be written: No space left on device; make room, or write it elsewhere\n"
        ), (words, ended.err)
        assert "Exception ignored" not in ended.err
    assert Path("/dev/full").is_char_device()


def test_a_pipe_nobody_reads_does_not_hold_the_export(ran: Modex) -> None:
    pipe = ran.home / "pipe"
    os.mkfifo(pipe)
    ended = ran.run("export", "r", "--out", pipe, timeout=20)
    assert ended.code == 2
    assert str(pipe) in ended.err
