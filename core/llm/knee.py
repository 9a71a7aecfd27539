"""How many calls at once an endpoint answers before more of them only wait: found while a run goes on.

Little's law ties together what is seen of an endpoint: calls in flight = calls a second × seconds a call. Up to its capacity
more calls at once bring more answers at the same latency; beyond it the same answers come later. So the number of calls at once
is doubled as long as answers a second rise with it. Where they stop rising, the capacity is what the endpoint answers a second
times what a call takes while none waits, and that number is tried before it is kept. What was found is looked at again now and
then, because others use the endpoint too. Refusals (429) end the growth; the gate itself backs off, as for a given number.

No clock and no threads: the gate says when a call begins and ends, under its lock.

J. D. C. Little, a proof for the queuing formula L = λW: https://doi.org/10.1287/opre.9.3.383.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from modex.core.config.options import FIRST_AT_ONCE, MOST_AT_ONCE

_LEAST_CALLS = 32
"""Calls that a measurement is made of at least, or the spread of latencies would decide."""
_RISES = 0.75
"""Share of the growth in calls at once that comes back as answers a second below which a knee has been passed."""
_FLAT = 1.15
"""Growth of answers a second below which more calls at once brought nothing."""
_AS_GOOD = 0.9
_FILLED = 0.5
"""Share of the limit that must have been in flight on average, or it was not the endpoint that was measured."""
_SLOW_S = 0.25
"""Seconds a call below which waiting may be this process's own: fewer calls at once would tell nothing of the endpoint."""
_SLOWER = 1.5
_LOOK_AGAIN = 40
"""Measurements for which what was found is kept before it is looked at again."""

_Phase = Literal["climbing", "probing", "falling", "kept"]


@dataclass(frozen=True, slots=True)
class MeasuredLimit:
    """What was measured at one limit."""

    limit: int
    in_flight: float
    """Calls in flight on average."""
    seconds: float
    """What a call took on average."""

    @property
    def rate(self) -> float:
        """Answers a second."""
        return self.in_flight / self.seconds if self.seconds > 0 else 0.0


