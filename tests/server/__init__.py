"""A deterministic OpenAI-compatible server on loopback that misbehaves exactly as told."""

from tests.server import replies
from tests.server.handle import ServerHandle, ServerProcess, serve, serve_process
from tests.server.wire import Behaviour, Reply, Request, Stream

__all__ = [
    "Behaviour",
    "Reply",
    "Request",
    "ServerHandle",
    "ServerProcess",
    "Stream",
    "replies",
    "serve",
    "serve_process",
]
