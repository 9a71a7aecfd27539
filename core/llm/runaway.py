"""Answers that never come to an end by themselves: the same words, lines or tool call over and over.

Conservative, because an honest answer that is ended early is lost, and a loop costs only some tokens more: nothing is said
before 3,000 bytes of pure repetition (about 750 tokens), twice that where no words are repeated (grids of zeros, 0.333…), and
not before 100,000 where every turn opens or closes a bracket more: that is how deep JSON looks.

That models fall into such loops: https://arxiv.org/abs/1904.09751.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

LOOKS_EVERY = 512
"""New characters after which it is worth looking again."""
_TAIL = 12_000
"""Characters at the end that are looked at."""
_LEAST_BYTES = 3000
_LEAST_REPEATS = 4
_WORDLESS_BYTES = 6000
_NESTED_LENGTH = 100_000
"""Characters of brackets within brackets: JSON of 5,000 levels is honest, and few models write so much."""
_PROBE = 24
_LEAST_LINES = 60
"""Lines in a row that must say hardly anything new."""
_MOST_DISTINCT = 3
_LEAST_CALLS = 12
_WORDS = re.compile(r"(?!(?:null|true|false|none|nan)\b)\b[^\W\d_]{2,}", re.IGNORECASE)
"""Words that say something; a list of nulls says as little as a grid of zeros."""
_NUMBERED = re.compile(r"^\s*(?:\d{1,5}\s*[.):]|[-*•])\s+")


@dataclass(frozen=True, slots=True)
class Repetition:
    """What a text says over and over."""

    words: str
    """What it is, for a person."""
    nested: bool = False
    """Whether each turn opens or closes a bracket more than it closes or opens."""


def repeats(tail: str) -> Repetition | None:
    """What `tail` (the end of what was written so far) says over and over; None where it does not."""
    return _same_words(tail) or _same_lines(tail)


def repeats_calls(calls: Sequence[tuple[str, str]]) -> str | None:
    """The tool call that was made over and over at the end of `calls` (names and arguments)."""
    alike = next((number for number, call in enumerate(reversed(calls)) if call != calls[-1]), len(calls))
    if alike < _LEAST_CALLS:
        return None
    return f"the call {calls[-1][0]} with the same arguments, {alike} times"


def _same_words(tail: str) -> Repetition | None:
    """Whether the end repeats itself exactly, and with which period.

    The period is the distance to where the last few characters stood before; a short one may hide a longer one
    ("ab ab ab c ab ab ab c"), so that the next distances are tried as well.
    """
    if len(tail) < 2 * _PROBE:
        return None
    probe = tail[-_PROBE:]
    before = len(tail) - _PROBE
    for _ in range(40):
        before = tail.rfind(probe, 0, before + _PROBE - 1)
        if before < 0:
            return None
        period = len(tail) - _PROBE - before
        length = _periodic(tail, period)
        if length >= max(2, _LEAST_REPEATS) * period and _enough(tail[-length:], tail[-period:]):
            return Repetition(f"the same {period} characters {length // period} times", _nests(tail[-period:]))
    return None


def _periodic(tail: str, period: int) -> int:
    """How many characters at the end repeat with this period."""
    here, earlier = tail[period:], tail[:-period]
    if here == earlier:
        return len(tail)
    # Halving finds the longest equal end: whether an end of a length is equal can only turn from yes to no.
    low, high = 0, len(here)
    while low + 1 < high:
        middle = (low + high) // 2
        if here[-middle:] == earlier[-middle:]:
            low = middle
        else:
            high = middle
    return low + period


def _enough(repeated: str, once: str) -> bool:
    least = _LEAST_BYTES if _WORDS.search(once + once) else _WORDLESS_BYTES
    return len(repeated.encode("utf-8", "replace")) >= least


def _nests(once: str) -> bool:
    return once.count("{") != once.count("}") or once.count("[") != once.count("]")


def _same_lines(tail: str) -> Repetition | None:
    """Whether the last lines, but for the numbers in front of them, are only a few sentences again and again."""
    lines = tail.split("\n")[1:-1]
    said = [_NUMBERED.sub("", line).strip() for line in lines]
    said = [line for line in said if line][-_LEAST_LINES:]
    if len(said) < _LEAST_LINES:
        return None
    found = Counter(said)
    if len(found) > _MOST_DISTINCT or any(len(_WORDS.findall(line)) < 3 for line in found):
        return None
    if sum(len(line.encode("utf-8", "replace")) for line in said) < _LEAST_BYTES // 2:
        return None
    return Repetition(f"{len(found)} line{'s' if len(found) > 1 else ''} over and over, {len(said)} in a row")


class Recogniser:
    """Looks at one kind of text as it grows."""

    def __init__(self) -> None:
        self._seen = 0
        self._length = 0
        self._looked_at = 0
        self._tail = ""
        self._nested_from: int | None = None
        """Where the brackets within brackets began that are still being written."""

    def look(self, pieces: Sequence[str]) -> str | None:
        """What the text in `pieces`, which has only grown, repeats; looks only where there is enough new text."""
        count = len(pieces)
        if count == self._seen:
            return None
        new = "".join(pieces[self._seen : count])
        self._seen = count
        self._length += len(new)
        self._tail += new
        if self._length - self._looked_at < LOOKS_EVERY:
            return None
        self._looked_at = self._length
        self._tail = self._tail[-_TAIL:]
        found = repeats(self._tail)
        if found is None or not found.nested:
            self._nested_from = None
            return None if found is None else found.words
        if self._nested_from is None:
            self._nested_from = self._length - len(self._tail)
        return found.words if self._length - self._nested_from >= _NESTED_LENGTH else None
