"""Wishes of viewers to a runner, through the store: they work from any terminal that sees the database."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from core.errors import StoreError
from core.store.clock import now
from core.store.database import Database, open_database, plain_errors
from core.store.lock import is_held
from core.store.reader import Reader

Command = Literal["pause", "resume", "stop", "concurrency", "skip"]


@dataclass(frozen=True, slots=True)
class Wish:
    """One command as the runner takes it."""

    id: int
    command: str
    argument: Any


def send_command(database: Path, run_id: int, command: Command, argument: object = None) -> None:
    """Ask the run's runner for something; it reacts within a fraction of a second, or as soon as it has begun.

    Raises:
        StoreError: nobody works on the run or is about to, or the database cannot be written.
    """
    store = open_database(database)
    try:
        if not is_held(database, run_id) and Reader(database, store).run_by_id(run_id).state != "starting":
            raise StoreError("nobody works on this run now; `modex resume` continues it")
        with plain_errors(database):
            store.run(
                "INSERT INTO run_commands (run_id, command, argument, created_at) VALUES (?, ?, ?, ?)",
                [run_id, command, json.dumps(argument), now()],
            )
    finally:
        store.close()


def take_commands(store: Database, run_id: int) -> list[Wish]:
    """The wishes that nobody has taken yet, oldest first; they are then taken."""
    with plain_errors(store.path):
        rows = store.rows(
            "SELECT id, command, argument FROM run_commands WHERE run_id = ? AND handled_at IS NULL ORDER BY id",
            [run_id],
        )
        for row in rows:
            store.run("UPDATE run_commands SET handled_at = ? WHERE id = ?", [now(), row[0]])
    return [Wish(id_, command, json.loads(argument) if argument else None) for id_, command, argument in rows]


def forget_commands(store: Database, run_id: int, *, before: str | None) -> None:
    """Drop wishes that were meant for an earlier runner: those from `before` this one was launched, or all of them."""
    with plain_errors(store.path):
        store.run("DELETE FROM run_commands WHERE run_id = ? AND created_at < ?", [run_id, before or now()])
