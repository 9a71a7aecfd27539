"""`modex`: the command line. Commands are imported when called, so that help and version answer at once."""

from __future__ import annotations

import errno
import importlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from modex.core.foundation.exit_codes import ExitCode
from modex.core.foundation.interrupts import hear_interrupts, leave_at_once, was_interrupted
from modex.tui.features import below, commands

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

_OF_THE_FRAME: dict[str, tuple[str, str]] = {
    "run": ("modex.tui.commands.run:run", "Start or continue a run, and show it live."),
    "runs": ("modex.tui.commands.runs:runs", "List runs."),
    "rename": ("modex.tui.commands.stored:rename", "Give a run another name."),
    "archive": ("modex.tui.commands.stored:archive", "Archive runs, or restore them."),
    "delete": ("modex.tui.commands.stored:delete", "Delete runs for good."),
    "stat": ("modex.tui.commands.stages:stat", "Compute scores of stored verdicts."),
    "show": ("modex.tui.commands.show:show", "Show a run, or one test's transcript."),
    "attach": ("modex.tui.commands.attach:attach", "Open the live screen of a run."),
    "pause": ("modex.tui.commands.control:pause", "Pause a run in progress."),
    "stop": ("modex.tui.commands.control:stop", "Stop a run in progress; it can be resumed."),
    "resume": ("modex.tui.commands.control:resume", "Continue a paused, stopped or interrupted run."),
    "judge": (
        "modex.tui.commands.stages:judge",
        "Judge stored answers (again): PASS 2 and judges are asked, for no new answer.",
    ),
    "init": ("modex.tui.commands.init:init", "Write a first suite to begin with."),
    "tests": ("modex.tui.commands.tests:tests", "List the tests that a run would take."),
    "prompt": ("modex.tui.commands.prompt:prompt", "Show a test's effective prompt by layer."),
    "check": ("modex.tui.commands.check:check", "Find every mistake in a suite."),
    "schema": ("modex.tui.commands.schema:schema", "Print JSON Schemas of suite files, for editors."),
    "models": ("modex.tui.commands.models:models", "List reachable models and the keys they need."),
    "mcp": ("modex.tui.commands.mcp:mcp", "Answer agents over the Model Context Protocol."),
    "completion": ("modex.tui.commands.completion:completion", "Make your shell complete commands, runs and tests."),
}
COMMANDS: dict[str, tuple[str, str]] = commands(_OF_THE_FRAME)
"""Each command, `module:name` and its sentence, in the order of a user's day."""
BELOW: dict[str, str] = below(
    {
        "rename": "runs", "archive": "runs", "delete": "runs", "stat": "runs", "prompt": "tests", "schema": "check",
        "completion": "doctor",
    }
)  # fmt: skip
"""The command that a command stands below, by the name that both were typed with alone until 0.2.0, and still can be."""
_SECTIONS = {"run": "Ask", "runs": "Look", "attach": "Steer", "init": "Write tests", "models": "This machine"}
"""What the list of commands says above these, which stand first in their section."""


def full_name(name: str) -> str:
    """What is typed to call a command: `runs rename` for `rename`."""
    return f"{BELOW[name]} {name}" if name in BELOW else name


def _those_below(name: str) -> dict[str, str]:
    return {one: COMMANDS[one][1] for one, above in BELOW.items() if above == name}


class _ClosedPipeError(Exception):
    """Nobody reads the output any more: no `OSError`, of which click makes an exit code of its own."""


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is called."""

    def invoke(self, ctx: click.Context) -> Any:
        """The command's outcome.

        Raises:
            _ClosedPipeError: whoever read the output stopped reading.
        """
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise _ClosedPipeError from error

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """As click makes it; help that nobody reads to its end is no mistake.

        Raises:
            _ClosedPipeError: whoever read the output stopped reading.
        """
        try:
            return super().make_context(*args, **extra)
        except BrokenPipeError as error:
            raise _ClosedPipeError from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands that stand below no other, in the order of a user's day."""
        del ctx
        return [name for name in COMMANDS if name not in BELOW]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now; its help ends with those that stand below it."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        if inner := _those_below(cmd_name):
            width = max(map(len, inner))
            lines = (f"  {one:{width}}  {text}" for one, text in inner.items())
            command.epilog = "\n".join(["\b", f"Below it (modex {cmd_name} COMMAND):", *lines])
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Commands that begin so, without importing them; then the group's own flags."""
        from click.shell_completion import CompletionItem

        names = self.list_commands(ctx)
        found = [CompletionItem(name, help=COMMANDS[name][1]) for name in names if name.startswith(incomplete)]
        return found or click.Command.shell_complete(self, ctx, incomplete)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command for `args`, by one word or by two; an unknown word is answered with the nearest ones."""
        if len(args) > 1 and BELOW.get(args[1]) == args[0]:
            return full_name(args[1]), self.get_command(ctx, args[1]), args[2:]
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=2)
            hint = f" Did you mean {' or '.join(map(full_name, near))}?" if near else " `modex --help` lists them."
            raise click.UsageError(f"no command {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands by section, without importing them."""
        sections: dict[str, list[tuple[str, str]]] = {}
        section = ""
        for name in self.list_commands(ctx):
            section = _SECTIONS.get(name, section)
            inner = ", ".join(_those_below(name))
            sections.setdefault(section, []).append(
                (name, f"{COMMANDS[name][1]} ({inner})" if inner else COMMANDS[name][1])
            )
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records, col_max=30)


