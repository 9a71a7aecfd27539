"""Model servers on this machine: who listens on the usual ports, and which models it offers."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from modex.core.config.runconfig import ModelSpec
from modex.core.foundation.errors import ConfigurationError
from modex.core.llm import faults
from modex.core.llm.direct import authorization
from modex.core.llm.faults import Provider
from modex.core.llm.http import AbortedError, DeadlineError, Http, HttpAnswer, HttpError, TooLargeError
from modex.core.llm.keys import PLACEHOLDER, headers_of
from modex.core.llm.quirks import LOCAL, PLAIN
from modex.core.llm.routing import route
from modex.core.safety import clean_line, redact

USUAL_PORTS: tuple[tuple[int, str], ...] = tuple((row.port, row.name) for row in LOCAL)
"""Port and the server that usually listens there."""
_MAX_MODELS = 500


@dataclass(frozen=True, slots=True)
class LocalServer:
    """An OpenAI-compatible server that answered."""

    name: str
    """The server that usually listens on this port; a guess."""
    api_base: str
    """What to give as `--api-base`."""
    models: tuple[str, ...]
    """Ids of its models, cleaned for showing."""


def find_local_servers(
    ports: tuple[tuple[int, str], ...] = USUAL_PORTS, *, timeout_s: float = 0.5
) -> list[LocalServer]:
    """The servers on loopback that answer `GET /v1/models` within `timeout_s` seconds, all ports asked at once."""
    with closing(Http()) as http, ThreadPoolExecutor(max_workers=max(1, len(ports))) as executor:
        found = executor.map(lambda place: _ask(http, place[0], place[1], timeout_s), ports)
        return [server for server in found if server is not None]


def _ask(http: Http, port: int, name: str, timeout_s: float) -> LocalServer | None:
    base = f"http://127.0.0.1:{port}/v1"
    try:
        answer = http.request("GET", f"{base}/models", None, {"Authorization": f"Bearer {PLACEHOLDER}"}, timeout_s)
    except (HttpError, DeadlineError, TooLargeError, AbortedError):
        return None
    models = _listed(answer)
    return None if models is None else LocalServer(name, base, models)


def _listed(answer: HttpAnswer) -> tuple[str, ...] | None:
    """The ids of a list of models; None where the answer is none."""
    try:
        data = json.loads(answer.body) if answer.status == 200 else None
    except (ValueError, RecursionError):
        return None
    listed = data.get("data") if isinstance(data, dict) else None
    if not isinstance(listed, list):
        return None
    ids = [item["id"] for item in listed[:_MAX_MODELS] if isinstance(item, dict) and isinstance(item.get("id"), str)]
    return tuple(clean_line(identity, 200) for identity in ids)


class UnreachableError(ConfigurationError):
    """Nobody listens at a server's address."""


def models_at(api_base: str, *, timeout_s: float = 5.0, spec: ModelSpec | None = None) -> tuple[str, ...]:
    """The ids of the models that the server at `api_base` lists, asked with the key that a run would send there.

    `spec` is a model there, with a key and headers of its own.

    Raises:
        UnreachableError: nobody listens there.
        ConfigurationError: it does not answer, wants another key, or is no OpenAI-compatible server; the message says which.
    """
    way = route(spec or ModelSpec(model=f"{PLAIN}/any", api_base=api_base))
    where = redact(api_base)
    http = Http()
    try:
        headers = {"Authorization": authorization(way.base, way.key_variables), "Accept": "application/json"}
        headers |= headers_of(spec) if spec is not None else {}
        url = urlsplit(way.base or "")
        address = urlunsplit(url._replace(netloc=url.netloc.rpartition("@")[2], path=f"{url.path}/models"))
        answer = http.request("GET", address, None, headers, timeout_s)
    except HttpError as error:
        advice = f" ({error.advice})" if error.advice else "; check the address, and whether the server is up"
        raise UnreachableError(f"{where}: no connection: {clean_line(redact(str(error)), 300)}{advice}") from None
    except DeadlineError:
        raise ConfigurationError(
            f"{where}: no answer within {timeout_s:g} s; check the address, and whether the server is up"
        ) from None
    except (TooLargeError, AbortedError):
        raise ConfigurationError(
            f"{where}: not an OpenAI-compatible server: its list of models does not end; check the address"
        ) from None
    finally:
        http.close()
    found = _listed(answer)
    if found is not None:
        return found
    if answer.status in {401, 403, 407}:
        names = " or ".join(way.key_variables)
        problem = faults.from_status(Provider(where, names, way.base), answer.status, _text(answer), answer.headers)
        raise ConfigurationError(str(problem))
    status = f"status {answer.status}" if answer.status != 200 else "what it answers is no list of models"
    raise ConfigurationError(
        f"{where}: not an OpenAI-compatible server, or not its address: GET /models: {status};"
        " check the address (does it end in /v1?)"
    )


def _text(answer: HttpAnswer) -> str:
    return answer.body.decode("utf-8", "replace")
