"""Saying how far long reading is, without asking at each of a million things."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
_EVERY = 500


def counted(things: Iterable[T], progress: Callable[[int], None]) -> Iterator[T]:
    """`things` as they are; `progress` is told how many more were taken, every few hundred and at the end."""
    number = 0
    for number, thing in enumerate(things, 1):
        yield thing
        if not number % _EVERY:
            progress(_EVERY)
    if number % _EVERY:
        progress(number % _EVERY)
