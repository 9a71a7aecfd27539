"""Asking in a race: the same tests for all, block by block, in one seeded order.

A race is nothing but its runs: each model's grows by blocks of tests. Whoever starts the same race again finds the looks
that are over in the store, decides them as they were decided, and goes on at the block that is left.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from modex.core.config.runconfig import RunConfig
from modex.core.engine.session import Session
from modex.core.engine.start import prepare_run
from modex.core.engine.stopping import SessionOutcome
from modex.core.engine.work import at_work
from modex.core.foundation.errors import StoreError
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow

_LISTEN_S = 0.25


@dataclass(frozen=True, slots=True)
class Contender:
    """One model of a race: its run's name, and its configuration over all tests; None for a stored run that is not asked."""

    exp_id: str
    config: RunConfig | None


def ask_up_to(
    database: Path, contender: Contender, tests: int, stop_wanted: Callable[[], bool] = lambda: False
) -> SessionOutcome | None:
    """Ask the contender the first `tests` tests of the order, where that is not done; None where nothing was to do.

    `stop_wanted` is asked several times a second, from a thread of its own, and ends the work in order.

    Raises:
        ModexError: the run cannot be begun.
    """
    config = contender.config
    if config is None or _done(database, contender.exp_id, tests):
        return None
    block = config.model_copy(update={"selection": config.selection.model_copy(update={"sample": tests})})
    prepared = prepare_run(database, block, contender.exp_id)
    with (
        at_work(database, prepared.exp_id, narrate=lambda _: None, lock=prepared.lock) as (session, _),
        _stopping_when(stop_wanted, session),
    ):
        return session.run()


@contextlib.contextmanager
def _stopping_when(wanted: Callable[[], bool], session: Session) -> Iterator[None]:
    """Stop the session as soon as it is wanted."""
    over = threading.Event()

    def listen() -> None:
        while not over.wait(_LISTEN_S):
            with contextlib.suppress(
                StoreError
            ):  # a full or locked disk: the wish stays in its row until it can be read
                if wanted():
                    session.stop()
                    return

    thread = threading.Thread(target=listen, name="stop-wanted", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _done(database: Path, exp_id: str, tests: int) -> bool:
    """Whether a stored run has been through so many tests: more, or just these to the end and not all in vain."""
    if not database.exists():
        return False
    with contextlib.closing(Reader(database)) as reader:
        run: RunRow | None = reader.find_run(exp_id)
    if run is None:
        return False
    asked = (run.config.get("selection") or {}).get("sample") or 0
    whole = run.status == "completed" and (run.error_tests < run.done_tests or not run.done_tests)
    return asked > tests or (asked == tests and whole)
