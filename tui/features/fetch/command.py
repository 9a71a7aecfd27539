"""`modex fetch`: bring known benchmarks from the Hub."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from modex.tui.commands.options import json_option, print_json
from modex.tui.features.fetch.names import complete_names, homes_named

if TYPE_CHECKING:
    from modex.core.features.fetch.fetch import Fetched, FetchWish
    from modex.core.suite.datasets.homes import DatasetHome


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=complete_names)
@click.option(
    "--list", "lists", is_flag=True, help="List what can be fetched, and what of it is here; as `modex datasets`."
)
@click.option("--revision", help="Branch, tag or commit of the repository; from then on it is held to.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to put it in; MODEX_DATASETS names it to runs.",
)
@click.option("--offline", is_flag=True, help="Ask no network: take what is here, or what you put there.")
@click.option("--again", is_flag=True, help="Download it anew, whatever is here.")
@json_option
@click.pass_context
def fetch(
    ctx: click.Context,
    names: tuple[str, ...],
    lists: bool,
    revision: str | None,
    out: Path | None,
    offline: bool,
    again: bool,
    as_json: bool,
) -> None:
    """Bring known benchmarks from the Hub, verified, into a folder of modex's own; `modex run --dataset NAME` asks them.

    The first fetch holds a name to the commit that its branch is then. HF_ENDPOINT names another hub, HF_TOKEN opens what
    asks who you are. A download that breaks off is gone on with. Prints the file with the rows of each.
    """
    from modex.core.features.fetch.fetch import FetchWish
    from modex.core.suite.datasets.fetched import datasets_folder
    from modex.tui.features.fetch.listing import show_datasets

    if lists:
        show_datasets(names, as_json=as_json)
        return
    if not names:
        raise click.UsageError("name what to fetch; `modex fetch --list` says what there is", ctx)
    homes = homes_named(names)
    if revision is not None and len({home.repository for home in homes}) > 1:
        raise click.UsageError("--revision is of one repository; name one at a time", ctx)
    folder = datasets_folder() if out is None else out.expanduser().absolute()
    wanted = FetchWish(folder, revision, offline, again)
    found = [_one(home, wanted, as_json=as_json) for home in homes]
    if as_json:
        print_json(found)
    ctx.exit(max((int(one["exit_code"]) for one in found), default=0))


def _one(home: DatasetHome, wanted: FetchWish, *, as_json: bool) -> dict[str, Any]:
    from modex.core.features.fetch.fetch import fetch as bring
    from modex.core.foundation.errors import ModexError
    from modex.tui.features.fetch.progress import DownloadLine
    from modex.tui.plain.narration import say

    progress = DownloadLine(sys.stderr)
    try:
        fetched = bring(home, wanted, progress)
    except ModexError as error:
        progress.ends()
        say(f"modex: {error}")
        return {"name": home.name, "error": str(error), "exit_code": int(error.exit_code)}
    progress.ends()
    say(_told(home, fetched))
    if fetched.note:
        say(f"{home.name}: {fetched.note}")
    if not as_json:
        click.echo(str(fetched.file))
    manifest = fetched.manifest
    return {
        "name": home.name,
        "preset": home.preset,
        "repository": manifest.repository,
        "revision": manifest.revision,
        "file": str(fetched.file),
        "sha256": manifest.digest,
        "bytes": manifest.size,
        "licence": home.licence,
        "was_here": fetched.was_here,
        "note": fetched.note,
        "exit_code": 0,
    }


def _told(home: DatasetHome, fetched: Fetched) -> str:
    manifest = fetched.manifest
    what = "is here" if fetched.was_here else "fetched"
    licence = f", {home.licence}" if home.licence else ""
    size = f"{manifest.size / 1e6:,.1f} MB"
    return f"{home.name}: {what}, {manifest.repository} {manifest.said}, {size}, verified{licence}"
