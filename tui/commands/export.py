"""`modex export`: a run as json, csv, md, html or junit, on stdout or in a file."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import get_args

import click

from core.reports.export import Format
from tui.commands.options import database_of, db_option


@click.command()
@click.argument("exp")
@click.option("--format", "kind", type=click.Choice(get_args(Format)), default="json", show_default=True)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="File to write; default: stdout.")
@db_option
@click.pass_context
def export(ctx: click.Context, exp: str, kind: Format, out: Path | None, db: Path | None) -> None:
    """Write the run EXP; what is hostile in it is made harmless for the format."""
    from core.errors import ConfigurationError
    from core.reports.export import export as pieces
    from core.store.reader import Reader

    reader = Reader(database_of(ctx, db))
    try:
        run = reader.run(exp)
        if out is None:
            for piece in pieces(reader, run, kind):
                sys.stdout.buffer.write(piece.encode(errors="replace"))
            sys.stdout.flush()
            return
        try:
            descriptor = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace", newline="") as file:
                file.writelines(pieces(reader, run, kind))
        except OSError as error:
            raise ConfigurationError(f"{out}: {error.strerror}") from error
        sys.stderr.write(f"{out}\n")
    finally:
        reader.close()
