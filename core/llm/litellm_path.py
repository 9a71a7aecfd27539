"""The litellm path: every provider that litellm knows, on one asyncio loop in a thread of its own.

The only module that imports litellm (with `modex.core.llm.demo.provider`, which it registers).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import threading
import time
import warnings
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import CancelledError as FutureCancelled
from concurrent.futures import Future
from contextvars import ContextVar
from functools import partial
from typing import Any

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
import litellm
from litellm.litellm_core_utils import core_helpers

from modex.core.config.runconfig import ModelSpec
from modex.core.foundation.errors import ModelCallError
from modex.core.llm import egress, faults
from modex.core.llm.assembly import StreamAssembly
from modex.core.llm.faults import Provider
from modex.core.llm.gate import Interrupted
from modex.core.llm.keys import PLACEHOLDER, key_variables, read_key
from modex.core.llm.litellm_faults import from_exception
from modex.core.llm.proxies import LOOPBACK_NAMES
from modex.core.llm.quirks import SERVICES
from modex.core.llm.reply import ANSWERS, Reply, read_reply
from modex.core.llm.request import CallRequest
from modex.core.llm.routing import Route, on_this_machine
from modex.core.llm.stream import Runaway, cut_reply, progress_of, whole_reply
from modex.core.llm.underway import UnderWay
from modex.core.safety.credentials import with_credentials


class LitellmEngine:
    """Litellm, set up: no retries of its own, no chatter, no telemetry; the demo model among its providers."""

    def __init__(self) -> None:
        _configure()
        self._loop = asyncio.new_event_loop()
        self._futures: dict[Future[Any], int] = {}
        """The calls in flight, each with the thread that waits for it."""
        self._lock = threading.Lock()
        self._aborted = False
        self._thread = threading.Thread(target=self._loop.run_forever, name="modex-litellm", daemon=True)
        self._thread.start()

    def ask(
        self, way: Route, who: Provider, request: CallRequest, refused: Mapping[str, str | None], under_way: UnderWay
    ) -> Reply:
        """Ask once; see `modex.core.llm.request.Transport.send`."""
        answer = StreamAssembly()
        under_way.begin(answer)
        fields = _fields(way, request, refused)
        call = _Call(answer, request, responses=way.responses)
        try:
            data = self._wait(call.made(fields))
            if call.moved is not None:
                raise call.moved(who)
        except ModelCallError:
            raise
        except TimeoutError:
            if request.cut_by_time:
                return cut_reply(who, answer, "time_limit", f"after {request.seconds:g} s", request)
            progress = progress_of(answer, time.monotonic()) if "stream" in fields else None
            raise faults.timed_out(who, request.timeout_s, progress) from None
        except (FutureCancelled, asyncio.CancelledError):
            raise Interrupted from None
        except Exception as error:
            if call.moved is not None:
                raise call.moved(who) from None
            raise from_exception(who, error, request.timeout_s) from None
        if data is not None:
            return read_reply(who, data)
        if call.looped is not None:
            return cut_reply(who, answer, "runaway", call.looped, request)
        endpoint = (way.model, way.base)
        if endpoint not in under_way.proven and (why := _no_stream(answer)) is not None:
            raise faults.no_stream(who, why)
        reply = whole_reply(who, answer)
        under_way.proven.add(endpoint)
        return reply

    def cancel(self, thread: int) -> None:
        """End the call that this thread waits for."""
        with self._lock:
            futures = [future for future, waits in self._futures.items() if waits == thread]
        for future in futures:
            future.cancel()

    def abort(self) -> None:
        """End every call in flight and refuse new ones."""
        with self._lock:
            self._aborted = True
            futures = list(self._futures)
        for future in futures:
            future.cancel()

    def close(self) -> None:
        """Abort, and end the loop's thread."""
        self.abort()
        if self._thread.is_alive():
            with contextlib.suppress(Exception):
                asyncio.run_coroutine_threadsafe(_wind_down(), self._loop).result(5)
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(5)
            if not self._thread.is_alive():
                self._loop.close()

    def _wait(self, call: Coroutine[Any, Any, dict[str, Any] | None]) -> dict[str, Any] | None:
        with self._lock:
            if self._aborted:
                call.close()
                raise Interrupted
            future = asyncio.run_coroutine_threadsafe(call, self._loop)
            self._futures[future] = threading.get_ident()
        try:
            return future.result()
        finally:
            with self._lock:
                self._futures.pop(future, None)


