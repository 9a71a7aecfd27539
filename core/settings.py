"""The user's settings: `MODEX_*` variables before the TOML file; flags on the command line come before both.

Read without pydantic: importing it takes a quarter of the time in which a first frame must stand.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, get_args

from core.errors import ConfigurationError

THEMES = ("dark", "light", "ansi-dark", "ansi-light")
GlyphSetting = Literal["auto", "unicode", "ascii"]
_WORDS = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("must be a text")
    return value


def _names(value: Any) -> list[str]:
    """Several names: a list, or a text with them between commas or as JSON."""
    if isinstance(value, str):
        if value.lstrip().startswith("["):
            value = json.loads(value)
        else:
            return [name for part in value.split(",") if (name := part.strip())]
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ValueError("must be names: a list, or a text with commas between them")
    return value


def _one_of(*values: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in values:
            raise ValueError(f"must be one of {', '.join(values)}")
        return str(value)

    return read


def _number(
    *, above: float | None = None, least: float | None = None, most: float | None = None, whole: bool = False
) -> Callable[[Any], float]:
    wish = "a whole number" if whole else "a number"
    wish += "" if above is None else f" above {above:g}"
    wish += "" if least is None else f" of at least {least:g}"
    wish += "" if most is None else f"{' and' if least is not None else ','} at most {most:g}"

    def read(value: Any) -> float:
        try:
            number = value if not isinstance(value, str) else int(value) if whole else float(value)
        except ValueError:
            number = None
        if (
            not isinstance(number, int if whole else int | float)
            or isinstance(number, bool)
            or (above is not None and not number > above)
            or (least is not None and not number >= least)
            or (most is not None and not number <= most)
        ):
            raise ValueError(f"must be {wish}")
        return number if whole else float(number)

    return read


def _switch(value: Any) -> bool:
    found = _WORDS.get(value.lower()) if isinstance(value, str) else value
    if not isinstance(found, bool):
        raise TypeError("must be true or false")
    return found


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

    db: str | None = _setting(_text)
    """Database file."""
    suite: str | None = _setting(_text)
    """Suite folder that runs take when none is named."""
    model: list[str] = _setting(_names, [])
    """Models that `modex run` asks when none is named."""
    api_base: str | None = _setting(_text)
    judge_model: list[str] = _setting(_names, [])
    judge_api_base: str | None = _setting(_text)
    extractor_model: str | None = _setting(_text)
    concurrency: int | None = _setting(_number(least=1, most=1024, whole=True))
    timeout: float | None = _setting(_number(above=0))
    """Seconds one call may take."""
    max_cost: float | None = _setting(_number(least=0))
    """USD."""
    theme: str | None = _setting(_one_of(*THEMES))
    """One of `THEMES`, or None for what suits the terminal; the `ansi` ones are the terminal's own colours."""
    glyphs: GlyphSetting = _setting(_one_of(*get_args(GlyphSetting)), "auto")
    refresh_hz: float = _setting(_number(above=0, most=30), 4.0)
    """How often a screen looks at a run that moves."""
    mouse: bool = _setting(_switch, default=True)
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
    known = {each.name: each for each in fields(Settings)}
    problems = [_unknown(name, path, list(known)) for name in given if name not in known]
    for name, each in known.items():
        variable = f"MODEX_{name.upper()}"
        if each.metadata["variable"] and (text := environment.get(variable)):
            given[name] = (text, variable)
    found: dict[str, Any] = {}
    for name in known.keys() & given.keys():
        value, where = given[name]
        try:
            found[name] = known[name].metadata["read"](value)
        except (TypeError, ValueError) as error:
            problems.append(f"{where}: {name} = {value!r}: {error}")
    if problems:
        raise ConfigurationError("\n".join(sorted(problems)))
    return Settings(**found)


def _document(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{path}: {error}") from error


def _unknown(name: str, path: Path, known: list[str]) -> str:
    near = get_close_matches(name, known, n=1)
    return f"{path}: {name}: no such setting" + (f"; did you mean {near[0]}?" if near else f" ({', '.join(known)})")


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
        whole = path.with_name(f"{path.name}.new")  # a full disk must not cost the settings that were there
        whole.write_text(tomli_w.dumps(document), encoding="utf-8")
        whole.replace(path)
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{path}: {error}") from error
    return path
