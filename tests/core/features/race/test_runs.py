"""Asking in a race: a block is asked where it was not done to its end, and only then."""

from __future__ import annotations

from pathlib import Path

import pytest

from modex.core.config.runconfig import ModelSpec, RunConfig, Selection
from modex.core.engine.stopping import STOPPED_WORDS, SessionOutcome
from modex.core.features.race.runs import Contender, ask_up_to
from modex.core.foundation.errors import StoreError
from modex.core.store.manager import DBDataManager
from tests.core.engine.conftest import Bench
from tests.server import Reply


def stored(database: Path, sample: int | None, status: str) -> Contender:
    """A contender whose run was asked so many tests of the order and stands so; its tests cannot be read."""
    config = RunConfig(model=ModelSpec(model="demo"), selection=Selection(suite="gone", sample=sample))
    manager = DBDataManager(database)
    run_id = manager.create_run("r@demo", config)
    manager.update_run(run_id, status=status)
    manager.close()
    return Contender("r@demo", config)


@pytest.mark.parametrize(
    ("sample", "status", "done"),
    [
        (10, "completed", True),
        (10, "stopped", False),
        (10, "aborted", False),
        (10, "running", False),
        (9, "completed", False),
        (11, "stopped", True),  # a later block was begun, so this one was over
        (None, "completed", False),
    ],
)
def test_a_block_is_done_when_it_was_completed_or_a_later_one_was_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sample: int | None, status: str, done: bool
) -> None:
    contender = stored(tmp_path / "m.db", sample, status)
    begun: list[int | None] = []

    def prepare(_: Path, config: RunConfig, exp_id: str) -> None:
        begun.append(config.selection.sample)
        raise InterruptedError(exp_id)

    monkeypatch.setattr("modex.core.features.race.runs.prepare_run", prepare)
    if done:
        assert ask_up_to(tmp_path / "m.db", contender, 10) is None
        assert begun == []
    else:
        with pytest.raises(InterruptedError, match="r@demo"):
            ask_up_to(tmp_path / "m.db", contender, 10)
        assert begun == [10]


def test_a_stored_run_is_not_asked(tmp_path: Path) -> None:
    assert ask_up_to(tmp_path / "none.db", Contender("r", None), 10) is None


def raced(bench: Bench) -> Contender:
    """A contender over eight tests."""
    bench.server.behave(Reply("ok"))
    bench.prepare(8)
    return Contender("c", RunConfig.model_validate(bench.run().config))


def test_blocks_are_asked_one_after_the_other_and_nothing_twice(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("modex.core.features.race.runs._LISTEN_S", 0.001)
    contender = raced(bench)
    assert ask_up_to(bench.database, contender, 3) == SessionOutcome("completed")
    assert bench.server.hits == 3
    assert ask_up_to(bench.database, contender, 3) is None
    assert ask_up_to(bench.database, contender, 8) == SessionOutcome("completed")
    assert bench.server.hits == bench.run("c").passed_tests == 8


def test_a_stop_that_is_wanted_ends_the_block_in_order(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("modex.core.features.race.runs._LISTEN_S", 0.01)
    contender = raced(bench)
    bench.server.behave(Reply("ok", latency=0.2))
    outcome = ask_up_to(bench.database, contender, 8, lambda: bench.server.hits > 0)
    assert outcome is not None
    assert (outcome.status, bench.run("c").status) == ("stopped", "stopped")
    assert bench.server.hits < 8


def test_a_wish_to_stop_that_cannot_be_read_for_a_moment_is_read_later(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("modex.core.features.race.runs._LISTEN_S", 0.01)
    contender = raced(bench)
    bench.server.behave(Reply("ok", latency=0.2))
    refusals = ["the database is locked", "the disk is full"]

    def wanted() -> bool:
        if refusals:
            raise StoreError(refusals.pop())
        return bench.server.hits > 0

    outcome = ask_up_to(bench.database, contender, 8, wanted)
    assert (outcome, refusals) == (SessionOutcome("stopped", STOPPED_WORDS), [])
    assert bench.server.hits < 8
