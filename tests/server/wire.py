"""What the server is asked and what it answers, as data."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Fault = Literal["reset", "reset_midway", "truncate", "drip_headers", "drip_body", "hang"]
"""How the connection misbehaves.

`reset` closes by RST before any byte; `reset_midway` after half of the body; `truncate` closes cleanly after half of
the body; `drip_headers` and `drip_body` send one byte at a time; `hang` never answers.
"""


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it arrived; `time` is `time.monotonic()`, `in_flight` counts this one too."""

    index: int
    """0-based among the chat requests; -1 for others."""
    time: float
    method: str
    path: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: Mapping[str, Any]
    in_flight: int

    @property
    def model(self) -> str:
        """The model asked for."""
        return str(self.body.get("model", ""))

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The conversation sent."""
        return list(self.body.get("messages") or [])

    @property
    def prompt(self) -> str:
        """The last user message's text, or the empty string."""
        for message in reversed(self.messages):
            if message.get("role") == "user":
                content = message.get("content")
                return content if isinstance(content, str) else json.dumps(content)
        return ""

    @property
    def system(self) -> str:
        """The system message's text, or the empty string."""
        return next((str(m.get("content")) for m in self.messages if m.get("role") == "system"), "")

    @property
    def key(self) -> str:
        """The bearer token, or the empty string."""
        return self.headers.get("authorization", "").removeprefix("Bearer ").strip()

    def as_dict(self) -> dict[str, Any]:
        """As JSON, for a server in another process."""
        return {
            "index": self.index,
            "time": self.time,
            "method": self.method,
            "path": self.path,
            "headers": dict(self.headers),
            "body": dict(self.body),
            "in_flight": self.in_flight,
        }


@dataclass(frozen=True, slots=True)
class Stream:
    """How a reply is streamed to whoever asks for it: one word an event, all at once, unless told otherwise."""

    every_s: float = 0.0
    """Seconds between two events."""
    newline: str = "\n"
    comments: bool = False
    """Whether a keep-alive comment stands before every event."""
    bytes_at_once: int | None = None
    """Sends pieces of this many bytes, wherever they cut."""
    done: bool = True
    """Whether `[DONE]` ends it."""
    usage: bool = True
    """Whether it counts tokens where it is asked to."""
    upto: int | None = None
    """Ends in order after so many events, whatever is left."""
    error: Mapping[str, Any] | None = None
    """An event with this error takes the place of everything from `upto` on."""
    error_name: str = ""
    """The name of that event."""
    other_choice: bool = False
    """Whether a second choice is written at the same time."""
    endless: bool = False
    """Whether it says its words again and again until the client goes away."""
    lines_of_data: bool = False
    """Whether each chunk is spread over several `data` lines."""
    characters: int | None = None
    """Characters of one event; words where None."""
    instead: bytes | None = None
    """These bytes are the whole stream."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer, or one way not to answer; a body given wins over everything that would build one."""

    content: str | None = "ok"
    tool_calls: Sequence[Mapping[str, Any]] = ()
    reasoning_content: str | None = None
    finish_reason: str | None = None
    """None: `tool_calls` where there are some, else `stop`."""
    usage: Mapping[str, Any] | None = field(
        default_factory=lambda: {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    )
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    body: str | bytes | Mapping[str, Any] | None = None
    latency: float = 0.0
    """Seconds before the first byte."""
    fault: Fault | None = None
    drip_s: float = 0.05
    """Seconds between two bytes of a drip."""
    stream: Stream | None = Stream()
    """None: it comes whole, even where a stream was asked for."""

    def streams(self, request: Request) -> bool:
        """Whether `request` gets it as a stream."""
        return bool(request.body.get("stream")) and self.stream is not None and self.body is None and self.status == 200

    def payload(self, request: Request) -> bytes:
        """The body's bytes."""
        if isinstance(self.body, bytes):
            return self.body
        if isinstance(self.body, str):
            return self.body.encode("utf-8", "surrogatepass")
        return json.dumps(self.body if self.body is not None else self._completion(request)).encode()

    def _completion(self, request: Request) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": self.content}
        if self.tool_calls:
            message["tool_calls"] = [dict(call) for call in self.tool_calls]
        if self.reasoning_content is not None:
            message["reasoning_content"] = self.reasoning_content
        finish = self.finish_reason or ("tool_calls" if self.tool_calls else "stop")
        completion: dict[str, Any] = {
            "id": f"chatcmpl-{request.index}",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": request.model,
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        }
        if self.usage is not None:
            completion["usage"] = dict(self.usage)
        return completion


Behaviour = Callable[[Request], Reply]
"""Decides what a chat request gets; called on the server's thread, so it must not block."""
