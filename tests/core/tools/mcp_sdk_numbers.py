"""A server of the Model Context Protocol for the tests, made with the official SDK. It serves on stdio."""

from __future__ import annotations

import base64
import os
import sys
import time
from pathlib import Path

from mcp import MCPError
from mcp.server.mcpserver import MCPServer
from mcp_types import ImageContent, TextContent, ToolAnnotations

seen: list[int] = []
server = MCPServer("numbers")


@server.tool()
def add(x: int, y: int) -> str:
    """Add two numbers."""
    return str(x + y)


@server.tool()
def die() -> str:
    """End the server in the middle of a call."""
    os._exit(3)


@server.tool()
def picture() -> list[TextContent | ImageContent]:
    """Draw."""
    data = base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()
    return [TextContent(type="text", text="a chart:"), ImageContent(type="image", data=data, mime_type="image/png")]


@server.tool()
def wait(seconds: float) -> str:
    """Answer late."""
    time.sleep(seconds)
    return "late"


@server.tool()
def fail() -> str:
    """Fail."""
    raise ValueError("no luck")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def token() -> str:
    """Say which variables it was given."""
    return ",".join(sorted(name for name in os.environ if name.startswith("CANARY")))


@server.tool()
def count() -> str:
    """How often it was called in this process."""
    seen.append(1)
    return str(len(seen))


@server.tool()
def wipe() -> str:
    """Begin anew."""
    seen.clear()
    return "wiped"


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def error(code: int, path: str) -> str:
    """Answer with an error of the protocol: always, or only where the file `path` is not there, which is made."""
    print("out of luck", file=sys.stderr, flush=True)
    if path and Path(path).exists():
        return "well again"
    if path:
        Path(path).touch()
    raise MCPError(code, "no such city")


@server.tool()
def leave() -> str:
    """Stop offering `add`."""
    server._tool_manager._tools.pop("add", None)
    return "left"


@server.tool()
def place() -> str:
    """Where its files are to be."""
    return os.environ["TMPDIR"]


@server.tool()
def once(path: str) -> str:
    """End the first process that is asked so."""
    if not Path(path).exists():
        Path(path).touch()
        print("out of luck", file=sys.stderr, flush=True)
        os._exit(7)
    return "survived"


if __name__ == "__main__":
    server.run()
