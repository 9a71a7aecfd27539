"""Keeping the index in step with a run that is going on, on a thread of its own that takes a bounded share of a core."""

from __future__ import annotations

import contextlib
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from modex.core.foundation.errors import StoreError
from modex.core.store.reader import Reader

if TYPE_CHECKING:
    from modex.core.store.search.index import SearchIndex

SHARE = 0.01
"""Of the time that passes, so much is spent at most; what a fast run leaves is taken in by the first search."""
CACHE_KB = 1_000
"""Of the store and of the index, so much is kept in memory: a runner that works for days would else hold 24 MB."""
_BATCH = 32
_LOOK_S = 1.0


def opened(database: Path) -> tuple[Reader, SearchIndex]:
    """The store and its index for this thread, each holding little of its file.

    Raises:
        StoreError: one of them cannot be opened.
    """
    from modex.core.store.search.index import SearchIndex  # here: a run's first request does not wait for it

    index = SearchIndex(database, wait_s=0.0, cache_kb=CACHE_KB)
    reader = Reader(database)
    reader.database.keep_in_memory(CACHE_KB)
    return reader, index


class IndexInStep:
    """Takes a run's new samples into the index until it is closed; never an error of the run."""

    def __init__(self, database: Path, run_id: int) -> None:
        self._database = database
        self._run_id = run_id
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._loop, name="search-index", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread; a batch that it has begun is finished."""
        self._over.set()
        self._thread.join()

    def _loop(self) -> None:
        with contextlib.suppress(StoreError):  # another process has the index, or the disk is full: a search catches up
            if self._over.wait(_LOOK_S):
                return
            reader, index = opened(self._database)
            try:
                self._follow(reader, index)
            finally:
                index.close()
                reader.close()

    def _follow(self, reader: Reader, index: SearchIndex) -> None:
        pause = 0.0
        while not self._over.wait(pause):
            started = time.thread_time()
            taken = index.take_batch(reader, self._run_id, _BATCH)
            spent = time.thread_time() - started
            pause = max(spent / SHARE, _LOOK_S if taken < _BATCH else 0.0)
