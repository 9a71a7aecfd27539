"""What is stored of samples that are planned, found a chunk at a time: by where they should stand, else by their keys."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, NamedTuple

from modex.core.safety.known import FLAG
from modex.core.store.connection import Database
from modex.core.store.exact import decode_text
from modex.core.store.rows import to_column
from modex.core.store.sample import OTHER_RULES, EvaluationSample

CHUNK = 2000
"""Samples that are planned in one transaction."""
_LOOKUP = 400
_KEY = ("source", "domain", "level", "test_id", "epoch")
Key = tuple[str, str, int, str, int]
"""What identifies a sample within its run: the values of `_KEY`."""
_STORED = ", ".join(
    f"r.{name}"
    for name in (
        *_KEY, "id", "stage", "status", "rollout_fingerprint", "judge_fingerprint", "weight", "cluster", "error_type",
        "pass_needed", "pass_of",
    )
) + f", instr(r.flags, '\"{FLAG}\"') > 0, coalesce(instr(r.verdict_flags, '\"{OTHER_RULES}\"') > 0, 0)"  # fmt: skip


class Stored(NamedTuple):
    """What planning needs to know of a stored sample."""

    id: int
    stage: str
    status: str
    rollout_fingerprint: str | None
    judge_fingerprint: str | None
    weight: float
    cluster: str | None
    """As stored."""
    error_type: str | None
    pass_needed: int | None
    pass_of: int | None
    masked: int | None
    """Whether what is stored of its answer is not all that it said: a known secret was masked."""
    marked: int = 0
    """Whether its verdict is of another gold or evaluator than stands there."""


class Known:
    """What is stored of the samples that are planned, found a chunk at a time."""

    def __init__(self, database: Database, run_id: int, *, empty: bool) -> None:
        self._database = database
        self._run_id = run_id
        self.empty = empty
        """Whether the run had no samples: then nothing is looked for as long as each key comes once."""
        self._in_order = True
        """Whether samples are found at the positions where the same tests, planned before, have them."""

    def of(self, chunk: Sequence[EvaluationSample], planned: int) -> dict[Key, Stored]:
        """Those of `chunk` that are stored, more may be among them; `planned` samples came before it."""
        if self.empty:
            return {}
        found = self._at(planned) if self._in_order else {}
        missing = [key for sample in chunk if (key := sample.key) not in found]
        self._in_order = len(missing) < len(chunk)
        for start in range(0, len(missing), _LOOKUP):
            keys = missing[start : start + _LOOKUP]
            # Raw SQL: 9 µs a sample, less than Peewee needs to build the lookup.
            values = ", ".join(["(?, ?, ?, ?, ?)"] * len(keys))
            found |= self._read(
                f"(VALUES {values}) AS k JOIN individual_test_results AS r ON r.run_id = ?"
                " AND r.source = k.column1 AND r.domain = k.column2 AND r.level = k.column3 AND r.test_id = k.column4"
                " AND r.epoch = k.column5",
                [*(part for key in keys for part in _columns_of(key)), self._run_id],
            )
        return found

    def _at(self, position: int) -> dict[Key, Stored]:
        """The samples at a chunk of positions; none where one of their rows cannot be read."""
        try:
            return self._read(
                "individual_test_results AS r WHERE r.run_id = ? AND r.position BETWEEN ? AND ?",
                [self._run_id, position, position + CHUNK - 1],
            )
        except (sqlite3.OperationalError, TypeError):
            return {}

    def _read(self, where: str, parameters: Sequence[Any]) -> dict[Key, Stored]:
        return {
            (row[0], row[1], row[2], decode_text(row[3]), row[4]): Stored._make(row[5:])
            for row in self._database.rows(f"SELECT {_STORED} FROM {where}", parameters)
        }


def _columns_of(key: Key) -> tuple[Any, ...]:
    """A sample's key as its columns hold it."""
    return tuple(to_column(name, part) for name, part in zip(_KEY, key, strict=True))
