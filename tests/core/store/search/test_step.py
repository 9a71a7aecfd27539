"""A run that goes on brings its answers into the index, a little at a time."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from modex.core.store.search.index import SearchIndex
from modex.core.store.search.step import CACHE_KB, IndexInStep, opened
from tests.tui.stores import StoreMaker, sample


def test_what_is_stored_meanwhile_is_in_the_index_soon(tmp_path: Path) -> None:
    store = StoreMaker(tmp_path / "modex.db")
    run = store.run("r", samples=[sample("m", 1, number, "passed", response="tolerance") for number in range(5)])
    step = IndexInStep(store.path, run)
    index = SearchIndex(store.path)
    deadline = time.monotonic() + 60
    while index.behind(store.manager.reader) and time.monotonic() < deadline:
        time.sleep(0.05)
    step.close()
    assert index.rows("SELECT count(*) FROM words WHERE words MATCH 'tolerance'", []) == [(5,)]
    index.close()
    store.close()


def test_what_follows_a_run_for_days_holds_little_of_both_files(tmp_path: Path) -> None:
    store = StoreMaker(tmp_path / "modex.db")
    store.run("r", samples=[sample("m", 1, 1, "passed")])
    reader, index = opened(store.path)
    # SQLite gives memory that it has filled back only when a connection ends: the bound is what a long run comes to.
    assert reader.database.rows("PRAGMA cache_size") == index.rows("PRAGMA cache_size", []) == [(-CACHE_KB,)]
    assert CACHE_KB <= 2_000
    index.close()
    reader.close()
    store.close()


def test_it_rests_a_hundred_times_as_long_as_it_worked_and_looks_again_after_a_second_where_all_is_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses: list[float] = []
    taken = iter([32, 32, 31, 0])
    spent = iter([0.0, 0.02, 1.0, 1.0, 2.0, 2.5, 3.0, 3.001])

    class Over:
        def wait(self, pause: float) -> bool:
            pauses.append(pause)
            return len(pauses) > 4

    class Index:
        def take_batch(self, reader: object, run_id: int, most: int) -> int:
            assert (run_id, most) == (7, 32)
            return next(taken)

    step = IndexInStep.__new__(IndexInStep)
    step._over, step._run_id = Over(), 7  # type: ignore[assignment]
    monkeypatch.setattr(time, "thread_time", lambda: next(spent))
    step._follow(None, Index())  # type: ignore[arg-type]
    assert pauses == pytest.approx([0.0, 2.0, 0.0, 50.0, 1.0])
