"""`modex prompt`: what a test really sends, with each layer of its system prompt and where it came from."""

from __future__ import annotations

import dataclasses
import json

import click

from modex.core.config.options import MOST_SEED
from modex.core.suite.definitions import TestCase
from modex.tui.commands.options import complete_tests, json_option, print_json


@click.command()
@click.argument("test_id", shell_complete=complete_tests)
@click.option("--suite", help="Suite folder; default: the bundled suite.")
@click.option("--variant", type=click.IntRange(0, MOST_SEED), help="Seed of the values of a test made from a template.")
@json_option
@click.pass_context
def prompt(ctx: click.Context, test_id: str, suite: str | None, variant: int | None, as_json: bool) -> None:
    """Show the effective prompt of TEST_ID (an id, or domain/level/id) by layer."""
    from modex.core.config.settings import load_settings
    from modex.core.foundation.errors import ConfigurationError
    from modex.core.pipeline.suite_files import load_suite_only
    from modex.core.suite.provenance import provenance
    from modex.core.suite.suggest import did_you_mean
    from modex.core.suite.variants import varied

    loaded = load_suite_only(suite or load_settings().run.get("suite"))
    found = [test for test in loaded.tests if test_id in (test.test_id, f"{test.domain}/{test.level}/{test.test_id}")]
    if not found:
        hint = did_you_mean(test_id, [test.test_id for test in loaded.tests]) or "; `modex tests` lists them"
        raise ConfigurationError(f"{loaded.root}: no test {test_id!r}{hint}")
    found = list(varied(dataclasses.replace(loaded, tests=found), variant).tests)
    if as_json:
        print_json([{**provenance(test).as_dict(), "tools": [tool.schema() for tool in test.tools]} for test in found])
        return
    for test in found:
        _print(test)
    ctx.exit(0)


def _print(test: TestCase) -> None:
    from modex.core.safety import clean, clean_line
    from modex.core.suite.provenance import provenance
    from modex.tui.look import format as fmt

    click.echo(f"{clean_line(test.domain)}/{test.level}/{clean_line(test.test_id)}   {test.location}")
    origin = provenance(test)
    for folded in origin.layers:
        layer = folded.layer
        state = f", overwritten by {folded.overwritten_by.location}" if folded.overwritten_by else ""
        click.echo(f"\n[{layer.scope}: {layer.mode}, {clean_line(str(layer.location))}{state}]")
        click.echo(clean(layer.text) or "(cleared)")
    click.echo("\n[effective system prompt]")
    click.echo(clean(origin.effective) if origin.effective else "(none)")
    click.echo("\n[prompt]")
    turns = test.prompt if isinstance(test.prompt, tuple) else ({"role": "user", "content": test.prompt},)
    for turn in turns:
        click.echo((f"{turn['role']}: " if len(turns) > 1 else "") + clean(turn["content"]))
    for attached in test.attachments:
        click.echo(f"(attached) {fmt.attached(dataclasses.asdict(attached))}")
    for tool in test.tools:
        click.echo(f"\n[tool {clean_line(tool.name)}: {clean_line(str(tool.location))}]")
        click.echo(clean(json.dumps(tool.schema()["function"], ensure_ascii=False, indent=1)))
