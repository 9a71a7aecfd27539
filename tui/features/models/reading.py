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
    names = [said["api_key_env"]] if "api_key_env" in said else []
    names += [name for value in said.get("headers", {}).values() for name in REFERENCE.findall(value)]
    if names:
        yield (
            "key",
            ", ".join(f"{name} is {'set' if os.environ.get(name, '').strip() else 'not set'}" for name in names),
        )
    if asked := [f"{name} {_shown(said[name])}" for name in _PARAMETERS if name in said]:
        yield "asked with", ", ".join(asked)
    if prices := [f"{1e6 * said[f'{name}_price']:g} {name}" for name in ("input", "output") if f"{name}_price" in said]:
        yield "prices", f"{', '.join(prices)}, USD per million tokens"
    limits = [f"{said['concurrency']} calls at once"] if "concurrency" in said else []
    limits += [f"{said['timeout_s']:g} s a call"] if "timeout_s" in said else []
    if limits:
        yield "limits", ", ".join(limits)


_PARAMETERS = ("temperature", "max_tokens", "seed", "reasoning_effort", "top_p", "frequency_penalty", "presence_penalty",
               "stop", "extra_body")  # fmt: skip


def _shown(value: Any) -> str:
    return repr(list(value)) if isinstance(value, tuple) else str(value)
