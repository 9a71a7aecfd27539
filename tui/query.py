"""What a person types into a filter: words, and `name:value` pairs."""

from __future__ import annotations

import shlex
from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed filter: the named values, each a list of alternatives, and the words left over."""

    values: dict[str, tuple[str, ...]]
    text: str

    def one(self, name: str) -> str:
        """The last value given for `name`, or nothing."""
        return self.values[name][-1] if name in self.values else ""


def parse(typed: str, names: Collection[str]) -> Query:
    """Read a filter; `status:failed,error` gives two alternatives, unknown names stay words, quotes keep spaces."""
    try:
        pieces = shlex.split(typed)
    except ValueError:
        pieces = typed.split()
    values: dict[str, tuple[str, ...]] = {}
    words: list[str] = []
    for piece in pieces:
        name, colon, value = piece.partition(":")
        if colon and name.lower() in names:
            given = tuple(part for part in value.split(",") if part)
            values[name.lower()] = values.get(name.lower(), ()) + given
        else:
            words.append(piece)
    return Query({name: given for name, given in values.items() if given}, " ".join(words))
