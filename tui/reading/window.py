"""Looking through a runner's window (`modex.core.engine.window`) from a screen: ask for a sample, hear of each change."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

_LONGEST = 64 * 1024


class Watcher:
    """One visit; open while a screen looks, and closed with it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._writer: asyncio.StreamWriter | None = None
        self._wanted = 0

    async def views(self, sample_id: int) -> AsyncIterator[dict[str, Any]]:
        """What is seen of the sample that was asked for last, at every change; ends where the runner does.

        Raises:
            OSError: nobody stands behind the window.
        """
        reader, self._writer = await asyncio.open_unix_connection(self._path, limit=_LONGEST)
        try:
            self.ask(sample_id)
            while line := await reader.readline():
                with contextlib.suppress(ValueError):
                    view = json.loads(line)
                    if isinstance(view, dict) and view.get("sample") == self._wanted:
                        yield view
        finally:
            self._writer.close()
            self._writer = None

    def ask(self, sample_id: int) -> None:
        """Look at another sample."""
        self._wanted = sample_id
        if self._writer is not None:
            self._writer.write(json.dumps({"sample": sample_id}).encode() + b"\n")
