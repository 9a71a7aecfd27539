"""Reading `models.toml`: every mistake with its line, all at once; no key can stand in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

from modex.core.config.entries import inside
from modex.core.config.entries.keys import (
    BY_KEY,
    NAME,
    OTHER_NAMES,
    SERVES_A_COMMAND,
    SERVES_A_FILE,
    TABLES,
    TOP,
    is_a_key_itself,
)
from modex.core.config.tomlfile import Keys, TomlFile, read_toml
from modex.core.foundation.errors import ConfigurationError, Problem
from modex.core.safety.redact import redact

FILE = "models.toml"
VARIABLE = "MODEX_MODELS"
Origin = Literal["suite", "settings", "variable", "built in"]


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """A model by name: what its file says, as fields of `ModelSpec`."""

    name: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    """By the fields' names; those below `serve` in a mapping. Paths are whole, prices are of one token."""
    path: Path | None = None
    """The file that says it; None of what is built in."""
    line: int = 0
    origin: Origin = "built in"
    hides: tuple[str, ...] = ()
    """Where else an entry of this name stands, which this one comes before."""

    @property
    def where(self) -> str:
        """File and line, or that it is built in."""
        return "built in" if self.path is None else f"{self.path}:{self.line}"

    @property
    def model(self) -> str:
        """The model as the provider layer names it."""
        return str(self.fields["model"])

    @property
    def is_served(self) -> bool:
        """Whether modex starts what serves it, as it does for the real model that is built in."""
        built_in = self.path is None and self.name == inside.NAME
        return built_in or "gguf" in self.fields or "serve" in self.fields


def name_of_file(path: str | Path) -> str:
    """The model's name of a file that modex serves: without its folder, which says nothing of what it answers."""
    return f"gguf:{Path(path).name}"


def read_entries(path: Path, origin: Origin) -> dict[str, ModelEntry]:
    """The entries of a file, by name, in its order; none where there is no such file.

    Raises:
        ConfigurationError: it cannot be read, or has mistakes; the message names each with its line.
    """
    file = read_toml(path, "entries of models", VARIABLE)
    reader = _Reader(file)
    found = {entry.name: entry for entry in reader.entries(origin)}
    if reader.problems:
        raise ConfigurationError(
            "\n".join(dict.fromkeys(f"{path}:{one.line}: {one.message}" for one in reader.problems))
        )
    return found


def mistakes_in(folder: Path) -> list[Problem]:
    """What is wrong with the entries of a suite's folder, each with its line; none where it has no such file."""
    path = folder / FILE
    try:
        reader = _Reader(read_toml(path, "entries of models", VARIABLE))
    except ConfigurationError as error:  # no TOML, or it cannot be read at all
        line, _, words = str(error).removeprefix(f"{path}:").partition(": ")
        return [
            Problem(FILE, int(line), words) if line.isdecimal() else Problem(FILE, 0, f"{line}: {words}".strip(": "))
        ]
    list(reader.entries("suite"))
    return list(dict.fromkeys(reader.problems))


