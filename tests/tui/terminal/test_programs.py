from __future__ import annotations

from pathlib import Path

import pytest

from modex.tui.terminal.programs import editor_command, free_name, pager_command

FILE = Path("/suite/a b.json")


@pytest.mark.parametrize(
    ("editor", "command"),
    [
        ("vim", ["vim", "+7", "/suite/a b.json"]),
        ("/usr/bin/nvim -u none", ["/usr/bin/nvim", "-u", "none", "+7", "/suite/a b.json"]),
        ("hx", ["hx", "/suite/a b.json:7"]),
        ("code", ["code", "--wait", "--goto", "/suite/a b.json:7"]),
        ("unknown-editor", ["unknown-editor", "/suite/a b.json"]),
    ],
)
def test_the_editor_opens_at_the_line(editor: str, command: list[str]) -> None:
    assert editor_command(FILE, 7, {"EDITOR": editor}) == command


def test_visual_goes_before_editor() -> None:
    assert editor_command(FILE, 1, {"EDITOR": "vi", "VISUAL": "emacs"}) == ["emacs", "+1", "/suite/a b.json"]


def test_the_pager_is_the_users() -> None:
    assert pager_command(FILE, {"PAGER": "less -S"}) == ["less", "-S", "/suite/a b.json"]


def test_a_file_is_never_overwritten_and_has_a_plain_name(tmp_path: Path) -> None:
    first = free_name(tmp_path, "../r/1\x1b[2J", ".txt")
    assert first == tmp_path / "r-1--2J.txt"
    first.write_text("")
    assert free_name(tmp_path, "../r/1\x1b[2J", ".txt").name == "r-1--2J-2.txt"
