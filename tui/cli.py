"""`modex`: the command line. Commands are imported when called, so that help and version answer at once."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any

import click

COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("tui.commands.run:run", "Start or continue a run, and show it live."),
    "runs": ("tui.commands.runs:runs", "List runs."),
    "show": ("tui.commands.show:show", "Show a run, or one test's transcript."),
    "compare": ("tui.commands.compare:compare", "Compare two runs test by test."),
    "export": ("tui.commands.export:export", "Write a run as json, csv, md, html or junit."),
    "attach": ("tui.commands.attach:attach", "Open the live screen of a run."),
    "pause": ("tui.commands.control:pause", "Pause a run in progress."),
    "stop": ("tui.commands.control:stop", "Stop a run in progress; it can be resumed."),
    "resume": ("tui.commands.control:resume", "Continue a paused, stopped or interrupted run."),
    "judge": ("tui.commands.stages:judge", "Judge stored rollouts (again), asking the model nothing."),
    "stat": ("tui.commands.stages:stat", "Compute scores of stored verdicts."),
    "check": ("tui.commands.check:check", "Find every mistake in a suite."),
    "prompt": ("tui.commands.prompt:prompt", "Show a test's effective prompt by layer."),
    "schema": ("tui.commands.schema:schema", "Print JSON Schemas of suite files, for editors."),
    "models": ("tui.commands.models:models", "List reachable models and the keys they need."),
    "doctor": ("tui.commands.doctor:doctor", "Say what is wrong with this machine."),
}


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command, in the order of a user's day."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command for `args`; an unknown word is answered with the nearest ones."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=2)
            hint = f" Did you mean {' or '.join(near)}?" if near else " `modex --help` lists them."
            raise click.UsageError(f"no command {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


def _print_version(ctx: click.Context, _option: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from tui.version import version

        click.echo(f"modex {version()}")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Print the version."
)
@click.option("--db", type=click.Path(dir_okay=False, path_type=Path), help="Database file.")
@click.option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal.")
@click.pass_context
def cli(ctx: click.Context, db: Path | None, no_mouse: bool) -> None:
    """Model Explorer: evaluate language models across domains and levels.

    Without a command, opens the screens: runs, new run, suite, settings.
    """
    if ctx.invoked_subcommand is not None:
        return
    from tui.terminal import screen_problem

    if problem := screen_problem():
        click.echo(ctx.get_help())
        click.echo(f"\n{problem}", err=True)
        ctx.exit(2)
    from core.settings import load_settings
    from core.store.location import database_path
    from tui.launch import open_home

    settings = load_settings()
    ctx.exit(open_home(database_path(db or settings.db), mouse=not no_mouse))


def main(arguments: list[str] | None = None) -> Any:
    """The `modex` command: errors end as one clear message and their exit code, never as a traceback."""
    from core.errors import ModexError, SuiteError
    from core.safety import clean, redact

    try:
        code = cli.main(args=arguments, prog_name="modex", standalone_mode=False)
    except click.exceptions.Abort:
        code = 130
    except click.ClickException as error:
        if isinstance(error, click.UsageError) and error.ctx is not None:
            click.echo(error.ctx.get_usage(), err=True)
        click.echo(f"modex: {clean(redact(error.format_message()))}", err=True)
        code = 2
    except SuiteError as error:
        for problem in error.problems:
            click.echo(clean(redact(str(problem))), err=True)
        count = len(error.problems)
        click.echo(f"modex: {count} mistake{'s' if count != 1 else ''} in the suite; nothing was asked", err=True)
        code = 2
    except ModexError as error:
        click.echo(f"modex: {clean(redact(str(error)))}", err=True)
        code = error.exit_code
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 141
    except Exception as error:
        click.echo(f"modex: {clean(redact(_unexpected(error)))}", err=True)
        code = 2
    sys.exit(code if isinstance(code, int) else 0)


def _unexpected(error: Exception) -> str:
    """A defect of ours in one line: what, and where in our code; no locals, they may hold keys."""
    import traceback

    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = "/".join(frame.filename.replace(os.sep, "/").split("/")[-3:])
    return f"internal error: {type(error).__name__}: {error} ({where}:{frame.lineno}); please report it. Nothing stored was lost."


if __name__ == "__main__":
    main()
