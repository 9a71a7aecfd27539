"""`modex import`: what another system wrote, in our form."""

from __future__ import annotations

from pathlib import Path

import click

_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.group(name="import")
def import_() -> None:
    """Bring in what another system wrote: suites and datasets as a suite of ours, answers as a run."""


@import_.command()
@click.argument("directory", metavar="DIR", type=_FOLDER)
@click.argument("out", metavar="OUT", type=_FOLDER)
def evonic(directory: Path, out: Path) -> None:
    """Write evonic's suite in DIR as a suite of ours into the new folder OUT.

    `modex run --suite DIR` takes it as it is, too; OUT is for going on with it here.
    """
    from core.evaluators.registry import evaluator_ids
    from core.safety import clean
    from core.suite.dialects.writing import import_suite
    from tui.plain.translated import told

    loading = import_suite(directory, out, evaluator_ids())
    for line in told(loading.suite, notes=True):
        click.echo(clean(line), err=True)
    _written(out, sum(test.invalid is None for test in loading.suite.tests))


def _written(out: Path, tests: int) -> None:
    import shlex

    from core.safety import clean_line

    named = shlex.quote(clean_line(str(out), 400))
    click.echo(clean_line(str(out), 400))
    click.echo(f"{tests} tests; check them:  modex check {named}", err=True)
