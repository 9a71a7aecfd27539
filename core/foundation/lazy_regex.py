"""Regular expressions that are compiled by their first use: a start would else compile hundreds that its run never needs."""

from __future__ import annotations

import re
from typing import Any, cast


class _Deferred:
    """Stands for a pattern until one of its methods is asked for; keeps each of them then."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._given = pattern, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        # Two threads that come at once compile twice, to the same end.
        found = getattr(re.compile(*self._given), name)
        setattr(self, name, found)
        return found


def deferred(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """`re.compile`, later; only the methods of a pattern are there, the functions of `re` do not take it."""
    return cast("re.Pattern[str]", _Deferred(pattern, flags))
