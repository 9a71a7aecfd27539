"""What is found in the process's environment, looked for again only when that changed: each look reads every variable."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class FromEnvironment(Generic[T]):
    """What `read` finds in the environment as it is at each call."""

    def __init__(self, read: Callable[[], T]) -> None:
        self._read = read
        self._known: tuple[dict[bytes, bytes], T] | None = None

    def __call__(self) -> T:
        """What is there now; nobody may change it."""
        raw: dict[bytes, bytes] | None = vars(os.environ).get(
            "_data"
        )  # CPython's own; without it each look is a full one
        known = self._known
        if known is not None and known[0] == raw:
            return known[1]
        before = dict(raw) if raw is not None else None
        found = self._read()
        if before is not None:
            self._known = (before, found)
        return found
