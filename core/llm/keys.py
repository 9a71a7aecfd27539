"""Which environment variable a model's key is read from, and whether it is set: said before the first call."""

from __future__ import annotations

import os

from modex.core.config.entries.keys import REFERENCE
from modex.core.config.runconfig import ModelSpec
from modex.core.foundation.errors import ConfigurationError
from modex.core.llm.prices import price_entry
from modex.core.llm.providers import DIRECT, KEY_VARIABLES, is_demo, split_provider
from modex.core.llm.quirks import PLAIN
from modex.core.llm.routing import on_this_machine, route

PLACEHOLDER = "no-key"
"""Sent where a server of one's own wants an Authorization header but no real key."""

_HOSTED = {endpoint.base for endpoint in DIRECT.values() if (endpoint.base or "").startswith("https:")}
"""The direct path's addresses that nobody can ask without a key."""


def key_variables(spec: ModelSpec) -> tuple[str, ...]:
    """The variables any one of which may hold the key of the model; empty where none is needed or none is known."""
    if spec.api_key_env is not None:
        return (spec.api_key_env,)
    if is_demo(spec.model):
        return ()
    provider, name = split_provider(spec.model)
    if provider is None and spec.api_base is None:
        provider = str((price_entry(name) or {}).get("litellm_provider", PLAIN)).split("-")[0]
    return KEY_VARIABLES.get(provider or PLAIN, ())


def required_key(spec: ModelSpec) -> str | None:
    """The variable without which the model cannot be asked; None for a server of one's own, which may need no key."""
    if spec.api_key_env is not None:
        return spec.api_key_env
    if is_demo(spec.model) or spec.is_served:
        return None
    try:
        found = route(spec)
    except ConfigurationError:
        return None
    variables = key_variables(spec)
    own = found.path == "direct" and found.base not in _HOSTED
    if not variables or own or on_this_machine(found.base):
        return None
    return variables[0]


def key_present(spec: ModelSpec) -> bool:
    """Whether one of the variables of the model is set, or none is required."""
    return required_key(spec) is None or any(os.environ.get(name, "").strip() for name in key_variables(spec))


def missing_key_problem(spec: ModelSpec, flag: str = "--model") -> str | None:
    """What is wrong with the key of `spec`, and what to do; None where nothing is. `flag` names such a model."""
    missing = [name for name in references_of(spec) if not os.environ.get(name, "").strip()]
    lacks_key = not key_present(spec)
    own = [spec.api_key_env] if lacks_key and spec.api_key_env is not None else []
    wants = [f"{name}, which holds its key, is not set" for name in own]
    if missing:
        some = "a header of its entry wants" if len(missing) == 1 else "headers of its entry want"
        wants.append(f"{some} {' and '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not set")
    if wants:
        unset = dict.fromkeys([*own, *missing])
        return f"{spec.said}: {'; '.join(wants)}: export {' '.join(f'{name}=…' for name in unset)}"
    if not lacks_key:
        return None
    names = key_variables(spec)
    others = f" (or {' or '.join(names[1:])})" if len(names) > 1 else ""
    prefix, slash, _ = spec.model.partition("/")
    if slash and split_provider(spec.model)[0] is None and spec.api_base is None and price_entry(spec.model) is None:
        return (
            f"{spec.model}: '{prefix}' is no provider: write provider/model (`modex models` lists them), or give"
            " --api-base for a server of your own"
        )
    demo = " (demo needs none)" if flag == "--model" else ""
    return f"{spec.model}: no key set: export {names[0]}=…{others}, or name another model with {flag}{demo}"


def references_of(spec: ModelSpec) -> list[str]:
    """The variables that its headers name as `${NAME}`, each once."""
    return list(dict.fromkeys(name for value in spec.headers.values() for name in REFERENCE.findall(value)))


def headers_of(spec: ModelSpec) -> dict[str, str]:
    """The headers as they are sent: with what the variables hold that they name."""
    return {
        name: REFERENCE.sub(lambda found: os.environ.get(found[1], "").strip(), value)
        for name, value in spec.headers.items()
    }


def read_key(variables: tuple[str, ...]) -> str | None:
    """The key that the environment holds under the first of `variables` that is set."""
    return next((key for name in variables if (key := os.environ.get(name, "").strip())), None)
