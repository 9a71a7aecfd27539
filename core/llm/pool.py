"""What the clients of one run share: connections, litellm's loop, one gate per model, and the wish to stop."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from modex.core.config.options import FIRST_AT_ONCE
from modex.core.config.runconfig import ModelSpec
from modex.core.llm.awake import keep_watch
from modex.core.llm.gate import CallGate, Gate, GateListener, GateState
from modex.core.llm.http import Http
from modex.core.llm.knee import Knee
from modex.core.llm.providers import is_demo
from modex.core.llm.request import NO_LIMITS, Limits
from modex.core.llm.retry import RetryPolicy
from modex.core.llm.served.leases import ServerLeases
from modex.core.llm.underway import UnderWay

if TYPE_CHECKING:
    from modex.core.llm.demo.replies import Faults as DemoFaults
    from modex.core.llm.litellm_path import LitellmEngine


class ClientPool:
    """Shared by every client, worker and stage of a run; close it at the end.

    Two ways to stop: setting `stop` ends every wait (back-off, rate limit, outage) and refuses new calls, while calls in
    flight finish; `abort` ends those too. Either way callers get `Interrupted`.
    """

    def __init__(
        self,
        concurrency: int | None = FIRST_AT_ONCE,
        timeout_s: float = 300.0,
        max_outage_s: float = 1800.0,
        listener: GateListener | None = None,
        stop: threading.Event | None = None,
        *,
        stream: bool = True,
        limits: Limits = NO_LIMITS,
    ) -> None:
        """`concurrency` None lets each model's gate find how many calls at once its endpoint answers."""
        self.timeout_s = timeout_s
        self.stream = stream
        self.limits = limits
        self.under_way = UnderWay()
        self.stop = stop if stop is not None else threading.Event()
        self.policy = RetryPolicy.from_environment()
        self.http = Http()
        self.leases = ServerLeases()
        """The servers that this program started for models of the run."""
        keep_watch()
        self._concurrency = concurrency
        self._max_outage_s = max_outage_s
        self._listener = listener
        self._lock = threading.Lock()
        self._gates: dict[tuple[object, ...], Gate] = {}
        self._own: dict[tuple[object, ...], int] = {}
        """How many calls at once an entry gives to a gate, which no number of the run exceeds."""
        self._refused: dict[tuple[object, ...], dict[str, str | None]] = {}
        self._importing = threading.Lock()
        """Not `_lock`: who asks for a snapshot does not wait for an import."""
        self._engine: LitellmEngine | None = None
        self._demo_faults: DemoFaults | None = None
        self._closed = False

    def gate(self, spec: ModelSpec) -> CallGate:
        """The one gate of a model at an address, with one key."""
        with self._lock:
            key = spec.place
            if key not in self._gates:
                if spec.concurrency is not None:
                    self._own[key] = spec.concurrency
                self._gates[key] = Gate(
                    spec.model,
                    concurrency=spec.concurrency or self._concurrency or FIRST_AT_ONCE,
                    max_outage_s=self._max_outage_s,
                    stop=self.stop,
                    policy=self.policy,
                    listener=self._listener,
                    given_up=self.under_way.cancelled,
                    # The scripted model answers any number at once: there is nothing to find.
                    knee=Knee()
                    if spec.concurrency is None and self._concurrency is None and not is_demo(spec.model)
                    else None,
                )
            return self._gates[key]

    def refused(self, spec: ModelSpec) -> dict[str, str | None]:
        """The parameters that a model has refused so far, each with the name it wants instead, or None.

        A model that thinks takes other ones than the same model that does not.
        """
        with self._lock:
            return self._refused.setdefault((*spec.place, spec.reasoning_effort is not None), {})

    def learn(self, spec: ModelSpec, parameter: str, instead: str | None) -> bool:
        """Remember that a model refuses a parameter; whether this is the first call that found it out."""
        refused = self.refused(spec)
        with self._lock:
            first = parameter not in refused
            refused[parameter] = instead
            return first

    def demo_faults(self) -> DemoFaults:
        """The faults that the scripted model plays in this run, each once."""
        with self._lock:
            if self._demo_faults is None:
                from modex.core.llm.demo.replies import Faults

                self._demo_faults = Faults()
            return self._demo_faults

    def litellm(self) -> LitellmEngine:
        """Litellm, imported when first asked for (2–3 s)."""
        with self._importing:
            if self._engine is None:
                from modex.core.llm.litellm_path import LitellmEngine

                engine = LitellmEngine()
                with self._lock:
                    self._engine = engine
                    closed = self._closed
                if closed:
                    engine.abort()
            return self._engine

    def import_early(self) -> None:
        """Import litellm on a thread, while the caller goes on to what comes before the first call."""
        threading.Thread(target=self.litellm, name="import-litellm", daemon=True).start()

    def resize(self, concurrency: int) -> None:
        """Change how many calls each model may have in flight at best."""
        with self._lock:
            self._concurrency = concurrency
            gates = list(self._gates.items())
        for place, gate in gates:
            gate.resize(min(concurrency, self._own.get(place, concurrency)))

    def snapshot(self) -> list[GateState]:
        """Every gate now, in the order of first use."""
        with self._lock:
            gates = list(self._gates.values())
        return [gate.snapshot() for gate in gates]

    def abort(self) -> None:
        """Stop, and end the calls in flight."""
        self.stop.set()
        self.http.abort()
        with self._lock:
            self._closed = True
            engine = self._engine
        if engine is not None:
            engine.abort()

    def cancel(self, thread: int) -> None:
        """End what this thread asks or waits for; it gets `Interrupted` from every call until `under_way.forget`."""
        self.under_way.cancel(thread)
        self.http.cancel(thread)
        with self._lock:
            engine = self._engine
        if engine is not None:
            engine.cancel(thread)

    def close(self) -> None:
        """Abort what is left and free connections and threads; may be called twice."""
        self.abort()
        self.http.close()
        self.leases.close()
        with self._lock:
            engine = self._engine
        if engine is not None:
            engine.close()

    def __enter__(self) -> ClientPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
