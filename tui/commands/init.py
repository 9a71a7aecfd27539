"""`modex init`: a first suite to begin with."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("directory", default="my-suite", metavar="[DIR]", type=click.Path(file_okay=False, path_type=Path))
def init(directory: Path) -> None:
    """Write a first suite into DIR (default: my-suite): two domains, a tool, a judge, a dataset.

    Nothing that is there is overwritten.
    """
    from modex.core.safety import as_words, clean_line
    from modex.core.suite.first import OWN_QUESTIONS, write_first_suite

    for name in write_first_suite(directory):
        click.echo(clean_line(str(directory / name), 400))
    named = as_words(str(directory))
    click.echo(f"ask yours: a line more in {named}/{OWN_QUESTIONS}", err=True)
    click.echo(f"check it:  modex check {named}", err=True)
    click.echo(f"try it:    modex run --suite {named} --model demo", err=True)
