"""How far long work is, in a line now and then: for whoever waits without a screen."""

from __future__ import annotations

import time
from collections.abc import Callable

_EVERY_S = 2.0
"""Also before the first line: work that is done sooner says nothing."""


class ProgressCount:
    """Says how many there are so far, where it takes longer than a moment."""

    def __init__(
        self, what: str, tell: Callable[[str], None] | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`what` stands before the number: `planning: 40,000 samples` needs `planning: {} samples`."""
        self._what, self._tell, self._clock = what, tell, clock
        self._next = clock() + _EVERY_S
        self.count = 0

    def one_more(self) -> None:
        """One more is done."""
        self.count += 1
        if not self.count % 1000:
            self.now(self.count)

    def now(self, count: int) -> None:
        """So many are done by now."""
        self.count = count
        if self._tell is not None and (moment := self._clock()) >= self._next:
            self._next = moment + _EVERY_S
            self._tell(self._what.format(f"{count:,}"))
