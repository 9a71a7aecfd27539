"""Files that are not ours, links, two starts at once, suspended runners, a database that goes away, damaged rows."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import pytest

from modex.core.reports.formats import Format
from modex.core.store.manager import DBDataManager
from tests.cli import Called, call
from tests.core.store.stores import CONFIG
from tests.faults.harness import PATIENCE_S, Finished, Modex, alive, finish, keyword_tests, wait_until, write_suite
from tests.faults.test_disk import _grow, _small_disk
from tests.server import Reply, Request, serve

pytestmark = pytest.mark.process

WRITING = (
    ("run", "--model", "demo", "--headless", "--exp-id", "r"),
    ("resume", "r", "--headless"),
    ("delete", "r", "--yes"),
)


@pytest.fixture
def here(modex: Modex, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Called]:
    """A command in this process, in modex's home and on its database unless another is named."""
    for name, value in modex.environment().items():
        if name.startswith(("HOME", "XDG", "MODEX")):
            monkeypatch.setenv(name, value)
    monkeypatch.chdir(modex.home)
    return lambda *words: call(*words, *(() if "--db" in words else ("--db", modex.db)))


def state(folder: Path) -> dict[str, str]:
    """Every file of a folder with the digest of its bytes."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir() if path.is_file()}


@pytest.mark.long
@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_another_programs_database_keeps_every_byte(
    modex: Modex, here: Callable[..., Called], tmp_path: Path, journal: str
) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir()
    path = folder / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA journal_mode = {journal}")
        connection.execute("CREATE TABLE schema_migrations (version TEXT)")
        connection.execute("INSERT INTO schema_migrations VALUES ('20260101')")
        connection.commit()
    before = state(folder)
    for words in (*WRITING, ("runs",), ("doctor",), ("show", "r")):
        ended: Called | Finished = here(*words, "--db", path) if words[0] != "run" else modex.run(*words, "--db", path)
        assert ended.code in (1, 2), ended
        assert "not a modex database" in ended.err + ended.out
        assert "Traceback" not in ended.err
    assert state(folder) == before


@pytest.mark.parametrize("content", [b"x", b"notes\n" * 1000], ids=["one", "text"])
def test_a_file_that_is_no_database_is_named_and_never_written_over(
    modex: Modex, here: Callable[..., Called], tmp_path: Path, content: bytes
) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir()
    path = folder / "notes"
    path.write_bytes(content)
    before = state(folder)
    for words in (*WRITING, ("runs",), ("doctor",), ("show", "r")):
        ended: Called | Finished = here(*words, "--db", path) if words[0] != "run" else modex.run(*words, "--db", path)
        assert ended.code in (1, 2), ended
        assert "this is no database" in ended.err + ended.out
        assert "--db" in ended.err + ended.out
    assert state(folder) == before


def test_a_database_below_a_file_is_refused_with_the_files_name(here: Callable[..., Called], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    ended = here("run", "--model", "demo", "--headless", "--db", tmp_path / "file" / "runs.db")
    assert ended.code == 2
    assert f"{tmp_path / 'file'} is no folder" in ended.err


@pytest.mark.parametrize("kind", ["fifo", "null", "socket"])
def test_what_is_no_file_is_refused_at_once(here: Callable[..., Called], tmp_path: Path, kind: str) -> None:
    path = tmp_path / "thing"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "socket":
        os.mknod(path, 0o600 | 0o140000)
    else:
        path = Path(os.devnull)
    for words in (WRITING[0], ("runs",)):
        ended = here(*words, "--db", path)
        assert ended.code == 2, ended
        assert "no file that can hold a database" in ended.err
        assert "full" not in ended.err


def test_a_link_to_the_database_is_the_same_database(modex: Modex, here: Callable[..., Called], tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(30))
    link = tmp_path / "link.db"
    link.symlink_to(modex.db)
    with serve(Reply(content="ok", latency=0.25)) as server:
        process = modex.start(*modex.headless(server.url, suite, "--concurrency", "2"))
        wait_until(lambda: server.hits > 2, "calls")
        for words in (modex.headless(server.url, suite), ("delete", "r", "--yes")):
            ended = here(*words, "--db", link)
            assert ended.code == 2, ended
            assert str(process.pid) in ended.err or "worked on" in ended.err, ended.err
        assert finish(process).code == 0
        assert server.hits == 30, "nothing is asked twice"


@pytest.mark.parametrize("planted", ["folder", "file"])
def test_a_planted_link_gets_no_lock(modex: Modex, here: Callable[..., Called], tmp_path: Path, planted: str) -> None:
    target = tmp_path / "victim"
    locks = modex.db.with_name(f"{modex.db.name}.locks")
    if planted == "folder":
        target.mkdir()
        locks.symlink_to(target)
    else:
        target.write_text("precious")
        locks.mkdir(mode=0o700)
        (locks / "run-1.lock").symlink_to(target)
    ended = here("run", "--model", "demo", "--limit", "1", "--headless")
    assert ended.code == 2
    assert "--db" in ended.err
    assert list(target.iterdir()) == [] if planted == "folder" else target.read_text() == "precious"


@pytest.mark.parametrize("apart_s", [0.0, 0.1, 0.4])
def test_of_two_starts_one_has_the_run_and_the_other_names_it(modex: Modex, tmp_path: Path, apart_s: float) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(3))
    refused = threading.Event()

    def answer(_request: Request) -> Reply:
        refused.wait(PATIENCE_S / 2)  # the run goes on until the other start was told, however slow this machine is
        return Reply(content="ok")

    heats = (0.25, 0.75)
    with serve(answer) as server:
        started = []
        for heat in heats:
            started.append(modex.start(*modex.headless(server.url, suite, "--temperature", str(heat))))
            if heat == heats[0]:
                refused.wait(apart_s)
        wait_until(lambda: any(process.poll() is not None for process in started), "one of them ends")
        refused.set()
        ended = [finish(process) for process in started]
    assert sorted(item.code for item in ended) == [0, 2], ended
    winner = next(index for index, item in enumerate(ended) if item.code == 0)
    assert f"process {started[winner].pid} is working on this run" in ended[1 - winner].err
    assert json.loads(modex.the_run()["config"])["model"]["temperature"] == heats[winner]
    assert {request.body["temperature"] for request in server.requests} == {heats[winner]}
    assert server.hits == 3


def test_a_run_that_is_starting_is_stopped_by_stop(modex: Modex, here: Callable[..., Called], tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(40))
    assert here("stop", "r").code == 2  # what the command imports is there when the moment comes
    with serve(Reply(content="ok", latency=0.5)) as server:
        words = [word for word in modex.headless(server.url, suite, "--concurrency", "1") if word != "--headless"]
        process = modex.start(*words, "--detach")
        wait_until(lambda: modex.query("SELECT id FROM evaluation_runs"), "the run is stored")
        ended = here("stop", "r")
        assert ended.code == 0, ended.err
        assert "stopped" in ended.err
        finish(process)
        assert modex.the_run()["status"] == "stopped"
        assert server.hits < 20


def test_stop_does_not_say_stopped_of_a_suspended_runner(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(40))
    with serve(Reply(content="ok", latency=0.3)) as server:
        process = modex.start(*modex.headless(server.url, suite, "--concurrency", "1"))
        wait_until(lambda: server.hits > 1, "calls")
        process.send_signal(signal.SIGSTOP)
        ended = modex.run("stop", "r")
        assert ended.code == 2
        assert "stopped;" not in ended.err
        assert f"kill -CONT {process.pid}" in ended.err
        assert alive(process.pid)
        process.send_signal(signal.SIGCONT)
        assert finish(process).code == 1
    assert modex.the_run()["status"] == "stopped"


@pytest.mark.parametrize("gone", ["moved", "removed"])
def test_a_database_that_goes_away_ends_the_run_within_seconds(
    modex: Modex, here: Callable[..., Called], tmp_path: Path, gone: str
) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(100))
    away = tmp_path / "away"
    away.mkdir()
    with serve(Reply(content="ok", latency=0.1)) as server:
        process = modex.start(*modex.headless(server.url, suite, "--concurrency", "2"))
        wait_until(lambda: modex.count("status = 'passed'") > 2, "answers")
        for name in ("runs.db", "runs.db-wal", "runs.db-shm"):
            path = modex.home / name
            path.rename(away / name) if gone == "moved" else path.unlink()
        asked = server.hits
        ended = finish(process)
        assert ended.code == 3, ended
        assert "moved, removed or replaced" in ended.err
        assert server.hits - asked < 60, "no more was spent than in the moments until it was noticed"
        if gone == "moved":
            for path in away.iterdir():
                path.rename(modex.home / path.name)
            assert here("resume", "r", "--headless", "--concurrency", "16").code == 0
            assert modex.count("status = 'passed'") == 100


DAMAGE = {
    "details": "{no json",
    "transcript": '{"not": "a list"}',
    "expected": "[[[",
    "score": "much",
    "status": "excellent",
    "level": "hard",
    "prompt_tokens": "many",
    "completed_at": "yesterday",
    "response": b"\xff\xfe",
    "flags": "7",
    "weight": "heavy",
    "definition": "null",
}


def test_a_damaged_value_is_one_bad_row_and_stops_no_other(
    modex: Modex, here: Callable[..., Called], tmp_path: Path
) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(len(DAMAGE) + 3))
    with serve(Reply(content="ok")) as server:
        assert here(*modex.headless(server.url, suite)).code == 0
    with closing(sqlite3.connect(modex.db)) as connection:
        for position, (column, value) in enumerate(DAMAGE.items()):
            connection.execute(f"UPDATE individual_test_results SET {column} = ? WHERE position = ?", (value, position))
        connection.commit()
    for words in (
        ("runs",), ("runs", "--json"), ("show", "r"), ("show", "r", "--json"), ("show", "r", "--test", "t0000"), ("stat", "r"),
        *(("export", "r", "--format", kind) for kind in get_args(Format)),
    ):  # fmt: skip
        ended: Called | Finished = here(*words) if words != ("show", "r") else modex.run(*words)
        assert ended.code in (0, 1), (words, ended.err)
        assert "Traceback" not in ended.err, words
        assert "internal error" not in ended.err, words
    exported = json.loads(here("export", "r", "--format", "json").out)["samples"]
    assert len(exported) == len(DAMAGE) + 3
    for sample, column in zip(exported, DAMAGE, strict=False):
        assert sample["status"] == "error", column
        assert f"damaged: `{column}`" in sample["error_message"]
    assert [sample["status"] for sample in exported[len(DAMAGE) :]] == ["passed"] * 3


def test_a_damaged_run_is_named_and_the_others_are_listed(modex: Modex, here: Callable[..., Called]) -> None:
    damaged = ("config", "metrics", "live", "overall_score", "started_at", "status")
    manager = DBDataManager(modex.db)
    for exp_id in (*damaged, "good"):
        manager.update_run(manager.create_run(exp_id, CONFIG), status="completed")
    manager.close()
    with closing(sqlite3.connect(modex.db)) as connection:
        for column in damaged:
            connection.execute(f"UPDATE evaluation_runs SET {column} = '[broken' WHERE exp_id = ?", [column])
        connection.commit()
    runs = {run["exp_id"]: run for run in json.loads(here("runs", "--json").out)}
    assert runs["good"]["status"] == "completed"
    for column in damaged:
        assert f"`{column}`" in runs[column]["reason"]
        assert runs[column]["status"] == "error"
        ended = here("show", column)
        assert "internal error" not in ended.err + ended.out
        assert "Traceback" not in ended.err
    for words in (
        ("export", "config", "--format", "html"),
        ("resume", "config", "--headless"),
        ("compare", "config", "good"),
    ):
        ended = here(*words)
        assert ended.code in (0, 1, 2), (words, ended)
        assert "Traceback" not in ended.err
        assert "internal error" not in ended.err, words


def test_a_disk_that_is_full_while_planning_pauses_the_run(tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", [{**test, "prompt": "x" * 3000} for test in keyword_tests(600)])
    with _small_disk(tmp_path / "small") as home, serve(Reply(content="ok")) as server:
        modex = Modex(home)
        try:
            process = modex.start(*modex.headless(server.url, suite, "--concurrency", "8"), cwd=tmp_path)
            assert process.stderr is not None
            while (line := process.stderr.readline()) and "disk is full" not in line:
                pass
            assert "paused" in line
            assert process.poll() is None
            assert server.hits == 0
            _grow(home)
            ended = finish(process)
            assert ended.code == 0, ended.err
            assert server.hits == 600
            assert modex.count("status = 'passed'") == 600
            modex.assert_sound()
        finally:
            modex.end()


def by_name(request: Request) -> Reply:
    return Reply(content="ok" if request.model != "judge" else "yes")


@pytest.mark.parametrize(
    "words",
    [
        ("judge", "r", "--judge-model", "anthropic/claude-sonnet-4-5", "--all"),
        ("judge", "r", "--extractor-model", "anthropic/claude-sonnet-4-5", "--all"),
        ("resume", "r", "--headless", "--concurrency", "3"),
    ],
    ids=["judge", "extractor", "resume"],
)
def test_what_is_refused_changes_nothing_stored(
    modex: Modex, here: Callable[..., Called], tmp_path: Path, words: tuple[str, ...]
) -> None:
    tests: list[dict[str, Any]] = [
        {"id": "a", "prompt": "a?", "expected": "x", "evaluator_id": "llm_judge"},
        {"id": "b", "prompt": "b?", "expected": 18, "evaluator_id": "two_pass"},
    ]
    suite = write_suite(tmp_path / "suite", tests)
    with serve(by_name) as server:
        done = here(*modex.headless(server.url, suite), "--judge-model", "openai/judge", "--judge-api-base", server.url)
        assert done.code in (0, 1), done.err
    if words[0] == "resume":
        (suite / "test_definitions" / "faults" / "level_1" / "tests.jsonl").write_text('{"id": "a", "promt": 1}\n')
    before = {name: value for name, value in modex.the_run().items() if name != "seq"}
    rows = modex.rows()
    ended = here(*words)
    assert ended.code == 2, ended
    assert {name: value for name, value in modex.the_run().items() if name != "seq"} == before
    assert modex.rows() == rows
