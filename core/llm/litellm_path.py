"""The litellm path: every provider that litellm knows, on one asyncio loop in a thread of its own.

The only module that imports litellm (with `core.llm.demo.provider`, which it registers).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import threading
from collections.abc import Coroutine, Mapping
from concurrent.futures import CancelledError as FutureCancelled
from concurrent.futures import Future
from contextvars import ContextVar
from typing import Any

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
import litellm

from core.llm import faults
from core.llm.faults import Provider
from core.llm.gate import Interrupted
from core.llm.keys import PLACEHOLDER, key_variables, read_key
from core.llm.litellm_faults import from_exception
from core.llm.proxies import LOOPBACK_NAMES
from core.llm.reply import Reply, read_reply
from core.llm.request import CallRequest
from core.llm.routing import Route, on_this_machine
from core.safety.credentials import with_credentials


class LitellmEngine:
    """Litellm, set up: no retries of its own, no chatter, no telemetry; the demo model among its providers."""

    def __init__(self) -> None:
        _configure()
        self._loop = asyncio.new_event_loop()
        self._futures: set[Future[Any]] = set()
        self._lock = threading.Lock()
        self._aborted = False
        self._thread = threading.Thread(target=self._loop.run_forever, name="modex-litellm", daemon=True)
        self._thread.start()

    def ask(self, way: Route, who: Provider, request: CallRequest, refused: Mapping[str, str | None]) -> Reply:
        """Ask once; see `core.llm.request.Transport.send`."""
        try:
            data = self._wait(_completion(_fields(way, request, refused), request.timeout_s))
        except TimeoutError:
            raise faults.timed_out(who, request.timeout_s) from None
        except (FutureCancelled, asyncio.CancelledError):
            raise Interrupted from None
        except Exception as error:
            raise from_exception(who, error, request.timeout_s) from None
        return read_reply(who, data)

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

    def _wait(self, call: Coroutine[Any, Any, dict[str, Any]]) -> dict[str, Any]:
        with self._lock:
            if self._aborted:
                call.close()
                raise Interrupted
            future = asyncio.run_coroutine_threadsafe(call, self._loop)
            self._futures.add(future)
        try:
            return future.result()
        finally:
            with self._lock:
                self._futures.discard(future)


def _configure() -> None:
    from core.llm.demo.provider import DemoProvider

    litellm.suppress_debug_info = True
    litellm.num_retries = 0
    litellm.telemetry = False
    litellm.callbacks = []
    litellm.custom_provider_map = [{"provider": "demo", "custom_handler": DemoProvider()}]
    logging.getLogger("LiteLLM").addFilter(_Chatter())
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
    if way.base is not None:
        fields["api_base"] = with_credentials(way.base)
    if way.path == "demo":
        fields["model"] = way.model if "/" in way.model else f"{way.model}/default"
        fields["modex_cue"] = request.cue
    elif way.base is not None:
        key = read_key(way.key_variables or key_variables(way.model, way.base))
        if key or way.key_variables or on_this_machine(way.base):
            fields["api_key"] = key or PLACEHOLDER
    return fields


async def _completion(fields: dict[str, Any], timeout_s: float) -> dict[str, Any]:
    """One call under a total deadline, which holds whatever litellm's own timeouts mean."""
    unmapped: list[str] = []
    _UNMAPPED.set(unmapped)
    async with asyncio.timeout(timeout_s):
        response = await litellm.acompletion(**fields)
    found: dict[str, Any] = response.model_dump()
    if unmapped and found.get("choices"):
        found["choices"][0]["provider_specific_fields"] = {"native_finish_reason": unmapped[0]}
    return found


_UNMAPPED: ContextVar[list[str]] = ContextVar("unmapped")
"""Where the current call notes the finish reasons that litellm does not know: it calls them `stop`, and only logs the word."""


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
