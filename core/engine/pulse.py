"""The runner's pulse: what a watcher wants to know of the moment, computed a few times a second, written when it changed."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from modex.core.engine.workers import Activity, Workers
from modex.core.evaluators.base import JUDGING_PHASES
from modex.core.llm.gate import GateState
from modex.core.store.clock import now
from modex.core.store.sample import EvaluationSample

PERIOD_S = 0.25
_CLOCKS_S = 1.0
"""How often it is said that only time went by: viewers count on by themselves, and each beat is a durable transaction."""
_CLOCKS = frozenset({"tests_per_s", "tokens_per_s", "eta_s", "workers"})
_WINDOW_S = 20.0
_MOST_WORKERS = 64


class Pulse:
    """Rates over the last seconds, and the workers' activities."""

    def __init__(self, total: int, elapsed_before_s: float, spent_before_usd: float) -> None:
        self._started = time.monotonic()
        self._rested = 0.0
        self._resting_since: float | None = None
        self._elapsed_before = elapsed_before_s
        self._total = total
        self._done = 0
        self._spent_before = spent_before_usd
        self._spent = 0.0
        self._marks: deque[tuple[float, int, int]] = deque()
        self._tokens = 0
        self._counting = threading.Lock()
        self._last: dict[str, Any] = {}
        self._last_happened: list[Any] = []
        self._last_at = 0.0
        self.window: str | None = None
        """Where answers can be looked at while they are written (`modex.core.engine.window`)."""

    @property
    def elapsed_s(self) -> float:
        """Working time of the run, earlier sessions included and pauses left out."""
        moment = time.monotonic() if self._resting_since is None else self._resting_since
        return self._elapsed_before + moment - self._started - self._rested

    def rest(self, resting: bool) -> None:
        """The run is paused, whatever the reason, or goes on: a pause is no working time."""
        if resting and self._resting_since is None:
            self._resting_since = time.monotonic()
        elif not resting and self._resting_since is not None:
            self._rested += time.monotonic() - self._resting_since
            self._resting_since = None

    @property
    def spent_usd(self) -> float:
        """Known cost of the run, earlier sessions included."""
        return self._spent_before + self._spent

    def count(self, sample: EvaluationSample, *, rolled_out: bool) -> None:
        """Note a finished sample."""
        tokens = sample.judge_prompt_tokens + sample.judge_completion_tokens
        cost = sample.judge_cost_usd or 0.0
        if rolled_out:
            tokens += sample.prompt_tokens + sample.completion_tokens
            cost += sample.cost_usd or 0.0
        # Workers count at the same moment: a sum that loses one would let a run spend more than its budget.
        with self._counting:
            self._done += 1
            self._tokens += tokens
            self._spent += cost

    def beat(
        self, workers: Workers, gates: list[GateState], host: Callable[[Activity], str] = lambda _: ""
    ) -> dict[str, Any] | None:
        """The pulse now; None where nothing that matters changed since the last one. `host` says where a sample is moved."""
        moment = time.monotonic()
        self._marks.append((moment, self._done, self._tokens))
        # Two marks stay whatever their age, or a beat after a long block would have no span to divide by.
        while self._marks[0][0] < moment - _WINDOW_S and len(self._marks) > 2:
            self._marks.popleft()
        since, done, tokens = self._marks[0]
        span = max(moment - since, PERIOD_S)
        rate = (self._done - done) / span
        left = max(0, self._total - self._done)
        holds = [{"model": gate.model, "seconds_left": round(gate.held_s, 1)} for gate in gates if gate.held_s > 0]
        outages = [time.time() - gate.outage_since for gate in gates if gate.outage_since is not None]
        activities = workers.activities
        pulse: dict[str, Any] = {
            "in_flight": sum(gate.in_flight for gate in gates),
            "limit": min((gate.limit for gate in gates), default=workers.concurrency),
            "concurrency": workers.concurrency,
            "judging": sum(activity.phase in JUDGING_PHASES for activity in activities),
            "retries": sum(gate.retries for gate in gates),
            "holds": holds,
            "outage_s": round(max(outages)) if outages else None,
            "tests_per_s": round(rate, 2),
            "tokens_per_s": round((self._tokens - tokens) / span, 1),
            # With none left only the end's work goes on, of which no rate tells how long it takes.
            "eta_s": round(left / rate, 1) if rate > 0 and left > 0 else None,
            "window": self.window,
            "projected_cost_usd": self._projected(),
            "workers": [
                {
                    "sample_id": activity.sample.id,
                    "domain": activity.sample.domain,
                    "level": activity.sample.level,
                    "test_id": activity.sample.test_id,
                    "phase": activity.phase,
                    "since_s": round(moment - activity.since, 1),
                    **({"host": where} if (where := host(activity)) else {}),
                }
                for activity in activities[:_MOST_WORKERS]
            ],
        }
        happened = [
            [self._done, *(value for name, value in pulse.items() if name not in _CLOCKS)],
            [(one["sample_id"], one["phase"], one.get("host")) for one in pulse["workers"]],
        ]
        # Every beat is a write that viewers read again, so that a run that waits writes little, and one that rests nothing.
        if pulse == self._last or (happened == self._last_happened and moment - self._last_at < _CLOCKS_S):
            return None
        self._last, self._last_happened, self._last_at = pulse, happened, moment
        return {**pulse, "at": now(), "elapsed_s": round(self.elapsed_s, 1)}

    def _projected(self) -> float | None:
        if not self._done:
            return None
        return round(self._spent_before + self._spent * self._total / self._done, 6)
