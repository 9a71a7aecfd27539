"""Names for models that are found, and what a name might mean that nobody knows."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from modex.core.config.entries.naming import model_spec
from modex.core.config.entries.places import entries
from modex.core.config.runconfig import ModelSpec
from modex.core.foundation.errors import ConfigurationError
from modex.core.llm.discovery import LocalServer
from modex.core.llm.prices import price_entry
from modex.core.llm.providers import is_demo
from modex.core.llm.quirks import PLAIN, PLAIN_MODELS
from modex.core.llm.routing import route

_NOT_OF_A_NAME = re.compile(r"[^A-Za-z0-9_.-]+")


def unknown_name_problem(spec: ModelSpec, named: Collection[str], flag: str = "--model") -> str | None:
    """What is wrong with a name that is neither an entry's nor a known model's, with what is called nearly so; else None."""
    name = spec.model
    if spec.entry is not None and name != spec.entry and name in named and not spec.is_served:
        return (
            f"{flag} {spec.entry}: its model is the entry '{name}', and an entry names a provider's model: write provider/model,"
            f" or ask {name}"
        )
    known = (
        spec.entry is not None
        or spec.is_served
        or spec.api_base is not None
        or "/" in name
        or ":" in name
        or is_demo(name)
        or price_entry(name) is not None
        or PLAIN_MODELS.match(name) is not None
    )
    if known:
        return None
    near = get_close_matches(name, named, n=2)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(named)};"
    return (
        f"{flag} {name}: no entry of models.toml and no known model is called so; {hint}"
        " `modex models` lists them, and provider/model names one at a provider"
    )


def asked_model(
    name: str,
    flags: Mapping[str, Any] | None = None,
    *,
    suite: str | Path | None = None,
    allow: bool = False,
    flag: str = "--model",
) -> ModelSpec:
    """The model of a command that asks one by itself, beside runs: `model_spec` of a name that means something.

    Raises:
        ConfigurationError: as `model_spec`, or nobody knows the name; the message has what is called nearly so.
    """
    spec = model_spec(name, flags, suite=suite, allow=allow)
    if unknown := unknown_name_problem(spec, entries(suite), flag):
        raise ConfigurationError(unknown)
    return spec


def name_at(base: str, identity: str) -> str:
    """What a command line calls the model that the server at `base` calls `identity`: as that is, unless its beginning is taken
    for a provider's name."""
    try:
        way = route(ModelSpec(model=identity, api_base=base))
    except ConfigurationError:
        return f"{PLAIN}/{identity}"
    return identity if (way.path, way.model) == ("direct", identity) else f"{PLAIN}/{identity}"


def ready_entries(servers: Iterable[LocalServer], taken: Collection[str]) -> dict[str, dict[str, str]]:
    """An entry for each model of servers on this machine: names that are not `taken`, each with `model` and `api_base`."""
    found: dict[str, dict[str, str]] = {}
    for server in servers:
        for identity in server.models:
            wanted = name = _NOT_OF_A_NAME.sub("-", identity.rsplit("/", 1)[-1]).strip("-.")[:60] or "model"
            number = 2
            while name in found or name in taken:
                name, number = f"{wanted}-{number}", number + 1
            found[name] = {"model": f"{PLAIN}/{identity}", "api_base": server.api_base}
    return found
