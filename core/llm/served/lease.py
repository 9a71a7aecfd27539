"""A right to a server: the first who takes it has the server started, the last who gives it back has it ended."""

from __future__ import annotations

import os
import select
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import replace

from modex.core.foundation.atomic_write import PRIVATE, not_written, write_whole
from modex.core.foundation.errors import ConfigurationError
from modex.core.foundation.processes import is_ending, spawned
from modex.core.llm.served.status import (
    KEEPER,
    LEASE,
    START,
    WISH,
    Status,
    is_held,
    is_there,
    opened,
    read_status,
    taken,
)
from modex.core.llm.served.wish import Wish

_LOOK_S = 0.05
_ELSEWHERE = "make room on its disk, or name another folder with MODEX_SERVED"
_MOST_VANISHED = 3
"""Keepers that one wait may see end without a word: each has loaded the model."""
_TAKE_S = 30.0
"""Longer than a keeper needs to end, or to say that it begins."""


class ServerLease:
    """One process's right to the server of a wish; given back by `close`, or by the end of the process."""

    def __init__(self, wish: Wish, said: str = "") -> None:
        """Take it, and have the server started where nobody does. `said` is what messages call the model: its entry's name.

        Raises:
            ConfigurationError: the folder of its server cannot be written.
        """
        self.wish = wish
        self._said = said or wish.name
        self._place = wish.place
        self._lock = threading.Lock()
        self._held: int | None = None
        self._keepers = 0
        self._take()

    def ready(self, stop: Callable[[], bool] = lambda: False, tell: Callable[[str], None] = lambda _: None) -> Status:
        """Wait until the server answers; started again where its keeper was killed. `tell` hears how long it takes.

        Raises:
            ConfigurationError: it cannot be had; the message has its last lines.
            TimeoutError: `stop` said so.
        """
        began, told = time.monotonic(), 0.0
        vanished: set[int] = set()
        while True:
            status = read_status(self._place)
            # The system ends a killed keeper's server with the keeper's first thread, and lets go of its locks with the last.
            if status.state == "ready" and is_held(self._place, KEEPER) and not is_ending(status.pid):
                return status
            if status.state == "failed":  # of this keeper: it was waited for until it had said something
                raise ConfigurationError(self._failed(status))
            if stop():
                raise TimeoutError
            waited = time.monotonic() - began
            if waited - told >= 1.0:
                told = waited
                tell(f"{self._said}: its server is starting ({waited:.0f} s)")
            if not is_held(self._place, KEEPER):
                gone = status.serial if status.state == "starting" else 0
                vanished = {*vanished, gone} if gone else set()
                if len(vanished) >= _MOST_VANISHED:
                    raise ConfigurationError(
                        f"{self._said}: its server's keeper ended {len(vanished)} times before the server answered, and could"
                        f" not say why in {self._place}; {_ELSEWHERE}"
                    )
                with self._lock:
                    self._start_keeper()
            time.sleep(_LOOK_S)

    def status(self) -> Status:
        """How the server stands at this moment, with the starts by keepers that were killed."""
        status = read_status(self._place)
        return replace(status, starts=status.starts + max(0, self._keepers - 1))

    def close(self) -> None:
        """Give it back; may be called twice."""
        with self._lock:
            if self._held is not None:
                os.close(self._held)
                self._held = None

    def _take(self) -> None:
        deadline = time.monotonic() + _TAKE_S
        while self._held is None:
            try:
                self._place.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._held = self._taken()
            except FileNotFoundError:  # cleared away at this moment
                self._held = None
            except OSError as error:
                raise self._unwritable(error) from None
            if self._held is None:
                if time.monotonic() > deadline:
                    raise ConfigurationError(
                        f"{self._said}: its server's keeper neither ends nor goes on; end process "
                        f"{read_status(self._place).pid}"
                    )
                time.sleep(_LOOK_S)
        with self._lock:
            self._start_keeper()

    def _taken(self) -> int | None:
        """The lock; None where its keeper is about to end, or its folder was cleared away meanwhile."""
        held = opened(self._place, LEASE)
        if taken(held, shared=True) and is_there(self._place, LEASE, held):
            return held
        os.close(held)
        return None

    def _start_keeper(self) -> None:
        """Have a keeper where there is none: one of all who find that out starts it.

        Raises:
            ConfigurationError: it does not start, or its folder cannot be written.
        """
        starting = opened(self._place, START)
        try:
            deadline = time.monotonic() + _TAKE_S
            while not taken(starting):
                if time.monotonic() > deadline:
                    return
                time.sleep(_LOOK_S)
            if is_held(self._place, KEEPER):
                return
            before = read_status(self._place).serial
            write_whole(self._place / WISH, self.wish.to_json(), mode=PRIVATE)
            said = self._keeper_says(deadline)
            if read_status(self._place).serial <= before and not is_held(self._place, KEEPER):
                why = said.strip().rpartition("\n")[2][:300] or "it said nothing"
                raise ConfigurationError(
                    f"{self._said}: its server's keeper did not start in {self._place}: {why}; {_ELSEWHERE}"
                )
            self._keepers += 1
        except OSError as error:
            raise self._unwritable(error) from None
        finally:
            os.close(starting)

    def _keeper_says(self, deadline: float) -> str:
        """Start it, and wait for its first word in the status or, where that cannot be written, here."""
        with subprocess.Popen(
            [*spawned("modex.core.llm.served.keeper"), str(self._place)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd="/",
            start_new_session=True,
        ) as process:
            assert process.stdout is not None
            said = b""
            while select.select([process.stdout], [], [], max(0.0, deadline - time.monotonic()))[0]:
                if not (part := os.read(process.stdout.fileno(), 65_536)):
                    break
                said += part
            return said.decode("utf-8", "replace")

    def _unwritable(self, error: OSError) -> ConfigurationError:
        return not_written(error.filename or self._place, error, "name another folder with MODEX_SERVED")

    def _failed(self, status: Status) -> str:
        advice = "check `serve.command`" if self.wish.file is None else "check the file and its options"
        said = status.words.partition("\n")
        return f"{self._said}: its server cannot be had: {said[0]}; {advice}{said[1]}{said[2]}"
