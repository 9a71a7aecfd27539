"""How fast a model writes, and how many it serves at once: a bounded load test, stored as a run of its own kind.

Every point asks the same number of calls at one concurrency with prompts of one length. The first calls of the whole test warm
the server up and are not counted. Each call is a sample (domain: the prompt's length; test: the concurrency and its number), so
that everything shown is read from the store.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.engine.start import prepare_run
from modex.core.foundation.errors import ConfigurationError, ErrorType, ModelCallError
from modex.core.llm.client import Client, open_client
from modex.core.llm.gate import Interrupted
from modex.core.llm.keys import missing_key_problem
from modex.core.llm.pool import ClientPool
from modex.core.llm.request import Limits
from modex.core.llm.types import Completion
from modex.core.pipeline.assembly import route_problem
from modex.core.pipeline.rollout.speed import Speed
from modex.core.safety import redact
from modex.core.store.clock import now
from modex.core.store.database import open_database
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import ROLLOUT_FIELDS, EvaluationSample
from modex.core.store.speeds import pace_of
from modex.core.store.writer import Writer

KIND = "speed"
INTERRUPTED = "interrupted"
"""The reason of a test that Ctrl+C ended."""
_WORDS = (
    "time", "person", "year", "way", "day", "thing", "world", "life", "hand", "part", "child", "eye", "place", "work", "week",
    "case", "point", "company", "number",
)  # fmt: skip
_LEAST_ROUNDS = 2
"""Calls of a point for each of its workers, at least: one alone would measure the start."""


@dataclass(frozen=True, slots=True)
class Load:
    """What a speed test asks, and what it may cost."""

    concurrency: tuple[int, ...] = (1, 2, 4, 8, 16)
    prompt_tokens: tuple[int, ...] = (128,)
    output_tokens: int = 256
    requests: int = 8
    """Calls of one point, and at least two for each of its workers."""
    max_seconds: float = 600.0
    """After this many seconds no further call begins."""
    max_cost_usd: float | None = None

    def points(self) -> Iterator[tuple[int, int, int]]:
        """Length of the prompt, calls at once, number of calls."""
        for length in self.prompt_tokens:
            for at_once in self.concurrency:
                yield length, at_once, max(self.requests, _LEAST_ROUNDS * at_once)


def measure(
    database: Path,
    spec: ModelSpec,
    load: Load,
    *,
    exp_id: str | None,
    timeout_s: float,
    say: Callable[[str], None],
    told: Callable[[], None] = lambda: None,
) -> str:
    """Ask, store, and give the run's name; `told` is called for each call that is done, one at a time.

    Raises:
        ConfigurationError: the model, its key, its address or the name cannot be used; nothing is stored.
        StoreError: the database cannot be written.
    """
    spec = spec.model_copy(update={"max_tokens": load.output_tokens})
    config = RunConfig(
        model=spec, concurrency=max(load.concurrency), timeout_s=timeout_s, until="rollout", runaway=False
    )
    problem = route_problem(spec) or missing_key_problem(spec)
    if problem is not None:
        raise ConfigurationError(problem)
    prepared = prepare_run(database, config, exp_id, kind=KIND)
    manager = DBDataManager(database)
    pool = ClientPool(max(load.concurrency), timeout_s, limits=Limits())
    status, reason = "error", None
    started = time.monotonic()
    try:
        manager.update_run(prepared.run_id, status="running", live={})
        with closing(Writer(open_database(database), prepared.run_id)) as writer:
            reason = _Test(
                manager, prepared.run_id, writer, open_client(spec, pool=pool), load=load, say=say, told=told
            ).run()
        status = "completed" if reason is None else "stopped"
    except KeyboardInterrupt:
        status, reason = "stopped", INTERRUPTED
    finally:
        pool.close()
        manager.settle(prepared.run_id)
        manager.recount(prepared.run_id)
        pace = pace_of(manager.reader, prepared.run_id)
        manager.update_run(
            prepared.run_id, status=status, reason=reason, completed_at=now(), live={},
            duration_ms=round(1000 * (time.monotonic() - started)), pace=pace.as_dict() if pace is not None else {},
        )  # fmt: skip
        manager.close()
        prepared.lock.release()
    return prepared.exp_id


class _Test:
    """One speed test at work."""

    def __init__(
        self,
        manager: DBDataManager,
        run_id: int,
        writer: Writer,
        client: Client,
        *,
        load: Load,
        say: Callable[[str], None],
        told: Callable[[], None],
    ) -> None:
        self._manager = manager
        self._run_id = run_id
        self._writer = writer
        self._client = client
        self._load = load
        self._say = say
        self._told = told
        self._until = time.monotonic() + load.max_seconds
        self._spent = 0.0
        self._fatal: ModelCallError | None = None

    def run(self) -> str | None:
        """Every point in order; why it ended early, if it did."""
        self._warm_up()
        for length, at_once, count in self._load.points():
            if (reason := self._over()) is not None:
                return reason
            self._say(f"{length} tokens in, {at_once} at once: {count} calls")
            if not self._point(self._planned(length, at_once, count), at_once):
                return self._over()
        return None

    def _warm_up(self) -> None:
        """Connections, caches and the server's own: one call for each length, not counted."""
        for length in self._load.prompt_tokens:
            completion = self._client.complete([{"role": "user", "content": prompt(length, -1)}])
            self._spent += completion.cost_usd or 0.0

    def _over(self) -> str | None:
        limit = self._load.max_cost_usd
        if self._fatal is not None:
            return redact(str(self._fatal))
        if limit is not None and self._spent >= limit:
            return f"the budget of ${limit:g} is spent"
        if time.monotonic() >= self._until:
            return f"its {self._load.max_seconds:g} seconds are over"
        return None

    def _planned(self, length: int, at_once: int, count: int) -> list[EvaluationSample]:
        samples = [
            EvaluationSample(
                source=KIND, domain=f"{length} tokens in", test_id=f"{at_once} at once/{number + 1}",
                name=f"{at_once} at once", prompt=prompt(length, number), evaluator_id="match",
                rollout_fingerprint=KIND, judge_fingerprint=KIND, cluster=str(at_once),
            )
            for number in range(count)
        ]  # fmt: skip
        stored = self._manager.plan(self._run_id, samples)
        for sample, sample_id in zip(samples, stored.to_do, strict=True):
            sample.id = sample_id
        return samples

    def _point(self, samples: Sequence[EvaluationSample], at_once: int) -> bool:
        """Ask them, so many at once; whether all were asked."""
        left = iter(samples)
        lock = threading.Lock()

        def work() -> None:
            while self._over() is None:
                with lock:
                    sample = next(left, None)
                if sample is None:
                    return
                self._ask(sample)
                with lock:
                    self._told()

        threads = [threading.Thread(target=work, name=f"speed-{number}", daemon=True) for number in range(at_once)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return next(left, None) is None

    def _ask(self, sample: EvaluationSample) -> None:
        sample.started_at = now()
        try:
            completion = self._client.complete([{"role": "user", "content": sample.prompt}])
        except Interrupted:
            return
        except ModelCallError as error:
            if error.fatal:
                self._fatal = self._fatal or error
            sample.status, sample.error_type = "error", str(error.error_type)
            sample.error_message = redact(str(error))
        except Exception as error:
            sample.status, sample.error_type = "error", str(ErrorType.INTERNAL_ERROR)
            sample.error_message = redact(f"{type(error).__name__}: {error}")
        else:
            _fill(sample, completion)
            self._spent += completion.cost_usd or 0.0
        sample.completed_at = now()
        self._writer.save(sample, (*ROLLOUT_FIELDS, "completed_at"), before="pending")


def _fill(sample: EvaluationSample, completion: Completion) -> None:
    sample.stage, sample.status = "rollout", "pending"
    sample.response, sample.finish_reason = completion.text, completion.finish_reason
    sample.flags, sample.attempts = list(completion.flags), completion.attempts
    sample.prompt_tokens, sample.completion_tokens = completion.usage.prompt, completion.usage.completion
    sample.reasoning_tokens, sample.cached_tokens = completion.usage.reasoning, completion.usage.cached
    sample.cost_usd, sample.duration_ms = completion.cost_usd, completion.duration_ms
    if completion.timing is None:
        return
    speed = Speed()
    speed.count(completion, completion.timing)
    sample.ttft_ms, sample.thinking_ms = speed.ttft_ms, speed.thinking_ms
    sample.output_tokens_per_s = speed.tokens_per_s
    if speed.estimated:
        sample.flags.append("speed_estimated")
    if not sample.completion_tokens:
        sample.completion_tokens = completion.timing.pieces


def prompt(tokens: int, number: int) -> str:
    """About so many tokens (a common word is one), no two alike from their beginning, so that no server's cache helps."""
    rng = random.Random(f"{tokens} {number}")
    words = [rng.choice(_WORDS) for _ in range(max(1, tokens - 24))]
    return f"{number + 2}: Continue this list of words for as long as you can, without ending it: {' '.join(words)}"
