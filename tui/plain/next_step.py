"""The one command that a person is likely to want next, said below a command's output on a terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from modex.core.safety.clean import as_words
from modex.tui.plain.narration import say

if TYPE_CHECKING:
    from modex.core.store.rows import RunRow


def say_next(why: str, *words: str, database: Path | None = None) -> None:
    """Say `why` and the command, ready to be typed; nothing where the output is read by a program.

    `database` is the file that the command has read: it is named where modex would not look there by itself.
    """
    if not (sys.stdout.isatty() and sys.stderr.isatty()):
        return
    say(f"{why}: {as_words('modex', *words, *_named(database))}")


def say_next_of(run: RunRow, database: Path) -> None:
    """What to do with a run that has just ended: ask its errors again, read what failed, or else look around."""
    if run.error_tests:
        say_next("ask the errors again", "resume", run.exp_id, database=database)
    elif run.failed_tests:
        say_next("read what failed", "show", run.exp_id, "--status", "failed", database=database)
    elif run.passed_tests:
        say_next("compare it", "leaderboard", database=database)


def _named(database: Path | None) -> list[str]:
    from modex.core.config.settings import load_settings
    from modex.core.store.location import database_path

    if database is None or database.resolve() == database_path(load_settings().db).resolve():
        return []
    return ["--db", str(database)]
