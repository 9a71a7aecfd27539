"""What gates, executor and writer report while a session works: kept in the run's log, told to who waits, waits only sparsely."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from modex.core.config.options import FIRST_AT_ONCE
from modex.core.engine.executors.executor import Executor
from modex.core.engine.workers import Workers
from modex.core.pipeline.assembly import Assembly
from modex.core.safety import redact
from modex.core.store.writer import Writer

_SAY_EVERY_S = 10.0
"""Seconds between two lines about waiting: who is held back may be held back often."""
_WORTH_SAYING_S = 2.0
_MOST_COUNTED = 20
"""Notes of single samples that are said."""


@dataclass(frozen=True, slots=True)
class AtWork:
    """What stands while samples move."""

    assembly: Assembly
    executor: Executor
    workers: Workers
    writer: Writer


class News:
    """Hears gates (it is their `GateListener`), executor and writer, from their threads."""

    def __init__(self, narrate: Callable[[str], None], *, follows: bool) -> None:
        """`follows`: the concurrency goes with what the gates find of each model's limit, since nobody named a number."""
        self.say = narrate
        self.follows = follows
        self.at_work: AtWork | None = None
        """What there is to log to and to steer; None before samples move and after."""
        self.outage: str | None = None
        """Which model does not answer, and why; None while all do."""
        self.store_error: str | None = None
        """Why nothing can be stored; None while it can."""
        self._said_at = -_SAY_EVERY_S
        self._counting = threading.Lock()
        self._counted: Counter[str] = Counter()

    def on_store_error(self, words: str | None) -> None:
        """The writer cannot store, or can again."""
        self.store_error = words

    def on_retry(self, model: str, why: str, attempt: int, wait_s: float) -> None:
        """A call is tried again (see `GateListener`)."""
        self.log("warning", f"{model}: {why}; attempt {attempt}, again in {wait_s:.1f} s")

    def on_hold(self, model: str, seconds: float, why: str) -> None:
        """The provider asked every caller to wait (see `GateListener`)."""
        self.log("warning", f"{model}: asked to wait {seconds:.1f} s: {why}")
        if seconds >= _WORTH_SAYING_S:
            until = datetime.fromtimestamp(time.time() + seconds).strftime("%H:%M:%S")
            self.say_sometimes(f"{model} waits until {until} ({seconds:.0f} s): {why}")

    def on_outage(self, model: str, since: float, why: str) -> None:
        """The provider is down (see `GateListener`)."""
        del since
        self.outage = redact(f"{model} does not answer: {why}; trying it again now and then")
        self.log("error", self.outage)

    def on_recovered(self, model: str) -> None:
        """The provider is back (see `GateListener`)."""
        self.outage = None
        self.log("info", f"{model} answers again")

    def on_note(self, words: str) -> None:
        """Something a reader of the scores should know (see `GateListener`)."""
        self.log("warning", words)
        self.say(redact(words))

    def on_limit(self, model: str, limit: int, words: str) -> None:
        """A model's gate found how many calls at once are worth making (see `GateListener`)."""
        del limit  # the gates say it themselves below: another worker may have brought a newer one meanwhile
        if words:
            self.log("info", f"{model}: {words}")
            self.say(redact(f"{model}: {words}"))
        if self.follows and (at_work := self.at_work) is not None:
            # Never below the first number: samples that compute wait at no gate.
            at_work.workers.set_concurrency(max(FIRST_AT_ONCE, *(gate.ceiling for gate in at_work.assembly.gates())))

    def on_count(self, words: str) -> None:
        """Something that holds of single samples (see `RunContext.count`)."""
        with self._counting:
            self._counted[words] += 1
            if self._counted[words] > 1 or len(self._counted) > _MOST_COUNTED:
                return
        self.on_note(words)

    def say_counts(self) -> None:
        """Say of how many samples the notes hold that hold of single ones."""
        with self._counting:
            counted, self._counted = self._counted, Counter()
        for words, number in list(counted.items())[:_MOST_COUNTED]:
            if number > 1:
                self.on_note(f"{words}: {number:,} samples")
        if (left := len(counted) - _MOST_COUNTED) > 0:
            self.on_note(f"{left:,} more notes of this kind are left out")

    def keep_found(self) -> None:
        """Keep what was found of each model's limit where `show` looks for it."""
        gates = self.at_work.assembly.gates() if self.at_work is not None else []
        if found := "; ".join(f"{gate.model}: {gate.found}" for gate in gates if gate.found):
            self.log("limit", found)

    def say_sometimes(self, words: str) -> None:
        """Tell who waits, unless something was said of waiting a moment ago."""
        moment = time.monotonic()
        if moment - self._said_at >= _SAY_EVERY_S:
            self._said_at = moment
            self.say(redact(words))

    def log(self, kind: str, message: str) -> None:
        """Keep a line in the run's log, while samples move."""
        # Read once: the watching thread sets it to None at the end, while a worker may still report.
        if (at_work := self.at_work) is not None:
            at_work.writer.event(kind, redact(message))
