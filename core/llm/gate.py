"""The gate in front of one model, shared by every worker: how many calls at once, and when none at all.

- A rate limit holds everyone back for as long as the provider asks, and halves how many may call at once; that grows
  again by one for each round of successes (additive increase, multiplicative decrease).
- Failures in a row that mean "nobody is there" open an outage: one caller at a time probes, with growing waits, and the
  others wait without using up their attempts, until a probe succeeds or the outage has lasted too long.
- A wish to wait that comes with a failure holds everyone back too, up to the back-off's cap, and the failure counts.
- A fatal error (wrong key, unknown model) shuts the gate: whoever waits or comes gets the same error. So does the same refusal
  (a 4xx) again and again before anything was answered: it is about every call, not about one question.
- A deadline that passes while others are answered is a queue at the server: fewer call at once.
- Where nobody said how many may call at once, the gate looks for the number itself (`modex.core.llm.knee`).
"""

from __future__ import annotations

import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm.faults import TimedOutError
from modex.core.llm.knee import Knee
from modex.core.llm.retry import RetryPolicy

_OUTAGE_TYPES = {ErrorType.CONNECTION, ErrorType.SERVER_ERROR, ErrorType.TIMEOUT}
_STOP_CHECK_S = 0.25
_PROBE_CAP_S = 30.0
_PROBES_A_SPAN = 6
"""The wait for the next probe is at most this part of the outage so far: a run goes on soon after a short one, and a long one
is still asked only some forty times an hour."""
_MIN_PATIENCE_S = 60.0
_LOWERED = 3
"""Times that the limit was lowered after which it is said how few calls a model takes."""
_LEAST_REFUSALS = 3
"""Equal refusals below which a test's own fault is as likely, however few workers there are."""


class Interrupted(Exception):  # noqa: N818
    """The run is stopping; the call was not made, or was ended. Not a failure: the sample stays as it was."""


class GateListener(Protocol):
    """Hears what the gates do, from worker threads; must be quick and must not raise."""

    def on_retry(self, model: str, why: str, attempt: int, wait_s: float) -> None:
        """A call failed for the `attempt`-th time, because of `why`, and will be tried again in `wait_s` seconds."""
        ...

    def on_hold(self, model: str, seconds: float, why: str) -> None:
        """Every worker on `model` is held back for `seconds`, because of `why`."""
        ...

    def on_outage(self, model: str, since: float, why: str) -> None:
        """`model` has not answered since `since` (seconds of `time.time()`), with `why` at last; only probes are made."""
        ...

    def on_note(self, words: str) -> None:
        """Something that a reader of the scores should know, said once."""
        ...

    def on_recovered(self, model: str) -> None:
        """`model` answers again."""
        ...

    def on_limit(self, model: str, limit: int, words: str) -> None:
        """From now on `limit` calls to `model` may be in flight at best; `words` say what was found, where something was."""
        ...


class Unheard:
    """A listener that hears nothing; one that hears some of it derives from this."""

    def on_retry(self, model: str, why: str, attempt: int, wait_s: float) -> None:
        """Nothing."""

    def on_hold(self, model: str, seconds: float, why: str) -> None:
        """Nothing."""

    def on_outage(self, model: str, since: float, why: str) -> None:
        """Nothing."""

    def on_note(self, words: str) -> None:
        """Nothing."""

    def on_recovered(self, model: str) -> None:
        """Nothing."""

    def on_limit(self, model: str, limit: int, words: str) -> None:
        """Nothing."""


@dataclass(frozen=True, slots=True)
class GateState:
    """A gate at one moment."""

    model: str
    in_flight: int
    limit: int
    """How many may be in flight now."""
    ceiling: int
    """How many may be in flight at best."""
    held_s: float
    """Seconds for which everyone is still held back; 0 where nobody is."""
    outage_since: float | None
    """`time.time()` of the outage's first failure; None where there is none."""
    retries: int
    fatal: str | None = None
    found: str = ""
    """How many calls at once were found worth making, and why, in words; empty where nobody looked."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """The right to make one call; handed back with its outcome."""

    epoch: int
    probe: bool = False
    successes: int = 0
    """How many calls the model had answered when this one began."""
    began: float = 0.0
    """When, by the gate's clock."""
    measurement: int = 0
    """Which of the knee's it belongs to."""


