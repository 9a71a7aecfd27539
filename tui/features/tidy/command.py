"""`modex tidy`: give back the room on the disk that nothing needs."""

from __future__ import annotations

from pathlib import Path

import click

from modex.tui.commands.options import database_of, db_option, json_option, print_json


@click.command()
@click.option("--dry-run", is_flag=True, help="Only list what there is.")
@click.option("--backups", is_flag=True, help="Remove backups from before an upgrade too.")
@click.option("--index", is_flag=True, help="Remove the search index too; the next search makes it again.")
@db_option
@json_option
@click.pass_context
def tidy(ctx: click.Context, dry_run: bool, backups: bool, index: bool, db: Path | None, as_json: bool) -> None:
    """Remove what a database left on the disk and nothing needs; no run, answer or verdict is touched.

    That is: copies that were never finished, questions of imported runs that were deleted, and the free pages that
    deleted runs leave inside the file.
    """
    from modex.core.foundation.errors import StoreError
    from modex.core.safety import clean_line
    from modex.core.store.schema import look_at
    from modex.core.store.tidy import leftovers, remove

    path = database_of(ctx, db)
    if look_at(path) is None:
        raise StoreError(f"{path}: no database here yet, so nothing to tidy; name another file with --db")
    chosen = {"backup": backups, "search index": index}
    freed, wrong, listed = 0, 0, []
    for one in leftovers(path):
        goes = one.dead or chosen.get(one.kind, False)
        done: int | None = None
        why = ""
        if goes and not dry_run:
            try:
                done = remove(path, one)
                freed += done
            except StoreError as error:
                wrong, why = wrong + 1, str(error)
        state = "kept" if not goes else "would go" if dry_run else "removed" if done else "stays"
        listed.append({"kind": one.kind, "path": str(one.path), "bytes": one.bytes, "state": state, "freed": done or 0})
        if not as_json:
            hint = _HINTS.get(one.kind, "") if not goes else ""
            click.echo(f"{one.bytes / 1e6:>10,.1f} MB  {state:<8}  {one.kind}: {clean_line(one.path.name, 80)}{hint}")
        if why:
            click.echo(clean_line(why, 400), err=True)
    if as_json:
        print_json({"leftovers": listed, "freed": freed})
    elif not listed:
        click.echo("nothing to tidy", err=True)
    elif not dry_run:
        click.echo(f"{freed / 1e6:,.1f} MB freed", err=True)
    ctx.exit(1 if wrong else 0)


_HINTS = {"backup": "  (--backups removes it)", "search index": "  (--index removes it)"}
