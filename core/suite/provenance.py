"""Where a test's effective system prompt comes from: what `modex prompt TEST_ID` shows and a sample keeps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from modex.core.suite.definitions import PromptLayer, TestCase
from modex.core.suite.layers import FoldedLayer, fold, trace


@dataclass(frozen=True, slots=True)
class PromptProvenance:
    """The effective prompt of one test, layer by layer."""

    test: TestCase
    layers: tuple[FoldedLayer, ...]
    effective: str | None

    def as_dict(self) -> dict[str, Any]:
        """The same as JSON data, for `--json`."""
        return {
            "domain": self.test.domain,
            "level": self.test.level,
            "test_id": self.test.test_id,
            "file": self.test.location.path,
            "line": self.test.location.line,
            "layers": [
                layer_dict(folded.layer)
                | {"overwritten_by": str(folded.overwritten_by.location) if folded.overwritten_by else None}
                for folded in self.layers
            ],
            "system_prompt": self.effective,
            "prompt": self.test.prompt if isinstance(self.test.prompt, str) else list(self.test.prompt),
        }


def layer_dict(layer: PromptLayer) -> dict[str, Any]:
    """One entry of a sample's `prompt_layers`."""
    return {
        "scope": layer.scope,
        "mode": layer.mode,
        "text": layer.text,
        "file": layer.location.path,
        "line": layer.location.line,
    }


def prompt_layers(layers: Iterable[PromptLayer]) -> list[dict[str, Any]]:
    """What a sample stores as `prompt_layers`, in fold order."""
    return [layer_dict(layer) for layer in layers]


def provenance(test: TestCase) -> PromptProvenance:
    """How the system prompt of `test` came to be."""
    return PromptProvenance(test, trace(test.layers), fold(test.layers))
