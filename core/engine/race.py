"""Running a race: the same tests for all, a look after each block, models that are decided against are asked no more.

A race is nothing but its runs: each model's grows by blocks of tests in one seeded order. Whoever starts the same race
again finds the looks that are over in the store, decides them as they were decided, and goes on at the block that is left.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.engine.session import Outcome
from core.engine.start import prepare_run
from core.engine.work import at_work
from core.runconfig import RunConfig
from core.store.reader import Reader
from core.store.rows import RunRow


@dataclass(frozen=True, slots=True)
class Contender:
    """One model of a race: its run's name, and its configuration over all tests; None for a stored run that is not asked."""

    exp_id: str
    config: RunConfig | None


def ask_up_to(database: Path, contender: Contender, tests: int) -> Outcome | None:
    """Ask the contender the first `tests` tests of the order, where that is not done; None where nothing was to do.

    Raises:
        ModexError: the run cannot be begun.
    """
    config = contender.config
    if config is None or _done(database, contender.exp_id, tests):
        return None
    block = config.model_copy(update={"selection": config.selection.model_copy(update={"sample": tests})})
    prepared = prepare_run(database, block, contender.exp_id)
    with at_work(database, prepared.exp_id, narrate=lambda _: None, lock=prepared.lock) as (session, _):
        return session.run()


def _done(database: Path, exp_id: str, tests: int) -> bool:
    """Whether a stored run has been through so many tests: through more, or through just these to the end."""
    if not database.exists():
        return False
    reader = Reader(database)
    try:
        run: RunRow | None = reader.find_run(exp_id)
    finally:
        reader.close()
    if run is None:
        return False
    asked = (run.config.get("selection") or {}).get("sample") or 0
    return asked > tests or (asked == tests and run.status == "completed")
