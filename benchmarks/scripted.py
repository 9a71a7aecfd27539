"""A model that says what it was told to say, at once and for nothing: extractor and judge of measurements."""

from __future__ import annotations

from typing import Any

from modex.core.llm.types import Completion, Message


class ScriptedModel:
    """It says these replies, one after the other and then from the first again."""

    def __init__(self, *replies: str) -> None:
        self._replies, self._asked = replies, 0

    @property
    def model(self) -> str:
        """Its name."""
        return "scripted"

    def complete(
        self,
        messages: list[Message],
        *,
        tools: list[dict[str, Any]] | None = None,
        response_format: dict[str, Any] | None = None,
        temperature: float | None = None,
        max_tokens: int | None = None,
        timeout_s: float | None = None,
    ) -> Completion:
        """What it says next."""
        del messages, tools, response_format, temperature, max_tokens, timeout_s
        self._asked += 1
        return Completion(text=self._replies[(self._asked - 1) % len(self._replies)], cost_usd=0.0)
