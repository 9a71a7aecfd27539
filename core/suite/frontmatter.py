"""Markdown prompt files: an optional front matter of `key: value` lines between `---`, then the text."""

from __future__ import annotations

from dataclasses import dataclass, field

from modex.core.suite.definitions import LayerMode
from modex.core.suite.suggest import near_miss
from modex.core.suite.tables import FRONT_MATTER

_FENCE = "---"


@dataclass(frozen=True, slots=True)
class PromptFile:
    """A parsed prompt file. `faults` and `notes` are `(line, message)`."""

    text: str
    line: int
    """The 1-based line on which the text starts."""
    mode: LayerMode | None = None
    faults: list[tuple[int, str]] = field(default_factory=list)
    notes: list[tuple[int, str]] = field(default_factory=list)


def parse_prompt(text: str) -> PromptFile:
    """Split `text` into front matter and body. Blank lines around the body are not part of it."""
    lines = text.replace("\r\n", "\n").split("\n")
    if lines[0].rstrip() != _FENCE:
        return _body(lines, 0)
    end = next((number for number, line in enumerate(lines[1:], 1) if line.rstrip() == _FENCE), None)
    if end is None:
        if len(lines) > 1 and ":" in lines[1]:
            return PromptFile("", 1, faults=[(1, "the front matter is not closed; end it with a line of '---'")])
        return _body(lines, 0)
    faults: list[tuple[int, str]] = []
    notes: list[tuple[int, str]] = []
    mode: LayerMode | None = None
    for number, line in enumerate(lines[1:end], 2):
        key, colon, value = (part.strip() for part in line.partition(":"))
        value = value.strip("\"'")
        if not key or key.startswith("#"):
            continue
        if not colon:
            faults.append((number, "a line of front matter reads 'key: value'"))
        elif key == "mode":
            fault = FRONT_MATTER.checks["mode"](value)
            if fault is not None:
                faults.append((number, f"'mode' {fault}"))
            else:
                mode = "append" if value == "append" else "overwrite"
        elif meant := near_miss(key, FRONT_MATTER.checks):
            faults.append((number, f"unknown key '{key}'; did you mean '{meant}'?"))
        else:
            notes.append((number, f"unknown front matter key '{key}' is ignored"))
    body = _body(lines, end + 1)
    return PromptFile(body.text, body.line, mode, faults, notes)


def _body(lines: list[str], start: int) -> PromptFile:
    """The text from `start` on, without blank lines around it."""
    first, last = start, len(lines)
    while first < last and not lines[first].strip():
        first += 1
    while last > first and not lines[last - 1].strip():
        last -= 1
    return PromptFile("\n".join(lines[first:last]), first + 1 if first < last else max(1, start))
