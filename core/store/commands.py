"""Commands of viewers to a runner: rows that any terminal that sees the database may add, until the runner takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from modex.core.store.again import Again
from modex.core.store.clock import now
from modex.core.store.connection import Database
from modex.core.store.exact import decode_json
from modex.core.store.tables import RunCommand
from modex.core.store.words import plain_errors

CommandName = Literal["pause", "resume", "stop", "concurrency", "skip"]


_WAITING = Again(
    lambda run_id: (
        RunCommand.select(RunCommand.id, RunCommand.command, RunCommand.argument)
        .where(RunCommand.run == run_id, RunCommand.handled_at.is_null())
        .order_by(RunCommand.id)
    ),
    1,
)


@dataclass(frozen=True, slots=True)
class SentCommand:
    """One command as the runner takes it."""

    id: int
    name: str
    argument: Any


def add_command(database: Database, run_id: int, name: CommandName, argument: object = None) -> None:
    """Leave a command for the run's runner."""
    row = {"run": run_id, "command": name, "argument": argument, "created_at": now()}
    with plain_errors(database.path):
        database.change(RunCommand.insert(row))


def take_commands(database: Database, run_id: int) -> list[SentCommand]:
    """The commands that nobody has taken yet, oldest first; they are then taken."""
    with plain_errors(database.path):
        rows = _WAITING.rows(database, run_id)
        if rows:
            taken = RunCommand.id.in_([row[0] for row in rows])
            database.change(RunCommand.update({RunCommand.handled_at: now()}).where(taken))
    return [SentCommand(id_, name, decode_json(argument)) for id_, name, argument in rows]


def forget_commands(database: Database, run_id: int) -> None:
    """Drop commands that were meant for an earlier runner, by who has just taken the run."""
    with plain_errors(database.path):
        database.change(RunCommand.delete().where(RunCommand.run == run_id))
