"""A run that goes on brings its answers into the index, a little at a time."""

from __future__ import annotations

import time
from pathlib import Path

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
