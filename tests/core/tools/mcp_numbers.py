"""A server of the Model Context Protocol for the tests, made with the official SDK. `python mcp_numbers.py` serves on stdio."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from mcp import MCPError
from mcp.server.mcpserver import MCPServer

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
def wait(seconds: float) -> str:
    """Answer late."""
    time.sleep(seconds)
    return "late"


@server.tool()
def fail() -> str:
    """Fail."""
    raise ValueError("no luck")


@server.tool()
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


@server.tool()
def generic() -> str:
    """Answer with the number that also means a closed connection."""
    raise MCPError(-32000, "no such city")


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
