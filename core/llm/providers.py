"""Which provider a model's name means; who speaks plain OpenAI, where, and by which key, as `modex.core.llm.quirks` knows it."""

from __future__ import annotations

from dataclasses import dataclass

from modex.core.llm.quirks import PREFIXES, SERVICES

DEMO = "demo"
"""Prefix, and name, of the scripted model."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A provider that takes plain OpenAI chat completions, so that the direct path can ask it."""

    base: str | None
    """Where it usually is; None: only where the user says."""
    base_variables: tuple[str, ...]
    key_variables: tuple[str, ...]
    appends_v1: bool = False
    """Whether its address is usually given without `/v1`."""


DIRECT: dict[str, Endpoint] = {
    row.prefix: Endpoint(row.base, row.base_variables, row.keys, row.appends_v1) for row in SERVICES if row.direct
}
KEY_VARIABLES: dict[str, tuple[str, ...]] = {row.prefix: row.keys for row in SERVICES if row.keys}
"""The variables any one of which holds a provider's key, the usual one first; a provider not here has its own ways."""


def split_provider(model: str) -> tuple[str | None, str]:
    """Split `provider/name`; the provider is None where the prefix is none (`meta-llama/Llama-3`, a bare name)."""
    prefix, slash, name = model.partition("/")
    return (prefix, name) if slash and name and prefix in PREFIXES else (None, model)


def is_demo(model: str) -> bool:
    """Whether `model` is the scripted model or one of its variants."""
    return model == DEMO or model.startswith(f"{DEMO}/")
