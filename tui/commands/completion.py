"""`modex completion`: what makes a shell complete commands, flags, runs, tests, domains and models."""

from __future__ import annotations

import click

from modex.tui.commands.options import Function

SHELLS = ("bash", "zsh", "fish")
_WHERE = {
    "bash": "modex completion bash > ~/.local/share/bash-completion/completions/modex",
    "zsh": "modex completion zsh > ~/.zfunc/_modex    (with fpath+=~/.zfunc before compinit in ~/.zshrc)",
    "fish": "modex completion fish > ~/.config/fish/completions/modex.fish",
}


def _told(function: Function) -> Function:
    places = "\n".join(f"  {line}" for line in _WHERE.values())
    function.__doc__ = f"{function.__doc__}\n\n    \b\n{places}\n"
    return function


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
@_told
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script for SHELL; a new shell knows it once it is kept:"""
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None  # every one of SHELLS has its class
    click.echo(found(ctx.find_root().command, {}, "modex", "_MODEX_COMPLETE").source())
