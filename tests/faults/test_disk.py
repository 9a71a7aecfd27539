"""A full disk pauses a run and loses nothing; a file that is damaged, newer or not ours is left as it is."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.harness import ROOT, VERDICT, Finished, Modex, finish, keyword_tests, wait_until, write_suite
from tests.pace import stretched
from tests.server import Reply, serve

pytestmark = pytest.mark.process

LONG = Reply(content="ok " + "x" * 20_000)
SMALL = 1_500_000
"""Bytes that a run of these tests does not fit into."""


@contextlib.contextmanager
def _small_disk(folder: Path) -> Iterator[Path]:
    """A file system of 1.5 MB."""
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SMALL}", "tmpfs", str(folder)], check=False, capture_output=True
    )
    if made.returncode:
        pytest.skip("mounting a small file system is not permitted here; the limit on file size is tested instead")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def _grow(folder: Path) -> None:
    subprocess.run(["mount", "-o", "remount,size=64m", str(folder)], check=True)


def test_a_full_disk_pauses_the_run_and_with_room_again_it_completes_without_loss_or_repetition(
    tmp_path: Path,
) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(80))
    with _small_disk(tmp_path / "small") as home, serve(LONG) as server:
        modex = Modex(home)
        try:
            process = modex.start(*modex.headless(server.url, suite, "--concurrency", "4"), cwd=tmp_path)
            assert process.stderr is not None
            said: list[str] = []
            while line := process.stderr.readline():
                said.append(line)
                if "disk is full" in line:
                    break
            assert "paused" in said[-1], "".join(said)
            wait_until(lambda: server.hits > 4 and server.in_flight == 0, "the calls in flight")
            assert process.poll() is None
            stored, asked = modex.count("status = 'passed'"), server.hits
            assert asked <= stored + 4, "no new work while nothing can be stored"
            _grow(home)
            ended = finish(process)
            assert ended.code == 0, ended.err
            assert server.hits == 80, "nothing is asked twice, nothing is left out"
            assert modex.count("status = 'passed'") == 80
            assert modex.the_run()["status"] == "completed"
            modex.assert_sound()
        finally:
            modex.end()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["interrupt", "term"])
def test_a_run_on_a_full_disk_can_be_stopped_and_resumed(tmp_path: Path, number: signal.Signals) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(80))
    with _small_disk(tmp_path / "small") as home, serve(LONG) as server:
        modex = Modex(home)
        try:
            process = modex.start(*modex.headless(server.url, suite, "--concurrency", "4"), cwd=tmp_path)
            assert process.stderr is not None
            while (line := process.stderr.readline()) and "disk is full" not in line:
                pass
            begun = time.monotonic()
            process.send_signal(number)
            ended = finish(process)
            assert time.monotonic() - begun < stretched(5 if number == signal.SIGTERM else 10)
            assert ended.code == 130
            assert "Traceback" not in ended.err
            _grow(home)
            assert modex.run("resume", "r", "--headless", cwd=tmp_path).code == 0
            assert modex.count("status = 'passed'") == 80
            modex.assert_sound()
        finally:
            modex.end()


def test_a_disk_that_is_full_from_the_start_is_one_clear_line(tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(1))
    with _small_disk(tmp_path / "small") as home, serve(LONG) as server:
        (home / "filler").write_bytes(b"x" * (SMALL - 16384))
        modex = Modex(home)
        ended = modex.run(*modex.headless(server.url, suite), cwd=tmp_path)
        assert ended.code == 2
        assert "full" in ended.err
        assert "Traceback" not in ended.err
        assert server.hits == 0


LIMITED = "import resource, sys, runpy; n = int(sys.argv[1]); resource.setrlimit(resource.RLIMIT_FSIZE, (n, n)); " + (
    "sys.argv[:2] = ['modex']; runpy.run_module('modex.tui.cli', run_name='__main__')"
)


@pytest.mark.long
def test_a_file_that_may_not_grow_pauses_the_run_too(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(80))
    with serve(LONG) as server:
        words = [str(word) for word in modex.headless(server.url, suite, "--concurrency", "4", "--db", modex.db)]
        process = subprocess.Popen(
            [sys.executable, "-c", LIMITED, "700000", *words],
            env=modex.environment(),
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        modex.started.append(process)
        assert process.stderr is not None
        while (line := process.stderr.readline()) and "paused" not in line:
            pass
        assert "disk is full" in line
        process.send_signal(signal.SIGTERM)
        assert finish(process).code == 130
        assert modex.run("resume", "r", "--headless").code == 0
    assert modex.count("status = 'passed'") == 80
    modex.assert_sound()


def _finished_run(modex: Modex, tmp_path: Path, count: int = 30) -> tuple[str, ...]:
    suite = write_suite(tmp_path / "suite", keyword_tests(count))
    with serve(Reply(content="ok " + "y" * 3000)) as server:
        arguments: tuple[str, ...] = modex.headless(server.url, suite)
        assert modex.run(*arguments).code == 0
    with contextlib.closing(sqlite3.connect(modex.db)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode=DELETE")
    return arguments


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _clear(ended: Finished, *words: str) -> None:
    assert ended.code == 2, ended
    assert "Traceback" not in ended.err + ended.out
    assert "internal error" not in ended.err
    for word in words:
        assert word in ended.err, ended.err


def test_a_corrupted_page_is_refused_left_alone_and_answered_with_the_way_to_recover(
    modex: Modex, tmp_path: Path
) -> None:
    arguments = _finished_run(modex, tmp_path)
    size = modex.db.stat().st_size
    with modex.db.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xde\xad\xbe\xef" * ((size - 4096) // 8))
    before = _digest(modex.db)
    _clear(modex.run(*arguments), "damaged", ".recover")
    _clear(modex.run("show", "r"), "damaged", ".recover")
    _clear(modex.run("resume", "r", "--headless"), "damaged", ".recover")
    assert _digest(modex.db) == before


def test_a_file_that_is_no_database_is_refused_and_left_alone(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(1))
    modex.db.write_bytes(b"my thesis, please keep\n" * 500)
    before = _digest(modex.db)
    with serve(Reply(content="ok")) as server:
        _clear(modex.run(*modex.headless(server.url, suite)), str(modex.db))
        assert server.hits == 0
    _clear(modex.run("runs"), str(modex.db))
    assert _digest(modex.db) == before


def test_another_programs_database_gets_no_table_of_ours(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(1))
    with contextlib.closing(sqlite3.connect(modex.db)) as connection:
        connection.execute("CREATE TABLE recipes (name)")
        connection.commit()
    before = _digest(modex.db)
    with serve(Reply(content="ok")) as server:
        _clear(modex.run(*modex.headless(server.url, suite)), "not a modex database")
    assert modex.query("SELECT name FROM sqlite_master") == [{"name": "recipes"}]
    with contextlib.closing(sqlite3.connect(modex.db)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
    assert len(before) == 64


def test_a_newer_schema_is_not_written_to(modex: Modex, tmp_path: Path) -> None:
    arguments = _finished_run(modex, tmp_path)
    with contextlib.closing(sqlite3.connect(modex.db)) as connection:
        connection.execute("INSERT INTO schema_migrations SELECT * FROM schema_migrations WHERE 0")
        columns = [row[1] for row in connection.execute("PRAGMA table_info(schema_migrations)")]
        values = {"name": "9999_from_the_future"}
        row = connection.execute("SELECT * FROM schema_migrations").fetchone()
        given = [values.get(column, row[index] if column != "id" else None) for index, column in enumerate(columns)]
        connection.execute(f"INSERT INTO schema_migrations VALUES ({', '.join('?' * len(columns))})", given)
        connection.commit()
    before = modex.query("SELECT seq, status, completed_at FROM evaluation_runs")
    _clear(modex.run(*arguments), "newer", "9999_from_the_future")
    assert modex.query("SELECT seq, status, completed_at FROM evaluation_runs") == before


def _as_nobody(modex: Modex) -> Modex:
    """The same home for a user who may write nowhere in it."""
    if os.geteuid() != 0:
        return modex
    return Modex(modex.home, nobody=True)


@pytest.fixture
def open_home() -> Iterator[Modex]:
    """A home that every user of the machine can reach, as pytest's own folders are not."""
    home = Path(tempfile.mkdtemp())
    home.chmod(0o755)
    modex = Modex(home)
    yield modex
    modex.end()
    shutil.rmtree(home)


