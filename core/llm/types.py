"""What goes into a model call and what comes out, whoever the provider is."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from modex.core.foundation.usage import Usage
from modex.core.jsonvalues.jsonargs import too_deep
from modex.core.llm.timing import Timing

__all__ = ["Completion", "Message", "ModelClient", "ToolCall", "Usage"]

Message = dict[str, Any]
"""A chat message in OpenAI's form."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call as the model wrote it; `arguments` is its raw text, which need not be JSON."""

    id: str
    name: str
    arguments: str
    form: str = ""
    """The form in which the call stood in the text (`quirks.CALL_FORMS`); empty where the provider's field holds it."""
    extra: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """What the provider wants back with the call and nobody else reads."""

    @property
    def sendable_name(self) -> str:
        """The name as a provider takes it back: letters, digits, `_` and `-`, never empty, at most 64 characters."""
        return re.sub(r"[^A-Za-z0-9_-]", "_", self.name)[:64] or "unnamed"

    @property
    def sendable_arguments(self) -> str:
        """The arguments as a provider takes them back: servers refuse a conversation in which they are no JSON object."""
        try:
            value = json.loads(self.arguments)
            is_object = isinstance(value, dict) and not too_deep(value)
        except (ValueError, RecursionError):
            is_object = False
        return self.arguments if is_object else json.dumps({"malformed_arguments": self.arguments}, ensure_ascii=False)

    def as_dict(self) -> dict[str, Any]:
        """As stored in transcripts."""
        stored = {"id": self.id, "name": self.name, "arguments": self.arguments}
        return {**stored, "form": self.form} if self.form else stored


@dataclass(frozen=True, slots=True)
class Completion:
    """One finished call: thinking stripped, tool calls parsed, tokens and cost counted."""

    text: str
    """The answer without thinking."""
    reasoning: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str | None = None
    usage: Usage = Usage()
    cost_usd: float | None = None
    """None where the price is unknown."""
    duration_ms: int = 0
    attempts: int = 1
    flags: tuple[str, ...] = ()
    """`empty_answer`, `truncated_output`, `truncated_reasoning`, `runaway`, `time_limit`, `usage_missing`,
    `text_tool_calls`, `looks_like_call`, `refusal`,
    `default_max_tokens` where litellm sent a limit that nobody gave, and `dropped_<name>` for each parameter that the model
    refused."""
    raw_text: str = ""
    """The content as the provider sent it."""
    carry: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """What the provider wants back with this answer while tools are called (`modex.core.llm.quirks`, "wanted back")."""
    timing: Timing | None = field(default=None, compare=False)
    """When it was written, where it was streamed."""
    cut: str | None = None
    """Why modex ended the answer before its end (flag `runaway` or `time_limit`), in words."""

    def as_message(self, calls: Sequence[ToolCall]) -> Message:
        """The assistant message that continues the conversation after this answer called `calls`."""
        return {
            "role": "assistant",
            "content": self.text or None,
            **self.carry,
            "tool_calls": [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {
                        "name": call.sendable_name,
                        "arguments": call.sendable_arguments if call.arguments else "{}",
                    },
                    **call.extra,
                }
                for call in calls
            ],
        }


@dataclass(frozen=True, slots=True)
class Continued:
    """One finished call that went on with texts."""

    data: Mapping[str, Any]
    """The answer as JSON."""
    usage: Usage = Usage()
    cost_usd: float | None = None
    """None where the price is unknown."""
    duration_ms: int = 0
    attempts: int = 1


@runtime_checkable
class ContinuingClient(Protocol):
    """A model whose server may go on with texts as they are."""

    @property
    def goes_on(self) -> bool:
        """Whether it may."""
        ...

    def go_on(self, fields: Mapping[str, Any], *, timeout_s: float | None = None) -> Continued:
        """Have texts gone on with, as `/completions` takes them.

        Raises:
            ModelCallError: the call failed for good.
        """
        ...


class ModelClient(Protocol):
    """A model that can be asked, from any thread."""

    @property
    def model(self) -> str:
        """The model's name as litellm knows it."""
        ...

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
        """Ask once, with retries as the provider's faults demand; blocks the calling thread.

        Arguments left None fall back to the model's own settings.

        Raises:
            ModelCallError: the call failed for good; `error_type` says how, `fatal` whether the run must end.
        """
        ...
