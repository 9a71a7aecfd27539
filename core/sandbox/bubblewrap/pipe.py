"""The end of the pipe that is within the namespaces: JSON messages, each behind its length in four bytes, as `wire` packs them.

Standard library only, and of that what C has: importing `json` or `typing` takes longer than Python itself takes to start.
"""

from __future__ import annotations

import posix
from _json import encode_basestring_ascii, make_encoder, make_scanner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MAX_MESSAGE = 16 * 1024 * 1024
_HEADER_BYTES = 4


class _AsJson:
    """How values are read: what `json.JSONDecoder` tells its scanner by default."""

    strict, object_hook, object_pairs_hook, array_hook = True, None, None, None
    parse_float, parse_int, parse_constant = float, int, float


# Held here, so that nothing which code puts in their place is used.
_read, _write = posix.read, posix.write
_scan = make_scanner(_AsJson())  # type: ignore[arg-type]
_chunks = make_encoder(None, None, encode_basestring_ascii, None, ":", ",", False, False, True)  # type: ignore[arg-type]


def receive(descriptor: int) -> dict[str, Any] | None:
    """The next message; None where the other side is gone."""
    header = _exactly(descriptor, _HEADER_BYTES)
    body = _exactly(descriptor, int.from_bytes(header, "big")) if header else None
    return _scan(body.decode("ascii"), 0)[0] if body else None


def send(descriptor: int, message: Mapping[str, Any]) -> None:
    """Send a message.

    Raises:
        ValueError: it is larger than MAX_MESSAGE.
    """
    body = "".join(_chunks(message, 0)).encode("ascii")
    if len(body) > MAX_MESSAGE:
        raise ValueError(f"a value of {len(body):,} bytes")
    data = memoryview(len(body).to_bytes(_HEADER_BYTES, "big") + body)
    while data:
        data = data[_write(descriptor, data) :]


def _exactly(descriptor: int, count: int) -> bytes | None:
    parts = bytearray()
    while len(parts) < count:
        part = _read(descriptor, count - len(parts))
        if not part:
            return None
        parts += part
    return bytes(parts)
