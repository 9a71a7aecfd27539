"""Behaviours by name, for a server that is started as a process."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.server import replies
from tests.server.wire import Behaviour, Reply, Request, Stream


def _always(reply: Reply) -> Callable[[], Behaviour]:
    return lambda: lambda _request: reply


_PROSE = "The answer is written word by word, so that somebody can look at it while it comes. " * 12
_THOUGHT = "First I look at what is asked, then at what is known, and only then do I calculate. " * 4

SCENARIOS: dict[str, Callable[[], Behaviour]] = {
    "ok": _always(Reply(content="Answer: 18")),
    "echo": lambda: lambda request: Reply(content=request.prompt),
    "thinking": _always(replies.THINKING),
    "rate_limited_once": lambda: replies.script([replies.rate_limited(1)], then=Reply()),
    "rate_limited": _always(replies.rate_limited()),
    "out_of_quota": _always(replies.out_of_quota()),
    "server_error": _always(replies.server_error()),
    "flaky": lambda: replies.script([replies.server_error(503), replies.RESET, replies.INVALID_JSON], then=Reply()),
    "unauthorized": lambda: replies.unauthorized,
    "forbidden": _always(replies.forbidden()),
    "unknown_model": lambda: replies.unknown_model,
    "reset": _always(replies.RESET),
    "truncated": _always(replies.TRUNCATED),
    "invalid_json": _always(replies.INVALID_JSON),
    "html": _always(replies.HTML),
    "empty_choices": _always(replies.EMPTY_CHOICES),
    "error_in_200": _always(replies.ERROR_IN_200),
    "drip_body": _always(Reply(fault="drip_body", drip_s=0.2)),
    "drip_headers": _always(Reply(fault="drip_headers", drip_s=0.2)),
    "hang": _always(Reply(fault="hang")),
    "null_content": _always(replies.NULL_CONTENT),
    "content_filter": _always(replies.FILTERED),
    "context_exceeded": _always(replies.context_exceeded()),
    "cut_off": _always(replies.CUT_OFF),
    "unclosed_thinking": _always(replies.UNCLOSED_THINKING),
    "huge": _always(replies.HUGE),
    "slowly": _always(Reply(content=f"{_PROSE}Answer: 18", reasoning_content=_THOUGHT, stream=Stream(every_s=0.08))),
    "loop": _always(Reply(content="Wait, let me check that again. ", stream=Stream(endless=True, every_s=0.005))),
}


def scenario(name: str, latency: float) -> Behaviour:
    """The named behaviour, each of its replies delayed by `latency` more seconds."""
    behave = SCENARIOS[name]()
    return delayed(behave, latency) if latency else behave


def delayed(behave: Behaviour, latency: float) -> Behaviour:
    """`behave` with `latency` more seconds before each reply's first byte."""

    def slow(request: Request) -> Reply:
        reply = behave(request)
        return dataclasses.replace(reply, latency=reply.latency + latency)

    return slow


def from_file(path: Path) -> Behaviour:
    """The behaviour a JSON file describes: `{"replies": [{…}], "then": {…}, "prompts": {"part of a prompt": {…}}}`.

    Each `{…}` holds fields of `Reply`. The first entry of `prompts` whose name is in the last user message wins;
    else `replies` come one by one, then `then` (by default the last reply).
    """
    given: dict[str, Any] = json.loads(path.read_text("utf-8"))
    prompts = {part: Reply(**fields) for part, fields in given.get("prompts", {}).items()}
    steps = [Reply(**fields) for fields in given.get("replies", [])]
    then = Reply(**given["then"]) if "then" in given else (steps[-1] if steps else Reply())
    rest = replies.script(steps or [then], then=then)

    def behave(request: Request) -> Reply:
        for part, reply in prompts.items():
            if part in request.prompt:
                return reply
        return rest(request)

    return behave
