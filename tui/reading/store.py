"""Asking the store without ever making the screen wait: questions run on threads of their own."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal, TypeVar

from modex.core.store.reader import Reader

T = TypeVar("T")
Lane = Literal["poll", "browse", "work"]


class StoreView:
    """One reader of the database, asked on three threads, so that a key never waits for a report.

    `poll` is for small regular questions, `browse` for what a key asks for, `work` for what may take long.
    """

    def __init__(self, database: Path) -> None:
        self.database = database
        self._lanes: dict[Lane, ThreadPoolExecutor] = {
            "poll": ThreadPoolExecutor(1, thread_name_prefix="store-poll"),
            "browse": ThreadPoolExecutor(1, thread_name_prefix="store-browse"),
            "work": ThreadPoolExecutor(1, thread_name_prefix="store-work"),
        }
        self._lock = threading.Lock()
        self._reader: Reader | None = None
        self._working = 0

    @property
    def writable(self) -> bool:
        """Whether runs can be started and told things through this database; where there is none yet, it can be made."""
        places = [self.database, self.database.parent] if self.database.exists() else []
        return all(os.access(place, os.W_OK) for place in places)

    async def ask(self, question: Callable[[Reader], T], *, lane: Lane = "browse") -> T:
        """Answer `question(reader)` off the UI thread.

        Raises:
            StoreError: there is no database yet, or it cannot be read; the next question opens it anew.
        """
        return await asyncio.get_running_loop().run_in_executor(self._lanes[lane], self._answer, question)

    async def work(self, job: Callable[[], T]) -> T:
        """Run a job that may take long (a command, a file that is written) off the UI thread, after those before it."""
        self._working += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._lanes["work"], job)
        finally:
            self._working -= 1

    @property
    def working(self) -> bool:
        """Whether a job that may take long is under way: leaving waits for it."""
        return self._working > 0

    def _answer(self, question: Callable[[Reader], T]) -> T:
        with self._lock:
            if self._reader is None:
                self._reader = Reader(self.database)
            reader = self._reader
        return question(reader)

    def close(self) -> None:
        """Close every thread's connection and end the threads."""
        for lane in self._lanes.values():
            with contextlib.suppress(RuntimeError):
                lane.submit(self._close_reader).result()
                lane.shutdown()

    def _close_reader(self) -> None:
        with contextlib.suppress(Exception):
            if self._reader is not None:
                self._reader.close()
