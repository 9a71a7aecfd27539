"""Why a model stopped writing, in every provider's spelling (`modex.core.llm.quirks`)."""

from __future__ import annotations

from typing import Literal, get_args

from modex.core.llm.quirks import ROWS

Ending = Literal["stop", "length", "tool_calls", "filter", "context", "failed"]

_TOPICS: dict[str, Ending] = {f"ends: {ending}": ending for ending in get_args(Ending)}
_ENDINGS: dict[str, Ending] = {name: _TOPICS[row.topic] for row in ROWS if row.topic in _TOPICS for name in row.names}


def ending_of(finish_reason: str) -> Ending | None:
    """What a `finish_reason` means; None where no provider is known to say so."""
    return _ENDINGS.get(finish_reason.strip().lower())