class Knee:
    """The search; `limit` says how many calls may be in flight now. Times are seconds of any one clock."""

    def __init__(self, start: int = FIRST_AT_ONCE, most: int = MOST_AT_ONCE) -> None:
        self.limit = min(start, most)
        self.found = ""
        """What was found last, in words; nothing where the search did not come to an end."""
        self._start = self.limit
        self._most = most
        self._phase: _Phase = "climbing"
        self._below: MeasuredLimit | None = None
        """The last level at which no call waited."""
        self._above: MeasuredLimit | None = None
        """The level beyond the knee that the one being tried is compared with."""
        self._unhurried = 0.0
        """Seconds a call took while none waited; 0 where that was not seen."""
        self._kept_for = 0
        self._said = 0
        self._in_flight = 0
        self._moved_at = 0.0
        self._measurement = 0
        self._restart()

    def began(self, now: float) -> int:
        """A call is made; the number of the measurement that it belongs to."""
        self._move(now, 1)
        return self._measurement

    def ended(self, now: float, seconds: float | None, measurement: int) -> str:
        """A call came back, answered after `seconds` (None: not answered); what to say of the limit now, or nothing."""
        self._move(now, -1)
        # Calls that began under another limit stood in another queue.
        if seconds is None or measurement != self._measurement:
            return ""
        if self._to_pass > 0:
            self._to_pass -= 1
            return ""
        if not self._count:
            self._since, self._area = now, 0.0
        self._total += seconds
        self._count += 1
        if self._count < max(_LEAST_CALLS, self.limit) or now <= self._since:
            return ""
        level = MeasuredLimit(self.limit, self._area / (now - self._since), self._total / self._count)
        if level.in_flight < _FILLED * self.limit:
            self._restart()
            return ""
        return self._decide(level)

    def disturb(self) -> None:
        """Fewer calls were made than the limit allows, for another reason than the endpoint's pace: measure anew."""
        self._restart()

    @property
    def proven(self) -> int:
        """How many at once were answered before the growth that goes on; 0 where none does, or nothing was measured."""
        return self._below.limit if self._below is not None and self._phase in ("climbing", "probing") else 0

    def refused(self, accepted: int | None = None) -> None:
        """The endpoint refused calls for being too many, while it worked on `accepted` others, where that is known.

        What is accepted while more are refused is the capacity itself, but only of a step that went too far: a limit that was
        good is refused for another reason.
        """
        good = self._below.limit if self._below is not None else self._start
        lowered = (good + self.limit) // 2 if good < self.limit else self.limit * 3 // 4
        if accepted is not None and self.proven:
            lowered = max(self.proven, accepted)
        self._found(min(self.limit, max(self._start, lowered)), "more are refused")

    def refused_too(self, accepted: int) -> None:
        """More of the calls that were out together were refused: fewer were `accepted` than it seemed."""
        good = self._below.limit if self._below is not None else self._start
        if good <= accepted < self.limit:
            self._found(accepted, "more are refused")

    def settled(self) -> str:
        """After a refusal as many calls as the limit allows are answered again; what to say of it, or nothing."""
        return self._news()

    # what a measurement means

    def _decide(self, level: MeasuredLimit) -> str:
        if self._phase == "climbing":
            return self._climbed(level)
        if self._phase == "probing":
            return self._tried(level)
        if self._phase == "falling":
            return self._fell(level)
        self._kept_for += 1
        self._total, self._count = 0.0, 0
        if self._kept_for >= _LOOK_AGAIN and self.limit < self._most:
            self._below = level
            return self._go("climbing", self.limit + max(1, self.limit // 2))
        return ""

    def _climbed(self, level: MeasuredLimit) -> str:
        below = self._below
        if below is None:
            self._below = level
            return self._higher(level)
        gain = level.rate / below.rate
        if gain >= 1 + _RISES * (level.limit / below.limit - 1):
            self._below, self._unhurried = level, min(level.seconds, self._unhurried or level.seconds)
            return self._higher(level)
        if gain >= _FLAT:
            self._above, self._unhurried = level, below.seconds
            return self._go("probing", min(level.limit - 1, max(below.limit + 1, round(level.rate * below.seconds))))
        if below.seconds >= _SLOW_S and below.limit > 1 and below.seconds > _SLOWER * self._unhurried:
            self._above = below
            return self._go("falling", below.limit // 2)
        return self._keep(below.limit, "more only wait")

    def _tried(self, level: MeasuredLimit) -> str:
        above = self._above
        assert above is not None
        if level.rate >= _AS_GOOD * above.rate:
            return self._keep(level.limit, "more only wait")
        self._below = above
        return self._higher(above)

    def _fell(self, level: MeasuredLimit) -> str:
        above = self._above
        assert above is not None
        if level.rate >= _AS_GOOD * above.rate and level.limit > 1:
            self._above = level
            return self._go("falling", level.limit // 2)
        self._unhurried = level.seconds
        return self._keep(min(above.limit, max(level.limit, round(above.rate * level.seconds))), "more only wait")

    # where to go

    def _higher(self, level: MeasuredLimit) -> str:
        if level.limit >= self._most:
            return self._keep(self._most, "--concurrency allows more")
        return self._go("climbing", level.limit * 2)

    def _go(self, phase: _Phase, limit: int) -> str:
        lower = limit < self.limit
        self._phase, self.limit = phase, max(1, min(limit, self._most))
        self._restart()
        if lower:
            self._to_pass = 0
        return ""

    def _keep(self, limit: int, why: str) -> str:
        self._found(limit, why)
        return self._news()

    def _found(self, limit: int, why: str) -> None:
        self._go("kept", limit)
        self._kept_for = 0
        self.found = f"{self.limit} calls at once: {why}"

    def _news(self) -> str:
        # A look that finds about the same is no news.
        if abs(self.limit - self._said) * 5 <= self._said:
            return ""
        self._said = self.limit
        return self.found

    def _restart(self) -> None:
        self._measurement += 1
        # The first calls beyond the old limit meet a queue that is only filling.
        self._to_pass = self.limit
        self._since, self._area, self._total, self._count = 0.0, 0.0, 0.0, 0

    def _move(self, now: float, by: int) -> None:
        self._area += self._in_flight * (now - self._moved_at)
        self._moved_at = now
        self._in_flight += by
