"""Changing `models.toml` and leaving what a person wrote: an entry is added at its end, and cut out by its own lines."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from modex.core.config.entries.keys import BY_KEY, NAME, OTHER_NAMES, TABLES, is_a_key_itself
from modex.core.config.entries.places import files
from modex.core.config.entries.reading import VARIABLE, ModelEntry, read_entries
from modex.core.config.tomlfile import read_toml, sections
from modex.core.foundation.atomic_write import not_written, write_whole
from modex.core.foundation.errors import ConfigurationError


def own_file(suite: str | None = None) -> Path:
    """The file that is written: the suite's where one is named, else the user's own.

    Raises:
        ConfigurationError: there is no such suite.
    """
    if suite is not None and not Path(suite).expanduser().is_dir():
        raise ConfigurationError(f"--suite {suite}: there is no such folder; name the suite's")
    found = files(suite)
    return found[0 if suite is not None else -1][0]


def entry_text(name: str, given: Mapping[str, Any]) -> str:
    """An entry as it stands in the file, from values by the keys' names (`params.temperature`)."""
    import tomli_w

    lines = [f"[models.{_quoted(name)}]"]
    tables: dict[str, dict[str, Any]] = {}
    for key, value in given.items():
        table, _, below = key.rpartition(".")
        if table:
            tables.setdefault(table, {})[below] = value
        else:
            lines.append(f"{key} = {_inline(value, tomli_w.dumps)}")
    lines += [f"{table} = {_inline(tables[table], tomli_w.dumps)}" for table in TABLES if table in tables]
    return "\n".join(lines) + "\n"


def add_entry(path: Path, name: str, given: Mapping[str, Any]) -> ModelEntry:
    """Write an entry behind the last line of the file, which is made where there is none; all else stays as it is.

    Raises:
        ConfigurationError: the name is none or is there already, the values are wrong, or the file cannot be written.
    """
    if not NAME.fullmatch(name):
        raise ConfigurationError(f"{name[:100]!r} is no name of an entry; use letters, digits, - _ and .")
    if (there := read_entries(path, "settings").get(name)) is not None:
        raise ConfigurationError(f"{there.where}: {name} is there already; `modex models remove {name}` takes it out")
    before = read_toml(path, "entries of models", VARIABLE).text
    gap = "" if not before else "\n" if before.endswith("\n") else "\n\n"
    _write(path, before, before + gap + entry_text(name, given))
    return read_entries(path, "settings")[name]


def remove_entry(path: Path, name: str) -> int:
    """Cut an entry's lines out of the file, with the remarks between them; how many lines that were.

    Raises:
        ConfigurationError: it is not there, or stands in the file in a way that cannot be cut; or it cannot be written.
    """
    file = read_toml(path, "entries of models", VARIABLE)
    models = file.values.get("models")
    if not isinstance(models, dict) or name not in models:
        raise ConfigurationError(f"{path}: there is no entry {name}; `modex models` lists those there are")
    lines = file.text.splitlines(keepends=True)
    starts = [(keys, number - 1) for keys, number in sections(file.text)]
    cut: set[int] = set()
    for place, (keys, start) in enumerate(starts):
        if keys[:2] == ("models", name):
            end = starts[place + 1][1] if place + 1 < len(starts) else len(lines)
            first = start
            while end == len(lines) and first > 0 and not lines[first - 1].strip():
                first -= 1  # what stood between it and the entry before it
            cut |= set(range(first, _above_next(lines, start, end)))
    if not cut:
        raise ConfigurationError(f"{path}: {name} is written without a [models.{name}] of its own; remove it by hand")
    _write(path, file.text, "".join(line for number, line in enumerate(lines) if number not in cut))
    return len(cut)


def _above_next(lines: Sequence[str], start: int, end: int) -> int:
    """Where an entry ends: remarks right above the next header belong to that one."""
    if end == len(lines):
        return end
    first = end
    while first - 1 > start and lines[first - 1].lstrip().startswith("#"):
        first -= 1
    return first if first < end and not lines[first - 1].strip() else end


def _write(path: Path, before: str, text: str) -> None:
    """Write the file and read it; what cannot be read is taken back."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
        try:
            read_entries(path, "settings")
        except ConfigurationError:
            if before:
                write_whole(path, before)
            else:
                path.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise not_written(path, error, f"name another with {VARIABLE}") from error


def _quoted(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else f'"{name}"'


def _inline(value: Any, dumps: Any) -> str:
    """A value on one line."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_inline(one, dumps)}" for key, one in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_inline(one, dumps) for one in value) + "]"
    return str(dumps({"v": value})).removeprefix("v = ").rstrip("\n")


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _near_whole(key: str) -> str:
    """The whole name of the key that may be meant; empty where nobody can tell."""
    last = key.rpartition(".")[2]
    if (meant := OTHER_NAMES.get(last.replace("-", "_"))) is not None:
        return f"params.extra_body={{ {last} = … }}" if meant == "params.extra_body" else meant
    if near := get_close_matches(key, BY_KEY, n=1, cutoff=0.75):
        return near[0]
    below = {one.rpartition(".")[2]: one for one in BY_KEY}
    return next((below[one] for one in get_close_matches(last, below, n=1)), "")


def assigned(words: Sequence[str]) -> dict[str, Any]:
    """`KEY=VALUE` of a command line as values of an entry: TOML where it is some, else a text.

    Raises:
        ConfigurationError: there is no such key, or a value cannot be read.
    """
    import tomllib

    found: dict[str, Any] = {}
    for word in words:
        key, sign, text = word.partition("=")
        if not sign:
            raise ConfigurationError(f"--set {key[:40]}: write KEY=VALUE, such as params.temperature=0.2")
        if is_a_key_itself(key.rpartition(".")[2]):
            raise ConfigurationError(
                "--set: a key does not belong into models.toml; name the variable that holds it with --api-key-env NAME"
            )
        if key not in BY_KEY:
            near = _near_whole(key)
            hint = f"did you mean {near}?" if near else f"there are {', '.join(BY_KEY)}; choose one"
            raise ConfigurationError(f"--set {key[:40]}: no such key; {hint}")
        try:
            value = tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            value = text
        try:
            BY_KEY[key].read(value)
        except (TypeError, ValueError) as error:
            raise ConfigurationError(f"--set {key}: {error}; correct it") from None
        found[key] = value
    return found
