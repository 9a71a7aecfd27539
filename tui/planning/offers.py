"""Models that can be chosen for a run: those used before, the scripted ones, those of servers here, every known name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from modex.core.config.options import Values
    from modex.core.config.runconfig import ModelSpec
    from modex.core.store.reader import Reader

Key = Literal["set", "missing", "none", "unknown"]
USED, DEMO, TYPED, NAMED = "used before", "scripted", "as typed", "entry"
_NOT_OFFERED = frozenset({"default", "judge", "litellm"})
"""Variants of the scripted model that are plain `demo` by another name or way, or judge only."""

SCRIPTED: dict[str, Any] = {"model": "demo", "api_base": None}
"""The model that needs nothing, as runs store a model."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that can be chosen."""

    model: str
    api_base: str | None = None
    origin: str = ""
    """Where it is known from; empty where only its name is."""
    key: Key = "unknown"
    variable: str = ""
    """The variable its key is in, or would be in; never the key."""

    @property
    def ready(self) -> bool:
        """Whether nothing is known to be missing for asking it."""
        return self.key in ("set", "none")

    @property
    def key_words(self) -> str:
        """How it stands with its key, in words."""
        if self.key == "none":
            return "no key needed"
        if self.key == "unknown":
            return "key not known"
        return f"{self.variable} is set" if self.key == "set" else f"needs {self.variable}"


def with_key(offer: Offer, environment: Mapping[str, str] = os.environ, *, spec: ModelSpec | None = None) -> Offer:
    """The offer with what is known of its key; `spec` is the model where its name is an entry's."""
    from modex.core.config.runconfig import ModelSpec
    from modex.core.llm.keys import key_variables, required_key
    from modex.core.llm.providers import is_demo

    spec = spec or ModelSpec(model=offer.model, api_base=offer.api_base)
    needed, variables = required_key(spec), key_variables(spec)
    held = next((name for name in variables if environment.get(name, "").strip()), None)
    if needed is None:
        free = is_demo(spec.model) or spec.api_base is not None or spec.is_served or bool(variables)
        return replace(offer, key="none" if free else "unknown")
    return replace(offer, key="set" if held else "missing", variable=held or needed)


def entry_offers(suite: str | None) -> list[Offer]:
    """The entries of `models.toml`, the suite's first.

    Raises:
        ConfigurationError: a file has mistakes.
    """
    from modex.core.config.entries.naming import spec_of
    from modex.core.config.entries.places import entries

    found = [entry for entry in entries(suite).values() if entry.path is not None]
    return [with_key(Offer(entry.name, None, NAMED), spec=spec_of(entry)) for entry in found]


def first_offers(recent: Sequence[Mapping[str, Any]], named: Sequence[Offer] = ()) -> list[Offer]:
    """What is known without looking further: entries, models of earlier runs, then the scripted ones."""
    from modex.core.llm.demo.ability import VARIANTS

    scripted = ["demo", *(f"demo/{variant}" for variant in VARIANTS if variant not in _NOT_OFFERED)]
    known = {offer.model for offer in named}
    offers = [
        Offer(spec["model"], spec.get("api_base"), USED)
        for spec in recent
        if not (spec.get("entry") or spec.get("gguf")) and spec["model"] not in known
    ]
    used = known | {offer.model for offer in offers}
    others = [*offers, *(Offer(name, None, DEMO) for name in scripted if name not in used)]
    return [*named, *(with_key(offer) for offer in others)]


def server_offers() -> tuple[int, list[Offer]]:
    """How many model servers answer on this machine, and what they offer; asks their usual ports."""
    from modex.core.llm.discovery import find_local_servers

    servers = find_local_servers()
    found = [
        with_key(Offer(f"openai/{name}", server.api_base, server.name)) for server in servers for name in server.models
    ]
    return len(servers), found


def known_offers() -> list[Offer]:
    """Every model that the table of prices knows."""
    from modex.core.llm.prices import known_models

    return [with_key(Offer(name)) for name in known_models(limit=10_000)]


def matching(offers: Iterable[Offer], typed: str) -> list[Offer]:
    """The offers that hold every word of `typed`, best first; the typed name itself where none is called so."""
    exact = typed.strip()
    words = exact.lower().split()
    shown = [offer for offer in offers if all(word in offer.model.lower() for word in words)]
    if exact and all(offer.model != exact for offer in shown):
        shown.append(with_key(Offer(exact, None, TYPED)))
    return sorted(shown, key=lambda offer: _rank(offer, exact))


def _rank(offer: Offer, typed: str) -> tuple[int, int]:
    """The exact name, models met before, names that begin so, what was typed, the rest; those with a key first."""
    if offer.origin == TYPED:
        return 3, 0
    if offer.model == typed:
        return 0, 0
    if offer.origin:
        return 1, 0
    return (2 if offer.model.lower().startswith(typed.lower()) else 4), int(offer.key != "set")


def recent_models(reader: Reader, most: int = 4) -> list[dict[str, Any]]:
    """The models of the latest runs, each as it was reached and sampled."""
    found: dict[str, dict[str, Any]] = {}
    for run in reader.runs(limit=200):
        spec = run.config.get("model")
        if isinstance(spec, dict) and spec.get("model") and len(found) < most:
            found.setdefault(f"{spec['model']} {spec.get('api_base')}", spec)
    return list(found.values())


def proven_options(reader: Reader) -> Values | None:
    """The options of the latest run that was completed: what ended early may do so again.

    The scripted model's where no run was completed; None where there is no run at all.
    """
    from modex.core.config.configuration import options_of
    from modex.core.config.runconfig import RunConfig

    for run in reader.runs(status="completed", limit=20):
        try:
            found = dict(options_of(RunConfig.model_validate(run.config)))
        except ValueError:  # stored by a version that knew other fields
            continue
        if "form" not in (run.config.get("selection") or {}):  # made before rows asked for a form: nobody chose none
            found.pop("form", None)
        return found
    return {"model": [SCRIPTED["model"]]} if reader.count_runs() else None
