"""A reply as server-sent events, in the chunks that OpenAI's servers send."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from tests.server.wire import Reply, Request, Stream

_SURROGATE = re.compile("[\ud800-\udfff]")


def events(reply: Reply, request: Request) -> Iterator[bytes]:
    """Each event's bytes, the closing `[DONE]` included."""
    stream = reply.stream or Stream()
    if stream.instead is not None:
        yield stream.instead
        return
    number = 0
    for number, chunk in enumerate(_chunks(reply, request)):
        if stream.upto is not None and number >= stream.upto:
            break
        yield _event(chunk, stream)
    if stream.error is not None:
        yield _event({"error": dict(stream.error)}, stream, stream.error_name)
    if stream.done and (stream.upto is None or stream.error is not None):
        yield _framed("[DONE]", stream)


def _chunks(reply: Reply, request: Request) -> Iterator[dict[str, Any]]:
    stream = reply.stream or Stream()
    yield _chunk(request, {"role": "assistant", "content": ""})
    for thought in _pieces(reply.reasoning_content, stream):
        yield _chunk(request, {"reasoning_content": thought})
    while True:
        for text in _pieces(reply.content, stream):
            yield _chunk(request, {"content": text})
            if stream.other_choice:
                yield _chunk(request, {"content": "another choice "}, index=1)
        if not stream.endless:
            break
    for index, call in enumerate(reply.tool_calls):
        function = dict(call["function"])
        arguments = function.pop("arguments", None)
        first = {**call, "index": index, "function": {**function, "arguments": ""}}
        yield _chunk(request, {"tool_calls": [first]})
        if isinstance(arguments, str):
            for piece in re.findall(r".{1,3}", arguments, re.DOTALL):
                yield _chunk(request, {"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
        elif arguments is not None:
            yield _chunk(request, {"tool_calls": [{"index": index, "function": {"arguments": arguments}}]})
    finish = reply.finish_reason or ("tool_calls" if reply.tool_calls else "stop")
    yield _chunk(request, {}, finish=finish)
    if reply.usage is not None and stream.usage and (request.body.get("stream_options") or {}).get("include_usage"):
        yield {**_chunk(request, {}), "choices": [], "usage": dict(reply.usage)}


def _pieces(text: str | None, stream: Stream) -> list[str]:
    if not text:
        return []
    if stream.characters is not None:
        return [text[at : at + stream.characters] for at in range(0, len(text), stream.characters)]
    return re.findall(r"\S*\s*", text)[:-1] if len(text) < 200_000 else [text]


def _chunk(request: Request, delta: dict[str, Any], *, finish: str | None = None, index: int = 0) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-{request.index}",
        "object": "chat.completion.chunk",
        "created": 1_700_000_000,
        "model": request.model,
        "choices": [{"index": index, "delta": delta, "logprobs": None, "finish_reason": finish}],
    }


def _event(chunk: dict[str, Any], stream: Stream, name: str = "") -> bytes:
    indent = 1 if stream.lines_of_data else None
    raw = json.dumps(chunk, ensure_ascii=False, indent=indent)
    if _SURROGATE.search(raw):
        raw = json.dumps(chunk, indent=indent)
    return _framed(raw, stream, name)


def _framed(data: str, stream: Stream, name: str = "") -> bytes:
    lines = [": keep-alive", ""] if stream.comments else []
    lines += [f"event: {name}"] if name else []
    lines += [f"data: {line}" for line in data.split("\n")]
    text = stream.newline.join([*lines, "", ""])
    return text.encode()
