"""The tools of a test for somebody's own agent: what stands behind a model's calls, on an address of the sample's own.

So the agent's calls are seen, and recorded as a model's would be: with arguments, results and times.
"""

from __future__ import annotations

import contextlib
import json
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm.types import ToolCall
from modex.core.pipeline.rollout.asking import Asking, result_entry
from modex.core.pipeline.rollout.tool_loop import ToolLoop
from modex.core.pipeline.rollout.workspaces import running
from modex.core.suite.definitions import ToolDefinition
from modex.core.tools import mcp_stdio
from modex.core.tools.base import ToolResult
from modex.core.tools.endpoint import PendingCall, ToolEndpoint

MAX_CALLS = 500
"""Calls of one sample that are answered by its tools."""
SERVER = "modex"
"""What the tools are called among an agent's MCP servers."""
_URL, _MCP_URL, _MCP_COMMAND, _MCP_CONFIG = (
    "MODEX_TOOLS_URL",
    "MODEX_MCP_URL",
    "MODEX_MCP_COMMAND",
    "MODEX_MCP_CONFIG",
)


class AgentTools:
    """The endpoint of one sample, and what was called there; used by the one thread that moves the sample."""

    def __init__(self, asking: Asking, endpoint: ToolEndpoint, folder: Path) -> None:
        self.endpoint = endpoint
        self.folder = folder
        """Holds nothing but files that name the address; only its owner may enter."""
        self.entries: list[list[dict[str, Any]]] = []
        """What was called, each a message with its calls followed by their results; calls that waited at once are one message."""
        self.begun = len(asking.rollout.transcript)
        """Where in the transcript what was called begins."""
        self._asking = asking
        tools = asking.context.tools_of(asking.sample)
        self._loop = ToolLoop(asking, tools, asking.session())
        self._offers = bool(tools)
        self._started = time.monotonic()
        self._ended = 0.0
        """When the first call of the last message was answered."""
        self._ids: set[str] = set()
        self.count = 0
        self.late: tuple[str, float] | None = None
        """The tool that was being asked when the agent's time was over, and for how many seconds."""

    @property
    def seen(self) -> bool:
        """Whether the agent came for its tools: what it calls elsewhere is then not a call of them."""
        return self.endpoint.asked

    @property
    def missed(self) -> bool:
        """Whether there are tools that the agent never came for."""
        return self._offers and not self.endpoint.asked

    def told(self) -> dict[str, Any]:
        """What the task says of them."""
        return {
            "tools_url": self.endpoint.url,
            "mcp": {"url": f"{self.endpoint.url}/mcp", "command": self._command(), "config": str(self._config)},
        }

    def environment(self) -> dict[str, str]:
        """What the agent's environment says of them."""
        return {
            _URL: self.endpoint.url,
            _MCP_URL: f"{self.endpoint.url}/mcp",
            _MCP_COMMAND: shlex.join(self._command()),
            _MCP_CONFIG: str(self._config),
        }

    def until(self, end: float | None) -> None:
        """Wait for no tool any longer than until `end`, on the monotonic clock; None: for as long as one takes."""
        self._asking.session().until = end

    def turn(self, offered: Sequence[ToolDefinition]) -> None:
        """Begin a turn of a conversation, in which these tools are on offer."""
        self.begun = len(self._asking.rollout.transcript)
        self.entries = []
        self._ended = 0.0
        self._offers = bool(offered)
        self.endpoint.schemas = [tool.schema() for tool in offered]
        self._loop = ToolLoop(self._asking, offered, self._asking.session())

    def answer_all(self) -> None:
        """Answer the calls that came since.

        Raises:
            ModelCallError: a tool is missing, which is no fault of the agent.
        """
        for call in self.endpoint.take():
            call.answer(self._answered(call))

    def _answered(self, pending: PendingCall) -> ToolResult:
        """The answer to one call, recorded."""
        asking = self._asking
        self.count += 1
        if self.count > MAX_CALLS:
            asking.rollout.flag("tool_limit")
            return ToolResult(json.dumps({"error": f"no more than {MAX_CALLS} calls are answered"}), is_error=True)
        works = asking.session().workspace is not None
        words = running(pending.name, pending.arguments) if works else ""
        asking.context.progress(asking.sample, words or f"agent, call {self.count}")
        call = ToolCall(self._own_id(pending.id), pending.name, pending.arguments)
        together = self._message(call, pending)
        asked = time.monotonic()
        result = self._loop.call(call)
        if asking.session().is_over:
            self.late = self.late or (call.name, time.monotonic() - asked)
        if not self._ended:
            self._ended = time.monotonic()
        entry = result_entry(call, result, "agent", len(self.entries))
        together.append(entry)
        asking.rollout.transcript.append(entry)
        return result

    def _message(self, call: ToolCall, pending: PendingCall) -> list[dict[str, Any]]:
        """Where the call is recorded: with those that were not yet answered when it came, else in a message of its own."""
        if self.entries and pending.arrived <= self._ended:
            together = self.entries[-1]
            together[0]["tool_calls"].append(call.as_dict())
            return together
        entry = {
            "role": "assistant",
            "content": "",
            "phase": "agent",
            "iteration": len(self.entries) + 1,
            "tool_calls": [call.as_dict()],
            "at_ms": round((pending.arrived - self._started) * 1000),
        }
        self.entries.append([entry])
        self._asking.rollout.transcript.append(entry)
        self._ended = 0.0
        return self.entries[-1]

    def _own_id(self, given: str) -> str:
        id_ = given if given and given not in self._ids else f"call_{self.count}"
        self._ids.add(id_)
        return id_

    def _command(self) -> list[str]:
        return [sys.executable, "-I", "-S", mcp_stdio.__file__, str(self.folder / "endpoint")]

    @property
    def _config(self) -> Path:
        return self.folder / "mcp.json"

    def write_files(self) -> None:
        """The files that name the address: one for the command, one in the form that coding agents read."""
        command, *arguments = self._command()
        (self.folder / "endpoint").write_text(f"{self.endpoint.url}/mcp", encoding="ascii")
        self._config.write_text(
            json.dumps({"mcpServers": {SERVER: {"command": command, "args": arguments}}}, indent=1), encoding="utf-8"
        )


@contextmanager
def agent_tools(asking: Asking) -> Iterator[AgentTools]:
    """The sample's tools while its agent runs; its session, and what its mocks know, begin here.

    Raises:
        ModelCallError: no address or folder can be had.
    """
    with contextlib.ExitStack() as ends:
        try:
            folder = Path(tempfile.mkdtemp(prefix="modex-agent-"))
            ends.callback(shutil.rmtree, folder, ignore_errors=True)
            endpoint = ToolEndpoint([tool.schema() for tool in asking.context.tools_of(asking.sample)])
            ends.callback(endpoint.close)
            tools = AgentTools(asking, endpoint, folder)
            tools.write_files()
        except OSError as error:
            words = (
                f"the agent's tools cannot be given an address: {error.strerror or error}; check TMPDIR and `ulimit -n`"
            )
            raise ModelCallError(words, ErrorType.AGENT_ERROR) from None
        yield tools
