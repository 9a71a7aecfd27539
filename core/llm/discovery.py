"""Model servers on this machine: who listens on the usual ports, and which models it offers."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from core.errors import ConfigurationError
from core.llm.http import AbortedError, DeadlineError, Http, HttpError, TooLargeError
from core.safety import clean_line, redact

USUAL_PORTS: tuple[tuple[int, str], ...] = (
    (11434, "Ollama"),
    (8000, "vLLM"),
    (8080, "llama.cpp"),
    (1234, "LM Studio"),
)
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
    http = Http()
    try:
        with ThreadPoolExecutor(max_workers=max(1, len(ports))) as executor:
            found = executor.map(lambda place: _ask(http, place[0], place[1], timeout_s), ports)
            return [server for server in found if server is not None]
    finally:
        http.close()


def _ask(http: Http, port: int, name: str, timeout_s: float) -> LocalServer | None:
    base = f"http://127.0.0.1:{port}/v1"
    models = _list(http, base, timeout_s)
    return None if models is None else LocalServer(name, base, models)


def _list(http: Http, base: str, timeout_s: float) -> tuple[str, ...] | None:
    try:
        response = http.request("GET", f"{base}/models", None, {"Authorization": "Bearer no-key"}, timeout_s)
        data = json.loads(response.body) if response.status == 200 else None
    except (HttpError, DeadlineError, TooLargeError, AbortedError, ValueError, RecursionError):
        return None
    listed = data.get("data") if isinstance(data, dict) else None
    if not isinstance(listed, list):
        return None
    ids = [item["id"] for item in listed[:_MAX_MODELS] if isinstance(item, dict) and isinstance(item.get("id"), str)]
    return tuple(clean_line(identity, 200) for identity in ids)


def models_at(api_base: str, *, timeout_s: float = 5.0) -> tuple[str, ...]:
    """The ids of the models that the server at `api_base` lists.

    Raises:
        ConfigurationError: it does not answer, or not like an OpenAI-compatible server.
    """
    http = Http()
    try:
        found = _list(http, api_base.rstrip("/"), timeout_s)
    finally:
        http.close()
    if found is None:
        raise ConfigurationError(
            f"{redact(api_base)}: no OpenAI-compatible server answers there; is the address right?"
        )
    return found
