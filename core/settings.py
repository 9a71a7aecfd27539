"""The user's settings: `MODEX_*` variables before the TOML file; flags on the command line come before both."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from core.errors import ConfigurationError


def settings_path() -> Path:
    """The TOML file: `MODEX_CONFIG`, else `config.toml` in the platform's configuration folder."""
    if given := os.environ.get("MODEX_CONFIG"):
        return Path(given).expanduser()
    from platformdirs import user_config_path

    return user_config_path("modex", appauthor=False) / "config.toml"


def _names(value: Any) -> Any:
    """A text as a list: JSON, else names between commas."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        return json.loads(value)
    return [name for part in value.split(",") if (name := part.strip())]


Names = Annotated[list[str], NoDecode, BeforeValidator(_names)]
"""Several names; a variable holds them between commas."""


class Settings(BaseSettings):
    """Every setting; a variable is its name in capitals behind `MODEX_`."""

    model_config = SettingsConfigDict(env_prefix="MODEX_", extra="forbid", env_nested_delimiter="__")

    db: str | None = None
    """Database file."""
    suite: str | None = None
    """Suite folder that runs take when none is named."""
    model: Names = Field(default_factory=list)
    """Models that `modex run` asks when none is named."""
    api_base: str | None = None
    judge_model: Names = Field(default_factory=list)
    judge_api_base: str | None = None
    extractor_model: str | None = None
    concurrency: int | None = Field(default=None, ge=1, le=1024)
    timeout: float | None = Field(default=None, gt=0)
    max_cost: float | None = Field(default=None, ge=0)
    tui: dict[str, Any] = Field(default_factory=dict)
    """The screens' own table; `tui.preferences` reads it."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Variables first, then the file; no dotenv, no secrets folder."""
        del dotenv_settings, file_secret_settings
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, toml_file=settings_path())


def load_settings() -> Settings:
    """Read the settings.

    Raises:
        ConfigurationError: the file or a variable is wrong; the message names the setting.
    """
    try:
        return Settings()
    except ValidationError as error:
        found = [f"{'.'.join(map(str, item['loc'])) or 'settings'}: {item['msg']}" for item in error.errors()]
        raise ConfigurationError(f"{settings_path()} or MODEX_ variables: " + "; ".join(found)) from None
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{settings_path()}: {error}") from None


def save_setting(name: str, value: Any) -> Path:
    """Write one setting to the TOML file, keeping the others; None takes it out. The file's path.

    Raises:
        ConfigurationError: the file cannot be read or written.
    """
    import tomllib

    import tomli_w

    path = settings_path()
    try:
        document = tomllib.loads(path.read_text()) if path.exists() else {}
        if value is None:
            document.pop(name, None)
        else:
            document[name] = value
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(tomli_w.dumps(document))
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{path}: {error}") from error
    return path
