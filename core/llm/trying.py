"""What is wrong with a model before it is asked for anything: key, server, file, price; and one call to try it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from modex.core.config.entries.naming import spec_of, unagreed
from modex.core.config.entries.reading import ModelEntry
from modex.core.config.runconfig import ModelSpec
from modex.core.foundation.errors import ConfigurationError, ModelCallError
from modex.core.foundation.usage import Usage
from modex.core.llm.client import open_client
from modex.core.llm.discovery import UnreachableError, models_at
from modex.core.llm.keys import missing_key_problem
from modex.core.llm.pool import ClientPool
from modex.core.llm.prices import price_of
from modex.core.llm.routing import on_this_machine, route
from modex.core.llm.served.filling import wish_of
from modex.core.llm.served.gguf import read_gguf
from modex.core.llm.served.programs import find_program, words_of
from modex.core.safety import clean_line

_QUESTION = "Reply with the single word: ready"
_MOST_TOKENS = 512


@dataclass(frozen=True, slots=True)
class Tried:
    """What one call brought."""

    text: str
    seconds: float
    usage: Usage
    cost_usd: float | None

    @property
    def words(self) -> str:
        """`answers in 0.35 s (10 tokens in, 5 out, $0.000020): ready`."""
        cost = "price not known" if self.cost_usd is None else f"${self.cost_usd:.6f}"
        tokens = f"{self.usage.prompt} tokens in, {self.usage.completion} out"
        return f"answers in {self.seconds:.2f} s ({tokens}, {cost}): {clean_line(self.text, 60)}"


def problems_of(spec: ModelSpec, *, timeout_s: float = 2.0) -> list[str]:
    """What is wrong with the model as it is reached, each in a few words; asks its server for nothing but its list of models."""
    return list(_problems(spec, timeout_s))


def problems_of_all(specs: list[ModelSpec], *, timeout_s: float = 2.0) -> list[list[str]]:
    """`problems_of` each, all servers asked at once."""
    with ThreadPoolExecutor(max_workers=max(1, min(16, len(specs)))) as executor:
        return list(executor.map(lambda spec: problems_of(spec, timeout_s=timeout_s), specs))


def away(specs: list[ModelSpec], *, timeout_s: float = 2.0) -> list[str]:
    """Of each model, what keeps its server from being reached at all; empty where it is there, or is not asked by its address.
    All servers are asked at once."""

    def look(spec: ModelSpec) -> str:
        if spec.api_base is None or spec.is_served:
            return ""
        try:
            models_at(spec.api_base, timeout_s=timeout_s, spec=spec)
        except UnreachableError as error:
            return str(error)
        except ConfigurationError:  # it is there; what it says to a call is found out by a call
            return ""
        return ""

    with ThreadPoolExecutor(max_workers=max(1, min(16, len(specs)))) as executor:
        return list(executor.map(look, specs))


def problems_by_entry(entries: Sequence[ModelEntry]) -> dict[str, list[str]]:
    """What is wrong with each, by name; of a suite's that nobody agreed to, that: its server is not asked, nor sent a key."""
    told: dict[str, list[str]] = {}
    asked = []
    for entry in entries:
        if unknown := unagreed(entry, spec_of(entry)):
            told[entry.name] = [
                f"it {'; it '.join(unknown)}: `modex models test {entry.name} --suite DIR --allow-plugins` lets it, once"
            ]
        else:
            asked.append(entry)
    problems = problems_of_all([spec_of(entry) for entry in asked])
    return told | {entry.name: found for entry, found in zip(asked, problems, strict=True)}


def _problems(spec: ModelSpec, timeout_s: float) -> Iterator[str]:
    if spec.is_served:
        yield from filter(None, [_served_problem(spec)])
        return
    try:
        way = route(spec)
    except ConfigurationError as error:
        yield str(error)
        return
    key = missing_key_problem(spec)
    if key is not None:
        yield key.removeprefix(f"{spec.said}: ").removeprefix(f"{spec.model}: ")
    elif spec.api_base is not None and way.path == "direct":
        try:
            listed = models_at(spec.api_base, timeout_s=timeout_s, spec=spec)
        except ConfigurationError as error:
            yield str(error).removeprefix(f"{spec.api_base}: ")
        else:
            if listed and way.model not in listed:
                yield f"the server lists no {way.model}; it has {', '.join(listed[:5])}"
    if price_of(spec).of(Usage(1, 1)) is None and not on_this_machine(way.base):
        yield "no price is known: give prices = { input = …, output = … }"


def _served_problem(spec: ModelSpec) -> str | None:
    """What keeps a model that modex serves from being served here; None where nothing is known to."""
    if spec.gguf is not None and (wrong := file_problem(Path(spec.gguf))):
        return wrong
    try:
        if spec.gguf is not None:
            find_program()
            return None
        wish = wish_of(spec)
        program = words_of(wish, 1)[0]
    except ConfigurationError as error:
        return str(error)
    place = str(Path(wish.folder or ".", program)) if "/" in program else program
    return None if shutil.which(place) else f"no program {program} is here; install it, or correct serve.command"


def file_problem(path: Path) -> str | None:
    """What is wrong with a file that modex is to serve; None where nothing is."""
    try:
        read_gguf(path)
    except ConfigurationError as error:
        return str(error)
    return None


def try_once(spec: ModelSpec, *, timeout_s: float = 60.0) -> Tried:
    """Ask the model one short question.

    Raises:
        ConfigurationError: it cannot be asked, or does not answer; the message says why.
    """
    with closing(ClientPool(1, timeout_s, max_outage_s=0.0)) as pool:
        try:
            found = open_client(spec, pool=pool).complete(
                [{"role": "user", "content": _QUESTION}], max_tokens=spec.max_tokens or _MOST_TOKENS
            )
        except ModelCallError as error:
            raise ConfigurationError(f"{error}; correct its entry, or start its server") from None
    return Tried(found.text, found.duration_ms / 1000, found.usage, found.cost_usd)
