"""The first schema; a new database is created from the models and only notes this name."""

from __future__ import annotations

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Nothing to change: no older schema exists."""
    del migrator, db
