"""Races as they are stored: what is raced, each look as it was decided, how it stands and whether somebody works on it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from modex.core.foundation.errors import StoreError
from modex.core.store.clock import now
from modex.core.store.exact import decode_json, decode_text
from modex.core.store.lock import RunLock, is_held
from modex.core.store.reader import Reader
from modex.core.store.tables import Race, fields_of
from modex.core.store.words import plain_errors

RaceStatus = Literal["running", "completed", "stopped", "aborted"]
_FIELDS = (
    "id", "exp_id", "status", "config", "looks", "reason", "stop_wanted_at", "started_at", "completed_at"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RaceRow:
    """One race as it stands."""

    id: int
    exp_id: str
    status: str
    config: dict[str, Any]
    looks: list[dict[str, Any]]
    reason: str | None
    stop_wanted: bool
    started_at: str
    completed_at: str | None
    alive: bool
    """Whether a process works on it now."""

    @property
    def state(self) -> str:
        """The status a person should see: one that nobody works on and that did not end is `interrupted`."""
        return "interrupted" if self.status == "running" and not self.alive else self.status

    @property
    def contenders(self) -> list[dict[str, Any]]:
        """Each with `exp_id`, `model` and `config`; None there for a stored run, which is not asked."""
        return list(self.config.get("contenders") or ())

    @property
    def tests(self) -> int:
        """Tests that the race has."""
        return int(self.config.get("tests") or 0)


def find_race(reader: Reader, exp_id: str) -> RaceRow | None:
    """The race of this name, or None."""
    return _first(reader, Race.exp_id == exp_id)


def race_by_id(reader: Reader, race_id: int) -> RaceRow:
    """The race with this id.

    Raises:
        StoreError: it is gone.
    """
    if (found := _first(reader, Race.id == race_id)) is None:
        raise StoreError(f"{reader.path}: the race was deleted; open another")
    return found


def races(reader: Reader, limit: int = 1000) -> list[RaceRow]:
    """Every race, the newest first."""
    query = Race.select(*fields_of(Race, _FIELDS)).order_by(Race.id.desc()).limit(limit)
    with plain_errors(reader.path):
        return [_row(reader, row) for row in reader.database.fetch(query)]


def awaited(reader: Reader) -> dict[str, str]:
    """Runs that a race goes on with when it comes to its next look, each with the race's name; some are at work now."""
    query = Race.select(*fields_of(Race, _FIELDS)).where(Race.status == "running")
    with plain_errors(reader.path):
        going = [race for row in reader.database.fetch(query) if (race := _row(reader, row)).alive]
    found: dict[str, str] = {}
    for race in going:
        left = {one["run"] for one in race.looks[-1].get("dropped", ())} if race.looks else set()
        asked = (one["exp_id"] for one in race.contenders if one.get("config") is not None)
        found |= dict.fromkeys((exp_id for exp_id in asked if exp_id not in left), race.exp_id)
    return found


def _first(reader: Reader, condition: Any) -> RaceRow | None:
    with plain_errors(reader.path):
        rows = reader.database.fetch(Race.select(*fields_of(Race, _FIELDS)).where(condition))
    return _row(reader, rows[0]) if rows else None


def _row(reader: Reader, row: Sequence[Any]) -> RaceRow:
    id_, exp_id, status, config, looks, reason, stop, started, completed = row
    told = decode_text(reason) if isinstance(reason, str) else None
    alive = status == "running" and is_held(reader.path, id_, "race")
    config, looks = decode_json(config) or {}, decode_json(looks) or []
    return RaceRow(id_, exp_id, status, config, looks, told, stop is not None, started, completed, alive)


# what whoever works on a race writes; `reader` must be able to write


def begin_race(reader: Reader, exp_id: str, config: dict[str, Any]) -> tuple[int, RunLock]:
    """Store a race that begins, or goes on with what is raced now; its id, and the right to work on it.

    Raises:
        RunBusyError: somebody works on it.
        StoreError: it cannot be written.
    """
    with plain_errors(reader.path), reader.database.atomic("IMMEDIATE"):
        known = find_race(reader, exp_id)
        if known is None:
            row = {"exp_id": exp_id, "config": config, "started_at": now()}
            race_id = reader.database.add(Race.insert(row))
            return race_id, RunLock(reader.path, race_id, exp_id, kind="race")
        lock = RunLock(reader.path, known.id, exp_id, kind="race")
        changes = {"status": "running", "reason": None, "stop_wanted_at": None, "completed_at": None}
        # What was raced otherwise is no look of this race; what is raced again is decided again as it was.
        anew = {} if known.config == config else {"config": config, "looks": []}
        reader.database.change(Race.update({**changes, **anew}).where(Race.id == known.id))
        return known.id, lock


def store_look(reader: Reader, race_id: int, look: dict[str, Any]) -> None:
    """Keep a look that is over, in place of an earlier decision of the same look and of what followed that."""
    with plain_errors(reader.path), reader.database.atomic("IMMEDIATE"):
        stored = race_by_id(reader, race_id).looks
        number = int(look["look"])
        if len(stored) >= number and stored[number - 1] == json.loads(json.dumps(look)):  # JSON has no tuples
            return
        reader.database.change(Race.update({"looks": [*stored[: number - 1], look]}).where(Race.id == race_id))


def end_race(reader: Reader, race_id: int, status: RaceStatus, reason: str | None = None) -> None:
    """Note that a race is over, or that nobody works on it any more and why."""
    done = {"status": status, "reason": reason, "stop_wanted_at": None, "completed_at": now()}
    with plain_errors(reader.path):
        reader.database.change(Race.update(done).where(Race.id == race_id))


def want_stop(reader: Reader, race_id: int) -> None:
    """Ask whoever works on a race to stop."""
    with plain_errors(reader.path):
        reader.database.change(Race.update({"stop_wanted_at": now()}).where(Race.id == race_id))


def stop_is_wanted(reader: Reader, race_id: int) -> bool:
    """Whether somebody asked for a stop."""
    wanted = Race.select(Race.id).where(Race.id == race_id, Race.stop_wanted_at.is_null(False))
    with plain_errors(reader.path):
        return bool(reader.database.fetch(wanted))


def delete_race(reader: Reader, race: RaceRow) -> None:
    """Delete a race and what was decided in it; its runs stay.

    Raises:
        StoreError: somebody works on it, or it cannot be written.
    """
    if is_held(reader.path, race.id, "race"):
        raise StoreError(f"{race.exp_id}: this race is being worked on; stop it before deleting it")
    with plain_errors(reader.path):
        reader.database.change(Race.delete().where(Race.id == race.id))
