"""A tool that asks a real HTTP API: the status of a service.

The address of the API comes from `STATUS_API_URL`, an optional key from `STATUS_API_KEY`: nothing secret stands in the
suite. Whatever goes wrong becomes an error that the model can read; a handler that raises would say less.
"""

from __future__ import annotations

import json
import os
import time
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

from modex import ToolResult, ToolSession, register_handler

TIMEOUT_S = 10.0
MAX_BYTES = 64_000


@register_handler("python:service_status")
def service_status(arguments: dict[str, Any], session: ToolSession) -> ToolResult:
    """GET <STATUS_API_URL>/services/<service>; one request per service and sample."""
    service = str(arguments["service"])
    known: dict[str, ToolResult] = session.state.setdefault("service_status", {})
    if service not in known:
        started = time.monotonic()
        content, failed = _fetch(service)
        known[service] = ToolResult(content, failed, round((time.monotonic() - started) * 1000))
    return known[service]


def _fetch(service: str) -> tuple[str, bool]:
    """The API's answer as text, and whether it is an error."""
    base = os.environ.get("STATUS_API_URL", "").rstrip("/")
    if not base.startswith(("http://", "https://")):
        return _error("STATUS_API_URL is not set to an http(s) address"), True
    request = Request(f"{base}/services/{quote(service, safe='')}", headers={"Accept": "application/json"})
    key = os.environ.get("STATUS_API_KEY")
    if key:
        request.add_header("Authorization", f"Bearer {key}")
    try:
        with urlopen(request, timeout=TIMEOUT_S) as response:
            body = response.read(MAX_BYTES + 1)
    except HTTPError as error:
        with error:
            return _error(f"the status API answered {error.code} for {service!r}"), True
    except (URLError, TimeoutError, OSError) as error:
        return _error(f"the status API cannot be reached: {getattr(error, 'reason', error)}"), True
    if len(body) > MAX_BYTES:
        return _error(f"the status API answered more than {MAX_BYTES:,} bytes"), True
    try:
        return json.dumps(json.loads(body), ensure_ascii=False), False
    except ValueError:
        return _error("the status API did not answer JSON"), True


def _error(message: str) -> str:
    return json.dumps({"error": message}, ensure_ascii=False)
