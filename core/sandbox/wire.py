"""How parent and child talk: JSON messages, each behind its length in four bytes."""

from __future__ import annotations

import json
import struct
from typing import Any

HEADER = struct.Struct("!I")
MAX_MESSAGE = 16 * 1024 * 1024
"""Bytes of one message, either way."""


def pack(message: Any) -> bytes:
    """`message` as it goes over the pipe.

    Raises:
        ValueError: it is larger than MAX_MESSAGE.
    """
    body = json.dumps(message, separators=(",", ":")).encode("ascii")
    if len(body) > MAX_MESSAGE:
        raise ValueError(f"a message of {len(body):,} bytes is more than the {MAX_MESSAGE:,} that a child accepts")
    return HEADER.pack(len(body)) + body


def unpack(body: bytes) -> Any:
    """Undo `pack`, without the header."""
    return json.loads(body)
