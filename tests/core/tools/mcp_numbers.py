"""A server of the Model Context Protocol for the tests: messages a line each, by hand, since the SDK takes a second to start.

`mcp_sdk_numbers.py` offers the same by the official SDK.
"""

from __future__ import annotations

import base64
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

seen: list[int] = []


class _ProtocolError(Exception):
    def __init__(self, code: int) -> None:
        self.code = code
        super().__init__("no such city")


def add(x: int, y: int) -> str:
    """Add two numbers."""
    return str(x + y)


def die() -> str:
    """End the server in the middle of a call."""
    os._exit(3)


def picture() -> list[dict[str, Any]]:
    """Draw."""
    data = base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()
    return [{"type": "text", "text": "a chart:"}, {"type": "image", "data": data, "mimeType": "image/png"}]


def wait(seconds: float) -> str:
    """Answer late."""
    time.sleep(seconds)
    return "late"


def fail() -> str:
    """Fail."""
    raise ValueError("no luck")


def token() -> str:
    """Say which variables it was given."""
    return ",".join(sorted(name for name in os.environ if name.startswith("CANARY")))


def count() -> str:
    """How often it was called in this process."""
    seen.append(1)
    return str(len(seen))


def wipe() -> str:
    """Begin anew."""
    seen.clear()
    return "wiped"


def error(code: int, path: str) -> str:
    """Answer with an error of the protocol: always, or only where the file `path` is not there, which is made."""
    print("out of luck", file=sys.stderr, flush=True)
    if path and Path(path).exists():
        return "well again"
    if path:
        Path(path).touch()
    raise _ProtocolError(code)


def leave() -> str:
    """Stop offering `add`."""
    TOOLS.pop("add", None)
    return "left"


def place() -> str:
    """Where its files are to be."""
    return os.environ["TMPDIR"]


def once(path: str) -> str:
    """End the first process that is asked so."""
    if not Path(path).exists():
        Path(path).touch()
        print("out of luck", file=sys.stderr, flush=True)
        os._exit(7)
    return "survived"


TOOLS: dict[str, Callable[..., Any]] = {
    tool.__name__: tool for tool in (add, die, picture, wait, fail, token, count, wipe, error, leave, place, once)
}
_READS = ("token", "error")
_TYPES = {"int": "integer", "float": "number", "str": "string"}


def _listed(tool: Callable[..., Any]) -> dict[str, Any]:
    parameters = {name: {"type": _TYPES[kind]} for name, kind in tool.__annotations__.items() if name != "return"}
    schema = {"type": "object", "properties": parameters, "required": [*parameters]}
    hints = {"annotations": {"readOnlyHint": True}} if tool.__name__ in _READS else {}
    return {"name": tool.__name__, "description": tool.__doc__, "inputSchema": schema, **hints}


def _call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    if name not in TOOLS:
        return {"content": [{"type": "text", "text": f"Unknown tool: {name}"}], "isError": True}
    try:
        found = TOOLS[name](**arguments)
    except (ValueError, TypeError) as wrong:
        return {"content": [{"type": "text", "text": f"Error executing tool {name}: {wrong}"}], "isError": True}
    return {"content": found if isinstance(found, list) else [{"type": "text", "text": found}]}


def _answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        information = {"name": "numbers", "version": "1"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": information}
    if method == "tools/list":
        return {"tools": [_listed(tool) for tool in TOOLS.values()]}
    return _call(params["name"], params.get("arguments") or {}) if method == "tools/call" else {}


if __name__ == "__main__":
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        try:
            told: dict[str, Any] = {"result": _answer(message["method"], message.get("params") or {})}
        except _ProtocolError as wrong:
            told = {"error": {"code": wrong.code, "message": str(wrong)}}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **told}), flush=True)
