"""`modex tests`: which tests a suite or a dataset has, and which of them a run would take."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import click

from modex.core.config.options import OPTIONS
from modex.tui.commands.options import GroupedCommand, json_option, print_json, run_option

if TYPE_CHECKING:
    from modex.core.suite.definitions import TestCase

_SELECTING = [
    option.name
    for option in OPTIONS
    if option.group in ("Tests", "Datasets") and option.name not in ("suite", "epochs", "variant", "skip_invalid")
] + ["seed", "no_judge"]


@dataclass(frozen=True, slots=True)
class Listed:
    """A test as it is listed."""

    id: str
    name: str
    evaluator: str
    rollout: str
    tools: list[str]
    judged: bool
    """Whether an LLM judge decides."""
    mistake: str | None
    """Why it cannot run."""


def _selecting(function: Any) -> Any:
    for name in reversed(_SELECTING):
        function = run_option(name)(function)
    return function


@click.command(cls=GroupedCommand)
@click.argument("directory", required=False, metavar="[DIR]")
@_selecting
@json_option
def tests(directory: str | None, as_json: bool, **options: Any) -> None:
    """List the tests of the suite in DIR (default: that of the settings, else the bundled one) that a run would take."""
    from modex.core.config.configuration import configuration
    from modex.core.config.options import merged
    from modex.core.config.settings import load_settings
    from modex.core.pipeline.assembly import is_judged, open_suite, select_tests
    from modex.core.pipeline.suite_files import evaluator_configs
    from modex.core.safety import clean_line

    set_suite = {} if options.get("dataset") else {"suite": load_settings().run.get("suite")}
    given = merged({"suite": directory, "skip_invalid": True}, options, set_suite)
    config = configuration("demo", given)
    suite = open_suite(config.selection.suite, allow_plugins=config.selection.allow_plugins)
    selected, evaluators = select_tests(suite, config), evaluator_configs(suite)
    rows = [_row(test, judged=is_judged(test, evaluators)) for test in selected]
    if as_json:
        print_json([asdict(row) for row in rows])
        return
    width = min(48, max((len(row.id) for row in rows), default=0))
    for row in rows:
        tools = f"{len(row.tools)} tool{'s' if len(row.tools) > 1 else ''}" if row.tools else ""
        notes = (row.evaluator, tools, "judge" if row.judged else "")
        marked = ", ".join(note for note in notes if note)
        click.echo(f"{clean_line(row.id, 80):{width}}  {marked:<28} {clean_line(row.mistake or row.name, 60)}".rstrip())
    judged = sum(row.judged for row in rows)
    taken = {(test.domain, test.level, test.test_id) for test in selected}
    off = sum(
        test.disabled_by is not None and (test.domain, test.level, test.test_id) not in taken for test in suite.tests
    )
    by_judge = f", {judged} by a judge" if judged else ""
    click.echo(f"{len(rows)} tests{by_judge}{off_words(off)}", err=True)


def off_words(off: int) -> str:
    """What a count of tests leaves out: ` (21 more are off: a run takes them by name)`."""
    return (
        f" ({off} more {'is' if off == 1 else 'are'} off: a run takes {'it' if off == 1 else 'them'} by name)"
        if off
        else ""
    )


def _row(test: TestCase, *, judged: bool) -> Listed:
    return Listed(
        f"{test.domain}/{test.level}/{test.test_id}",
        test.name or (test.prompt if isinstance(test.prompt, str) else str(test.prompt[-1].get("content", "")))[:200],
        test.evaluator_id,
        test.rollout,
        [tool.name for tool in test.tools],
        judged,
        test.invalid,
    )
