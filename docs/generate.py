"""Writes the documents that follow from the code: `python -m docs.generate`."""

from __future__ import annotations

import os
from pathlib import Path

import click

from docs.datasets_page import datasets
from docs.evaluators_page import evaluators
from docs.keys_page import writing_tests
from docs.man_page import man_page
from docs.providers_page import providers
from docs.screens_page import screens
from docs.statistics_page import statistics
from modex.core.config.options import SETTINGS
from modex.core.foundation.exit_codes import ExitCode
from modex.tui.cli import COMMANDS, cli, full_name
from modex.tui.commands.options import whole_help

FOLDER = Path(__file__).parent
WIDTH = 100
HEAD = """# Command line

*Written by `python -m docs.generate` from the commands' own help; edit the commands, not this page.*

Data goes to stdout, narration to stderr, so `modex show EXP --json | jq` and `modex export EXP --format csv > run.csv` work
as they should. Every command that prints data takes `--json`. Nothing that a model or a file says reaches the terminal as
a control sequence.

Without a terminal (a pipe, a CI job, `TERM=dumb`) `run` and `resume` work in the foreground by themselves; `--headless` asks
for that on a terminal too. A run is named by `--exp-id`; every EXP below may be the beginning of a name, as long as only
one run begins so. With several `--model` there is one run each, named `<exp-id>@<model>`.

A command that stands below another is called by both words or, as until 0.2.0, by its own alone: `modex compare gate A B` is
`modex gate A B`. `--help` of a command with many options shows the common ones; what stands here is `--help-all`.

## Exit codes

| code | means |
|---:|---|
{codes}

## Settings

Flags come first, then variables, then the TOML file (`MODEX_CONFIG`, else `config.toml` in the platform's configuration
folder; `modex doctor` names it). What can be given several times stands between commas in a variable and is a list in the file.

`modex run --config FILE` takes any option of `modex run` from a TOML file, by the flag's name (`exclude_level = ["4-5"]`,
`dataset = "questions.jsonl"`); its paths are read from the file's own folder, and flags come before it.

| variable | in the file | means |
|---|---|---|
| `MODEX_DB` | `db` | database file |
{settings}
| `MODEX_THEME`, `MODEX_GLYPHS` | `theme`, `glyphs` | colours and signs of the screens |
| `MODEX_DATASETS` | `datasets` | folder of the datasets that `modex fetch` brings; default: the platform's data folder |
| `MODEX_SEARCH` | `search` | whether runs keep the search index in step while they go on (yes) |
| `MODEX_REFRESH_HZ`, `MODEX_MOUSE` | `refresh_hz`, `mouse` | how the screens behave; `,` changes these four there |
| | `[keys]` | keys of the screens ([their names](screens.md#keys)) |
| `MODEX_RETRY_WAIT` | | first back-off between two attempts of a call, in seconds (1) |
| `MODEX_DEMO_LATENCY` | | seconds that the scripted model takes for an answer |
"""


def command_line() -> str:
    """The page on the command line."""
    rows = (f"| `MODEX_{option.name.upper()}` | `{option.name}` | {option.told} |" for option in SETTINGS)
    codes = "\n".join(f"| {code.value} | {code.meaning} |" for code in ExitCode)
    parts = [HEAD.replace("{codes}", codes).replace("{settings}", "\n".join(rows)), _section("modex", cli, None)]
    parent = click.Context(cli, info_name="modex", help_option_names=cli.context_settings["help_option_names"])
    for name in COMMANDS:
        command = cli.get_command(parent, name)
        assert command is not None
        parts.append(_section(f"modex {full_name(name)}", command, parent))
    return "\n".join(parts)


def _section(title: str, command: click.Command, parent: click.Context | None) -> str:
    name = title.rpartition(" ")[2]
    settings = {**command.context_settings, "terminal_width": WIDTH, "max_content_width": WIDTH}
    context = click.Context(command, info_name=name, parent=parent, **settings)
    own = f"## `{title}`\n\n```text\n{whole_help(command, context).rstrip()}\n```\n"
    if not isinstance(command, click.Group) or parent is None:
        return own
    inner = (_section(f"{title} {name}", command.commands[name], context) for name in sorted(command.commands))
    return "\n".join([own, *(f"#{section}" for section in inner)])


PAGES = {
    "cli.md": command_line,
    "datasets.md": datasets,
    "evaluators.md": evaluators,
    "modex.1": man_page,
    "providers.md": providers,
    "screens.md": screens,
    "statistics.md": statistics,
    "writing-tests.md": writing_tests,
}
"""Each written document and what makes it."""


def main() -> None:
    """Write every document that differs."""
    os.environ.pop("COLUMNS", None)
    for name, page in PAGES.items():
        path = FOLDER / name
        text = page()
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            click.echo(f"docs/{name}")


if __name__ == "__main__":
    main()
