"""What tokens cost, from the price table that litellm ships, read without importing litellm."""

from __future__ import annotations

import functools
import importlib.util
import json
import mmap
import threading
from pathlib import Path
from typing import Any

from modex.core.config.runconfig import ModelSpec
from modex.core.llm.providers import DIRECT, is_demo, split_provider
from modex.core.llm.quirks import PLAIN, RESPONSES
from modex.core.llm.types import Usage

_TABLE_FILE = "model_prices_and_context_window_backup.json"
_FIRST_ENTRY = b'{\n    "sample_spec": {'
"""How the table begins while it is laid out one entry after the other, four spaces in."""
_END_OF_ENTRY = b"\n    }"
_LOCK = threading.Lock()
"""All workers ask for their model's price at the same moment; one of them reads the file."""


def _table_file() -> Path | None:
    """Litellm's table as it is shipped; None where there is none (prices are then unknown)."""
    found = importlib.util.find_spec("litellm")
    if found is None or not found.submodule_search_locations:
        return None
    return Path(found.submodule_search_locations[0]) / _TABLE_FILE


@functools.cache
def price_table() -> dict[str, dict[str, Any]]:
    """Litellm's whole table by model name: 0.15 s and 25 MB; a single model is asked for by `price_entry`."""
    file = _table_file()
    try:
        table = json.loads(file.read_bytes()) if file is not None else {}
    except (OSError, ValueError):
        return {}
    return {name: entry for name, entry in table.items() if isinstance(entry, dict) and name != "sample_spec"}


def price_entry(model: str) -> dict[str, Any] | None:
    """The table's entry for `model`, with or without its provider's prefix; None where there is none."""
    with _LOCK:
        return _price_entry(model)


@functools.lru_cache(maxsize=256)
def _price_entry(model: str) -> dict[str, Any] | None:
    provider, name = split_provider(model)
    if provider == PLAIN and name.startswith(RESPONSES):
        return _price_entry(f"{PLAIN}/{name.removeprefix(RESPONSES)}")
    entry, bare = _entries(model, name)
    if entry is not None or provider is None or bare is None:
        return entry
    same = str(bare.get("litellm_provider", "")).split("-")[0]
    return bare if same == provider.split("-")[0] else None


def _entries(*names: str) -> list[dict[str, Any] | None]:
    """The entries of `names`, found in the file: reading all 3 MB of JSON would hold up every worker's first call.

    Once the whole table has been read (a list of every model), it is asked: thousands of searches of the file take seconds.
    """
    if price_table.cache_info().currsize:
        return [price_table().get(name) for name in names]
    file = _table_file()
    if file is None:
        return [None for _ in names]
    try:
        with file.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as text:
            if text[: len(_FIRST_ENTRY)] == _FIRST_ENTRY:
                return [_entry_in(text, name) for name in names]
    except (OSError, ValueError):
        return [None for _ in names]
    return [price_table().get(name) for name in names]


def _entry_in(text: mmap.mmap, name: str) -> dict[str, Any] | None:
    mark = f"\n    {json.dumps(name)}: ".encode()
    at = -1 if name == "sample_spec" else text.find(mark)
    if at < 0:
        return None
    entry = json.loads(text[at + len(mark) : text.find(_END_OF_ENTRY, at) + len(_END_OF_ENTRY)])
    return entry if isinstance(entry, dict) else None


def known_models(text: str = "", *, limit: int = 200) -> list[str]:
    """Names of chat models in the table that hold `text` in any case; those that begin with it first, then sorted."""
    wanted = text.lower()
    names = (
        name
        for name, entry in price_table().items()
        if wanted in name.lower() and entry.get("mode") in {"chat", "responses"}
    )
    return sorted(names, key=lambda name: (not name.lower().startswith(wanted), name))[:limit]


class Price:
    """What one model's tokens cost: by the user's own price, else by the table; nothing is known of other models.

    The table's prices are the provider's: at another address (`api_base`) only models that are free there are known.
    """

    def __init__(self, spec: ModelSpec) -> None:
        self._free = is_demo(spec.model) or spec.is_served
        own = spec.input_price is not None or spec.output_price is not None
        self._free = self._free and not own
        self._own = (spec.input_price or 0.0, spec.output_price or 0.0) if own else None
        self._entry = None if self._free or own else price_entry(spec.model)
        self._elsewhere = spec.api_base is not None and _elsewhere(spec)

    def of(self, usage: Usage) -> float | None:
        """The cost of `usage` in USD; None where the price is unknown."""
        if self._free:
            return 0.0
        if self._own is not None:
            return usage.prompt * self._own[0] + usage.completion * self._own[1]
        entry = self._entry
        if entry is None:
            return None
        price_in, price_out = _tier(entry, "input_cost_per_token", usage), _tier(entry, "output_cost_per_token", usage)
        if price_in is None or price_out is None:
            return None
        if self._elsewhere and (price_in or price_out):
            return None
        cached_price = _tier(entry, "cache_read_input_token_cost", usage)
        reasoning_price = _tier(entry, "output_cost_per_reasoning_token", usage)
        cached, reasoning = min(usage.cached, usage.prompt), min(usage.reasoning, usage.completion)
        return (
            (usage.prompt - cached) * price_in
            + cached * (price_in if cached_price is None else cached_price)
            + (usage.completion - reasoning) * price_out
            + reasoning * (price_out if reasoning_price is None else reasoning_price)
        )


@functools.lru_cache(maxsize=256)
def price_of(spec: ModelSpec) -> Price:
    """The price of a model as it is asked."""
    return Price(spec)


def _elsewhere(spec: ModelSpec) -> bool:
    """Whether `api_base` is not the provider's own address."""
    provider, _ = split_provider(spec.model)
    own = DIRECT[provider or PLAIN].base if (provider or PLAIN) in DIRECT else None
    return own is None or (spec.api_base or "").rstrip("/") != own


def _tier(entry: dict[str, Any], name: str, usage: Usage) -> float | None:
    """The price `name`, at the highest prompt-length tier (`…_above_200k_tokens`) that `usage` exceeds."""
    best, price = -1, _number(entry.get(name))
    for key, value in entry.items():
        if key.startswith(f"{name}_above_") and key.endswith("k_tokens"):
            bound = key.removeprefix(f"{name}_above_").removesuffix("k_tokens")
            if bound.isdigit() and best < int(bound) and usage.prompt > int(bound) * 1000:
                best, price = int(bound), _number(value)
    return price


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except ValueError:
        return None
