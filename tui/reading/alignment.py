"""Two transcripts of one test side by side: which turn stands for which, and what differs in them, by word."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

_WORD = re.compile(r"\w+|[^\w\s]")
_MOST = 40_000
"""Characters of a text beyond which only its being different is said."""
_MOST_WORDS = 3000
"""Words of a stretch of lines that are compared one by one; a longer one differs as a whole."""

Range = tuple[int, int]
"""Start and end (exclusive) of characters."""


@dataclass(frozen=True, slots=True)
class TranscriptTurn:
    """One turn of a transcript: who speaks or what is called, and what stands for its content."""

    kind: str
    content: str


def aligned(first: Sequence[TranscriptTurn], second: Sequence[TranscriptTurn]) -> list[tuple[int | None, int | None]]:
    """Pairs of turns in order, None where one side has none: equal turns first, then turns of one kind between them."""
    pairs: list[tuple[int | None, int | None]] = []
    matcher = SequenceMatcher(None, list(first), list(second), autojunk=False)
    for what, a, a_end, b, b_end in matcher.get_opcodes():
        if what == "equal":
            pairs += zip(range(a, a_end), range(b, b_end), strict=True)
        else:
            pairs += _by_kind(first, second, (a, a_end), (b, b_end))
    return pairs


def _by_kind(
    first: Sequence[TranscriptTurn], second: Sequence[TranscriptTurn], one: Range, other: Range
) -> Iterator[tuple[int | None, int | None]]:
    left, right = [turn.kind for turn in first[slice(*one)]], [turn.kind for turn in second[slice(*other)]]
    for what, a, a_end, b, b_end in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if what == "equal":
            yield from zip(range(one[0] + a, one[0] + a_end), range(other[0] + b, other[0] + b_end), strict=True)
        else:
            yield from ((number, None) for number in range(one[0] + a, one[0] + a_end))
            yield from ((None, number) for number in range(other[0] + b, other[0] + b_end))


def normalised(value: Any) -> str:
    """Arguments of a call as they are compared: the order of names, spaces and `1.0` for `1` make no difference."""
    if isinstance(value, str):
        try:
            value = json.loads(value or "{}")
        except (ValueError, RecursionError):
            return " ".join(value.split())
    return json.dumps(_plain(value), ensure_ascii=False, sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return " ".join(value.split()) if isinstance(value, str) else value


def differences(first: str, second: str) -> tuple[list[Range], list[Range]]:
    """The words that only the first text has, and those that only the second has, as they stand in each."""
    if max(len(first), len(second)) > _MOST:
        return [], []
    lines = _lines(first), _lines(second)
    found: tuple[list[Range], list[Range]] = [], []
    one_side, other_side = [first[s:e] for s, e in lines[0]], [second[s:e] for s, e in lines[1]]
    for what, a, a_end, b, b_end in SequenceMatcher(None, one_side, other_side, autojunk=False).get_opcodes():
        if what == "equal":
            continue
        one = (lines[0][a][0], lines[0][a_end - 1][1]) if a < a_end else None
        other = (lines[1][b][0], lines[1][b_end - 1][1]) if b < b_end else None
        if one is not None and other is not None:
            for side, ranges in zip(found, _words(first, second, one, other), strict=True):
                side.extend(ranges)
        elif one is not None:
            found[0].append(one)
        elif other is not None:
            found[1].append(other)
    return found


def _lines(text: str) -> list[Range]:
    found: list[Range] = []
    at = 0
    for line in text.split("\n"):
        found.append((at, at + len(line)))
        at += len(line) + 1
    return found


def _words(first: str, second: str, one: Range, other: Range) -> tuple[list[Range], list[Range]]:
    words = [list(_WORD.finditer(first, *one)), list(_WORD.finditer(second, *other))]
    if max(map(len, words)) > _MOST_WORDS:
        return [one], [other]
    found: tuple[list[Range], list[Range]] = [], []
    one_side, other_side = ([word[0] for word in side] for side in words)
    for what, a, a_end, b, b_end in SequenceMatcher(None, one_side, other_side).get_opcodes():
        if what != "equal":
            if a < a_end:
                found[0].append((words[0][a].start(), words[0][a_end - 1].end()))
            if b < b_end:
                found[1].append((words[1][b].start(), words[1][b_end - 1].end()))
    return found
