"""The eight readings of an answer that the loose verdict allows.

Chat models wrap an answer: a line before it ("Sure, here it is:"), a line behind it, Markdown's stars. The loose verdict
counts an instruction as followed where it is followed without any of these (section 2.3 of the paper).
"""

from __future__ import annotations

from collections.abc import Iterator


def loose_readings(answer: str) -> Iterator[str]:
    """The answer itself, without its first line, its last, both; then each of these without stars. Empty ones are left out."""
    lines = answer.split("\n")
    seen: set[str] = set()
    wholes = (answer, _text(lines[1:]), _text(lines[:-1]), _text(lines[1:-1]))
    for reading in (*wholes, *(one.replace("*", "") for one in wholes)):
        if reading.strip() and reading not in seen:
            seen.add(reading)
            yield reading


def _text(lines: list[str]) -> str:
    return "\n".join(lines).strip()
