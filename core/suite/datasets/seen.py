"""Which keys were there already, in little memory: of a million rows nothing but a number each is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator

Key = tuple[str, str, int, str]
"""(source, domain, level, test_id)"""


class Seen:
    """Finds keys that come again. Keys are known by their hashes, and all of them kept from the first on that seems to repeat."""

    def __init__(self, again: Callable[[], Iterator[tuple[Key, int]]]) -> None:
        """`again` gives the keys from the beginning with their lines; asked once, and only where a hash came twice."""
        self._again = again
        self._hashes: set[int] = set()
        self._lines: dict[Key, int] | None = None

    def first(self, key: Key, line: int) -> int:
        """The line on which `key` stood first: `line` itself, where it is new."""
        if self._lines is None:
            known = len(self._hashes)
            self._hashes.add(hash(key))
            if len(self._hashes) > known:
                return line
            self._lines = self._before(line)
        return self._lines.setdefault(key, line)

    def _before(self, line: int) -> dict[Key, int]:
        """The keys above `line`, each with its first line."""
        found: dict[Key, int] = {}
        for key, at in self._again():
            if at >= line:
                break
            found.setdefault(key, at)
        self._hashes = set()
        return found
