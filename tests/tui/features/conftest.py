"""What tests of commands use; a feature's command is one."""

from tests.tui.commands.conftest import mixed, shell

__all__ = ["mixed", "shell"]