def _configure() -> None:
    from modex.core.llm.demo.provider import DemoProvider

    egress.install()
    litellm.suppress_debug_info = True
    litellm.num_retries = 0
    litellm.telemetry = False
    litellm.callbacks = []
    # At the end of a stream litellm would put it together again to count its tokens, by a tokenizer that it downloads.
    core_helpers.map_finish_reason = _noting_endings(core_helpers.map_finish_reason)
    litellm.disable_hf_tokenizer_download = True
    litellm.stream_chunk_builder = lambda *_given, **_named: None
    litellm.REPEATED_STREAMING_CHUNK_LIMIT = 1_000_000_000  # a loop is for `modex.core.llm.runaway` to see
    litellm.custom_provider_map = [{"provider": "demo", "custom_handler": DemoProvider()}]
    logging.getLogger("LiteLLM").addFilter(_Chatter())
    warnings.filterwarnings("ignore", module=r"pydantic\b")  # of litellm's own models, about its own code
    for variable in ("NO_PROXY", "no_proxy"):
        known = [name for name in os.environ.get(variable, "").split(",") if name.strip()]
        os.environ[variable] = ",".join([*known, *(name for name in LOOPBACK_NAMES if name not in known)])


def _fields(way: Route, request: CallRequest, refused: Mapping[str, str | None]) -> dict[str, Any]:
    fields = {
        "model": way.model,
        "num_retries": 0,
        "max_retries": 0,
        "timeout": request.timeout_s,
        **request.arguments(refused),
    }
    if request.headers:
        fields["extra_headers"] = dict(request.headers)
    if way.model.partition("/")[0] not in _STREAMED:
        fields.pop("stream", None)
        fields.pop("stream_options", None)
    if way.base is not None:
        fields["api_base"] = with_credentials(way.base)
    if way.path == "demo":
        fields["model"] = way.model if "/" in way.model else f"{way.model}/default"
    elif way.own_key:
        fields["api_key"] = read_key(way.key_variables) or PLACEHOLDER
    elif way.base is not None:
        key = read_key(way.key_variables or key_variables(ModelSpec(model=way.model, api_base=way.base)))
        if key or way.key_variables or on_this_machine(way.base):
            fields["api_key"] = key or PLACEHOLDER
    return fields


