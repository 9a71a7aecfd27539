"""What a session hears while it plans, moves and sums up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.engine.listening import Listening
from core.engine.stopping import Stopped, Stopping
from core.runconfig import ModelSpec, RunConfig
from core.store.manager import DBDataManager


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
