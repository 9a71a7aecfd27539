"""`modex mcp`: what is stored, for agents, over the Model Context Protocol on stdio."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import click

from modex.tui.commands.options import database_of, db_option


@click.command()
@db_option
@click.pass_context
def mcp(ctx: click.Context, db: Path | None) -> None:
    """Answer an agent over the Model Context Protocol on stdin and stdout: look, check, plan, and run within a budget.

    What models wrote is given only where `content` is asked for, and stands under `untrusted`.
    """
    from modex.tui.serving.protocol import Server
    from modex.tui.serving.tools import Tools

    # Only the protocol may write here: what anything else prints goes to stderr.
    answers = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="\n")
    requests = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")
    sys.stdout = sys.stderr
    Server(Tools(database_of(ctx, db)).all()).serve(requests, answers)
