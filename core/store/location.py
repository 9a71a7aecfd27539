"""Where the database is: `--db`, else `MODEX_DB`, else the platform's data folder; and what stands beside it."""

from __future__ import annotations

import os
from pathlib import Path


def database_path(given: str | Path | None = None) -> Path:
    """Return the path of the database file; nothing is created."""
    if given:
        return Path(given).expanduser()
    if from_environment := os.environ.get("MODEX_DB"):
        return Path(from_environment).expanduser()
    from platformdirs import user_data_path

    return user_data_path("modex", appauthor=False) / "modex.db"


def runner_log(database: Path) -> Path:
    """Where runners in the background say what they have to say outside the run's own log."""
    return database.with_name(database.name + ".runner.log")


def draft_file(database: Path) -> Path:
    """Where the plan of a new run is kept that was left before it was started."""
    return database.with_name(database.name + ".draft.json")
