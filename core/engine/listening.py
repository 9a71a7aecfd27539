"""What a session listens to while it plans, moves and sums up: viewers' commands, a stop, its database's place, a full disk."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator

from modex.core.engine.stopping import SIGINT_GRACE_S, SessionOutcome, Stopped, Stopping
from modex.core.foundation.errors import StoreError
from modex.core.pipeline.progress import ProgressCount
from modex.core.store.commands import SentCommand, take_commands
from modex.core.store.manager import DBDataManager
from modex.core.store.words import is_full, is_locked
from modex.core.suite.definitions import TestCase

COMMAND_PERIOD_S = 0.25
_ROOM_PERIOD_S = 0.5


class Listening:
    """Used by the session's own thread alone, whatever that does at the moment."""

    def __init__(self, manager: DBDataManager, run_id: int, stopping: Stopping, narrate: Callable[[str], None]) -> None:
        self._manager = manager
        self._run_id = run_id
        self._stopping = stopping
        self._narrate = narrate
        self._waiting: list[SentCommand] = []
        self._place = manager.database.place()
        self._waits = False

    def hear(self) -> None:
        """Take commands: a stop stops at once, the others wait for the workers they are meant for."""
        try:
            commands = take_commands(self._manager.database, self._run_id)
        except StoreError:
            return  # a full or locked disk: the commands stay in their rows until they can be taken
        self._waiting += commands
        if any(command.name == "stop" for command in commands):
            self._stopping.ask(SIGINT_GRACE_S)

    def commands(self) -> list[SentCommand]:
        """The commands heard that nobody has obeyed yet, oldest first; they are then the caller's."""
        self.hear()
        commands, self._waiting = self._waiting, []
        return commands

    def check_place(self) -> None:
        """Spend nothing more once the file that this run writes to is no longer where its name says."""
        if self._stopping.outcome is None and self._manager.database.place() not in (self._place, None):
            self._stopping.outcome = SessionOutcome(
                "aborted",
                f"{self._manager.path}: the database was moved, removed or replaced while this run was going on; what was "
                "stored until then is in that file: put it back, with its -wal file, and `modex resume` continues",
            )
            self._narrate(f"stopping: {self._stopping.outcome.reason}")
            self._stopping.ask(0.0)

    def check_stop(self) -> None:
        """Go no further where the session is to stop.

        Raises:
            Stopped: it is.
        """
        if self._stopping.asked.is_set():
            raise Stopped

    def until_stopped(self, tests: Iterator[TestCase]) -> Iterator[TestCase]:
        """The tests, until the session is to stop: planning a million takes longer than anyone waits for Ctrl-C.

        Raises:
            Stopped: it is to.
        """
        looked = time.monotonic()
        for test in tests:
            if time.monotonic() - looked >= COMMAND_PERIOD_S:
                looked = time.monotonic()
                self.hear()
                self.check_place()
            self.check_stop()
            yield test
        self.hear()

    def planning(self) -> Callable[[int], None]:
        """What the plan tells how far it is; a stop ends it with `Stopped`."""
        progress = ProgressCount("planning: {} samples so far", self._narrate)

        def told(count: int) -> None:
            progress.now(count)
            self.hear()
            self.check_stop()

        return told

    @contextlib.contextmanager
    def summing(self) -> Iterator[Callable[[int], None]]:
        """What `stat` tells how far it is; a stop that comes meanwhile ends it with `Stopped`, amid one statement too."""
        progress = ProgressCount("summing up: {} samples so far", self._narrate)
        stopping = self._stopping.asked.is_set()  # a run that was stopped before is summed up nevertheless

        def is_to_stop() -> bool:
            return self._stopping.asked.is_set() and not stopping

        def told(count: int) -> None:
            progress.now(count)
            if is_to_stop():
                raise Stopped

        try:
            with self._manager.database.ended_when(is_to_stop):
                yield told
        except KeyboardInterrupt as error:
            raise Stopped from error

    def wait_for_room(self, error: StoreError) -> bool:
        """Whether to try again, after a while, what a full or locked disk kept from being stored."""
        cause = error.__cause__
        if cause is None or not (is_full(cause) or is_locked(cause)) or self._stopping.asked.is_set():
            return False
        if not self._waits:
            self._waits = True
            self._narrate(f"paused: {error}")
        self.hear()
        self._stopping.asked.wait(_ROOM_PERIOD_S)
        return not self._stopping.asked.is_set()

    def found_room(self) -> None:
        """What waited for room is stored: say so, where it was said that it waits."""
        if self._waits:
            self._waits = False
            self._narrate("going on")
