"""What tests of commands use; a feature's command is one."""

from tests.tui.commands.conftest import mixed, mixed_place, shell

__all__ = ["mixed", "mixed_place", "shell"]
