"""One key of a JSON object set or taken out, with every other character of the text as it was."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Member:
    """One key of the object and where it stands: offsets of its key, its value, and the value's end."""

    key: str
    start: int
    value: int
    end: int


@dataclass(frozen=True, slots=True)
class _Shape:
    """Where the object's brackets and members stand."""

    opening: int
    members: list[Member]
    closing: int


def set_key(text: str, key: str, value: Any) -> str:
    """`text` with `key` of its object at `value`: in place where it is there, else behind the last key, in that one's style.

    Raises:
        ValueError: `text` is no JSON object.
    """
    shape = _shape(text)
    written = json.dumps(value, ensure_ascii=False)
    for member in shape.members:
        if member.key == key:
            return text[: member.value] + written + text[member.end :]
    if not shape.members:
        return f"{text[: shape.opening + 1]}{json.dumps(key)}: {written}{text[shape.opening + 1 :]}"
    last = shape.members[-1]
    before = shape.members[-2].end if len(shape.members) > 1 else shape.opening
    lead = text[text.index("," if len(shape.members) > 1 else "{", before) + 1 : last.start]
    colon = text[last.start + len(_key_of(text, last)) : last.value]
    return f"{text[: last.end]},{lead}{json.dumps(key, ensure_ascii=False)}{colon}{written}{text[last.end :]}"


def without_key(text: str, key: str) -> str:
    """`text` without `key` of its object; as it is where the key is not there.

    Raises:
        ValueError: `text` is no JSON object.
    """
    shape = _shape(text)
    at = next((number for number, member in enumerate(shape.members) if member.key == key), None)
    if at is None:
        return text
    members = shape.members
    if at:
        return text[: members[at - 1].end] + text[members[at].end :]
    if len(members) > 1:
        return text[: members[0].start] + text[members[1].start :]
    return text[: shape.opening + 1] + text[members[0].end :]


def _shape(text: str) -> _Shape:
    at = opening = _skip(text, 1 if text.startswith("\ufeff") else 0)
    if text[at : at + 1] != "{":
        raise ValueError("a JSON object is expected")
    members: list[Member] = []
    at = _skip(text, at + 1)
    while text[at : at + 1] != "}":
        key, end = _DECODER.raw_decode(text, at)
        colon = _skip(text, end)
        if not isinstance(key, str) or text[colon : colon + 1] != ":":
            raise ValueError(f"a key is expected at character {at}")
        value = _skip(text, colon + 1)
        _, after = _DECODER.raw_decode(text, value)
        members.append(Member(key, at, value, after))
        at = _skip(text, after)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        elif text[at : at + 1] != "}":
            raise ValueError(f"a comma or a bracket is expected at character {at}")
    return _Shape(opening, members, at)


def _key_of(text: str, member: Member) -> str:
    """The key as it is written, with its quotes."""
    _, end = _DECODER.raw_decode(text, member.start)
    return text[member.start : end]


def _skip(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at
