"""The three layers of the system prompt: domain → level → test, folded into one text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from modex.core.suite.definitions import LayerScope, PromptLayer, TestCase

_SEPARATOR = "\n\n"


def without_layers(test: TestCase, scopes: Collection[LayerScope]) -> TestCase:
    """The test without its layers of these scopes."""
    if not any(layer.scope in scopes for layer in test.layers):
        return test
    return replace(test, layers=tuple(layer for layer in test.layers if layer.scope not in scopes))


def fold(layers: Iterable[PromptLayer]) -> str | None:
    """The effective system prompt of `layers`, given in the order domain → level → test; None where none is left.

    `overwrite` replaces what is above (an empty text clears it); `append` adds after a blank line.
    """
    effective = ""
    for layer in layers:
        if layer.mode == "overwrite":
            effective = layer.text
        elif layer.text:
            effective = f"{effective}{_SEPARATOR}{layer.text}" if effective else layer.text
    return effective or None


@dataclass(frozen=True, slots=True)
class FoldedLayer:
    """A layer and what became of it."""

    layer: PromptLayer
    overwritten_by: PromptLayer | None
    """The later layer that replaced this one, or None where its text is in the effective prompt."""


def trace(layers: Sequence[PromptLayer]) -> tuple[FoldedLayer, ...]:
    """Every layer with the later one that overwrote it, in fold order."""
    last: PromptLayer | None = None
    found: list[FoldedLayer] = []
    for layer in reversed(layers):
        found.append(FoldedLayer(layer, last))
        if layer.mode == "overwrite" and last is None:
            last = layer
    return tuple(reversed(found))