class CallGate(Protocol):
    """What a client needs of a gate: its own process's, or one that another process keeps."""

    @property
    def successes(self) -> int:
        """How many calls the model has answered."""
        ...

    def acquire(self) -> Ticket:
        """Wait until a call may be made; see `Gate`."""
        ...

    def succeeded(self, ticket: Ticket) -> None:
        """The call was answered."""
        ...

    def released(self, ticket: Ticket) -> None:
        """The call was given up before it had an outcome."""
        ...

    def failed(self, ticket: Ticket, error: ModelCallError) -> bool:
        """The call failed; see `Gate`."""
        ...

    def retrying(self, error: ModelCallError, attempt: int, wait_s: float) -> None:
        """Report that a call will be tried again."""
        ...

    def pause(self, seconds: float) -> None:
        """Sleep, but raise as `acquire` does as soon as there is reason to."""
        ...

    def held_s(self) -> float:
        """Seconds for which everyone is still held back."""
        ...

    def note(self, words: str) -> None:
        """Report what a reader of the scores should know."""
        ...


@dataclass(slots=True)
class _Outage:
    since: float
    wall: float
    why: str
    next_probe: float
    probes: int = 0
    probing: bool = False


@dataclass(frozen=True, slots=True)
class _Overstepped:
    """A step of the knee's that was refused, while what had been found before it is still believed."""

    epoch: int
    """Of the calls that were out together then."""
    successes: int
    """Calls answered by then."""


Event = Callable[[GateListener], None]


