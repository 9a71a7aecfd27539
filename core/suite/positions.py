"""On which line something stands in a JSON text. Asked for mistakes, and for where tools stand: no further than needed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

JsonPath = tuple[str | int, ...]
"""Keys and indices from the root to a value."""

_TOKEN = re.compile(r'[ \t\r]+|\n|"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+|.', re.DOTALL)

_DECODER = json.JSONDecoder(strict=False)
_SPACES = frozenset(" \t\r\n")


class _Walk:
    """A cursor over the tokens that knows the path of the value it stands at."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.line = 1
        self.path: list[str | int] = []
        self.open: list[str] = []
        self.expect_key = False

    def steps(self) -> Iterable[tuple[bool, int]]:
        """Yield `(is_key, line)` at every key, and at every element of an array."""
        for match in _TOKEN.finditer(self.text):
            token = match.group()
            head = token[0]
            if head == "\n":
                self.line += 1
            elif head in " \t\r":
                continue
            elif head in "{[":
                yield from self._element()
                self.open.append(head)
                self.path.append("" if head == "{" else 0)
                self.expect_key = head == "{"
            elif head in "}]":
                self._close()
            elif head == ",":
                self._next()
            elif head == '"' and self.expect_key:
                self.path[-1] = unquote(token)
                self.expect_key = False
                yield True, self.line
                self.line += token.count("\n")
            elif head != ":":
                yield from self._element()
                self.line += token.count("\n")

    def _element(self) -> Iterable[tuple[bool, int]]:
        if self.open and self.open[-1] == "[":
            yield False, self.line

    def _close(self) -> None:
        if self.open:
            self.open.pop()
            self.path.pop()
        self.expect_key = False

    def _next(self) -> None:
        if not self.open:
            return
        last = self.path[-1]
        if self.open[-1] == "[" and isinstance(last, int):
            self.path[-1] = last + 1
        else:
            self.expect_key = True


def unquote(token: str) -> str:
    """The string that a JSON string token stands for; the raw characters where its escapes are broken."""
    if "\\" not in token:
        return token[1:-1]
    try:
        value = json.loads(token, strict=False)
    except ValueError:
        return token[1:-1]
    return value if isinstance(value, str) else token[1:-1]


def find_lines(text: str, wanted: Iterable[JsonPath]) -> dict[JsonPath, int]:
    """The 1-based line of each wanted path: of its key in an object, of its first character in an array.

    A path that is not there (a missing key) gets the line of its nearest parent; the root gets the first line.
    """
    paths = set(wanted)
    sought = {path[:depth] for path in paths for depth in range(1, len(path) + 1)}
    deepest = max((len(path) for path in sought), default=0)
    found: dict[JsonPath, int] = {}
    walk = _Walk(text)
    for _, line in walk.steps():
        if len(walk.path) <= deepest:
            here = tuple(walk.path)
            if here in sought:
                found.setdefault(here, line)
                if len(found) == len(sought):
                    break
    first = text[: len(text) - len(text.lstrip())].count("\n") + 1
    return {path: _nearest(path, found, first) for path in paths}


def find_line(text: str, wanted: JsonPath) -> int:
    """As `find_lines` for one path; what stands before it is skipped by the parser in C."""
    begins = value = _skipped(text, 0)
    try:
        for step in wanted:
            begins, value = _member(text, value, step)
    except (LookupError, ValueError, RecursionError):  # it is not there, or the text is no JSON
        return find_lines(text, [wanted])[wanted]
    return text.count("\n", 0, begins) + 1


def _member(text: str, at: int, step: str | int) -> tuple[int, int]:
    """Where the member `step` of the object or array at `at` begins, and where its value does.

    Raises:
        LookupError, ValueError, RecursionError: there is none.
    """
    named = isinstance(step, str)
    if text[at] != ("{" if named else "["):
        raise KeyError(step)
    number, at = 0, _skipped(text, at + 1)
    while text[at] not in "]}":
        begins, key = at, number
        if named:
            key, at = _DECODER.raw_decode(text, at)
            at = _skipped(text, _skipped(text, at) + 1)  # over the colon
        if key == step:
            return begins, at
        at = _skipped(text, _DECODER.raw_decode(text, at)[1])
        if text[at] == ",":
            at = _skipped(text, at + 1)
        number += 1
    raise KeyError(step)


def _skipped(text: str, at: int) -> int:
    """The next place that is no space."""
    while text[at : at + 1] in _SPACES:
        at += 1
    return at


def _nearest(path: JsonPath, found: dict[JsonPath, int], first: int) -> int:
    for depth in range(len(path), 0, -1):
        if path[:depth] in found:
            return found[path[:depth]]
    return first


def duplicate_keys(text: str) -> list[tuple[str, int, int]]:
    """Every key that stands twice in one object: `(key, line, line of the first)`, in order."""
    walk = _Walk(text)
    seen: list[dict[str, int]] = []
    found: list[tuple[str, int, int]] = []
    for is_key, line in walk.steps():
        depth = len(walk.path)
        del seen[depth:]
        while len(seen) < depth:
            seen.append({})
        if not is_key:
            seen[depth - 1] = {}
            continue
        key = str(walk.path[-1])
        keys = seen[depth - 1]
        if key in keys:
            found.append((key, line, keys[key]))
        else:
            keys[key] = line
    return found


def objects_in(value: Any, path: JsonPath) -> Iterator[tuple[JsonPath, dict[str, Any]]]:
    """Every object of a JSON value, itself included, and where it stands; `path` is where the value does."""
    stack: list[tuple[Any, JsonPath]] = [(value, path)]
    while stack:
        here, at = stack.pop()
        if isinstance(here, dict):
            yield at, here
            stack.extend((item, (*at, key)) for key, item in here.items())
        elif isinstance(here, list):
            stack.extend((item, (*at, number)) for number, item in enumerate(here))
