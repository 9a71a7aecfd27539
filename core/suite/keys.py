"""The keys of every suite file, once: the loader checks by these tables and `modex schema` prints them."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from re import ASCII
from re import compile as compile_pattern
from typing import Any, Literal, get_args

from modex.core.foundation.json_kinds import kind_of
from modex.core.sandbox.workspace.spec import sandbox_fault
from modex.core.store.definition import Given, Kind
from modex.core.suite.attachments import part_fault

MAX_TRIES = 1000
"""As many tries as a test may be given."""
Fault = Literal["none", "error", "timeout", "empty", "garbled", "slow"]
FAULTS: tuple[Fault, ...] = get_args(Fault)
"""What a test can plant in a call of a tool (`modex.core.tools.faults`)."""
MAX_TURNS = 50
"""As many turns of the tool loop as a run may be given."""
MAX_CALL_MS = 604_800_000
"""The longest that one call may be given, a week, in milliseconds."""
Check = Callable[[Any], str | None]

MAX_ID = 200
"""Longest id, in characters."""
_PLAIN_ID = compile_pattern(r"[A-Za-z0-9_@+][A-Za-z0-9_@+:.\-]*", ASCII)


def id_fault(value: str) -> str | None:
    """What is wrong with an id, or None. Letters and digits of any script, and `_ - . : @ +`, not starting with a dot."""
    if not value:
        return "is empty; write letters or digits"
    if len(value) > MAX_ID:
        return f"is longer than {MAX_ID} characters; give a shorter one"
    if _PLAIN_ID.fullmatch(value) and ".." not in value:
        return None
    if "/" in value or "\\" in value or ".." in value:
        return "must not hold a path ('/', '\\' or '..')"
    if value[0] in ".-:":
        return f"must not start with '{value[0]}'"
    for character in value:
        if unicodedata.category(character)[0] not in "LMN" and character not in "_-.:@+":
            shown = f"'{character}'" if character.isprintable() else f"U+{ord(character):04X}"
            return f"may hold letters, digits and _ - . : @ + only, not {shown if character != ' ' else 'a space'}"
    return None


def _must_be(words: str, holds: Callable[[Any], bool]) -> Check:
    """A check that says what a value must be, where it is not."""
    return lambda value: None if holds(value) else f"must be {words}, not {kind_of(value)}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


_positive = _must_be("a number above 0", lambda value: _is_number(value) and 0 < value < math.inf)


def _id(value: Any) -> str | None:
    if not isinstance(value, str):
        return f"must be a text, not {kind_of(value)}"
    return id_fault(value)


def _milliseconds(value: Any) -> str | None:
    if (fault := _positive(value)) is not None:
        return fault
    return f"must be at most {MAX_CALL_MS:,} (a week), not {kind_of(value)}" if value > MAX_CALL_MS else None


def _tries(value: Any) -> str | None:
    if not isinstance(value, dict) or set(value) != {"pass", "of"}:
        return f'must say how many tries must pass of how many, {{"pass": 8, "of": 10}}, not {kind_of(value)}'
    passes, of = value["pass"], value["of"]
    if _is_whole(passes) and _is_whole(of) and 1 <= passes <= of <= MAX_TRIES:
        return None
    return f"must have 1 ≤ pass ≤ of ≤ {MAX_TRIES} in whole numbers"


def _faults(value: Any) -> str | None:
    if not isinstance(value, dict):
        return f"must be an object of lists by tool, not {kind_of(value)}"
    for tool, planned in value.items():
        wrong = [one for one in planned if one not in FAULTS] if isinstance(planned, list) else [planned]
        if wrong:
            return f"must list {', '.join(FAULTS)} for '{tool[:80]}', not {kind_of(wrong[0])}"
    return None


def _ids(value: Any) -> str | None:
    if not isinstance(value, list):
        return f"must be a list of ids, not {kind_of(value)}"
    for item in value:
        fault = _id(item)
        if fault is not None:
            return f"must be a list of ids; {kind_of(item)} {fault}"
    return None


def _prompt(value: Any) -> str | None:
    if isinstance(value, str):
        return None if value.strip() else "is empty; write what is asked"
    if not isinstance(value, list):
        return f"must be a text or a list of turns, not {kind_of(value)}"
    if not value:
        return "has no turns; write a user's turn"
    for number, turn in enumerate(value, 1):
        content = turn.get("content") if isinstance(turn, dict) else None
        if not isinstance(content, str) and not (isinstance(content, list) and content):
            return f"has a wrong turn {number}: each must be an object with 'role' and 'content' (a text, or a list of parts)"
        for part in content if isinstance(content, list) else ():
            if fault := part_fault(part):
                return f"has a wrong part in turn {number}: {fault}"
        if turn.get("role") not in ("system", "user", "assistant"):
            return (
                f"has a wrong turn {number}: 'role' must be system, user or assistant, not {kind_of(turn.get('role'))}"
            )
    return "must end with a user's turn" if value[-1]["role"] == "system" else None


_CHECKS: Mapping[Kind, Check] = {
    "id": _id,
    "text": _must_be("a text", _is_text),
    "boolean": _must_be("true or false", lambda value: isinstance(value, bool)),
    "positive": _positive,
    "milliseconds": _milliseconds,
    "whole": _must_be("a whole number of 1 or more", lambda value: _is_whole(value) and value >= 1),
    "turns": _must_be(
        f"a whole number from 1 to {MAX_TURNS}", lambda value: _is_whole(value) and 1 <= value <= MAX_TURNS
    ),
    "tries": _tries,
    "level": _must_be("a level from 1 to 5", lambda value: _is_whole(value) and 1 <= value <= 5),
    "object": _must_be("an object", lambda value: isinstance(value, dict)),
    "faults": _faults,
    "sandbox": sandbox_fault,
    "any": lambda _: None,
    "list": _must_be("a list", lambda value: isinstance(value, list)),
    "ids": _ids,
    "strings": _must_be("a list of texts", lambda value: isinstance(value, list) and all(map(_is_text, value))),
    "prompt": _prompt,
    "file": _must_be("the name of a file", lambda value: isinstance(value, str) and value != ""),
}


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a suite file."""

    name: str
    kind: Kind
    description: str
    required: bool = False
    choices: tuple[str, ...] = ()
    default: str = ""
    """What holds where it is not given, in the words of the documentation's table."""

    @classmethod
    def of(cls, name: str, given: Given) -> Key:
        """The key that a field's annotation makes."""
        return cls(name, given.kind, given.about, given.required, given.choices, given.default)

    def check(self) -> Check:
        """The function that says what is wrong with a value, or None."""
        if self.kind != "choice":
            return _CHECKS[self.kind]
        choices = self.choices

        def choice(value: Any) -> str | None:
            if isinstance(value, str) and value in choices:
                return None
            from modex.core.suite.suggest import did_you_mean

            hint = did_you_mean(value, choices) if isinstance(value, str) else ""
            return f"must be {' or '.join(choices)}, not {kind_of(value)}{hint}"

        return choice


@dataclass(frozen=True, slots=True)
class Table:
    """The keys of one kind of object, with their checks by name."""

    kind: str
    """The word used in messages."""
    keys: tuple[Key, ...]
    checks: Mapping[str, Check]
    required: tuple[str, ...]

    def valid(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The values of `data` that are what they should be; null is none."""
        return {
            name: value
            for name, value in data.items()
            if value is not None and name in self.checks and self.checks[name](value) is None
        }


def table(kind: str, *keys: Key) -> Table:
    """A table of `keys`."""
    return Table(
        kind,
        keys,
        {key.name: key.check() for key in keys} | {"$schema": _CHECKS["any"]},
        tuple(key.name for key in keys if key.required),
    )
