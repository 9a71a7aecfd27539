"""Weights that are raced against themselves: the same content by two names, or served in two ways."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from modex.core.config.entries.keys import KEYS
from modex.core.config.runconfig import ModelSpec
from modex.core.foundation.errors import ConfigurationError
from modex.core.safety import clean_line

_NAMES = frozenset({"model", "entry", "gguf"})
"""What a file and its entry are called."""
_PRICES = frozenset({"input_price", "output_price"})
_KEY_OF = {key.place: key.name for key in KEYS}


def same_weights(specs: Sequence[ModelSpec]) -> list[str]:
    """Of each two filled files of the same content that are asked or served in two ways, how they differ, in a sentence.

    Raises:
        ConfigurationError: two of them differ in nothing that an answer or its speed could depend on.
    """
    lines = []
    for place, spec in enumerate(specs):
        for other in specs[:place]:
            if spec.gguf_digest is None or spec.gguf_digest != other.gguf_digest:
                continue
            both = f"{clean_line(other.said, 80)} and {clean_line(spec.said, 80)}"
            ways, others = _way(spec), _way(other)
            differ = [name for name in sorted(ways.keys() | others.keys()) if ways.get(name) != others.get(name)]
            if not differ:
                raise ConfigurationError(
                    f"{both} are one model twice: the same weights, asked and served alike, so there is nothing to decide;"
                    " name another file, or give one of them options of its own (serve = { slots = … })"
                )
            told = [f"{name} {_shown(others.get(name))} and {_shown(ways.get(name))}" for name in differ]
            lines.append(f"{both} are the same weights; they differ in {', '.join(told)}")
    return lines


def _way(spec: ModelSpec) -> dict[str, Any]:
    """How it is asked and served, by the keys of an entry; what nobody says is not there."""
    whole = spec.model_dump(exclude_none=True)
    flat = {f"serve.{name}": value for name, value in (whole.pop("serve", None) or {}).items()} | whole
    return {_KEY_OF.get(name, name): value for name, value in flat.items() if name not in _NAMES | _PRICES}


def _shown(value: Any) -> str:
    return "not given" if value is None else clean_line(str(value), 60)
