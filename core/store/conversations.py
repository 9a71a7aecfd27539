"""The conversations of a run: which samples a simulated user took part in, and what the users cost."""

from __future__ import annotations

from dataclasses import dataclass

from modex.core.store.columns import DamagedValueError
from modex.core.store.exact import decode_text
from modex.core.store.reader import Reader
from modex.core.store.sample import SAMPLE_COLUMNS
from modex.core.store.simulated import SimulatedUser
from modex.core.store.tables import IndividualTestResult as Result
from modex.core.store.words import plain_errors


@dataclass(frozen=True, slots=True)
class Conversation:
    """One sample with a simulated user."""

    position: int
    """What tells it from the run's other samples."""
    name: str
    """`domain/level/test`."""
    epoch: int
    status: str
    user: SimulatedUser


def conversations(reader: Reader, run_id: int) -> list[Conversation]:
    """Every conversation of the run in planning order; damaged rows are left out. One index answers it where there are none.

    Raises:
        StoreError: the store cannot be read.
    """
    query = (
        Result.select(
            Result.position, Result.domain, Result.level, Result.test_id, Result.epoch, Result.status,
            Result.simulated_user,
        )
        .where(Result.run == run_id, Result.simulated_user.is_null(False))
        .order_by(Result.position)
    )  # fmt: skip
    with plain_errors(reader.database.path):
        rows = reader.database.fetch(query)
    found = []
    for position, domain, level, test_id, epoch, status, stored in rows:
        try:
            user = SAMPLE_COLUMNS["simulated_user"].decode(stored)
        except DamagedValueError:
            continue
        found.append(Conversation(position, f"{domain}/{level}/{decode_text(test_id)}", epoch, status, user))
    return found
