"""Plain progress: a line per finished test, a bar only on a terminal, and nobody waits for it."""

from __future__ import annotations

import io
import itertools
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from modex.core.store.lock import RunLock
from modex.core.store.manager import DBDataManager
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from modex.tui.plain.progress import Progress, waiting_words
from tests.core.store.stores import CONFIG, FINISHED, finished, sample, with_writer


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class Gone(Terminal):
    """A terminal that went away."""

    def write(self, _: str) -> int:
        raise OSError(5, "Input/output error")


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[DBDataManager]:
    opened = DBDataManager(tmp_path / "modex.db")
    yield opened
    opened.close()


def watched(manager: DBDataManager, stream: io.StringIO, count: int = 3) -> str:
    """What a watcher writes while a run finishes `count` tests."""
    run_id = manager.create_run("e", CONFIG)
    manager.plan(run_id, [sample(f"t{number}", name="\x1b[31m") for number in range(count)])
    with Progress(manager.path, run_id, since=manager.reader.run_by_id(run_id).seq, stream=stream) as progress:
        progress.say("hello \x1b[2J")
        items: list[EvaluationSample] = list(manager.reader.samples(run_id))
        with_writer(
            manager,
            run_id,
            lambda writer: [writer.save(finished(item), FINISHED, before="pending") for item in items],
        )
    return stream.getvalue()


def test_each_finished_test_is_one_line(manager: DBDataManager) -> None:
    text = watched(manager, io.StringIO())
    assert len([line for line in text.splitlines() if "d/1/t" in line]) == 3
    assert "\x1b" not in text
    assert "\r" not in text


def test_nothing_is_lost_at_the_end(manager: DBDataManager) -> None:
    text = watched(manager, io.StringIO(), count=700)
    assert len([line for line in text.splitlines() if "d/1/t" in line]) == 700


def test_a_terminal_gets_a_bar_that_is_gone_at_the_end(manager: DBDataManager, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    text = watched(manager, Terminal())
    assert text.endswith("\n")
    assert text.replace("\r\x1b[K", "").count("\x1b") == 0


def test_a_terminal_that_went_away_disturbs_nothing(manager: DBDataManager) -> None:
    stream = Gone()
    run_id = manager.create_run("e", CONFIG)
    manager.plan(run_id, [sample("t")])
    with Progress(manager.path, run_id, since=0, stream=stream):
        pass
    assert stream.getvalue() == ""


def test_a_verdict_that_waits_to_be_given_anew_is_not_told_with_its_old_score(manager: DBDataManager) -> None:
    run_id = manager.create_run("e", CONFIG)
    manager.plan(run_id, [sample("t")])
    (item,) = manager.reader.samples(run_id)
    with_writer(manager, run_id, lambda writer: writer.save(finished(item, score=1.0), FINISHED, before="pending"))
    since = manager.reader.run_by_id(run_id).seq
    manager.plan(run_id, [sample("t", expected=5)], rejudge=True)
    planned = manager.reader.run_by_id(run_id).seq
    assert planned > since

    def told() -> str:
        stream = io.StringIO()
        with Progress(manager.path, run_id, since=since, planned=lambda: planned, stream=stream):
            pass
        return stream.getvalue()

    assert told() == ""
    (item,) = manager.reader.samples(run_id)
    with_writer(manager, run_id, lambda writer: writer.save(finished(item, score=0.0), FINISHED, before="passed"))
    assert "0.00" in told()


def test_nothing_is_told_of_tests_while_they_are_still_planned(manager: DBDataManager) -> None:
    run_id = manager.create_run("e", CONFIG)
    manager.plan(run_id, [sample("t", status="skipped")])
    stream = io.StringIO()
    with Progress(manager.path, run_id, since=0, planned=lambda: None, stream=stream):
        pass
    assert stream.getvalue() == ""
    with Progress(manager.path, run_id, since=0, planned=lambda: 99, stream=stream):
        pass
    assert "d/1/t" in stream.getvalue()


def test_a_run_that_waits_says_for_what(manager: DBDataManager) -> None:
    run_id = manager.create_run("e", CONFIG)
    manager.plan(run_id, [sample(f"t{number}") for number in range(20)])
    workers = [
        {"domain": "d", "level": 1, "test_id": f"t{n}", "phase": "pass 1", "since_s": 40.0 + n} for n in range(3)
    ]
    manager.update_run(run_id, live={"in_flight": 3, "workers": workers, "holds": [], "outage_s": None})
    moments = itertools.count(step=16.0)
    lock = RunLock(manager.path, run_id, "e")
    said = threading.Event()

    class Told(io.StringIO):
        def flush(self) -> None:
            said.set()

    stream = Told()
    try:
        with Progress(manager.path, run_id, since=1 << 40, stream=stream, clock=lambda: next(moments)):
            assert said.wait(20)
    finally:
        lock.release()
    (first, *_) = stream.getvalue().splitlines()
    assert first == "3 calls waiting, longest 42 s (d/1/t2: pass 1), model openai/test-model; 0 of 20 done"


def test_a_run_that_nobody_works_on_waits_for_nothing(manager: DBDataManager) -> None:
    assert waiting_words(RunRow(1, live={"in_flight": 3}, alive=False)) == ""
    assert "paused: at night; 0 of 2" in waiting_words(
        RunRow(1, status="paused", reason="at night", total_tests=2, live={"at": "x"}, alive=True)
    )