def test_a_database_that_may_not_be_reached_is_one_clear_line(open_home: Modex, tmp_path: Path) -> None:
    _finished_run(open_home, tmp_path, 1)
    open_home.home.chmod(0o700)
    if os.geteuid() != 0:
        pytest.skip("only the superuser can make a file that this user cannot reach")
    _clear(_as_nobody(open_home).run("show", "r", cwd="/"), "cannot be read")
    suite = tmp_path / "suite"
    tmp_path.chmod(0o700)
    _clear(_as_nobody(open_home).run("check", suite, cwd="/"), "cannot be read")


@pytest.mark.parametrize("leftover", ["", "wal"])
def test_a_read_only_folder_can_be_viewed_and_says_why_it_cannot_run(
    open_home: Modex, tmp_path: Path, leftover: str
) -> None:
    modex = open_home
    arguments = _finished_run(modex, modex.home)
    if leftover:
        with contextlib.closing(sqlite3.connect(modex.db)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("UPDATE evaluation_runs SET reason = 'in the log only'")
            connection.commit()
            for kind in ("", "-wal", "-shm"):
                shutil.copy(f"{modex.db}{kind}", f"{tmp_path}/kept.db{kind}")
        for kind in ("", "-wal", "-shm"):
            shutil.copy(f"{tmp_path}/kept.db{kind}", f"{modex.db}{kind}")
    expected = "in the log only" if leftover else "30 passed"
    for file in modex.home.iterdir():
        if file.is_file():
            file.chmod(0o444)
    modex.home.chmod(0o555)
    guest = _as_nobody(modex)
    try:
        shown = guest.run("show", "r", cwd="/")
        assert shown.code == 0, shown.err
        assert "30 passed" in shown.out
        assert expected in shown.out
        assert guest.run("export", "r", "--format", "csv", cwd="/").out.count("passed") == 30
        assert guest.run("runs", cwd="/").code == 0
        _clear(guest.run(*arguments, cwd="/"), "cannot be written")
    finally:
        modex.home.chmod(0o755)


def test_a_second_process_on_a_run_is_refused_and_told_who_holds_it(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(4))
    with serve(Reply(content="ok", latency=30)) as server:
        arguments = modex.headless(server.url, suite)
        first = modex.start(*arguments)
        wait_until(lambda: server.in_flight == 4, "the first process at work")
        second = modex.run(*arguments)
        _clear(second, str(first.pid))
        first.kill()
        finish(first)
        server.behave(Reply(content="ok"))
        assert modex.run(*arguments).code == 0, "the lock died with its holder"
    assert modex.rows(VERDICT) == modex.rows(VERDICT)
    assert modex.count("status = 'passed'") == 4


def test_a_locked_database_is_waited_for_and_the_run_says_so(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(40))
    with serve(Reply(content="ok", latency=0.02)) as server:
        process = modex.start(*modex.headless(server.url, suite, "--concurrency", "2"))
        wait_until(lambda: modex.count("status = 'passed'") > 2, "some results")
        with contextlib.closing(sqlite3.connect(modex.db, timeout=20, isolation_level=None)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            assert process.stderr is not None
            while (line := process.stderr.readline()) and "locked" not in line:
                pass
            assert f"process {os.getpid()}" in line
            holder.execute("ROLLBACK")
        ended = finish(process)
        assert ended.code == 0, ended.err
        assert server.hits == 40
    assert modex.count("status = 'passed'") == 40
