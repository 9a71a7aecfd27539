"""`open_client`: a model that can be asked from any thread, with retries, thinking stripped, tokens and cost counted."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from modex.core.config.runconfig import ModelSpec
from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm.awake import elapsed_s
from modex.core.llm.faults import Provider, RefusedParameterError
from modex.core.llm.gate import CallGate
from modex.core.llm.keys import headers_of, key_variables, missing_key_problem
from modex.core.llm.pool import ClientPool
from modex.core.llm.prices import price_entry, price_of
from modex.core.llm.providers import is_demo
from modex.core.llm.quirks import RESPONSES_INCLUDE, SENT_LIMIT
from modex.core.llm.reply import Reply, interpret
from modex.core.llm.request import CallRequest, Transport, may_send
from modex.core.llm.retry import Patience
from modex.core.llm.routing import Route, route
from modex.core.llm.scrub import foreign_secrets, sendable
from modex.core.llm.types import Completion, Continued, Message, Usage
from modex.core.safety.known import FLAG

Via = Literal["auto", "direct", "litellm"]


def open_client(spec: ModelSpec, *, pool: ClientPool, via: Via = "auto") -> Client:
    """A client for `spec`; makes no call and imports nothing heavy yet. `via` insists on one path (for tests).

    Raises:
        ConfigurationError: the model's address is missing or is none.
    """
    return Client(spec, pool, route(spec, via=via))


class Client:
    """One model. Stateless between calls but for what the pool shares; see `modex.core.llm.types.ModelClient`."""

    def __init__(self, spec: ModelSpec, pool: ClientPool, way: Route) -> None:
        self.spec = spec
        self._pool = pool
        self._gate = pool.gate(spec)
        self._refused = pool.refused(spec)
        variables = key_variables(spec)
        self._who = Provider(spec.model, variables[0] if variables else None, way.base)
        self._way = way
        self._key_problem: str | None = None
        self._look_up_key()
        self._limited_by_litellm = _gets_a_limit(way, spec)
        self._limit_said = False

    @property
    def model(self) -> str:
        """The model's name as litellm knows it."""
        return self.spec.model

    @property
    def gate(self) -> CallGate:
        """The gate that this client shares with all others of the model."""
        return self._gate

    def prepare_early(self) -> None:
        """Begin with what the first calls would wait for: all workers make theirs at the same moment."""
        price_of(self.spec)
        self._transport.prepare_early()

    def complete(
        self,
        messages: list[Message],
        *,
        tools: list[dict[str, Any]] | None = None,
        response_format: dict[str, Any] | None = None,
        temperature: float | None = None,
        max_tokens: int | None = None,
        timeout_s: float | None = None,
    ) -> Completion:
        """Ask once, with retries as the provider's faults demand; blocks the calling thread.

        Arguments left None fall back to the model's own settings; `timeout_s` is the total deadline of each attempt. A
        schema as `response_format` is sent only where the model is known to take one: the prompt must say the form too.

        Raises:
            ModelCallError: the call failed for good; `error_type` says how, `fatal` whether the run must end.
            Interrupted: the run is stopping.
        """
        spec = self.spec
        optional = {
            "temperature": spec.temperature if temperature is None else temperature,
            "max_tokens": spec.max_tokens if max_tokens is None else max_tokens,
            "seed": spec.seed,
            "reasoning_effort": spec.reasoning_effort,
            "response_format": response_format if may_send(response_format, spec.model) else None,
            "include": [*RESPONSES_INCLUDE] if tools and self._way.responses else None,
            "top_p": spec.top_p,
            "frequency_penalty": spec.frequency_penalty,
            "presence_penalty": spec.presence_penalty,
            "stop": [*spec.stop] or None,
            "extra_body": spec.extra_body or None,
        }
        told = sendable(messages, self._foreign)
        request = CallRequest(
            told,
            tools,
            {name: value for name, value in optional.items() if value is not None},
            timeout_s or spec.timeout_s or self._pool.timeout_s,
            stream=self._pool.stream,
            limits=self._pool.limits,
            headers=self._headers,
        )
        self._require_key()
        limited = self._limited_by_litellm and "max_tokens" not in request.optional
        if limited and not self._limit_said:
            self._limit_said = True
            self._gate.note(
                f"{spec.model}: litellm does not know it and asks for at most {SENT_LIMIT.tokens} tokens; give --max-tokens"
            )
        reply, attempts, seconds, wasted = self._persist(request)
        self._pool.under_way.clear()
        completion = interpret(reply, turn=len(messages))
        usage = completion.usage if wasted is None else completion.usage + wasted
        dropped = tuple(f"dropped_{name}" for name in request.optional if self._is_dropped(name))
        return replace(
            completion,
            usage=usage,
            cost_usd=price_of(spec).of(usage) if reply.usage is not None else None,
            duration_ms=round(seconds * 1000),
            attempts=attempts,
            flags=completion.flags
            + dropped
            + (("default_max_tokens",) if limited else ())
            + ((FLAG,) if told is not messages else ()),
        )

    @property
    def goes_on(self) -> bool:
        """Whether its server may have `/completions`: only what is asked over HTTP itself."""
        return self._way.path in ("direct", "served")

    def go_on(self, fields: Mapping[str, Any], *, timeout_s: float | None = None) -> Continued:
        """Have texts gone on with, as `/completions` takes them, with retries as `complete` has them.

        Raises:
            ModelCallError: the call failed for good, or the model is none that is asked so.
            Interrupted: the run is stopping.
        """
        spec = self.spec
        if not self.goes_on:
            raise ModelCallError(
                f"{spec.model} is not asked by /completions", ErrorType.BAD_REQUEST, fatal=True, attempts=0
            )
        request = CallRequest(
            [],
            None,
            {"extra_body": spec.extra_body} if spec.extra_body else {},
            timeout_s or spec.timeout_s or self._pool.timeout_s,
            headers=self._headers,
            continued=sendable([dict(fields)], self._foreign)[0],
        )
        self._require_key()
        reply, attempts, seconds, wasted = self._persist(request)
        self._pool.under_way.clear()
        usage = (reply.usage or Usage()) if wasted is None else (reply.usage or Usage()) + wasted
        cost = price_of(spec).of(usage) if reply.usage is not None else None
        return Continued(reply.data or {}, usage, cost, round(seconds * 1000), attempts)

    def _persist(self, request: CallRequest) -> tuple[Reply, int, float, Usage | None]:
        """Try until there is an answer: the reply, the number of requests made, the seconds the last one took, and the tokens
        of the answers that were none."""
        gate, patience, attempts = self._gate, Patience(self._pool.policy), 0
        wasted: Usage | None = None
        if isinstance(self._transport, _Deferred):
            self._pool.litellm()  # here, so that no answer is timed with the import
        while True:
            ticket = gate.acquire()
            attempts += 1
            started = time.monotonic()
            refused = dict(self._refused)
            try:
                reply = self._transport.send(request, refused)
            except ModelCallError as error:
                if error.usage is not None:
                    wasted = error.usage if wasted is None else wasted + error.usage
                excused = gate.failed(ticket, error)
                if isinstance(error, RefusedParameterError) and self._learn(error, request, refused):
                    continue
                excused = excused and (error.error_type is not ErrorType.TIMEOUT or patience.waits_in_line())
                if error.fatal or not (excused or not patience.spent_by(error, gate.successes)):
                    cost = 0.0 if wasted is None else price_of(self.spec).of(wasted)
                    raise _final(error, attempts, wasted, cost) from None
                wait = self._wait_s(error, patience, excused=excused)
                gate.retrying(error, attempts, wait)
                if not excused and error.error_type is not ErrorType.RATE_LIMIT:
                    gate.pause(wait)
            except BaseException:
                gate.released(ticket)
                raise
            else:
                gate.succeeded(ticket)
                return reply, attempts, elapsed_s(started), wasted

    def _wait_s(self, error: ModelCallError, patience: Patience, *, excused: bool) -> float:
        """How long until the next attempt; the gate itself waits out a rate limit or an outage, for everyone."""
        if excused or error.error_type is ErrorType.RATE_LIMIT:
            return self._gate.held_s()
        return max(self._pool.policy.wait_s(patience.failures), self._gate.held_s())

    def _learn(self, error: RefusedParameterError, request: CallRequest, known: Mapping[str, str | None]) -> bool:
        """Remember a refused parameter for every later call; false where it was not even sent, so nothing would change."""
        if error.parameter not in request.arguments(known):
            return False
        # Remembered before it is told: calls that are out together are refused together, each in words of its own.
        first = self._pool.learn(self.spec, error.parameter, error.instead)
        if first and error.parameter == "stream":
            self._gate.note(f"{self.model}: its answers come whole, not streamed: {_reason(error, self.model)}")
        elif first:
            instead = f"; it gets {error.instead} instead" if error.instead else ""
            self._gate.note(f"{self.model} takes no {error.parameter}: asked without it{instead}")
        return True

    def _is_dropped(self, name: str) -> bool:
        while name in self._refused:
            instead = self._refused[name]
            if instead is None:
                return True
            name = instead
        return False

    def _require_key(self) -> None:
        """Say that there is no key before a request is spent on it; a key that was there once is not looked for again."""
        if self._key_problem is not None:
            self._look_up_key()
            if self._key_problem is not None:
                raise ModelCallError(self._key_problem, ErrorType.AUTHENTICATION, fatal=True, attempts=0)

    def _look_up_key(self) -> None:
        """Read what a call needs of the environment: once for all calls, since reading it cost a tenth of each."""
        self._key_problem = missing_key_problem(self.spec) if self._who.key_variable or self.spec.headers else None
        self._foreign = () if is_demo(self.spec.model) else foreign_secrets(self.spec)
        self._transport = _transport(self._way, self._who, self._pool, self.spec)
        self._headers = headers_of(self.spec)


