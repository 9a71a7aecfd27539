"""Models by name as the screen shows them: entries of files, what is built in, and models of servers found on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from modex.core.config.entries.inside import INSIDE, NAME, NOT_INSTALLED, find_weights
from modex.core.config.entries.keys import REFERENCE
from modex.core.config.entries.naming import spec_of, unagreed
from modex.core.config.entries.places import entries, origin_words
from modex.core.config.entries.reading import ModelEntry
from modex.core.foundation.usage import Usage
from modex.core.safety import redact

_DEMO = "a script that plays a model; it needs nothing"
FOUND = "found here"


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One model that can be named, or could have a name."""

    name: str
    model: str
    """As the provider layer names it."""
    entry: ModelEntry | None = None
    """None of a model of a server found here that nobody named yet."""
    given: Mapping[str, str] = field(default_factory=dict)
    """Of such a one, what its entry would say."""
    problems: tuple[str, ...] | None = ()
    """What is wrong with it; None before anybody looked."""

    @property
    def is_own(self) -> bool:
        """Whether an entry of a file says it, so that it can be taken out."""
        return self.entry is not None and self.entry.path is not None

    @property
    def asks_first(self) -> list[str]:
        """What a suite's entry would do that nobody on this machine agreed to."""
        return [] if self.entry is None else unagreed(self.entry, spec_of(self.entry))


def named_rows(suite: str | None) -> list[ModelRow]:
    """Entries in the order of their files, then what is built in; nobody looked at them yet.

    Raises:
        ConfigurationError: a file has mistakes; the message names each with its line.
    """
    return [_row(entry) for entry in entries(suite).values()]


def _row(entry: ModelEntry) -> ModelRow:
    if entry.path is not None:
        return ModelRow(entry.name, entry.model, entry, problems=None)
    if entry.name != NAME:
        return ModelRow(entry.name, _DEMO, entry)
    is_here = find_weights() is not None
    return ModelRow(entry.name, INSIDE, entry, problems=() if is_here else (NOT_INSTALLED,))


def looked_at(rows: Sequence[ModelRow]) -> list[ModelRow]:
    """The rows with what is wrong with each; asks all servers at once for their lists of models."""
    from modex.core.llm.trying import problems_by_entry

    found = problems_by_entry([row.entry for row in rows if row.entry is not None and row.is_own])
    return [replace(row, problems=tuple(found[row.name])) if row.is_own else row for row in rows]


def found_rows(taken: Sequence[ModelRow]) -> list[ModelRow]:
    """Models of servers at their usual ports of this machine that have no name yet, each with one that is free."""
    from modex.core.llm.discovery import find_local_servers
    from modex.core.llm.naming import ready_entries

    ready = ready_entries(find_local_servers(), {row.name for row in taken})
    named = {
        (row.model, row.entry.fields.get("api_base")) for row in taken if row.entry is not None and row.entry.fields
    }
    return [
        ModelRow(name, given["model"], given=given)
        for name, given in ready.items()
        if (given["model"], given["api_base"]) not in named
    ]


def facts_of(row: ModelRow) -> Iterator[tuple[str, str]]:
    """What there is to know of a model, each with its title; no key is among it."""
    if row.entry is None:
        yield "model", f"{row.model} at {redact(row.given['api_base'])}"
        yield "from", f"a server {FOUND}; it has no name yet"
        return
    said = row.entry.fields
    if row.is_own:
        at = f" at {redact(str(said['api_base']))}" if "api_base" in said else ""
        yield "model", f"{said.get('gguf') or row.model}{at}"
    yield "from", origin_words(row.entry)
    if (serve := said.get("serve")) is not None:
        yield "served", ", ".join(f"{name} {value}" for name, value in serve.items())
    yield "key", _key(row.entry)
    if asked := [f"{name} {_shown(said[name])}" for name in _PARAMETERS if name in said]:
        yield "asked with", ", ".join(asked)
    yield "prices", _prices(row.entry)
    limits = [f"{said['concurrency']} calls at once"] if "concurrency" in said else []
    limits += [f"{said['timeout_s']:g} s a call"] if "timeout_s" in said else []
    if limits:
        yield "limits", ", ".join(limits)


def briefly_of(row: ModelRow) -> str:
    """Where a model is and what it takes, in the fewest words: `gpu1:8000/v1, 0.1/0.4 USD, key set`."""
    if row.entry is None:
        return row.given["api_base"].partition("://")[2]
    said = row.entry.fields
    at = redact(str(said.get("api_base") or "")).partition("://")[2]
    names = _variables(row.entry)
    price = _price(row.entry)
    parts = [
        "served by modex" if row.entry.is_served else at,
        "" if price is None else f"{price[0]:g}/{price[1]:g} USD" if any(price) else "free",
        f"key {'set' if all(_state(name) == 'set' for name in names) else 'not set'}" if names else "",
    ]
    return ", ".join(part for part in parts if part)


def _variables(entry: ModelEntry) -> list[str]:
    """The variables without which the model cannot be asked: of its key, and those that its headers name."""
    from modex.core.llm.keys import key_variables, required_key

    spec = spec_of(entry)
    needed = None if entry.is_served else required_key(spec)
    held = [name for name in key_variables(spec) if os.environ.get(name, "").strip()]
    own = [held[0] if held else needed] if needed is not None else []
    return [*own, *(name for value in spec.headers.values() for name in REFERENCE.findall(value))]


def _state(name: str) -> str:
    return "set" if os.environ.get(name, "").strip() else "not set"


def _key(entry: ModelEntry) -> str:
    """Of each variable whether it is set, never what it holds."""
    return ", ".join(f"{name} is {_state(name)}" for name in _variables(entry)) or "none is needed"


def _price(entry: ModelEntry) -> tuple[float, float] | None:
    """USD per million tokens of prompt and of answer; None where that is not known."""
    from modex.core.llm.prices import price_of

    if entry.path is None and entry.is_served:
        return 0.0, 0.0
    found = price_of(spec_of(entry))
    costs = (found.of(Usage(1, 0)), found.of(Usage(0, 1)))
    return None if costs[0] is None or costs[1] is None else (1e6 * costs[0], 1e6 * costs[1])


def _prices(entry: ModelEntry) -> str:
    """What a model costs, and who says so where its entry does not."""
    price = _price(entry)
    if price is None:
        return "not known"
    own = any(f"{name}_price" in entry.fields for name in ("input", "output"))
    table = "" if own else ", as litellm's table has it"
    return f"{price[0]:g} input, {price[1]:g} output, USD per million tokens{table}" if any(price) else "free"


_PARAMETERS = ("temperature", "max_tokens", "seed", "reasoning_effort", "top_p", "frequency_penalty", "presence_penalty",
               "stop", "extra_body")  # fmt: skip


def _shown(value: Any) -> str:
    return repr(list(value)) if isinstance(value, tuple) else str(value)
