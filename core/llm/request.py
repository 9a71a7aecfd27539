"""What one call asks, before a path puts it into its own protocol."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from modex.core.llm.prices import price_entry
from modex.core.llm.quirks import SERVICES
from modex.core.llm.reply import Reply
from modex.core.llm.types import Message

_SURROGATE = re.compile("[\ud800-\udfff]")
_ENFORCING = frozenset(row.schemas for row in SERVICES if row.schemas)
"""Providers whose schemas bind the answer and leave the thinking alone. Through litellm, others get a schema as a forced tool,
which excludes thinking, and servers of one's own often read it as a grammar for the thinking too."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When an answer is ended that does not end by itself."""

    runaway: bool = False
    """Where it says the same over and over (`modex.core.llm.runaway`); only where it is streamed."""
    seconds: float | None = None
    """After this many seconds."""


NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class CallRequest:
    """One call; an `optional` parameter is sent only where it is there."""

    messages: list[Message]
    tools: list[dict[str, Any]] | None
    optional: Mapping[str, Any]
    """`temperature`, `max_tokens`, `seed`, `reasoning_effort`, `response_format`, `include`, and what entries of models
    say: those that were asked for; `extra_body` holds fields that stand beside the others in the request."""
    timeout_s: float
    stream: bool = False
    """Whether the answer is to come as it is written, where the endpoint can."""
    limits: Limits = NO_LIMITS
    headers: Mapping[str, str] = field(default_factory=dict)
    """The model's own, beside the usual ones."""
    continued: Mapping[str, Any] | None = None
    """The fields of a call to `/completions`, which goes on with texts as they are, instead of a conversation."""

    def arguments(self, refused: Mapping[str, str | None]) -> dict[str, Any]:
        """The call's fields in OpenAI's names, without what the model refused (or under the name it wants instead)."""
        if self.continued is not None:
            return {**self.continued, **{name: value for name, value in self.optional.items() if name not in refused}}
        fields: dict[str, Any] = {"messages": self.messages}
        for name, value in self.optional.items():
            wanted = name
            while wanted in refused and refused[wanted] is not None:
                wanted = str(refused[wanted])
            if wanted not in refused:
                fields[wanted] = value
        if self.tools:
            fields["tools"] = self.tools
        if self.stream and "stream" not in refused:
            fields["stream"] = True
            if "stream_options" not in refused:
                fields["stream_options"] = {"include_usage": True}
        return fields

    @property
    def seconds(self) -> float:
        """After how many seconds the call ends, whoever set that limit."""
        return self.timeout_s if self.limits.seconds is None else min(self.timeout_s, self.limits.seconds)

    @property
    def cut_by_time(self) -> bool:
        """Whether an answer that is not there after `seconds` was cut off, instead of one that failed to come."""
        return self.limits.seconds is not None and self.limits.seconds <= self.timeout_s


class Transport(Protocol):
    """One path to a model."""

    def prepare_early(self) -> None:
        """Begin, on a thread, with what the first call would wait for."""
        ...

    def send(self, request: CallRequest, refused: Mapping[str, str | None]) -> Reply:
        """Ask once, from any thread, and wait for the answer at most `request.timeout_s` seconds.

        Raises:
            ModelCallError: there is no answer; `error_type` says why.
            Interrupted: the pool was aborted.
        """
        ...


_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def encoded(fields: Mapping[str, Any]) -> bytes:
    """JSON in UTF-8; a lone surrogate, which UTF-8 has no place for, becomes U+FFFD."""
    text = _COMPACT.encode(fields)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text).encode()


def json_answer(name: str, **fields: Mapping[str, Any]) -> dict[str, Any]:
    """The `response_format` of an object with exactly these fields, each a JSON schema, in this order."""
    schema = {"type": "object", "properties": fields, "required": [*fields], "additionalProperties": False}
    return {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": schema}}


def may_send(response_format: Mapping[str, Any] | None, model: str) -> bool:
    """Whether `model` is known to answer in a schema (one that refuses all the same is asked again without); anything that is
    no schema may be sent."""
    if response_format is None or response_format.get("type") != "json_schema":
        return True
    entry = price_entry(model) or {}
    return bool(entry.get("supports_response_schema")) and entry.get("litellm_provider") in _ENFORCING
