"""What one call asks, before a path puts it into its own protocol."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from core.llm.reply import Reply
from core.llm.types import Cue, Message

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class CallRequest:
    """One call; an `optional` parameter is sent only where it is there."""

    messages: list[Message]
    tools: list[dict[str, Any]] | None
    optional: Mapping[str, Any]
    """`temperature`, `max_tokens`, `seed`, `reasoning_effort`, `response_format`: those that were asked for."""
    timeout_s: float
    cue: Cue | None = None

    def arguments(self, refused: Mapping[str, str | None]) -> dict[str, Any]:
        """The call's fields in OpenAI's names, without what the model refused (or under the name it wants instead)."""
        fields: dict[str, Any] = {"messages": self.messages}
        for name, value in self.optional.items():
            wanted = name
            while wanted in refused and refused[wanted] is not None:
                wanted = str(refused[wanted])
            if wanted not in refused:
                fields[wanted] = value
        if self.tools:
            fields["tools"] = self.tools
        return fields


class Transport(Protocol):
    """One path to a model."""

    def send(self, request: CallRequest, refused: Mapping[str, str | None]) -> Reply:
        """Ask once, from any thread, and wait for the answer at most `request.timeout_s` seconds.

        Raises:
            ModelCallError: there is no answer; `error_type` says why.
            Interrupted: the pool was aborted.
        """
        ...


def encoded(fields: Mapping[str, Any]) -> bytes:
    """JSON in UTF-8; a lone surrogate, which UTF-8 has no place for, becomes U+FFFD."""
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text).encode()
