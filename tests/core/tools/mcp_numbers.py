"""A server of the Model Context Protocol for the tests, made with the official SDK. `python mcp_numbers.py` serves on stdio."""

from __future__ import annotations

import os
import time

from mcp.server.mcpserver import MCPServer

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


if __name__ == "__main__":
    server.run()
