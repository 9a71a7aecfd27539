"""Thinking apart from the answer, by the rules of the scoring page: a model's thinking is never scored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from modex.core.llm.codespans import CodeSpans
from modex.core.llm.quirks import TAGS, either

_TAG = re.compile(
    f"(?P<opens>{either(row.opens for row in TAGS)})|(?P<closes>{either(row.closes for row in TAGS)})", re.IGNORECASE
)
_LEADING = re.compile(r"[\s\ufeff]*")
_TURNS = tuple(row.turn for row in TAGS if row.turn)
_TRAILING_TURN = re.compile(
    f"{''.join(f'(?<!{re.escape(turn)})' for turn in _TURNS)}(?<!\\s)(?:\\s*+(?:{either(map(re.escape, _TURNS))}))++\\s*+\\Z"
)
_QUOTES = {"`": "`", '"': '"', "'": "'", "“": "”", "‘": "’", "«": "»"}


@dataclass(frozen=True, slots=True)
class Thinking:
    """A message split in two. `truncated`: the thinking never ended, so there is no answer."""

    answer: str
    reasoning: str | None = None
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class _Tag:
    start: int
    end: int
    opens: bool


def strip_thinking(text: str) -> Thinking:
    """Split `text` into its answer and the thinking before it.

    Thinking stands at the start of a message, in the tags of the table (`modex.core.llm.quirks.TAGS`), nested by depth; a closing
    tag without an opening one ends it too. Tags in code or in quotation marks, and balanced tags in the middle of an answer,
    are part of the answer. Without any thinking the text comes back as it is.
    """
    if _TAG.search(text) is None:
        return Thinking(_without_turn(text))
    parts: list[str] = []
    rest = text
    while (start := _LEADING.match(rest)) is not None and (opening := _TAG.match(rest, start.end())) is not None:
        if not _opens(opening):
            break
        end = _end_of_block(rest, opening.start())
        if end is None:
            parts.append(rest[opening.end() :])
            return Thinking("", _joined(parts), truncated=True)
        parts.append(rest[opening.end() : end.start])
        rest = rest[end.end :]
    orphan = _orphan(rest)
    if orphan is not None:
        parts.append(rest[: orphan.start])
        rest = rest[orphan.end :]
    if not parts:
        return Thinking(_without_turn(text))
    return Thinking(_without_turn(rest).lstrip(), _joined(parts))


def _end_of_block(text: str, start: int) -> _Tag | None:
    """The tag that closes the block opened at `start`.

    Quoted tags do not count; where that leaves the block open, a fence may have begun in the thinking and swallowed the
    closing tag, so only tags in immediate quotation marks are left out the second time.
    """
    return _closing(_unquoted(text, start, code=True), 0) or _closing(_unquoted(text, start, code=False), 0)


def _orphan(text: str) -> _Tag | None:
    """The closing tag that no opening one precedes: the chat template opened the thinking, not the model."""
    return _closing(_unquoted(text, 0, code=True), 1)


def _closing(tags: Iterator[_Tag], depth: int) -> _Tag | None:
    for tag in tags:
        depth += 1 if tag.opens else -1
        if depth == 0:
            return tag
    return None


def _unquoted(text: str, start: int, *, code: bool) -> Iterator[_Tag]:
    """The tags from `start` on that are not quoted; the one at `start` itself always counts."""
    spans = CodeSpans(text) if code else None
    for found in _TAG.finditer(text, start):
        in_code = spans is not None and spans.covers(found.start())
        if found.start() > start and (in_code or _in_quotes(text, found)):
            continue
        yield _Tag(found.start(), found.end(), _opens(found))


def _in_quotes(text: str, found: re.Match[str]) -> bool:
    before = text[found.start() - 1 : found.start()]
    return before in _QUOTES and text[found.end() : found.end() + 1] == _QUOTES[before]


def _opens(found: re.Match[str]) -> bool:
    return found["opens"] is not None


def _joined(parts: list[str]) -> str | None:
    return "\n\n".join(part.strip() for part in parts if part.strip()) or None


def _without_turn(text: str) -> str:
    return _TRAILING_TURN.sub("", text) if any(turn in text for turn in _TURNS) else text
