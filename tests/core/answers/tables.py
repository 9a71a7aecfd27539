"""Tables of cases: a line each, the text before `=>` and what is read in it behind; `\\n` in a text is a new line."""

from __future__ import annotations

from collections.abc import Callable


def differing(table: str, read: Callable[[str], str]) -> list[str]:
    """The lines of a table for which `read` finds something else, with what it finds."""
    found = []
    for line in table.strip("\n").split("\n"):
        text, arrow, wanted = line.rpartition("=>")
        assert arrow, line
        said = read(text.removesuffix(" ").replace("\\n", "\n"))
        if said != wanted.removeprefix(" "):
            found.append(f"{line} BUT {said}")
    return found
