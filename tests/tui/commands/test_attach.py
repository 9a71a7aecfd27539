"""`modex attach` where there is no terminal."""

from __future__ import annotations

from tests.tui.commands.conftest import Shell


def test_without_a_terminal_it_says_what_to_use(mixed: Shell) -> None:
    called = mixed("attach", "e")
    assert called.code == 2
    assert "modex show e" in called.err
