"""The manual page `modex.1`, made from the commands' own help."""

from __future__ import annotations

import click

from modex.core.config.options import SETTINGS
from modex.core.foundation.exit_codes import ExitCode
from modex.tui.cli import COMMANDS, cli, full_name


def man_page() -> str:
    """The page in roff, as `man` reads it; without a date, so that it changes only where a command does."""
    parent = click.Context(cli, info_name="modex", help_option_names=cli.context_settings["help_option_names"])
    parts = [
        '.TH MODEX 1 "" "Model Explorer" "User Commands"',
        _head("NAME"),
        _text("modex - evaluate language models across domains and levels, in a terminal"),
        _head("SYNOPSIS"),
        ".B modex\n[OPTIONS] [COMMAND] [ARGS]...",
        _head("DESCRIPTION"),
        _text(str(cli.help)),
        _head("OPTIONS"),
        *_options(cli, parent),
        _head("COMMANDS"),
    ]
    for name in COMMANDS:
        command = cli.get_command(parent, name)
        assert command is not None
        parts += _command(
            f"modex {full_name(name)}", command, click.Context(command, info_name=full_name(name), parent=parent)
        )
    parts.append(_head("EXIT STATUS"))
    for code in ExitCode:
        parts.append(f".TP\n.B {code.value}\n{_text(code.meaning)}")
    parts.append(_head("ENVIRONMENT"))
    parts.append(f".TP\n.B MODEX_DB\n{_text('Database file.')}")
    for option in SETTINGS:
        parts.append(f".TP\n.B MODEX_{option.name.upper()}\n{_text(option.told)}")
    return "\n".join(parts) + "\n"


def _command(title: str, command: click.Command, context: click.Context) -> list[str]:
    usage = " ".join(command.collect_usage_pieces(context))
    parts = [f".SS {_plain(f'{title} {usage}')}", _text(str(command.help or "")), *_options(command, context)]
    if isinstance(command, click.Group):
        for name in sorted(command.commands):
            inner = command.commands[name]
            parts += _command(f"{title} {name}", inner, click.Context(inner, info_name=name, parent=context))
    return parts


def _options(command: click.Command, context: click.Context) -> list[str]:
    parts = []
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and record[1]:  # what is read by its place has no words of its own
            parts.append(f".TP\n.B {_plain(record[0])}\n{_text(record[1])}")
    return parts


def _head(title: str) -> str:
    return f".SH {title}"


def _text(text: str) -> str:
    paragraphs = [_plain(" ".join(part.split())) for part in text.replace("\b", "").strip().split("\n\n")]
    return "\n.PP\n".join(paragraphs)


def _plain(text: str) -> str:
    """Text that roff reads as it is; a line never begins as a request."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
