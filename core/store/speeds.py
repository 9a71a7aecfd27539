"""How fast a run's answers came, as columns of numbers."""

from __future__ import annotations

from core.store.reader import Reader
from core.store.tables import IndividualTestResult as Result
from core.store.words import plain_errors


def speeds(reader: Reader, run_id: int) -> tuple[list[float], list[float], list[float]]:
    """Of the samples that have them: milliseconds to the first token, tokens a second, milliseconds of the rollout."""
    wanted = Result.select(Result.ttft_ms, Result.output_tokens_per_s, Result.duration_ms).where(Result.run == run_id)
    with plain_errors(reader.path):
        rows = reader.database.fetch(wanted)
    first, per_second, whole = (
        [float(value) for value in (row[index] for row in rows) if isinstance(value, int | float) and value > 0]
        for index in range(3)
    )
    return first, per_second, whole
