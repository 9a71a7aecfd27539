"""The replies that providers are seen to give, good and bad, by name."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from tests.server.wire import Behaviour, Reply, Request


def error(status: int, message: str, *, code: str | None = None, kind: str | None = None, **headers: str) -> Reply:
    """An error in OpenAI's form; header names use `_` for `-`."""
    return Reply(
        status=status,
        headers={name.replace("_", "-"): value for name, value in headers.items()},
        body={"error": {"message": message, "type": kind, "param": None, "code": code}},
    )


def rate_limited(retry_after: str | float | None = None) -> Reply:
    """A 429, with `Retry-After` in seconds or as an HTTP date where given."""
    headers = {} if retry_after is None else {"retry_after": str(retry_after)}
    return error(429, "Rate limit reached for requests", code="rate_limit_exceeded", kind="requests", **headers)


def out_of_quota() -> Reply:
    """The 429 that no waiting cures."""
    return error(
        429,
        "You exceeded your current quota, please check your plan and billing details.",
        code="insufficient_quota",
        kind="insufficient_quota",
    )


def server_error(status: int = 503) -> Reply:
    """A 5xx."""
    return error(status, "The server is overloaded or not ready yet.", kind="server_error")


def unauthorized(request: Request) -> Reply:
    """A 401 that echoes the key it was given, as providers do."""
    return error(
        401, f"Incorrect API key provided: {request.key}.", code="invalid_api_key", kind="invalid_request_error"
    )


def forbidden() -> Reply:
    """A 403."""
    return error(403, "Your account has no access to this model.", kind="permission_error")


def unknown_model(request: Request) -> Reply:
    """A 404 for the model."""
    return error(
        404,
        f"The model `{request.model}` does not exist or you do not have access to it.",
        code="model_not_found",
        kind="invalid_request_error",
    )


def context_exceeded() -> Reply:
    """A 400 because the prompt does not fit."""
    return error(
        400,
        "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.",
        code="context_length_exceeded",
        kind="invalid_request_error",
    )


def refused_parameter(name: str) -> Reply:
    """A 400 because the model takes no such parameter."""
    return Reply(
        status=400,
        body={
            "error": {
                "message": f"Unsupported value: '{name}' does not support 0 with this model. Only the default is supported.",
                "type": "invalid_request_error",
                "param": name,
                "code": "unsupported_value",
            }
        },
    )


def prompt_filtered() -> Reply:
    """A 400 because the prompt was filtered, in Azure's form."""
    return error(
        400, "The response was filtered due to the prompt triggering content management policy.", code="content_filter"
    )


HTML = Reply(body="<!doctype html><html><body><h1>Sign in</h1></body></html>", content_type="text/html")
"""A captive portal's page, with status 200."""
BAD_GATEWAY = Reply(status=502, body="<html><h1>502 Bad Gateway</h1></html>", content_type="text/html")
INVALID_JSON = Reply(body='{"choices": [{"message": {"content": "half')
"""A complete body that is not JSON."""
EMPTY_CHOICES = Reply(body={"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": []})
ERROR_IN_200 = Reply(body={"error": {"message": "Upstream provider failed", "code": 502}})
TRUNCATED = Reply(content="a longer answer that will be cut in the middle", fault="truncate")
RESET = Reply(fault="reset")
RESET_MIDWAY = Reply(content="a longer answer that will be cut in the middle", fault="reset_midway")
NULL_CONTENT = Reply(content=None)
EMPTY_CONTENT = Reply(content="")
FILTERED = Reply(content="", finish_reason="content_filter")
CUT_OFF = Reply(content="The answer is forty-", finish_reason="length")
THINKING = Reply(content="<think>2 and 2 make 4</think>\nThe answer is 4.")
UNCLOSED_THINKING = Reply(content="<think>2 and 2 make", finish_reason="length")
ONLY_REASONING = Reply(content="", reasoning_content="2 and 2 make", finish_reason="length")
HUGE = Reply(content="x" * (10 * 1024 * 1024))
"""A 10 MiB answer."""


def call(name: str | None, arguments: Any, call_id: str | None = "call_1") -> dict[str, Any]:
    """A tool call in OpenAI's form; without `id` or `name` where None, and arguments as text given."""
    function: dict[str, Any] = {"arguments": arguments}
    if name is not None:
        function["name"] = name
    found: dict[str, Any] = {"type": "function", "function": function}
    if call_id is not None:
        found["id"] = call_id
    return found


def calls(*given: Mapping[str, Any], content: str | None = None) -> Reply:
    """An answer that calls tools."""
    return Reply(content=content, tool_calls=given)


def endless_calls(name: str, arguments: str = "{}") -> Behaviour:
    """A model that calls `name` for as long as it is offered tools, and answers once it is not."""

    def behave(request: Request) -> Reply:
        if request.body.get("tools"):
            return calls(call(name, arguments, f"call_{request.index}"))
        return Reply(content="I stop here.")

    return behave


def script(replies: Sequence[Reply | Behaviour], then: Reply | Behaviour | None = None) -> Behaviour:
    """Give `replies` one by one, in order of arrival; after the last, `then` (by default the last again)."""
    lock = threading.Lock()
    served = 0
    last = then if then is not None else replies[-1]

    def behave(request: Request) -> Reply:
        nonlocal served
        with lock:
            step = replies[served] if served < len(replies) else last
            served += 1
        return step if isinstance(step, Reply) else step(request)

    return behave


def by_model(replies: Mapping[str, Reply | Behaviour]) -> Behaviour:
    """Choose by the model asked for; an unknown one is a 404."""

    def behave(request: Request) -> Reply:
        step = replies.get(request.model)
        if step is None:
            return unknown_model(request)
        return step if isinstance(step, Reply) else step(request)

    return behave
