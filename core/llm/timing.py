"""When an answer was written: first token, thinking, the whole of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from modex.core.llm.awake import lost_s
from modex.core.llm.quirks import TAGS
from modex.core.llm.thinking import strip_thinking

SHORTEST_S = 0.005
"""Seconds of writing below which a speed says only how fast pieces that lay ready were read: a million tokens a second."""
_MARKS = tuple(row.mark for row in TAGS)


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds of one streamed answer."""

    first_s: float
    """From sending the request to the first token, of thinking or answer."""
    thinking_s: float | None
    """From the first token of the thinking to the first one of the answer; None where nothing was thought."""
    writing_s: float
    """From the first token to the last."""
    pieces: int
    """Events that carried text: what tokens are estimated by where the server counts none."""

    @property
    def tells_speed(self) -> bool:
        """Whether it was seen being written; what came in one piece, or within `SHORTEST_S`, was written before it was sent."""
        return self.pieces > 1 and self.writing_s >= SHORTEST_S


def timing_of(
    started: float,
    thinking_at: Sequence[float],
    text_at: Sequence[float],
    calls_at: Sequence[float],
    text: Sequence[str],
) -> Timing | None:
    """The timing by when each piece came; thinking may stand in tags within the text."""
    kinds = [times for times in (thinking_at, text_at, calls_at) if len(times)]
    if not kinds:
        return None
    first, last = min(times[0] for times in kinds), max(times[-1] for times in kinds)
    answered = min((times[0] for times in (text_at, calls_at) if len(times)), default=last)
    thinking: float | None = None
    if len(thinking_at):
        thinking = max(0.0, answered - thinking_at[0])
    elif (end := _end_of_thinking(text)) is not None:
        thinking = text_at[end] - text_at[0]
    before, within = lost_s(started, first), lost_s(first, last)
    return Timing(first - started - before, thinking, last - first - within, sum(len(times) for times in kinds))


def _end_of_thinking(text: Sequence[str]) -> int | None:
    """The piece in which the answer behind inline thinking begins; None where there is no such thinking."""
    whole = "".join(text)
    if not any(mark in whole for mark in _MARKS):
        return None
    found = strip_thinking(whole)
    if found.reasoning is None and not found.truncated:
        return None
    begins = len(whole) - len(found.answer) if found.answer else len(whole)
    seen = 0
    for number, piece in enumerate(text):
        seen += len(piece)
        if seen > begins:
            return number
    return len(text) - 1