def _reason(error: ModelCallError, model: str) -> str:
    return str(error).removeprefix(f"{model}: ")


def _gets_a_limit(way: Route, spec: ModelSpec) -> bool:
    """Whether litellm sends a limit of its own: some must be given one, and it knows the right one by the model's name."""
    return way.path == "litellm" and SENT_LIMIT.part in spec.model.lower() and price_entry(spec.model) is None


def _transport(way: Route, who: Provider, pool: ClientPool, spec: ModelSpec) -> Transport:
    if way.path == "served":
        from modex.core.llm.served.transport import ServedTransport

        return ServedTransport(spec, who, pool)
    if way.path == "demo" and not way.model.endswith("/litellm"):
        from modex.core.llm.demo.transport import DemoTransport

        return DemoTransport(way.model, who, pool.stop, pool.under_way, pool.demo_faults())
    if way.path == "direct":
        from modex.core.llm.direct import DirectTransport

        return DirectTransport(way, who, pool.http, pool.under_way)
    return _Deferred(way, who, pool)


class _Deferred:
    """The litellm path, which imports litellm at the first call."""

    def __init__(self, way: Route, who: Provider, pool: ClientPool) -> None:
        self._way = way
        self._who = who
        self._pool = pool

    def prepare_early(self) -> None:
        self._pool.import_early()

    def send(self, request: CallRequest, refused: Mapping[str, str | None]) -> Reply:
        return self._pool.litellm().ask(self._way, self._who, request, refused, self._pool.under_way)


def _final(error: ModelCallError, attempts: int, spent: Usage | None, cost_usd: float | None) -> ModelCallError:
    """The error as the caller sees it: with the number of requests that were made for it, and what they were counted as."""
    if attempts > 1:
        error.args = (f"{error} [{attempts} attempts]",)
    error.attempts = attempts
    error.usage, error.cost_usd = spent, cost_usd
    return error
