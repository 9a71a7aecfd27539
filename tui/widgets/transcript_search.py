"""Finding words in a transcript, folded parts included."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from modex.tui.widgets.transcript_layout import TextPlace
from modex.tui.widgets.transcript_text import Section, tidy

MOST = 20_000
"""Places that are remembered; more are not looked for."""


@dataclass(frozen=True, slots=True)
class SearchMatch:
    """One place where the words stand."""

    section: int
    block: int
    start: int
    end: int

    @property
    def place(self) -> TextPlace:
        """Where it begins."""
        return TextPlace(self.section, self.block, self.start)


class Matches:
    """Every place where `words` stand in `sections`; capitals count only where `words` has some."""

    def __init__(self, sections: Sequence[Section], words: str) -> None:
        self.words = words
        self.found = _find(sections, tidy(words)) if words else []
        self._by_block: dict[tuple[int, int], list[SearchMatch]] = {}
        for match in self.found:
            self._by_block.setdefault((match.section, match.block), []).append(match)

    def __len__(self) -> int:
        return len(self.found)

    def within(self, section: int, block: int, start: int, end: int) -> list[SearchMatch]:
        """The matches that touch characters `start` to `end` of a block."""
        matches = self._by_block.get((section, block))
        if not matches:
            return []
        first = bisect_left(matches, start, key=lambda match: match.end)
        found: list[SearchMatch] = []
        for match in matches[first:]:
            if match.start >= end:
                break
            if match.end > start:
                found.append(match)
        return found

    def nearest(self, place: TextPlace, direction: int, *, here: bool = False) -> int:
        """The number of the next match after `place` (or before it), around the ends; `here` takes one at `place` too."""
        keys = [(match.section, match.block, match.start) for match in self.found]
        mine = (place.section, place.block, place.offset)
        at = bisect_left(keys, mine)
        if direction < 0:
            return (at - 1) % len(keys)
        if not here and at < len(keys) and keys[at] == mine:
            at += 1
        return at % len(keys)


def _find(sections: Sequence[Section], words: str) -> list[SearchMatch]:
    exact = words != words.lower()
    pattern = re.compile(re.escape(words), 0 if exact else re.IGNORECASE)
    found: list[SearchMatch] = []
    for number, section in enumerate(sections):
        for place, item in enumerate(section.blocks):
            text = item.text
            lowered = text if exact else text.lower()
            if len(lowered) == len(text):
                at = lowered.find(words)
                while at >= 0:
                    found.append(SearchMatch(number, place, at, at + len(words)))
                    if len(found) >= MOST:
                        return found
                    at = lowered.find(words, at + len(words))
                continue
            for match in pattern.finditer(text):
                found.append(SearchMatch(number, place, *match.span()))
                if len(found) >= MOST:
                    return found
    return found
