"""`modex check`: every mistake in a suite at once, as `file:line: message`; with `--solutions` whether tests can be passed."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from modex.tui.commands.options import GroupedCommand, json_option, print_json, run_option
from modex.tui.plain.next_step import say_next

if TYPE_CHECKING:
    from modex.core.foundation.errors import Problem
    from modex.core.suite.definitions import Suite


_OF_SOLUTIONS = ("domain", "level", "test", "limit", "allow_plugins", "dataset", "preset", "sandbox", "concurrency")


def _selecting(function: Any) -> Any:
    for name in reversed(_OF_SOLUTIONS):
        function = run_option(name)(function)
    return function


@click.command(cls=GroupedCommand)
@click.argument("directory", required=False, metavar="[DIR]")
@click.option("--notes", is_flag=True, help="Also list keys that modex keeps but does not know.")
@click.option(
    "--solutions",
    is_flag=True,
    help="Try the solutions that code and workspace tests carry: each must pass, and doing nothing must not.",
)
@_selecting
@json_option
@click.pass_context
def check(
    ctx: click.Context, /, directory: str | None, notes: bool, solutions: bool, as_json: bool, **options: Any
) -> None:
    """Check the suite in DIR (default: the bundled one) without any call: exit 2 with mistakes, 1 where something is not here."""
    if solutions:
        from modex.tui.features.solutions.command import solutions_of

        ctx.exit(solutions_of(directory, options, as_json=as_json))
    if given := [name for name, value in options.items() if value not in (None, (), False)]:
        raise click.UsageError(f"--{given[0].replace('_', '-')} chooses solutions; give --solutions too")
    from modex.core.pipeline.assembly import problems_of
    from modex.core.safety import clean, clean_line
    from modex.core.suite.lists import is_open, list_words
    from modex.tui.plain.translated import told

    suite, problems = problems_of(directory)
    skipped = [test for test in suite.tests if test.invalid] if suite.dialect is not None else []
    code = 2 if problems else 1 if suite.lacks or skipped else 0
    if as_json:
        rows = [{"path": item.path, "line": item.line, "message": item.message} for item in problems]
        noted = [{"path": item.path, "line": item.line, "message": item.message} for item in suite.notes]
        found: dict[str, object] = {
            "root": str(suite.root),
            "tests": len(suite.tests),
            "datasets": {name: count for name, count, _ in _rows(suite)},
            "problems": rows,
            "lacks": [{"path": item.path, "line": item.line, "message": item.message} for item in suite.lacks],
            "notes": noted,
        }
        if suite.dialect is not None:
            found["dialect"] = suite.dialect
            found["translated"] = [asdict(item) for item in suite.translated]
            found["not_runnable"] = [
                {
                    "test": f"{test.domain}/{test.level}/{test.test_id}",
                    "path": test.location.path,
                    "line": test.location.line,
                    "reason": test.invalid,
                }
                for test in skipped
            ]
        print_json(found)
        ctx.exit(code)
    for problem in problems:
        click.echo(clean_line(str(problem)))
    excused = frozenset(suite.excused)
    for lack in suite.lacks:
        click.echo(clean_line(f"{'mistake' if lack in excused else 'not here'}: {lack}"))
    if notes:
        for note in suite.notes:
            click.echo(f"note: {clean_line(str(note))}")
        if not suite.notes:
            click.echo("no notes: every key is known and every file is used", err=True)
    else:
        for note in suite.notes:
            if (
                "is ignored: tests stand" in note.message
            ):  # a file of tests that nobody would miss until the scores are read
                click.echo(f"note: {clean_line(str(note))}", err=True)
    for line in told(suite, notes=notes):
        click.echo(clean(line), err=True)
    if listed := sum(is_open(test) for test in suite.tests):
        click.echo(list_words(listed, "any"), err=True)
    for name, count, form in _rows(suite):
        click.echo(clean_line(f"{name}: {count:,} row{'s' if count != 1 else ''}"), err=True)
        click.echo(clean_line(form), err=True)
    if unsent := sum("its file is not sent" in note.message for note in suite.notes):
        ends = "1 row names a file" if unsent == 1 else f"{unsent} rows name files"
        click.echo(f"{ends} that no model is sent and will end as errors (--notes lists them)", err=True)
    cells = {(test.domain, test.level) for test in suite.tests}
    domains = {test.domain for test in suite.tests}
    datasets = f", {_some(suite.datasets, 'dataset')}" if suite.datasets else ""
    off = sum(test.disabled_by is not None for test in suite.tests)
    of_them = f" ({off} of them off)" if off else ""
    click.echo(
        f"{suite.root}: {_some(suite.tests, 'test')}{of_them} in {_some(cells, 'cell')} of {_some(domains, 'domain')}{datasets},"
        f" {_found(suite, problems, skipped)}"
        + (f", {_some(suite.notes, 'note')} (--notes)" if suite.notes and not notes else ""),
        err=True,
    )
    if not problems:
        say_next("try it", "run", "--model", "demo", "--suite", str(suite.root))
    ctx.exit(code)


def _found(suite: Suite, problems: list[Problem], skipped: Sized) -> str:
    """How many mistakes there are; of another system's suite also how many tests they and what is not here cost."""
    if suite.dialect is None:
        return _some(problems, "mistake")
    found = _some((*problems, *suite.excused), "mistake")
    return f"{found}, {_some(skipped, 'test')} skipped (--strict refuses the run)" if skipped else found


def _some(things: Sized, name: str) -> str:
    return f"{len(things)} {name}{'s' if len(things) != 1 else ''}"


def _rows(suite: Suite) -> list[tuple[str, int, str]]:
    """Each dataset's file, how many tests its rows are, and the form that they are asked for.

    One that cannot be read is named among the mistakes.
    """
    import contextlib

    from modex.core.foundation.errors import ConfigurationError
    from modex.core.suite.answer_forms import form_words
    from modex.core.suite.datasets.reader import read_suite_dataset

    found: list[tuple[str, int, str]] = []
    for dataset in suite.datasets:
        with contextlib.suppress(ConfigurationError):
            reader = read_suite_dataset(dataset, suite.root, golds_needed=False)
            found.append((dataset.location.path, sum(1 for _ in reader), form_words(reader)))
    return found
