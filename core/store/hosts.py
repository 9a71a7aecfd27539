"""On which machines a run's samples were asked, and within which limits."""

from __future__ import annotations

from typing import Any

from peewee import fn

from modex.core.store.reader import Reader
from modex.core.store.tables import IndividualTestResult as Result
from modex.core.store.words import plain_errors


def hosts_of(reader: Reader, run_id: int) -> list[dict[str, Any]]:
    """`{"host", "limits", "samples"}` for each machine and what bounded the worker there, the most samples first.

    `limits` is None where the worker might take all of its machine.
    """
    count = fn.COUNT(Result.id)
    wanted = (
        Result.select(Result.host, Result.host_limits, count)
        .where(Result.run == run_id, Result.host.is_null(False))
        .group_by(Result.host, Result.host_limits)
        .order_by(count.desc(), Result.host, Result.host_limits)
    )
    with plain_errors(reader.path):
        rows = list(reader.database.each(wanted))
    return [
        {"host": str(host), "limits": None if limits is None else str(limits), "samples": samples}
        for host, limits, samples in rows
    ]