class _Call:
    """One call to litellm: an answer that comes whole, or a stream that fills an assembly."""

    def __init__(self, answer: StreamAssembly, request: CallRequest, *, responses: bool = False) -> None:
        self._answer = answer
        self._request = request
        self._responses = responses
        self.looped: str | None = None
        self.moved: Callable[[Provider], ModelCallError] | None = None
        """What to raise where the answer was a redirect, which is not followed: the same as on the direct path."""

    async def made(self, fields: dict[str, Any]) -> dict[str, Any] | None:
        """The answer, or None where it was streamed; under a total deadline, whatever litellm's own timeouts mean."""
        unmapped: list[str] = []
        endings: list[str] = []
        _UNMAPPED.set(unmapped)
        _ENDINGS.set(endings)
        with egress.within() as refused:
            try:
                found = await self._asked(fields, endings)
            finally:
                if refused.met:
                    status, headers = refused.met[0]
                    self.moved = partial(faults.from_status, status=status, body="", headers=headers)
        if unmapped and found is not None and found.get("choices"):
            found["choices"][0]["provider_specific_fields"] = {"native_finish_reason": unmapped[0]}
        return found

    async def _asked(self, fields: dict[str, Any], endings: list[str]) -> dict[str, Any] | None:
        async with asyncio.timeout(self._request.seconds):
            response = await litellm.acompletion(**fields)
            if isinstance(response, litellm.CustomStreamWrapper):
                try:
                    await self._read(response)
                finally:
                    await _let_go(response)
                native = next((word for word in endings if faults.ending_of(word) not in ANSWERS), None)
                if native is not None and self._answer.finish_reason is not None:
                    self._answer.finish_reason = native
                return None
        found: dict[str, Any] = response.model_dump()
        return found

    async def _read(self, stream: Any) -> None:
        """Fill the assembly. Litellm ends every stream with `stop` and counts tokens itself where nobody did: neither is kept."""
        answer = self._answer
        runaway = Runaway() if self._request.limits.runaway else None
        parts = (
            0  # litellm numbers the parts of a summary as if they were choices; where they come whole, spaces join them
        )
        async for chunk in stream:
            given = chunk.model_dump(exclude_none=True)
            given.pop("usage", None)
            for choice in given.get("choices", ()):
                choice.pop("finish_reason", None)
                if self._responses and (part := choice.pop("index", None) or 0) > parts:
                    parts = part
                    choice["delta"]["reasoning_content"] = f" {choice['delta'].get('reasoning_content', '')}"
            answer.add(given)
            if runaway is not None and answer.chunks >= runaway.next and (found := runaway.look(answer)) is not None:
                self.looped = found
                return
        finish = stream.received_finish_reason or stream.intermittent_finish_reason
        if finish is not None:
            answer.finish_reason = "tool_calls" if finish == "stop" and answer.calls else str(finish)
        for chunk in stream.chunks:
            if (usage := getattr(chunk, "usage", None)) is not None:
                answer.add({"usage": usage.model_dump() if hasattr(usage, "model_dump") else usage, "choices": []})


def _no_stream(answer: StreamAssembly) -> str | None:
    """Why what came is no stream; None where it is one. Of an answer that came whole litellm reads nothing and says `stop`."""
    if answer.finish_reason is None:
        return "the stream ended without a finish_reason"
    if answer.finish_reason == "stop" and answer.silent:
        return "the stream held nothing"
    return None


async def _let_go(stream: Any) -> None:
    """Close the connection of a stream that was not read to its end: the server is to stop writing."""
    for holder in (stream, getattr(stream, "completion_stream", None)):
        for name in ("aclose", "close"):
            close = getattr(holder, name, None)
            if close is not None:
                with contextlib.suppress(Exception):
                    done = close()
                    if asyncio.iscoroutine(done):
                        await done
                break


_STREAMED = frozenset(row.prefix for row in SERVICES if row.streams)
"""The providers whose streams come through litellm as their whole answers do, tokens included: those that were tried."""
_UNMAPPED: ContextVar[list[str]] = ContextVar("unmapped")
"""Where the current call notes the finish reasons that litellm does not know: it calls them `stop`, and only logs the word."""


_ENDINGS: ContextVar[list[str]] = ContextVar("endings")
"""Where the current stream notes every finish reason in the provider's own word, before litellm maps it."""


def _noting_endings(mapped: Callable[[str], Any]) -> Callable[[str], Any]:
    """Litellm's mapping of finish reasons, which in a stream is the last to see the provider's word."""

    def noting(finish_reason: str) -> Any:
        with contextlib.suppress(LookupError):
            _ENDINGS.get().append(str(finish_reason))
        return mapped(finish_reason)

    return noting


_UNMAPPED_WORDS = re.compile(r"Unmapped finish_reason '(.*?)'")


class _Chatter(logging.Filter):
    """Takes litellm's warnings, which would stand between a run's own lines; what they say of the answer is kept."""

    def filter(self, record: logging.LogRecord) -> bool:
        found = _UNMAPPED_WORDS.match(record.getMessage())
        if found is not None:
            with contextlib.suppress(LookupError):
                _UNMAPPED.get().append(found[1])
        return record.levelno >= logging.CRITICAL


async def _wind_down() -> None:
    """Close litellm's connections, then end what still runs."""
    with contextlib.suppress(Exception):
        await litellm.close_litellm_async_clients()
    tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
