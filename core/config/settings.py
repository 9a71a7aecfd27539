"""The user's settings: `MODEX_*` variables before the TOML file; flags on the command line come before both.

Read without pydantic: importing it takes a quarter of the time in which a first frame must stand.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, get_args

from modex.core.config import values
from modex.core.config.options import BY_NAME, SETTINGS
from modex.core.config.tomlfile import read_toml
from modex.core.foundation.atomic_write import not_written, write_whole
from modex.core.foundation.errors import ConfigurationError

THEMES = ("dark", "light", "ansi-dark", "ansi-light")
_PATHS = ("suite", "dataset")
GlyphSetting = Literal["auto", "unicode", "ascii"]


def _keys(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(keys, str) and keys for keys in value.values()):
        raise ValueError('must be a table such as { "pause" = "space" }')
    return value


def _setting(read: Callable[[Any], Any], default: Any = None, *, variable: bool = True) -> Any:
    told = {"read": read, "variable": variable}
    if isinstance(default, list | dict):
        return field(default_factory=default.copy, metadata=told)
    return field(default=default, metadata=told)


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting; a variable is its name in capitals behind `MODEX_`."""

    run: dict[str, Any] = field(default_factory=dict)
    """Values of the run options that can be settings (`modex.core.config.options.SETTINGS`), by their names."""
    db: str | None = _setting(values.text)
    """Database file."""
    datasets: str | None = _setting(values.text)
    """Folder of the datasets that `modex fetch` brings."""
    theme: str | None = _setting(values.one_of(*THEMES))
    """One of `THEMES`, or None for what suits the terminal; the `ansi` ones are the terminal's own colours."""
    glyphs: GlyphSetting = _setting(values.one_of(*get_args(GlyphSetting)), "auto")
    refresh_hz: float = _setting(values.number(above=0, most=30), 4.0)
    """How often a screen looks at a run that moves."""
    search: bool = _setting(values.switch, default=True)
    """Whether a run's answers go into the search index while it goes on; else the first search takes them in."""
    mouse: bool = _setting(values.switch, default=True)
    keys: dict[str, str] = _setting(_keys, {}, variable=False)
    """`<scope>.<action>` or `<action>` → keys as Textual names them, for example `{"live.pause": "space"}`."""


def settings_path(environment: Mapping[str, str] = os.environ) -> Path:
    """The TOML file: `MODEX_CONFIG`, else `config.toml` in the platform's configuration folder."""
    if given := environment.get("MODEX_CONFIG"):
        return Path(given).expanduser()
    from platformdirs import user_config_path

    return user_config_path("modex", appauthor=False) / "config.toml"


def load_settings(path: Path | None = None, environment: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings; a missing file and an empty variable mean the defaults.

    Raises:
        ConfigurationError: the file cannot be read, or values are wrong; names each, where it stands and what it must be.
    """
    path = path or settings_path(environment)
    given = {name: (value, str(path)) for name, value in _document(path).items()}
    own = {each.name: each for each in fields(Settings) if each.metadata}
    read = {name: each.metadata["read"] for name, each in own.items()} | {
        option.name: option.read for option in SETTINGS
    }
    problems = [_unknown(name, path, list(read)) for name in given if name not in read]
    for name in read:
        variable = f"MODEX_{name.upper()}"
        if (name not in own or own[name].metadata["variable"]) and (text := environment.get(variable)):
            given[name] = (text, variable)
    found: dict[str, Any] = {}
    for name in read.keys() & given.keys():
        value, where = given[name]
        try:
            found[name] = read[name](value)
        except (TypeError, ValueError) as error:
            problems.append(f"{where}: {name} = {value!r}: {error}; correct it")
    if problems:
        raise ConfigurationError("\n".join(sorted(problems)))
    run = {name: value for name, value in found.items() if name not in own}
    return Settings(run=run, **{name: value for name, value in found.items() if name in own})


def read_option_file(path: Path) -> dict[str, Any]:
    """`--config`: the options of `modex run` as TOML, by their flags' names; paths are taken from the file's folder.

    Raises:
        ConfigurationError: it cannot be read, or holds what is no option or no value of one; names each.
    """
    if path.exists() and not path.is_file():
        raise ConfigurationError(
            f"--config {path}: is a folder, a pipe or a device; write the options to a file and name it"
        )
    if not path.is_file():
        raise ConfigurationError(f"--config {path}: there is no such file; name one that is there")
    found: dict[str, Any] = {}
    problems = []
    for given, value in _document(path).items():
        name = given.replace("-", "_")
        if (option := BY_NAME.get(name)) is None:
            near = get_close_matches(name, BY_NAME, n=1)
            hint = f"; did you mean {near[0]}?" if near else "; `modex run --help` lists them, as flags"
            problems.append(f"{path}: {given}: no such option{hint}")
            continue
        try:
            found[name] = option.read(value)
        except (TypeError, ValueError) as error:
            problems.append(f"{path}: {given} = {value!r}: {error}; correct it")
    if problems:
        raise ConfigurationError("\n".join(problems))
    for name in _PATHS:
        if name in found:
            found[name] = _beside(path, found[name], names=name == "dataset")
    return found


def _beside(path: Path, given: str | list[str], *, names: bool) -> str | list[str]:
    """A path as from the file's folder; with `names`, one that can only name a benchmark stays as it is."""
    if isinstance(given, list):
        return [str(_beside(path, one, names=names)) for one in given]
    if names and values.is_bare(given):
        return given
    return str(path.expanduser().absolute().parent / Path(given).expanduser())


def _document(path: Path) -> dict[str, Any]:
    return read_toml(path, "settings", "MODEX_CONFIG").values


def _unknown(name: str, path: Path, known: list[str]) -> str:
    near = get_close_matches(name, known, n=1)
    return f"{path}: {name}: no such setting" + (
        f"; did you mean {near[0]}?" if near else f"; there are {', '.join(known)}"
    )


def save_setting(name: str, value: Any) -> Path:
    """Write one setting to the TOML file, keeping the others; None takes it out. The file's path.

    Raises:
        ConfigurationError: the file cannot be read or written.
    """
    import tomli_w

    path = settings_path()
    document = _document(path)
    if value is None:
        document.pop(name, None)
    else:
        document[name] = value
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, tomli_w.dumps(document))
    except OSError as error:
        raise not_written(path, error, "name another with MODEX_CONFIG") from error
    return path
