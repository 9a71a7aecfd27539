"""Where a Markdown text holds code, in time linear in the text: what stands in code is quoted, not meant."""

from __future__ import annotations

import re
from bisect import bisect_right

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})([^\n]*)")
_RUN = re.compile(r"`+")


class CodeSpans:
    """The fenced blocks (closed ones) and inline spans (within one line) of a text."""

    def __init__(self, text: str) -> None:
        self._spans = _find(text)
        self._starts = [start for start, _ in self._spans]

    def covers(self, position: int) -> bool:
        """Whether the character at `position` is inside code."""
        index = bisect_right(self._starts, position) - 1
        return index >= 0 and position < self._spans[index][1]


def _find(text: str) -> list[tuple[int, int]]:
    if "`" not in text and "~~~" not in text:
        return []
    spans: list[tuple[int, int]] = []
    pending: list[tuple[int, int]] = []
    opening: tuple[int, str] | None = None
    position = 0
    for line in text.splitlines(keepends=True):
        fence = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if opening is None:
            if fence is not None and "`" not in fence[2]:
                opening = (position, fence[1])
                pending = []
            else:
                spans += _inline(line, position)
        elif fence is not None and _closes(fence, opening[1]):
            spans.append((opening[0], position + len(line)))
            opening = None
        else:
            pending += _inline(line, position)
        position += len(line)
    return spans + pending if opening is not None else spans


def _closes(fence: re.Match[str], opened: str) -> bool:
    return fence[1][0] == opened[0] and len(fence[1]) >= len(opened) and not fence[2].strip()


def _inline(line: str, offset: int) -> list[tuple[int, int]]:
    """The spans between two runs of as many backticks."""
    if "`" not in line:
        return []
    runs = [found.span() for found in _RUN.finditer(line)]
    partner: dict[int, int] = {}
    latest: dict[int, int] = {}
    for index in range(len(runs) - 1, -1, -1):
        length = runs[index][1] - runs[index][0]
        if length in latest:
            partner[index] = latest[length]
        latest[length] = index
    spans: list[tuple[int, int]] = []
    index = 0
    while index < len(runs):
        end = partner.get(index)
        if end is None:
            index += 1
            continue
        spans.append((offset + runs[index][0], offset + runs[end][1]))
        index = end + 1
    return spans
