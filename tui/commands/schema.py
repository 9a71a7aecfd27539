"""`modex schema`: JSON Schemas of suite files and of models.toml, so that editors complete and check them."""

from __future__ import annotations

from pathlib import Path

import click

from modex.tui.commands.options import print_json


@click.command()
@click.argument("name", required=False)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Write one file each into this folder.")
@click.pass_context
def schema(ctx: click.Context, name: str | None, out: Path | None) -> None:
    """Print the JSON Schema NAME (domain, level, test, dataset, evaluator, tool, models), or all of them."""
    import json

    from modex.core.config.entries.schema import entries_schema
    from modex.core.foundation.atomic_write import not_written, write_whole
    from modex.core.suite.schema import schemas

    known = {**schemas(), "models": entries_schema()}
    if name is not None and name not in known:
        raise click.UsageError(f"no schema {name!r}; there are {', '.join(known)}", ctx)
    chosen = {name: known[name]} if name else known
    if out is None:
        print_json(chosen[name] if name else chosen)
        return
    for key, document in chosen.items():
        path = out / f"{key}.schema.json"
        try:
            out.mkdir(parents=True, exist_ok=True)
            write_whole(path, json.dumps(document, indent=2) + "\n")
        except OSError as error:
            raise not_written(path, error, "name another folder with --out") from error
        click.echo(str(path))
