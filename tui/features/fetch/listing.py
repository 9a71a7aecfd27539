"""`modex datasets`: known benchmarks by name, and which are here."""

from __future__ import annotations

from typing import Any

import click

from modex.core.safety import clean_line
from modex.tui.commands.options import json_option, print_json
from modex.tui.features.fetch.names import complete_names, homes_named


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=complete_names)
@json_option
def datasets(names: tuple[str, ...], as_json: bool) -> None:
    """List the benchmarks that modex knows by name, and which are here (`modex fetch NAME` brings one).

    A run takes one that is here by its name: `modex run --dataset mmlu-pro --limit 200`.
    """
    show_datasets(names, as_json=as_json)


def show_datasets(names: tuple[str, ...], *, as_json: bool) -> None:
    """Print what there is; of `names` only those.

    Raises:
        ConfigurationError: a name stands for nothing, or the settings cannot be read.
    """
    from modex.core.suite.datasets.fetched import datasets_folder, everything, rows_file
    from modex.core.suite.datasets.homes import ELSEWHERE
    from modex.core.suite.datasets.presets import PRESETS

    folder = datasets_folder()
    wanted = {home.name for home in homes_named(names)} if names else None
    listed: list[dict[str, Any]] = []
    for home, manifest, fault in everything():
        if wanted is not None and home.name not in wanted:
            continue
        listed.append(
            {
                "name": home.name,
                "preset": home.preset,
                "title": PRESETS[home.preset].title,
                "rows": home.rows,
                "licence": home.licence,
                "gated": home.gated,
                "page": home.page,
                "here": manifest is not None and not fault,
                "revision": manifest.revision if manifest is not None else None,
                "sha256": manifest.digest if manifest is not None else None,
                "file": str(rows_file(folder, manifest)) if manifest is not None else None,
                "wrong": fault,
            }
        )
    if as_json:
        print_json(listed)
        return
    width = max(len(one["name"]) for one in listed)
    for one in listed:
        state = f"damaged: {one['wrong']}" if one["wrong"] else _state(one)
        gated = " (terms to accept)" if one["gated"] and not one["here"] else ""
        known = f"{one['name']:<{width}}  {one['rows']:>7,}  {one['licence']:<13}"
        click.echo(clean_line(f"{known} {state:<14}{gated}  {one['title']}", 400).rstrip())
    click.echo(f"in {clean_line(str(folder))}", err=True)
    if wanted is None:
        click.echo(f"read with --preset, but not fetched: {', '.join(ELSEWHERE)}", err=True)


def _state(one: dict[str, Any]) -> str:
    if not one["here"]:
        return "not here"
    return (one["revision"] or "by hand")[:12]
