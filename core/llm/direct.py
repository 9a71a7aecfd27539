"""The direct path: plain OpenAI chat completions over urllib3, without litellm's import and its CPU per call."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from urllib.parse import urlsplit, urlunsplit

from core.llm import faults
from core.llm.faults import Provider
from core.llm.faults.broken import Broken
from core.llm.gate import Interrupted
from core.llm.http import AbortedError, DeadlineError, Http, HttpError, TooLargeError
from core.llm.keys import PLACEHOLDER, read_key
from core.llm.reply import Reply, read_reply
from core.llm.request import CallRequest, encoded
from core.llm.routing import Route
from core.safety.credentials import credentials_of


class DirectTransport:
    """Asks one model at one address."""

    def __init__(self, route: Route, who: Provider, http: Http) -> None:
        parts = urlsplit(route.base or "")
        host = parts.netloc.rpartition("@")[2]
        query = f"?{parts.query}" if parts.query else ""
        self._url = urlunsplit((parts.scheme, host, f"{parts.path}/chat/completions", "", "")) + query
        self._model = route.model
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Authorization": authorization(route.base, route.key_variables),
        }
        self._who = who
        self._http = http

    def prepare_early(self) -> None:
        """See `Transport.prepare_early`."""
        self._http.prepare_early(self._url)

    def send(self, request: CallRequest, refused: Mapping[str, str | None]) -> Reply:
        """See `Transport.send`."""
        body = encoded({"model": self._model, **request.arguments(refused)})
        who = self._who
        try:
            response = self._http.post(self._url, body, self._headers, request.timeout_s)
        except DeadlineError:
            raise faults.timed_out(who, request.timeout_s) from None
        except AbortedError:
            raise Interrupted from None
        except TooLargeError:
            raise faults.too_large(who) from None
        except HttpError as error:
            raise faults.connection_failed(who, Broken(str(error), error.advice)) from None
        if response.status != 200:
            raise faults.from_status(who, response.status, response.body.decode("utf-8", "replace"), response.headers)
        try:
            data = json.loads(response.body)
        except (ValueError, RecursionError):
            raise faults.not_json(who, response.body.decode("utf-8", "replace")) from None
        return read_reply(who, data)


def authorization(base: str | None, key_variables: tuple[str, ...]) -> str:
    """The header's value: the address's own user and password where it has some, else the key, else a placeholder."""
    credentials = credentials_of(base)
    if credentials is not None:
        return "Basic " + base64.b64encode(":".join(credentials).encode()).decode()
    return f"Bearer {read_key(key_variables) or PLACEHOLDER}"