def _print_version(*, verbose: bool, db: Path | None) -> None:
    from modex.core.foundation.version import version

    click.echo(f"modex {version()}")
    if verbose:
        import platform

        from modex.core.config.settings import load_settings, settings_path
        from modex.core.safety import clean_line
        from modex.core.store.location import database_path
        from modex.core.suite.bundled import bundled_root

        settings = load_settings()
        python = f"{platform.python_version()} ({sys.executable})"
        places = {
            "suite": settings.run.get("suite") or bundled_root(),
            "database": database_path(db or settings.db),
            "settings": settings_path(),
            "python": python,
        }
        for name, place in places.items():
            click.echo(f"{name:9} {clean_line(str(place))}")


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--version", "show_version", is_flag=True, help="Print the version; with -v where its files are.")
@click.option("-v", "--verbose", is_flag=True, help="Say more, with --version.")
@click.option("--db", type=click.Path(dir_okay=False, path_type=Path), help="Database file.")
@click.option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal.")
@click.pass_context
def cli(ctx: click.Context, db: Path | None, no_mouse: bool, show_version: bool, verbose: bool) -> None:
    """Model Explorer: evaluate language models across domains and levels.

    Without a command, opens the screens: runs, new run, suite, settings.
    """
    if show_version:
        _print_version(verbose=verbose, db=db)
        ctx.exit()
    if ctx.invoked_subcommand is not None:
        return
    from modex.tui.terminal.abilities import screen_problem

    if problem := screen_problem():
        click.echo(ctx.get_help())
        click.echo(f"\n{problem}", err=True)
        ctx.exit(2)
    from modex.core.config.settings import load_settings
    from modex.core.store.location import database_path
    from modex.tui.opening import open_home

    settings = load_settings()
    ctx.exit(open_home(database_path(db or settings.db), mouse=not no_mouse))


def main(arguments: list[str] | None = None) -> Any:
    """The `modex` command: errors end as one clear message and their exit code, never as a traceback."""
    from modex.core.foundation.errors import ModexError, SuiteError
    from modex.core.safety import clean, clean_line, redact

    hear_interrupts()
    try:
        code = cli.main(args=arguments, prog_name="modex", standalone_mode=False)
        _flush_output()
    except click.exceptions.Abort:
        code = ExitCode.INTERRUPTED
    except click.ClickException as error:
        context = error.ctx if isinstance(error, click.UsageError) else None
        if context is not None:
            click.echo(context.get_usage(), err=True)
        click.echo(f"modex: {clean(redact(error.format_message()))}", err=True)
        if context is not None:
            click.echo(f"`{context.command_path} --help` says what it takes", err=True)
        code = ExitCode.MISTAKE
    except SuiteError as error:
        for problem in error.problems:
            click.echo(clean(redact(str(problem))), err=True)
        count = len(error.problems)
        click.echo(f"modex: {count} mistake{'s' if count != 1 else ''} in the suite; nothing was asked", err=True)
        code = ExitCode.MISTAKE
    except ModexError as error:
        click.echo(f"modex: {clean(redact(str(error)))}", err=True)
        code = error.exit_code
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    except (_ClosedPipeError, BrokenPipeError):
        _drop_output()
        code = ExitCode.CLOSED_PIPE
    except OSError as error:
        # Without a file's name it is the output that failed: `modex runs > /dev/full`.
        if error.filename is None and error.errno in _FULL:
            _drop_output()
            click.echo(
                f"modex: the output cannot be written: {error.strerror}; make room, or write it elsewhere", err=True
            )
        elif isinstance(error.filename, str | bytes):
            name = os.fsdecode(error.filename)
            click.echo(f"modex: {clean_line(redact(name), 200)}: {error.strerror}; name another", err=True)
        else:
            click.echo(f"modex: {clean(redact(_unexpected(error)))}", err=True)
        code = ExitCode.MISTAKE
    except Exception as error:
        if was_interrupted():  # a library's own words for it: pydantic tells a KeyboardInterrupt as a SchemaError
            code = ExitCode.INTERRUPTED
        else:
            click.echo(f"modex: {clean(redact(_unexpected(error)))}", err=True)
            code = ExitCode.MISTAKE
    if code == ExitCode.INTERRUPTED and arguments is None:
        leave_at_once()
    sys.exit(code if isinstance(code, int) else 0)


def _flush_output() -> None:
    """Write what is still buffered; there is no output at all where it was closed from the beginning (`modex runs >&-`)."""
    if sys.stdout is not None:
        sys.stdout.flush()


def _drop_output() -> None:
    """Let what is still buffered go nowhere, or it would fail once more when the interpreter ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _unexpected(error: Exception) -> str:
    """A defect of ours in one line: what, and where in our code; no locals, they may hold keys."""
    import traceback

    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = "/".join(frame.filename.replace(os.sep, "/").split("/")[-3:])
    return f"internal error: {type(error).__name__}: {error} ({where}:{frame.lineno}); please report it. Nothing stored was lost."


if __name__ == "__main__":
    main()