class _Reader:
    def __init__(self, file: TomlFile) -> None:
        self._file = file
        self.problems: list[Problem] = []

    def _wrong(self, keys: Keys, words: str) -> None:
        name = redact(".".join(keys[1:] or keys))
        self.problems.append(Problem(FILE, self._file.line_of(keys), f"{name}: {words}"))

    def entries(self, origin: Origin) -> Iterator[ModelEntry]:
        for name in self._file.values:
            if name != "models":
                near = "; did you mean [models.NAME]?" if get_close_matches(name, ["models"], n=1) else ""
                self._wrong((name,), f"no such table{near or '; write each model as [models.NAME]'}")
        models = self._file.values.get("models", {})
        if not isinstance(models, dict):
            self._wrong(("models",), "must be tables: write each model as [models.NAME]")
            return
        for name, given in models.items():
            keys = ("models", name)
            if not isinstance(given, dict):
                self._wrong(keys, "must be a table: write it as [models.NAME], with model = below it")
            elif not NAME.fullmatch(name):
                self._wrong(keys, "no name of an entry; use letters, digits, - _ and .")
            else:
                before = len(self.problems)
                fields = self._fields(keys, given)
                if len(self.problems) == before:
                    yield ModelEntry(name, fields, self._file.path, self._file.line_of(keys), origin)

    def _has_misspelt(self, above: Keys, names: tuple[str, ...]) -> bool:
        """Whether a key of the entry was said to be meant as one of these: one mistake is told once."""
        models = self._file.values.get("models", {})
        return any(near_key(key) in [f"did you mean {name}?" for name in names] for key in models[above[1]])

    def _fields(self, above: Keys, given: Mapping[str, Any]) -> dict[str, Any]:
        flat = dict(self._flat(above, given))
        found: dict[str, Any] = {}
        for name, value in flat.items():
            try:
                read = BY_KEY[name].read(value)
            except (TypeError, ValueError) as error:
                self._wrong((*above, *name.split(".")), f"{error}; correct it")
                continue
            place, _, below = BY_KEY[name].place.partition(".")
            if below:
                found.setdefault(place, {})[below] = read
            else:
                found[place] = read / 1e6 if name.startswith("prices.") else read
        self._check_whole(above, flat)
        if "command" in found.get("serve", {}):
            found["serve"]["folder"] = str(_beside(self._file.path, "."))
        if "gguf" in found:
            found["gguf"] = str(_beside(self._file.path, found["gguf"]))
            found.setdefault("model", name_of_file(found["gguf"]))
        return found

    def _flat(self, above: Keys, given: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        """The known keys with their values; of those below a table as `params.stop`."""
        for name, value in given.items():
            if name in TABLES:
                if isinstance(value, dict):
                    yield from (
                        (whole, below)
                        for key, below in value.items()
                        if self._is_known((*above, name, key), whole := f"{name}.{key}", below)
                    )
                else:
                    self._wrong((*above, name), "must be a table such as " + _example(name))
            elif self._is_known((*above, name), name, value):
                yield name, value

    def _is_known(self, keys: Keys, name: str, value: Any) -> bool:
        if name in BY_KEY:
            return True
        table, _, key = name.rpartition(".")
        if is_a_key_itself(key):
            self._wrong(
                keys, 'a key does not belong into this file; name the variable that holds it: api_key_env = "NAME"'
            )
            return False
        known = [one.partition(".")[2] for one in BY_KEY if one.startswith(f"{table}.")] if table else list(TOP)
        if hint := near_key(name):
            words = hint
        elif isinstance(value, dict) and any(one in TOP for one in value):
            words = f'a name with a dot stands in quotes: [models."{".".join(keys[1:])}"]'
        else:
            words = f"there are {', '.join(known)}"
        self._wrong(keys, f"no such key; {words}")
        return False

    def _check_whole(self, above: Keys, flat: Mapping[str, Any]) -> None:
        """What keys say together."""
        served = [name for name in ("gguf", "serve.command") if name in flat]
        sizes = next((f"serve.{name}" for name in SERVES_A_FILE if f"serve.{name}" in flat), None)
        of_command = next((f"serve.{name}" for name in SERVES_A_COMMAND if f"serve.{name}" in flat), None)
        if len(served) == 2:
            self._wrong((*above, "gguf"), "a file is served, or a command serves: leave gguf or serve.command out")
        elif "gguf" in flat and "model" in flat:
            self._wrong((*above, "model"), "a gguf is served under its file's own name: leave model out, or gguf")
        elif "model" not in flat and "gguf" not in flat and not self._has_misspelt(above, ("model", "gguf")):
            self._wrong(above, 'needs a model = "provider/name", or a gguf = "FILE" that modex serves')
        elif "gguf" in flat and of_command:
            self._wrong((*above, *of_command.split(".")), "belongs to a command; leave it out where a gguf is served")
        elif "gguf" not in flat and sizes:
            self._wrong((*above, *sizes.split(".")), "belongs to a gguf; write it into the command instead")
        elif of_command and "serve.command" not in flat:
            self._wrong((*above, *of_command.split(".")), 'needs a command = "… --port {port}"')
        elif served and "api_base" in flat:
            self._wrong((*above, "api_base"), "modex chooses the address of what it serves; leave api_base out")
        elif served and "api_key_env" in flat:
            self._wrong((*above, "api_key_env"), "what modex serves has a key of its own; leave api_key_env out")


def near_key(name: str) -> str:
    """What may be meant by a key that there is not, in words that begin small; empty where nobody can tell."""
    table, _, key = name.rpartition(".")
    known = [one.partition(".")[2] for one in BY_KEY if one.startswith(f"{table}.")] if table else list(TOP)
    meant = OTHER_NAMES.get(key.replace("-", "_"))
    if meant == "params.extra_body":
        return f"write it as params = {{ extra_body = {{ {key} = … }} }}"
    if meant is None:
        if near := get_close_matches(key, known, n=1):
            return f"did you mean {near[0]}?"
        below = {one.rpartition(".")[2]: one for one in BY_KEY}
        meant = next((below[one] for one in get_close_matches(key, below, n=1)), None)
    if meant is None:
        return ""
    return f"write it as {_written(meant)}" if "." in meant or table else f"did you mean {meant}?"


def _written(name: str) -> str:
    table, _, key = name.rpartition(".")
    if name not in BY_KEY:
        return f"{name} = {_example(name)}"
    example = f"{key} = {BY_KEY[name].example}"
    return f"{table} = {{ {example} }}" if table else example


def _example(table: str) -> str:
    key = next(key for key in BY_KEY.values() if key.name.startswith(f"{table}."))
    return f"{{ {key.name.partition('.')[2]} = {key.example} }}"


def _beside(path: Path, given: str) -> Path:
    return path.expanduser().absolute().parent / Path(given).expanduser()
