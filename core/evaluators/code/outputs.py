"""Whether a program printed what it should: line by line, or number by number within a tolerance."""

from __future__ import annotations

import math
from collections.abc import Sequence

_MOST_CHARS = 80


def difference(got: str, wanted: str, tolerance: float | None = None) -> str | None:
    """Where `got` is first not `wanted`, in words; None where it is the same.

    Blanks at the ends of lines and empty lines at the end do not count, as in contests. With a `tolerance` texts are compared
    word by word, wherever lines break, and numbers that differ by no more, absolutely or relative to the wanted one, are equal.
    """
    if tolerance is not None:
        return _word_that_differs(got.split(), wanted.split(), tolerance)
    mine, theirs = _lines(got), _lines(wanted)
    for number, (one, two) in enumerate(zip(mine, theirs, strict=False), 1):
        if one != two:
            return f"line {number} is {_quoted(one)}, expected {_quoted(two)}"
    if len(mine) == len(theirs):
        return None
    if len(mine) < len(theirs):
        return (
            f"{_count(len(mine), 'line')} of {len(theirs)}; line {len(mine) + 1} should be {_quoted(theirs[len(mine)])}"
        )
    return (
        f"{_count(len(mine), 'line')}, expected {len(theirs)}; line {len(theirs) + 1} is {_quoted(mine[len(theirs)])}"
    )


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().split("\n")] if text.strip() else []


def _word_that_differs(mine: Sequence[str], theirs: Sequence[str], tolerance: float) -> str | None:
    for number, (one, two) in enumerate(zip(mine, theirs, strict=False), 1):
        if one != two and not _near(one, two, tolerance):
            return f"word {number} is {_quoted(one)}, expected {_quoted(two)}"
    return None if len(mine) == len(theirs) else f"{_count(len(mine), 'word')}, expected {len(theirs)}"


def _near(one: str, two: str, tolerance: float) -> bool:
    try:
        got, wanted = float(one), float(two)
    except ValueError:
        return False
    if math.isnan(got) or math.isnan(wanted):
        return math.isnan(got) and math.isnan(wanted)
    return got == wanted or math.isclose(got, wanted, rel_tol=tolerance, abs_tol=tolerance)


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _quoted(text: str) -> str:
    return repr(text) if len(text) <= _MOST_CHARS else f"{text[:_MOST_CHARS]!r}…"
