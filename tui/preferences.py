"""How the user wants the screen, from the same variables and file as `core.settings`.

Read here without pydantic, which takes longer to import than a first frame may; written through `core.settings`.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from core.errors import ConfigurationError
from tui.glyphs import GlyphSetting

THEMES = ("dark", "light", "ansi-dark", "ansi-light")


@dataclass(frozen=True, slots=True)
class Preferences:
    """The user's wishes; every one has a default that suits SSH."""

    theme: str | None = None
    """One of `THEMES`, or None for what suits the terminal; the `ansi` ones are the terminal's own colours."""
    glyphs: GlyphSetting = "auto"
    refresh_hz: float = 4.0
    mouse: bool = True
    keys: dict[str, str] = field(default_factory=dict)
    """`<scope>.<action>` or `<action>` → keys as Textual names them, for example `{"live.pause": "space"}`."""


def settings_file(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the settings are: `MODEX_CONFIG`, else `config.toml` in the platform's configuration folder."""
    if given := environment.get("MODEX_CONFIG"):
        return Path(given).expanduser()
    from platformdirs import user_config_path

    return user_config_path("modex", appauthor=False) / "config.toml"


def load(path: Path | None = None, environment: Mapping[str, str] = os.environ) -> Preferences:
    """Read the preferences: variables before the file; a missing file means the defaults.

    Raises:
        ConfigurationError: the file cannot be read, or a value is not one that is known; says where and what is.
    """
    path = path or settings_file(environment)
    try:
        data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        data = {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigurationError(f"{path}: {error}") from error
    wishes = {name: (data[name], str(path)) for name in Preferences.__slots__ if name in data}
    for name in ("theme", "glyphs", "refresh_hz", "mouse"):
        if (given := environment.get(f"MODEX_{name.upper()}")) is not None:
            wishes[name] = (_from_text(name, given), f"MODEX_{name.upper()}")
    return Preferences(**{name: _checked(name, value, where) for name, (value, where) in wishes.items()})


def _from_text(name: str, given: str) -> Any:
    if name == "mouse":
        return {
            "true": True,
            "1": True,
            "yes": True,
            "on": True,
            "false": False,
            "0": False,
            "no": False,
            "off": False,
        }.get(given.lower(), given)
    if name == "refresh_hz":
        try:
            return float(given)
        except ValueError:
            return given
    return given


def _checked(name: str, value: Any, where: str) -> Any:
    wishes = {
        "theme": (value in THEMES, f"must be one of {', '.join(THEMES)}"),
        "glyphs": (value in ("auto", "unicode", "ascii"), "must be auto, unicode or ascii"),
        "refresh_hz": (
            isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 30,
            "must be a number above 0, at most 30",
        ),
        "mouse": (isinstance(value, bool), "must be true or false"),
        "keys": (
            isinstance(value, dict) and all(isinstance(keys, str) and keys for keys in value.values()),
            'must be a table such as { "pause" = "space" }',
        ),
    }
    right, wish = wishes[name]
    if not right:
        raise ConfigurationError(f"{where}: {name} = {value!r}: {wish}")
    return float(cast("float", value)) if name == "refresh_hz" else value
