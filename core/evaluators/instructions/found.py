"""What one check says: whether the instruction is followed, and what stands in the answer, in words."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from modex.core.suite.instructions import LEAST, RELATIONS

_COMPARED: Mapping[str, Callable[[int, int], bool]] = dict(
    zip(RELATIONS, (operator.ge, operator.lt, operator.le, operator.eq), strict=True)
)
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Compliance:
    """A verdict on one instruction; `words` say what was found and what was asked (`4 titles, at least 5 asked`)."""

    followed: bool
    words: str


Check = Callable[[str, Mapping[str, Any]], Compliance]
"""Looks at a text (an answer as it came, or a part of it) with what the instruction is told, by key."""


def counted(number: int, what: str, wanted: int, relation: str | None = None, *, many: str = "") -> Compliance:
    """A count of `what` (in the singular; `many` where the plural is no `s`) compared as the relation says."""
    relation = relation or LEAST
    noun = what if number == 1 else many or f"{what}s"
    return Compliance(_COMPARED[relation](number, wanted), f"{number:,} {noun}, {relation} {wanted:,} asked")


def short(text: str) -> str:
    """A piece of an answer in quotes, on one line, cut where it is long."""
    line = " ".join(text[: 4 * _SHOWN].split())
    return f"'{line[:_SHOWN]}{'…' if len(line) > _SHOWN or len(text) > 4 * _SHOWN else ''}'"
