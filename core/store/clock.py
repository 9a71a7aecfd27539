"""Wall-clock time as stored: ISO 8601, UTC, milliseconds. Durations are never computed from it.

The form is RFC 3339's: https://www.rfc-editor.org/rfc/rfc3339#section-5.6.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from functools import lru_cache


def now() -> str:
    """The present moment as stored."""
    return stamp(time.time())


def stamp(moment: float) -> str:
    """A moment in seconds of `time.time()` as stored."""
    second, thousandths = divmod(int(moment * 1000), 1000)
    return f"{_second(second)}.{thousandths:03d}Z"


@lru_cache(maxsize=4)
def _second(second: int) -> str:
    """A whole second without its zone; kept, as all workers ask for the same one, several times a sample."""
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def parse(stored: str) -> datetime:
    """A stored moment as an aware datetime."""
    return datetime.fromisoformat(stored)
