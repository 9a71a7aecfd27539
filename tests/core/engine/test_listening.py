"""What a session hears while it plans, moves and sums up."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.engine import listening as hearing
from modex.core.engine.listening import Listening
from modex.core.engine.stopping import Stopped, Stopping
from modex.core.foundation.errors import StoreError
from modex.core.store.commands import SentCommand
from modex.core.store.manager import DBDataManager
from modex.core.suite.definitions import Location, TestCase


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[DBDataManager]:
    opened = DBDataManager(tmp_path / "m.db")
    opened.create_run("e", RunConfig(model=ModelSpec(model="demo")))
    yield opened
    opened.close()


def listening(manager: DBDataManager, stopping: Stopping) -> Listening:
    return Listening(manager, manager.reader.run("e").id, stopping, lambda _: None)


def test_a_stop_ends_the_summing_up(manager: DBDataManager) -> None:
    stopping = Stopping()

    def sum_up(told: Callable[[int], None]) -> None:
        told(1)
        stopping.ask(1.0)
        told(2)

    with pytest.raises(Stopped), listening(manager, stopping).summing() as told:
        sum_up(told)


def test_a_stop_ends_the_statement_that_sums_up(manager: DBDataManager) -> None:
    stopping = Stopping()
    long = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000000) SELECT max(i) FROM n"

    def sum_up() -> None:
        stopping.ask(1.0)
        manager.database.run(long)

    with pytest.raises(Stopped), listening(manager, stopping).summing():
        sum_up()


def test_what_was_stopped_before_is_summed_up_nevertheless(manager: DBDataManager) -> None:
    stopping = Stopping()
    stopping.ask(1.0)
    counted = []
    with listening(manager, stopping).summing() as told:
        for count in (1, 2):
            told(count)
            counted.append(count)
    assert counted == [1, 2]


def test_a_signal_amid_the_summing_up_is_a_stop(manager: DBDataManager) -> None:
    with pytest.raises(Stopped), listening(manager, Stopping()).summing():
        raise KeyboardInterrupt


def some_tests(number: int) -> Iterator[TestCase]:
    return (TestCase("suite", "d", 1, str(place), "p", "e", "keyword", Location("t.json")) for place in range(number))


def hears(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Somebody sends these commands, in one piece, before the next look."""
    waiting: list[list[SentCommand]] = [[SentCommand(number, name, None) for number, name in enumerate(names)]]
    monkeypatch.setattr(hearing, "take_commands", lambda *_: waiting.pop() if waiting else [])


def test_a_stop_is_heard_at_once_and_other_commands_wait_for_whom_they_are_meant(
    manager: DBDataManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopping = Stopping()
    heard = listening(manager, stopping)
    hears(monkeypatch, "pause", "resume")
    heard.hear()
    assert not stopping.asked.is_set()
    hears(monkeypatch, "stop")
    heard.hear()
    assert stopping.asked.is_set()
    assert [command.name for command in heard.commands()] == ["pause", "resume", "stop"]
    assert heard.commands() == []


def test_commands_that_cannot_be_taken_now_stay_where_they_are(
    manager: DBDataManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> list[SentCommand]:
        raise StoreError("the disk is full")

    monkeypatch.setattr(hearing, "take_commands", refuse)
    assert listening(manager, Stopping()).commands() == []


def test_planning_ends_with_a_stop_between_two_tests_and_between_two_samples(
    manager: DBDataManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopping = Stopping()
    heard = listening(manager, stopping)
    tests = heard.until_stopped(some_tests(3))
    assert next(tests).test_id == "0"
    stopping.ask(1.0)
    with pytest.raises(Stopped):
        next(tests)
    with pytest.raises(Stopped):
        heard.planning()(1)


def test_a_stop_that_comes_while_tests_are_read_is_heard(
    manager: DBDataManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hearing, "COMMAND_PERIOD_S", 0.0)
    hears(monkeypatch, "stop")
    with pytest.raises(Stopped):
        next(listening(manager, Stopping()).until_stopped(some_tests(1)))
    hears(monkeypatch, "stop")
    with pytest.raises(Stopped):
        listening(manager, Stopping()).planning()(1)


def test_the_last_command_is_heard_when_all_tests_were_read(
    manager: DBDataManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopping = Stopping()
    hears(monkeypatch, "stop")
    assert len(list(listening(manager, stopping).until_stopped(some_tests(2)))) == 2
    assert stopping.asked.is_set()


def test_a_database_that_was_replaced_ends_the_run_and_says_so_once(
    manager: DBDataManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopping, said = Stopping(), list[str]()
    heard = Listening(manager, 1, stopping, said.append)
    monkeypatch.setattr("modex.core.engine.stopping.time.monotonic", lambda: 100.0)
    for place in (manager.database.place(), None):
        monkeypatch.setattr(manager.database, "place", lambda place=place: place)
        heard.check_place()
        assert stopping.outcome is None
    monkeypatch.setattr(manager.database, "place", lambda: (1, 2))
    heard.check_place()
    heard.check_place()
    assert stopping.outcome is not None
    assert stopping.outcome.status == "aborted"
    assert "was moved, removed or replaced" in (stopping.outcome.reason or "")
    assert (stopping.asked.is_set(), stopping.deadline) == (True, 100.0)  # not a call more is paid for
    assert len(said) == 1


@pytest.mark.parametrize(
    ("cause", "waits"),
    [
        (sqlite3.OperationalError("database or disk is full"), True),
        (sqlite3.OperationalError("database is locked"), True),
        (sqlite3.OperationalError("no such table: x"), False),
        (None, False),
    ],
)
def test_a_full_or_locked_disk_is_waited_for_and_nothing_else(
    manager: DBDataManager, monkeypatch: pytest.MonkeyPatch, cause: Exception | None, waits: bool
) -> None:
    monkeypatch.setattr(hearing, "_ROOM_PERIOD_S", 0.0)
    said = list[str]()
    heard = Listening(manager, 1, Stopping(), said.append)
    error = StoreError("no room")
    error.__cause__ = cause
    heard.found_room()
    assert [heard.wait_for_room(error), heard.wait_for_room(error)] == [waits, waits]
    heard.found_room()
    heard.found_room()
    assert said == (["paused: no room", "going on"] if waits else [])


def test_nobody_waits_for_room_once_a_stop_is_asked_for(
    manager: DBDataManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = StoreError("no room")
    error.__cause__ = sqlite3.OperationalError("database is locked")
    stopping = Stopping()
    hears(monkeypatch, "stop")
    assert not listening(manager, stopping).wait_for_room(error)
    assert stopping.asked.is_set()
    assert not listening(manager, stopping).wait_for_room(error)
