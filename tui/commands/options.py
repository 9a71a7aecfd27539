"""Options that several commands share, and what they mean."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Function = TypeVar("Function", bound=Callable[..., Any])


def db_option(function: Function) -> Function:
    """`--db FILE`, on every command that reads or writes runs."""
    return click.option("--db", "db", type=click.Path(dir_okay=False, path_type=Path), help="Database file.")(function)


def json_option(function: Function) -> Function:
    """`--json`, on every command that prints data."""
    return click.option("--json", "as_json", is_flag=True, help="Print data as JSON.")(function)


def database_of(ctx: click.Context, given: Path | None) -> Path:
    """The database file: this command's `--db`, else the one before the command, else settings and defaults."""
    from core.settings import load_settings
    from core.store.location import database_path

    above = ctx.parent.params.get("db") if ctx.parent is not None else None
    return database_path(given or above or load_settings().db)


def print_json(value: Any) -> None:
    """Print `value` as JSON; what no terminal should see is escaped."""
    from core.safety import redact

    click.echo(redact(json.dumps(value, ensure_ascii=True, indent=2, default=str)))
