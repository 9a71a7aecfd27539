"""What a benchmark's own rule is: a letter, number or text taken from a response, and whether that is the gold."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class OfficialRule:
    """One benchmark's rule. Stateless; both functions are given texts and return at once."""

    name: str
    """As it is said of a figure: `by MMLU-Pro's rule`."""
    read: Callable[[str], str | None]
    """What it takes from a response; None where it takes nothing."""
    right: Callable[[str, str], bool]
    """Whether what was read is the gold, which is given as a text."""
    about: str
    """What it looks for, and what it does where it finds nothing: a sentence or two."""
    page: str
    """Where it is published."""


def gold_text(expected: Any) -> str | None:
    """A test's gold as the one text that such a rule compares with; None where it has none, or several."""
    if isinstance(expected, dict):
        expected = expected.get("value")
    if isinstance(expected, list):
        expected = expected[0] if len(expected) == 1 else None
    if isinstance(expected, bool) or not isinstance(expected, str | int | float):
        return None
    return str(expected)


def first_group(pattern: re.Pattern[str]) -> Callable[[str], str | None]:
    """What reads the first group of the first match; None without one."""

    def read(text: str) -> str | None:
        found = pattern.search(text)
        return found[1] if found is not None else None

    return read


def is_text(read: str, gold: str) -> bool:
    """Whether what was read is the gold's text, blanks at its ends apart."""
    return read == gold.strip()