class Gate:
    """See the module. All methods may be called from any thread."""

    def __init__(
        self,
        model: str,
        *,
        concurrency: int,
        max_outage_s: float,
        stop: threading.Event,
        policy: RetryPolicy,
        listener: GateListener | None = None,
        given_up: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
        knee: Knee | None = None,
    ) -> None:
        """`knee` finds how many may call at once; without it, `concurrency` says so."""
        self.model = model
        self._knee = knee
        self._ceiling = self._limit = max(1, knee.limit if knee is not None else concurrency)
        self._max_outage_s = max_outage_s
        self._stop = stop
        self._policy = policy
        self._listener = listener
        self._given_up = given_up
        self._clock = clock
        # One condition guards every field below; its waits are bounded, as a stop is an event that cannot notify it.
        self._changed = threading.Condition()
        self._in_flight = 0
        self._credit = 0
        self._epoch = 0
        self._held_until = 0.0
        self._limited_in_a_row = 0
        self._limited_since: float | None = None
        self._failures_in_a_row = 0
        self._refusals: Counter[str] = Counter()
        self._lowered = 0
        self._first_failure: tuple[float, float] | None = None
        self._outage: _Outage | None = None
        self._overstepped: _Overstepped | None = None
        self._fatal: ModelCallError | None = None
        self._retries = 0
        self._successes = 0
        self._noted: set[str] = set()

    @property
    def successes(self) -> int:
        """How many calls the model has answered."""
        return self._successes

    def acquire(self) -> Ticket:
        """Wait until a call may be made.

        Raises:
            Interrupted: the run is stopping.
            ModelCallError: a fatal error shut the gate, or the outage lasted too long; the same for everyone.
        """
        with self._changed:
            while True:
                self.check()
                wait = self._obstacle()
                if wait is None:
                    probe = self._outage is not None
                    if self._outage is not None:
                        self._outage.probing = True
                    self._in_flight += 1  # in the same hold of the lock as the look: no two take the last place
                    now = self._clock()
                    measurement = self._knee.began(now) if self._knee is not None else 0
                    return Ticket(self._epoch, probe, self._successes, now, measurement)
                self._changed.wait(min(wait, _STOP_CHECK_S))  # the reason may be gone or another by then

    def check(self) -> None:
        """Raise what ends every wait: see `acquire`."""
        if self._fatal is not None:
            raise _copy(self._fatal)  # a copy: threads that raise one object share its traceback
        if self._stop.is_set() or self._given_up():
            raise Interrupted

    def pause(self, seconds: float) -> None:
        """Sleep, but raise as `acquire` does as soon as there is reason to."""
        until = self._clock() + seconds
        while (left := until - self._clock()) > 0:
            self.check()
            self._stop.wait(min(left, _STOP_CHECK_S))
        self.check()

    def succeeded(self, ticket: Ticket) -> None:
        """The call was answered."""
        with self._changed:
            self._successes += 1
            self._limited_in_a_row = 0
            self._limited_since = None
            events = self._release(ticket, alive=True, answered=True)
            if self._limit < self._ceiling:
                events += self._grow()
        self._tell(events)  # outside the lock: a listener writes to the store, and may come back to ask for a snapshot

    def _grow(self) -> list[Event]:
        """More at once after each round of answers: by one, or half of the way where only the growth was refused."""
        self._credit += 1
        if self._credit < self._limit:
            return []
        step = (self._ceiling - self._limit + 1) // 2 if self._overstepped is not None else 1
        self._limit, self._credit = self._limit + step, 0
        self._changed.notify_all()
        if self._limit < self._ceiling or self._knee is None:
            return []
        self._overstepped = None
        return self._allow(self._knee.settled())

    def released(self, ticket: Ticket) -> None:
        """The call was given up before it had an outcome."""
        with self._changed:
            events = self._release(ticket, alive=False)
        self._tell(events)

    def failed(self, ticket: Ticket, error: ModelCallError) -> bool:
        """The call failed; true where the failure belongs to an outage and uses up none of the caller's attempts."""
        outage_like = error.error_type in _OUTAGE_TYPES
        garbage = error.retryable and not outage_like and error.error_type is not ErrorType.RATE_LIMIT
        with self._changed:
            in_outage = self._outage is not None  # before the release, which may end it
            events = self._release(ticket, alive=not outage_like and not garbage)
            queued = False
            if error.fatal:
                self._fatal = _copy(error)
                self._changed.notify_all()
            elif error.error_type is ErrorType.RATE_LIMIT:
                events += self._limited(ticket, error)
            elif self._stood_in_line(ticket, error) and self._limit > 1:
                queued = True
                events += self._fewer(ticket)
            elif outage_like:
                events += self._count_failure(ticket, error)
                if error.retry_after:
                    events += self._hold(min(error.retry_after, self._policy.cap_s), self._why(error))
            elif garbage and ticket.probe:
                self._delay_probe()
            elif not error.retryable:
                self._count_refusal(error)
            excused = queued or ((in_outage or self._outage is not None) and (outage_like or garbage))
        self._tell(events)
        return excused

    def retrying(self, error: ModelCallError, attempt: int, wait_s: float) -> None:
        """Report that a call will be tried again."""
        with self._changed:
            self._retries += 1
        why = self._why(error)
        self._tell([lambda listener: listener.on_retry(self.model, why, attempt, wait_s)])

    def note(self, words: str) -> None:
        """Report what a reader of the scores should know, once: several workers find it out at the same moment."""
        with self._changed:
            new = words not in self._noted
            self._noted.add(words)
        self._tell([lambda listener: listener.on_note(words)] if new else [])

    def held_s(self) -> float:
        """Seconds for which everyone is still held back."""
        # Without the lock: reading a float is atomic, and who is told a moment too late only waits once more.
        return max(0.0, self._held_until - self._clock())

    def resize(self, concurrency: int) -> None:
        """Change how many calls may be in flight at best; who says so knows better than what was found."""
        with self._changed:
            self._knee = None
            grown = concurrency > self._ceiling
            self._limit = concurrency if grown and self._limit == self._ceiling else min(self._limit, concurrency)
            self._ceiling = max(1, concurrency)
            self._limit = max(1, self._limit)
            self._changed.notify_all()

    def snapshot(self) -> GateState:
        """The gate now."""
        with self._changed:
            return GateState(
                model=self.model,
                in_flight=self._in_flight,
                limit=self._limit,
                ceiling=self._ceiling,
                held_s=self.held_s(),
                outage_since=self._outage.wall if self._outage else None,
                retries=self._retries,
                fatal=str(self._fatal) if self._fatal else None,
                found=self._knee.found if self._knee is not None else "",
            )

    def _obstacle(self) -> float | None:
        """Seconds after which to look again, or None where a call may be made; may shut the gate."""
        now = self._clock()
        outage = self._outage
        if outage is not None:
            if outage.probing:
                return _STOP_CHECK_S  # one asks for all: what comes of that call wakes whoever waits here
            if now - outage.since >= self._max_outage_s:
                self._fatal = self._gave_up(now - outage.since, outage.why)
                self._changed.notify_all()
                raise _copy(self._fatal)
            ready = max(outage.next_probe, self._held_until)
            return ready - now if now < ready else None
        if now < self._held_until:
            return self._held_until - now
        return _STOP_CHECK_S if self._in_flight >= self._limit else None

    def _release(self, ticket: Ticket, *, alive: bool, answered: bool = False) -> list[Event]:
        """Give the place back; a sign of life ends an outage."""
        self._in_flight -= 1
        events = self._measured(ticket, answered=answered) if self._knee is not None else []
        if ticket.probe and self._outage is not None:
            self._outage.probing = False
        if not alive:
            self._changed.notify()
            return events
        # Whoever answers, if only with a refusal, is there.
        self._failures_in_a_row = 0
        self._first_failure = None
        if self._outage is None:
            self._changed.notify()  # one place is free: more than one woken would look, and wait again
            return events
        self._outage = None
        self._limit, self._credit = max(1, self._limit // 2), 0
        # Calls that began before the recovery say nothing about the server as it is now.
        self._epoch += 1
        self._changed.notify_all()
        return [*events, lambda listener: listener.on_recovered(self.model)]

    def _measured(self, ticket: Ticket, *, answered: bool) -> list[Event]:
        """Tell the knee of a call that came back, and allow as many at once as it says then."""
        knee, now = self._knee, self._clock()
        assert knee is not None
        words = knee.ended(now, now - ticket.began if answered else None, ticket.measurement)
        if self._limit < self._ceiling or self._outage is not None:
            knee.disturb()  # times measured with fewer calls out than the knee allows say nothing about its number
        return self._allow(words)

    def _allow(self, words: str = "") -> list[Event]:
        """As many at once as the knee says, unless failures hold them lower."""
        assert self._knee is not None
        limit = self._knee.limit
        if limit == self._ceiling and not words:
            return []
        self._limit = limit if self._limit == self._ceiling else min(self._limit, limit)
        self._ceiling = limit
        self._changed.notify_all()
        return [lambda listener: listener.on_limit(self.model, limit, words)]

    def _limited(self, ticket: Ticket, error: ModelCallError) -> list[Event]:
        """Hold everyone back; fewer at once, but only once for all the calls that were out together."""
        now, wish = self._clock(), error.retry_after
        self._limited_since = now if self._limited_since is None else self._limited_since
        if wish is not None and wish > max(self._max_outage_s, _MIN_PATIENCE_S):
            self._shut(f"rate limited: the provider asks to wait {wish / 60:.0f} minutes; resume the run then", error)
            return []
        if now - self._limited_since >= max(self._max_outage_s, _MIN_PATIENCE_S):
            minutes = (now - self._limited_since) / 60
            self._shut(f"rate limited for {minutes:.0f} minutes without an answer; resume the run later", error)
            return []
        # Calls that are out together are refused together: that is one event, by which the wait grows once.
        if ticket.epoch == self._epoch:
            self._limited_in_a_row += 1
            events = self._fewer(ticket, refused=True)
        else:
            events = self._overstepped_by_more(ticket)
        # A little later than asked for, so that several runs with one key do not come back in the same instant.
        wait = self._policy.wait_s(self._limited_in_a_row) if not wish else wish * self._policy.rng.uniform(1.0, 1.05)
        return events + self._hold(wait, self._why(error))

    def _overstepped_by_more(self, ticket: Ticket) -> list[Event]:
        """Another of the calls that were out together when the growth was refused comes back refused."""
        knee, before = self._knee, self._overstepped
        # Once new calls were made, what is in flight tells no more of those that were out then.
        if knee is None or before is None or ticket.epoch != before.epoch or self._clock() >= self._held_until:
            return []
        knee.refused_too(self._in_flight + self._successes - before.successes)
        return self._allow()

    def _fewer(self, ticket: Ticket, *, refused: bool = False) -> list[Event]:
        """Half as many at once, but only once for all the calls that were out together; a hint where hardly any are left.

        Where it was a step of the knee's that was refused, as many as were answered before it.
        """
        if ticket.epoch != self._epoch:
            return []
        knee = self._knee
        proven = knee.proven if refused and knee is not None else 0
        self._overstepped = _Overstepped(self._epoch, self._successes) if proven else None
        self._epoch += 1
        self._limit = max(1, proven, min(self._limit, self._in_flight + 1) // 2)
        self._credit = 0
        self._lowered += 1
        events: list[Event] = []
        if knee is not None:
            knee.refused(self._in_flight if refused else None)
            events = self._allow()
        if self._limit > 2 or self._ceiling <= 4 or self._lowered != _LOWERED:
            return events
        words = f"{self.model} takes about {self._limit} calls at a time; --concurrency {self._limit} asks for no more"
        return [*events, lambda listener: listener.on_note(words)]

    def _hold(self, seconds: float, why: str) -> list[Event]:
        until = self._clock() + seconds
        if until <= self._held_until:
            return []
        self._held_until = until
        self._changed.notify_all()
        return [lambda listener: listener.on_hold(self.model, seconds, why)]

    def _shut(self, words: str, last: ModelCallError) -> None:
        self._fatal = ModelCallError(f"{self.model}: {words}: {self._why(last)}", last.error_type, fatal=True)
        self._changed.notify_all()

    def _stood_in_line(self, ticket: Ticket, error: ModelCallError) -> bool:
        """Whether the time ran out in a queue: nothing of the answer came, while other calls were answered."""
        began = isinstance(error, TimedOutError) and error.began
        return error.error_type is ErrorType.TIMEOUT and not began and self._successes > ticket.successes

    def _count_refusal(self, error: ModelCallError) -> None:
        """Shut the gate where one refusal, but for its numbers, met as many calls as there are workers, and no call an answer."""
        if self._successes or error.error_type is not ErrorType.BAD_REQUEST or not 400 <= (error.status or 0) < 500:
            return
        words = f"{error.status} {re.sub(r'[0-9]+', '#', self._why(error))}"
        self._refusals[words] += 1
        if self._refusals[words] >= max(_LEAST_REFUSALS, self._ceiling):
            self._fatal = ModelCallError(
                f"{error}; every call is answered so: the run stops", error.error_type, fatal=True, status=error.status
            )
            self._changed.notify_all()

    def _why(self, error: ModelCallError) -> str:
        return str(error).removeprefix(f"{self.model}: ")

    def _count_failure(self, ticket: Ticket, error: ModelCallError) -> list[Event]:
        now, why = self._clock(), self._why(error)
        self._failures_in_a_row += 1
        if self._first_failure is None:
            self._first_failure = (now, time.time())
        outage = self._outage
        if outage is not None:
            if ticket.probe:
                self._delay_probe()
            if outage.why == why:
                return []
            outage.why = why
            return [lambda listener: listener.on_outage(self.model, outage.wall, why)]
        # One hiccup can end all the calls that are out together, and only something worse the next ones too.
        if self._failures_in_a_row < max(10, 2 * self._ceiling):
            return []
        since, wall = self._first_failure
        self._outage = _Outage(since, wall, why, now + self._policy.wait_s(1))
        self._changed.notify_all()
        return [lambda listener: listener.on_outage(self.model, wall, why)]

    def _delay_probe(self) -> None:
        outage = self._outage
        if outage is not None:
            outage.probes += 1
            now = self._clock()
            share = max(self._policy.first_wait_s, (now - outage.since) / _PROBES_A_SPAN)
            outage.next_probe = now + min(_PROBE_CAP_S, share, self._policy.wait_s(outage.probes + 1))
            self._changed.notify_all()

    def _gave_up(self, seconds: float, why: str) -> ModelCallError:
        return ModelCallError(
            f"{self.model}: no answer for {seconds / 60:.0f} minutes ({seconds:.0f} s): the run stops; resume it later; "
            f"at last: {why}",
            ErrorType.SERVER_ERROR,
            fatal=True,
        )

    def _tell(self, events: list[Event]) -> None:
        """Tell the listener outside the lock, so that it may ask for a snapshot."""
        if self._listener is not None:
            for event in events:
                event(self._listener)


def _copy(error: ModelCallError) -> ModelCallError:
    """The same error anew: a raised exception belongs to one thread's traceback."""
    return ModelCallError(
        str(error), error.error_type, fatal=error.fatal, retry_after=error.retry_after, status=error.status, attempts=0
    )
