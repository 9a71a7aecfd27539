"""How often a call is tried again, and how long to wait in between."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, field

from modex.core.foundation.errors import ConfigurationError, ErrorType, ModelCallError

WAIT_VARIABLE = "MODEX_RETRY_WAIT"
_QUEUED = 3
"""Deadlines that may pass in a server's queue before they count."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Exponential back-off with jitter: between half of `first_wait_s`·2ⁿ and all of it, at most `cap_s` seconds.

    Why the wait is drawn: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/.
    """

    first_wait_s: float = 1.0
    attempts: int = 5
    rate_limit_attempts: int = 8
    """A rate limit is a request to wait, and providers count by the minute: it is asked for longer than a fault."""
    cap_s: float = 60.0
    rng: random.Random = field(default_factory=random.Random, compare=False)

    @classmethod
    def from_environment(cls) -> RetryPolicy:
        """The policy with the first wait that `MODEX_RETRY_WAIT` gives in seconds (default 1).

        Raises:
            ConfigurationError: the variable is not a number of seconds.
        """
        text = os.environ.get(WAIT_VARIABLE, "").strip() or "1"
        try:
            seconds = float(text)
        except ValueError:
            seconds = -1.0
        if not 0 <= seconds <= 3600:
            raise ConfigurationError(f"{WAIT_VARIABLE}={text!r}: give the first back-off in seconds, from 0 to 3600")
        return cls(first_wait_s=seconds)

    def wait_s(self, failures: int) -> float:
        """Seconds to wait after the `failures`-th failure in a row (1-based)."""
        full = min(self.cap_s, self.first_wait_s * 2.0 ** min(failures - 1, 30))
        return full * self.rng.uniform(0.5, 1.0)


@dataclass(slots=True)
class Patience:
    """What one call has already endured; says whether it may try again."""

    policy: RetryPolicy
    failures: int = 0
    rate_limits: int = 0
    successes_seen: int = 0
    queued: int = 0

    def waits_in_line(self) -> bool:
        """Count a deadline that passed in a server's queue; false where it must count as the call's own after all."""
        self.queued += 1
        return self.queued <= _QUEUED

    def spent_by(self, error: ModelCallError, successes: int) -> bool:
        """Count `error`; true where the call must give up.

        `successes` is how many calls the model has answered so far: a rate limit that lets others through in the meantime
        is a queue, not a wall, and does not count.
        """
        if not error.retryable:
            return True
        if error.error_type is ErrorType.RATE_LIMIT:
            self.rate_limits = 1 if successes > self.successes_seen else self.rate_limits + 1
            self.successes_seen = successes
            return self.rate_limits >= self.policy.rate_limit_attempts
        self.failures += 1
        return self.failures >= self.policy.attempts
