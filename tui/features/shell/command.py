"""`modex shell EXP TEST`: the folder that a sample left, opened in the sandbox for a person or for one command."""

from __future__ import annotations

import os
import re
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from modex.tui.commands.options import COUNT, database_of, db_option, exp_argument

if TYPE_CHECKING:
    from modex.core.features.shell.opening import LeftFolder
    from modex.core.sandbox.workspace.box import ShellRan

_OUTPUT = 4 * 1024 * 1024
_TERM = re.compile(r"[A-Za-z0-9][A-Za-z0-9+._-]{0,40}")
_SAFE = re.compile(r"[^A-Za-z0-9._-]+")


@click.command()
@exp_argument
@click.argument("test")
@click.option("--epoch", type=COUNT, help="Which epoch; default: the first.")
@click.option("--tests", is_flag=True, help="Lay the hidden tests over it, as they are for the checks.")
@click.option("--run", "command", metavar="COMMAND", help="Run one command there, and end as it ends.")
@db_option
@click.pass_context
def shell(
    ctx: click.Context, /, exp: str, test: str, epoch: int | None, tests: bool, command: str | None, db: Path | None
) -> None:
    """Open the folder that the test TEST of the run EXP left, in the sandbox: a copy, of which nothing is kept."""
    from modex.core.features.shell.opening import left_folder, told
    from modex.core.store.reader import Reader
    from modex.tui.plain.narration import say

    if command is None and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("there is no terminal here for a shell; give --run COMMAND for one command")
    with closing(Reader(database_of(ctx, db))) as reader:
        folder = left_folder(reader, exp, test, epoch=epoch, tests=tests)
        lines = told(folder, reader.run(exp).exp_id)
    if command is not None:
        ctx.exit(_run(folder, command))
    say("\n".join([*lines, "`exit` or Ctrl+D leaves it."]))
    ran = _attend(folder)
    ended = {"memory": "more memory than the test allows", "processes": "more processes than the test allows"}
    why = "the sandbox was ended" if ran.lost else f"ended: {ended.get(ran.over, ran.over)}" if ran.over else "left"
    say(f"{why}; nothing was kept")


def _run(folder: LeftFolder, command: str) -> int:
    """Run one command; what it prints goes where it belongs, as it is where no person reads it."""
    from modex.core.safety import clean
    from modex.tui.plain.narration import say

    with closing(folder.box()) as box:
        ran = box.shell(command, merged=False, output_bytes=_OUTPUT)
    for stream, text in ((sys.stdout, ran.out), (sys.stderr, ran.err)):
        stream.write(clean(text) if stream.isatty() else text)
        stream.flush()
    if ran.lost or ran.over:
        most = {"seconds": f"{folder.limits.seconds:g} seconds", "memory": f"{folder.limits.memory_mb:g} MB of memory"}
        say("the command ended the sandbox" if ran.lost else f"ended: more than {most.get(ran.over, ran.over)}")
    return 128 - ran.code if ran.code < 0 else ran.code


def _attend(folder: LeftFolder) -> ShellRan:
    """A shell for the person at this terminal."""
    from modex.core.sandbox.workspace.box import SHELL, ShellRan
    from modex.tui.features.shell.passing import pass_through

    bash, sh = SHELL
    words = [bash, "--norc", "--noprofile", "-i"] if Path(bash).exists() else [sh, "-i"]
    term = os.environ.get("TERM", "")
    variables = {
        "TERM": term if _TERM.fullmatch(term) else "xterm",
        "PS1": f"modex {_SAFE.sub('-', folder.sample.test_id)[:30]}:\\w$ ",
        "HISTFILE": "",
    }
    ended: list[ShellRan] = []
    master, end = os.openpty()
    try:
        with closing(folder.box(end)) as box:
            pass_through(master, lambda: ended.append(box.attend(words, variables)))
    finally:
        os.close(master)
        os.close(end)
    return ended[0] if ended else ShellRan(lost=True)
