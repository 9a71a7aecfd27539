"""A TOML file that a person writes: read with a limit, and with the line on which each key stands."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from modex.core.foundation.errors import ConfigurationError

_MOST = 1 << 20
"""Bytes of such a file."""
_KEY = r"(?:[A-Za-z0-9_-]+|\"(?:[^\"\\]|\\.)*\"|'[^']*')"
_DOTTED = rf"{_KEY}(?:\s*\.\s*{_KEY})*"
_HEADER = re.compile(rf"\s*\[\[?\s*({_DOTTED})\s*\]\]?\s*(?:#.*)?$")
_ASSIGNED = re.compile(rf"\s*({_DOTTED})\s*=")
_INLINE = re.compile(rf"[{{,]\s*({_DOTTED})\s*=")
Keys = tuple[str, ...]
"""The way to a key from the top of the file."""


@dataclass(frozen=True, slots=True)
class TomlFile:
    """What stands in a file; empty where there is none."""

    path: Path
    values: dict[str, Any] = field(default_factory=dict)
    text: str = ""

    def line_of(self, keys: Keys) -> int:
        """The line on which the key stands, or else the nearest one above it; 1 where none does."""
        found, depth = 1, 0
        for place, line in _places(self.text):
            shared = next((n for n, (one, other) in enumerate(zip(place, keys, strict=False)) if one != other), None)
            shared = min(len(place), len(keys)) if shared is None else shared
            if shared == len(keys):
                return line
            if shared == len(place) > depth:
                found, depth = line, shared
        return found


def parts_of(dotted: str) -> Keys:
    """The names in a dotted key, without their quotes."""
    return tuple(next(iter(tomllib.loads(f"{part} = 0"))) for part in re.findall(_KEY, dotted))


def sections(text: str) -> Iterator[tuple[Keys, int]]:
    """The headers of tables in the text, each with its line, from 1; those inside of a text over several lines are none."""
    for keys, line, is_header in _lines(text):
        if is_header:
            yield keys, line


def _places(text: str) -> Iterator[tuple[Keys, int]]:
    above: Keys = ()
    for keys, line, is_header in _lines(text):
        above = keys if is_header else above
        yield (keys if is_header else (*above, *keys)), line


def _lines(text: str) -> Iterator[tuple[Keys, int, bool]]:
    """Each header and each key at the beginning of a line, with those of inline tables behind it."""
    closing = ""
    for number, line in enumerate(text.splitlines(), 1):
        if closing:
            closing = "" if closing in line else closing
            continue
        if header := _HEADER.match(line):
            yield parts_of(header[1]), number, True
        elif assigned := _ASSIGNED.match(line):
            keys = parts_of(assigned[1])
            yield keys, number, False
            for inline in _INLINE.finditer(line, assigned.end()):
                yield (*keys, *parts_of(inline[1])), number, False
            closing = next((mark for mark in ('"""', "'''") if line.count(mark) == 1), "")


def read_toml(path: Path, what: str, variable: str) -> TomlFile:
    """Read the file; `what` it holds and the `variable` that names another are for the messages.

    Raises:
        ConfigurationError: it cannot be read, is too large or no TOML.
    """
    try:
        # A pipe that nobody writes into would hold the opening for ever, and a device such as /dev/zero has no end.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(mode := os.fstat(descriptor).st_mode) and not stat.S_ISCHR(mode):
                raise ConfigurationError(f"{path}: is no regular file, so these are no {what}; name another file")
            read = file.read(_MOST + 1) or b""
        if len(read) > _MOST:
            raise ConfigurationError(f"{path}: larger than 1 MiB, so these are no {what}; name another file")
        text = read.decode("utf-8-sig")  # some editors begin a file with a mark of its encoding
        return TomlFile(path, tomllib.loads(text), text)
    except FileNotFoundError:
        return TomlFile(path)
    except OSError as error:
        raise ConfigurationError(
            f"{path}: cannot be read ({error.strerror}); make it readable, or name another with {variable}"
        ) from error
    except UnicodeDecodeError as error:
        line = read.count(b"\n", 0, error.start) + 1
        raise ConfigurationError(f"{path}:{line}: is not written in UTF-8; save the file as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        line, words = _placed(str(error), text)
        raise ConfigurationError(f"{path}:{line}: {words}; correct it, in TOML: NAME = VALUE") from error
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{path}: {error}; correct it, in TOML: NAME = VALUE") from error


_AT = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_TWICE = re.compile(r"Cannot declare \((.+)\) twice")


def _placed(words: str, text: str) -> tuple[int, str]:
    """The line of a mistake in TOML, and its words without it; what only the end of the text shows is on its last line."""
    found = _AT.search(words)
    line = int(found[1]) if found and found[1] else max(1, len(text.splitlines()))
    bare = _AT.sub("", words)
    if bare == "Cannot overwrite a value":
        bare = "this key stands twice"
    elif twice := _TWICE.fullmatch(bare):
        bare = f"[{'.'.join(re.findall(_KEY, twice[1].replace(', ', ' '))).replace(chr(39), '')}] stands twice"
    return line, bare
