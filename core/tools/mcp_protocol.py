"""The server's side of the Model Context Protocol, as far as tools need it: JSON-RPC 2.0, message by message.

Source: the specification of 2025-06-18, https://modelcontextprotocol.io/specification/2025-06-18.

JSON-RPC 2.0: https://www.jsonrpc.org/specification.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from modex.core.foundation.version import version

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Of the protocol, the newest first; a client that asks for another is offered the newest."""
_PARSE, _INVALID, _UNKNOWN, _PARAMETERS = -32700, -32600, -32601, -32602


class RefusedError(Exception):
    """A request that is answered with an error of the protocol."""

    def __init__(self, message: str, code: int = _PARAMETERS) -> None:
        self.code = code
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class ServedTools:
    """Tools that a client may list and call."""

    listed: Callable[[], Sequence[dict[str, Any]]]
    """The tools as `tools/list` says them: `name`, `description`, `inputSchema`."""
    call: Callable[[str, Any], dict[str, Any]]
    """The result of `tools/call` for a name and its arguments; raises `RefusedError` where there is none."""
    instructions: str = ""
    """What a client tells its model of these tools."""

    def answer_text(self, text: str | bytes) -> dict[str, Any] | None:
        """The answer to one message as it came; None where it asks for none."""
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            return error(None, _PARSE, "this is no JSON")
        return self.answer(message)

    def answer(self, message: Any) -> dict[str, Any] | None:
        """The answer to one message; None where it asks for none."""
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            return error(None, _INVALID, "this is no request")
        if "id" not in message:
            return None  # a notification
        try:
            parameters = message.get("params") or {}
            if not isinstance(parameters, dict):
                raise RefusedError("params must be an object")
            result = self._do(message["method"], parameters)
        except RefusedError as refused:
            return error(message["id"], refused.code, str(refused))
        return {"jsonrpc": "2.0", "id": message["id"], "result": result}

    def _do(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        if method == "initialize":
            asked = parameters.get("protocolVersion")
            return {
                "protocolVersion": asked if asked in VERSIONS else VERSIONS[0],
                "capabilities": {"tools": {"listChanged": False}},
                "serverInfo": {"name": "modex", "version": version()},
                **({"instructions": self.instructions} if self.instructions else {}),
            }
        if method == "ping":
            return {}
        if method == "tools/list":
            return {"tools": list(self.listed())}
        if method == "tools/call":
            return self.call(str(parameters.get("name")), parameters.get("arguments") or {})
        raise RefusedError(f"there is no method {method[:80]}", _UNKNOWN)


def error(id_: Any, code: int, message: str) -> dict[str, Any]:
    """An error of the protocol."""
    return {"jsonrpc": "2.0", "id": id_, "error": {"code": code, "message": message}}


def text_result(text: str, *, is_error: bool = False) -> dict[str, Any]:
    """A result of `tools/call` that is one text."""
    return {"content": [{"type": "text", "text": text}], **({"isError": True} if is_error else {})}
