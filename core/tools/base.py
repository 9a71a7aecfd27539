"""What a tool is to the tool loop: a name, a schema, and an answer to arguments."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from modex.core.suite.definitions import McpServer, ToolDefinition

STATE = "$state"
"""What the mocks of one sample share, in the session's state and among their arguments."""


@dataclass(frozen=True, slots=True)
class ToolImage:
    """An image that a tool answered with."""

    name: str
    """As the answer's text names it."""
    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A tool's answer as the model will read it; an error is an answer too."""

    content: str
    is_error: bool = False
    duration_ms: int = 0
    images: tuple[ToolImage, ...] = ()
    """What the text only names: shown to models that take images."""


@dataclass(slots=True)
class ToolSession:
    """The state of one sample's tool use: how often each tool was called, and what handlers keep between calls."""

    seed: str = ""
    call_counts: dict[str, int] = field(default_factory=dict)
    state: dict[str, Any] = field(default_factory=dict)
    faults: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Faults that the test plants, by tool and call by call."""
    setup: Mapping[str, Any] = field(default_factory=dict)
    """What the servers of the sample's tools begin with."""
    begun: set[McpServer] = field(default_factory=set)
    """Servers that were told it."""
    workspace: object | None = None
    """The folder that the sample's calls work in (`modex.core.tools.shell_tools`)."""
    until: float | None = None
    """When whoever calls is ended, on the monotonic clock: no call is waited for any longer. None: whoever calls waits."""

    @property
    def is_over(self) -> bool:
        """Whether nobody waits for an answer any more."""
        return self.until is not None and time.monotonic() >= self.until

    def rest(self, seconds: float, stop: threading.Event | None = None) -> None:
        """Let `seconds` go by, fewer where the time of whoever calls is over or `stop` is set before."""
        if self.until is not None:
            seconds = min(seconds, self.until - time.monotonic())
        (stop or threading.Event()).wait(max(0.0, seconds))


def given_up(tool: str) -> ToolResult:
    """What stands for an answer that nobody waits for any more."""
    return ToolResult(
        json.dumps({"error": f"{tool} was given up: the time of whoever called it is over"}), is_error=True
    )


class ToolHandler(Protocol):
    """A tool written in Python."""

    def __call__(self, arguments: dict[str, Any], session: ToolSession) -> ToolResult:
        """Answer `arguments`, already validated against the tool's JSON Schema."""
        ...


class ToolExecutor(Protocol):
    """Answers the calls of one sample."""

    def begin(self, tools: Iterable[ToolDefinition], session: ToolSession) -> None:
        """The sample may call these: what takes its time to start is started, and not waited for."""
        ...

    def call(self, tool: ToolDefinition, arguments: dict[str, Any], session: ToolSession) -> ToolResult:
        """Answer one call; never raises for anything the model wrote."""
        ...

    def release(self, session: ToolSession) -> None:
        """No more calls come of this sample."""
        ...

    def state_of(self, tools: Iterable[ToolDefinition], session: ToolSession) -> dict[str, Any] | None:
        """What the servers of `tools` know now, where they tell it; None where none does.

        Raises:
            ModelCallError: one that tells it does not answer.
        """
        ...

    def unavailable(self, tool: ToolDefinition) -> str | None:
        """Why this machine cannot run the tool, or None."""
        ...
