"""The direct path: plain OpenAI chat completions over urllib3, without litellm's import and its CPU per call."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from modex.core.foundation.errors import ModelCallError
from modex.core.llm import faults
from modex.core.llm.assembly import StreamAssembly
from modex.core.llm.faults import Provider
from modex.core.llm.faults.broken import Broken
from modex.core.llm.gate import Interrupted
from modex.core.llm.http import AbortedError, DeadlineError, Http, HttpError, Response, TooLargeError
from modex.core.llm.keys import PLACEHOLDER, read_key
from modex.core.llm.reply import Reply, read_continued, read_reply
from modex.core.llm.request import CallRequest, encoded
from modex.core.llm.routing import Route
from modex.core.llm.sse import events
from modex.core.llm.stream import MalformedStreamError, cut_reply, progress_of, read_events, whole_reply
from modex.core.llm.underway import UnderWay
from modex.core.safety.credentials import credentials_of


class DirectTransport:
    """Asks one model at one address."""

    def __init__(self, route: Route, who: Provider, http: Http, under_way: UnderWay) -> None:
        parts = urlsplit(route.base or "")
        host = parts.netloc.rpartition("@")[2]
        query = f"?{parts.query}" if parts.query else ""
        self._url = urlunsplit((parts.scheme, host, f"{parts.path}/chat/completions", "", "")) + query
        self._continuing = urlunsplit((parts.scheme, host, f"{parts.path}/completions", "", "")) + query
        self._model = route.model
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Authorization": authorization(route.base, route.key_variables, route.key),
        }
        self._who = who
        self._http = http
        self._under_way = under_way
        self._endpoint = (route.model, route.base)

    def prepare_early(self) -> None:
        """See `Transport.prepare_early`."""
        self._http.prepare_early(self._url)

    def send(self, request: CallRequest, refused: Mapping[str, str | None]) -> Reply:
        """See `Transport.send`."""
        fields = {"model": self._model, **request.arguments(refused)}
        fields |= fields.pop("extra_body", {})
        headers = _over(self._headers, request.headers)
        who, started = self._who, time.monotonic()
        answer: StreamAssembly | None = None
        self._under_way.clear()
        try:
            url = self._url if request.continued is None else self._continuing
            with self._http.open("POST", url, encoded(fields), headers, request.seconds) as response:
                if response.status != 200:
                    words = response.read().decode("utf-8", "replace")
                    raise faults.from_status(who, response.status, words, response.headers)
                if request.continued is not None:
                    return read_continued(who, _json(who, response.read()))
                if not _is_stream(response):
                    return read_reply(who, _json(who, response.read()))
                answer = StreamAssembly(started, response.came_at)
                self._under_way.begin(answer, response.catch_up)
                return self._streamed(response, answer, request)
        except DeadlineError:
            if request.cut_by_time:
                seconds = f"after {request.seconds:g} s"
                return cut_reply(who, answer or StreamAssembly(started), "time_limit", seconds, request)
            progress = progress_of(answer, time.monotonic()) if answer is not None else None
            raise faults.timed_out(who, request.timeout_s, progress) from None
        except AbortedError:
            raise Interrupted from None
        except TooLargeError:
            raise faults.too_large(who) from None
        except HttpError as error:
            raise faults.connection_failed(who, Broken(str(error), error.advice)) from None

    def _streamed(self, response: Response, answer: StreamAssembly, request: CallRequest) -> Reply:
        """The reply as it is written."""
        who = self._who
        try:
            looped = read_events(events(response.chunks(gathered=True)), answer, request.limits)
        except MalformedStreamError as error:
            raise self._distrusted(faults.broken_stream(who, str(error))) from None
        except HttpError:
            if answer.finish_reason is None:
                raise
            looped = None
        if looped is not None:
            return cut_reply(who, answer, "runaway", looped, request)
        if answer.finish_reason is None and answer.error is None:
            if answer.done:
                # Such a server does so with each of its streams once another call comes (`quirks.py`): asking again ends alike.
                raise faults.no_stream(who, "the server ended it with [DONE], but without a finish_reason")
            raise self._distrusted(faults.broken_stream(who, "it ended without a finish_reason"))
        reply = whole_reply(who, answer)
        self._under_way.proven.add(self._endpoint)
        response.finish()
        return reply

    def _distrusted(self, error: ModelCallError) -> ModelCallError:
        """The error of a stream that has not its form: where none ever had, the endpoint is asked for whole answers."""
        return error if self._endpoint in self._under_way.proven else faults.no_stream(self._who, str(error))


def _is_stream(response: Response) -> bool:
    return response.headers.get("content-type", "").lower().startswith("text/event-stream")


def _json(who: Provider, body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise faults.not_json(who, body.decode("utf-8", "replace")) from None


def _over(usual: dict[str, str], own: Mapping[str, str]) -> dict[str, str]:
    """The usual headers with the model's own in their places, whatever the case of their names."""
    if not own:
        return usual
    named = {name.lower() for name in own}
    return {**{name: value for name, value in usual.items() if name.lower() not in named}, **own}


def authorization(base: str | None, key_variables: tuple[str, ...], key: str | None = None) -> str:
    """The header's value: the address's own user and password where it has some, else the key, else a placeholder."""
    if key is not None:
        return f"Bearer {key}"
    credentials = credentials_of(base)
    if credentials is not None:
        return "Basic " + base64.b64encode(":".join(credentials).encode()).decode()
    return f"Bearer {read_key(key_variables) or PLACEHOLDER}"
