"""Which way a model is asked: the scripted model, the direct path for plain OpenAI endpoints, litellm for all others."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import Literal
from urllib.parse import urlsplit

from modex.core.config.runconfig import ModelSpec
from modex.core.foundation.errors import ConfigurationError
from modex.core.llm.demo.ability import VARIANTS
from modex.core.llm.prices import price_entry
from modex.core.llm.providers import DIRECT, Endpoint, is_demo, split_provider
from modex.core.llm.proxies import is_loopback, proxy_for
from modex.core.llm.quirks import PLAIN, PLAIN_MODELS, RESPONSES
from modex.core.safety import redact

Path = Literal["direct", "litellm", "demo", "served"]


@dataclass(frozen=True, slots=True)
class Route:
    """How to reach a model: the path, and on the direct one the address, the name on the wire and the key's variables."""

    path: Path
    model: str
    """The name that the path's own protocol wants."""
    base: str | None = None
    key_variables: tuple[str, ...] = ()
    responses: bool = False
    """Whether litellm asks it by the Responses API instead of chat completions."""
    key: str | None = field(default=None, repr=False)
    """The key itself, of a server that this program started."""
    own_key: bool = False
    """Whether the model's entry names the variable of its key: no other is sent in its place."""


def route(spec: ModelSpec, *, via: Literal["auto", "direct", "litellm"] = "auto") -> Route:
    """Decide how `spec` is asked; `via` insists on one path.

    Raises:
        ConfigurationError: the address is missing, or is not an http(s) URL; the demo model has no such variant.
    """
    found = _route(spec, via)
    return found if spec.api_key_env is None else replace(found, key_variables=(spec.api_key_env,), own_key=True)


def _route(spec: ModelSpec, via: Literal["auto", "direct", "litellm"]) -> Route:
    if is_demo(spec.model):
        variant = spec.model.partition("/")[2]
        if variant and variant not in VARIANTS:
            raise ConfigurationError(f"{spec.model}: the demo model has no such variant; there are {_variants()}")
        return Route("demo", spec.model)
    if spec.is_served:
        return Route("served", spec.model)
    direct = _direct(spec)
    if direct is None and via == "direct":
        raise ConfigurationError(f"{spec.model}: give --api-base: the direct path needs an address")
    if direct is None or (via == "auto" and _needs_socks(direct.base)):
        return Route("litellm", spec.model, spec.api_base, responses=_by_responses(spec.model))
    if via == "litellm":
        provider, _ = split_provider(spec.model)
        return Route(
            "litellm", spec.model if provider else f"{PLAIN}/{spec.model}", spec.api_base, direct.key_variables
        )
    return direct


def _variants() -> str:
    return ", ".join(["demo", *(f"demo/{name}" for name in VARIANTS if name not in ("default", "judge"))])


def on_this_machine(base: str | None) -> bool:
    """Whether `base` is an address on this machine."""
    return is_loopback(urlsplit(base or "").hostname or "")


def _direct(spec: ModelSpec) -> Route | None:
    """The direct route, or None where litellm is needed."""
    provider, name = split_provider(spec.model)
    if provider is None and spec.api_base is None and not _is_plain(spec.model):
        return None
    endpoint = DIRECT.get(provider or PLAIN)
    if endpoint is None or (provider == PLAIN and name.startswith(RESPONSES)):
        return None
    base = spec.api_base or _from_environment(endpoint.base_variables) or endpoint.base
    if base is None:
        variable = endpoint.base_variables[0]
        raise ConfigurationError(f"{spec.model}: no address: give --api-base, or set {variable}")
    entry = price_entry(spec.model) if spec.api_base is None else None
    if entry is not None and entry.get("mode", "chat") != "chat":
        return None
    return Route("direct", name, _checked(base, endpoint), endpoint.key_variables)


def _by_responses(model: str) -> bool:
    _, name = split_provider(model)
    return name.startswith(RESPONSES) or (price_entry(model) or {}).get("mode") == "responses"


def _is_plain(name: str) -> bool:
    entry = price_entry(name)
    return entry.get("litellm_provider") == PLAIN if entry else PLAIN_MODELS.match(name) is not None


def _checked(base: str, endpoint: Endpoint) -> str:
    base = base.strip().rstrip("/").removesuffix("/chat/completions")
    try:
        parts = urlsplit(base)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ConfigurationError(f"--api-base {redact(base)!r} is no address: write it like http://127.0.0.1:8000/v1")
    return f"{base}/v1" if endpoint.appends_v1 and not parts.path.strip("/") else base


def _from_environment(names: tuple[str, ...]) -> str | None:
    return next((value for name in names if (value := os.environ.get(name, "").strip())), None)


def _needs_socks(base: str | None) -> bool:
    """Whether the environment asks for a SOCKS proxy, which only litellm's HTTP client can use."""
    try:
        proxy = proxy_for(base or "")
    except ValueError:
        return False
    return proxy is not None and proxy.socks
