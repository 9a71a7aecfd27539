"""How fast a rollout's answers were written, from the timing of its streamed calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Any

from modex.core.llm.timing import Timing
from modex.core.llm.types import Completion


@dataclass(slots=True)
class Speed:
    """Added up over the calls of one rollout; calls whose answers came whole say nothing."""

    ttft_ms: float | None = None
    """Of the first call: how long a person would have looked at nothing."""
    estimated: bool = False
    """Whether tokens were estimated by the events of a stream, because the server counted none."""
    _thinking_s: float | None = None
    _tokens: int = 0
    _seconds: float = 0.0

    def count(self, completion: Completion, timing: Timing) -> None:
        """Add one call.

        The speed is that of the writing: the tokens after the first over the time from the first to the last, where
        `Timing.tells_speed`.
        """
        if self.ttft_ms is None:
            self.ttft_ms = round(timing.first_s * 1000, 3)
        if timing.thinking_s is not None:
            self._thinking_s = (self._thinking_s or 0.0) + timing.thinking_s
        if not timing.tells_speed:
            return
        usage = completion.usage
        # Thinking that the provider keeps to itself was written before the first token that could be seen.
        hidden = usage.reasoning if timing.thinking_s is None else 0
        counted = usage.completion - hidden if "usage_missing" not in completion.flags else 0
        if counted <= 0 or completion.cut is not None:
            counted, self.estimated = timing.pieces, True
        if counted > 1:
            self._tokens += counted - 1
            self._seconds += timing.writing_s

    def as_list(self) -> list[Any]:
        """All of it, as JSON holds it."""
        return list(astuple(self))

    @classmethod
    def of(cls, stored: Sequence[Any]) -> Speed:
        """Undo `as_list`."""
        return cls(*stored)

    @property
    def thinking_ms(self) -> int | None:
        """How long was thought, in milliseconds; None where no thinking was seen."""
        return None if self._thinking_s is None else round(self._thinking_s * 1000)

    @property
    def tokens_per_s(self) -> float | None:
        """Output tokens a second, thinking included; None where it cannot be told."""
        return round(self._tokens / self._seconds, 2) if self._seconds > 0 else None
