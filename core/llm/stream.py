"""One streamed answer read to its end: events → chunks → the JSON it would have been whole, or why it is none.

A stream is whole when its first choice said why it stopped; one that ends before is an error, whatever was written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from modex.core.llm import faults
from modex.core.llm.assembly import StreamAssembly, parsed
from modex.core.llm.faults import Provider, StreamProgress
from modex.core.llm.reply import Cut, Reply, read_reply, usage_of
from modex.core.llm.request import CallRequest, Limits
from modex.core.llm.runaway import Recogniser, repeats_calls
from modex.core.llm.sse import Event
from modex.core.llm.types import Usage

_CHARACTERS_PER_TOKEN = 4
_LOOKS_AT = 64
"""Chunks after which a recogniser is asked: most bring a word."""


class MalformedStreamError(Exception):
    """What came is no stream of chat completions; the message says why."""


class Runaway:
    """Watches one answer for a loop, in its thinking, its text and its calls."""

    def __init__(self) -> None:
        self._kinds = (Recogniser(), Recogniser(), Recogniser())
        self.next = _LOOKS_AT
        """The number of chunks from which on it is worth looking."""

    def look(self, answer: StreamAssembly) -> str | None:
        """What the answer says over and over; None where it does not."""
        self.next = answer.chunks + _LOOKS_AT
        arguments = answer.calls[-1].arguments if answer.calls else ()
        for recogniser, pieces in zip(self._kinds, (answer.thinking, answer.text, arguments), strict=True):
            if (found := recogniser.look(pieces)) is not None:
                return found
        if len(answer.calls) > 1:
            return repeats_calls([(call.name, "".join(call.arguments)) for call in answer.calls[:-1]])
        return None


def read_events(events: Iterable[Event], answer: StreamAssembly, limits: Limits) -> str | None:
    """Take in every event; why the answer was ended before its end, in words, where `limits` say so.

    Raises:
        MalformedStreamError: an event is no JSON.
    """
    runaway = Runaway() if limits.runaway else None
    before, after = _NO_FORM
    for name, data in events:
        # Most events of a stream differ in one word: where all around it is as in the last one, only that is read.
        if before and data.startswith(before) and data.endswith(after):
            word = data[len(before) : -len(after)]
            if '"' not in word and "\\" not in word and len(data) >= len(before) + len(after):
                answer.add_text(word)
                if (
                    runaway is not None
                    and answer.chunks >= runaway.next
                    and (found := runaway.look(answer)) is not None
                ):
                    return found
                continue
        if data == "[DONE]":
            answer.done = True
            break
        if not data:
            continue
        try:
            chunk = parsed(data)
        except ValueError:
            raise MalformedStreamError(f"an event that is not JSON: {data[:80]}") from None
        if name == "error" and isinstance(chunk, dict) and not chunk.get("error"):
            chunk = {"error": chunk}
        answer.add(chunk)
        if answer.error is not None:
            break
        before, after = _form_of(data, chunk)
        if runaway is not None and answer.chunks >= runaway.next and (found := runaway.look(answer)) is not None:
            return found
    return None


_NO_FORM = ("", "")


def _form_of(data: str, chunk: Any) -> tuple[str, str]:
    """What stands before and behind the word of a chunk that brings one word and nothing else; empty for any other."""
    try:
        (choice,) = chunk["choices"]
        word = choice["delta"]["content"]
        plain = (
            len(choice["delta"]) == 1
            and isinstance(word, str)
            and word != ""
            and choice.get("finish_reason") is None
            and not choice.get("index")
            and not chunk.get("usage")
            and not chunk.get("error")
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return _NO_FORM
    for opening in (f'"content":"{word}"', f'"content": "{word}"') if plain else ():
        if data.count(opening) == 1 and data.count('"content"') == 1:
            at = data.index(opening) + opening.index(word, 10)
            return data[:at], data[at + len(word) :]
    return _NO_FORM


def whole_reply(who: Provider, answer: StreamAssembly) -> Reply:
    """The reply of a stream that came to its end.

    Raises:
        ModelCallError: it named an error, or ended without saying why it stopped.
    """
    data = answer.completion()
    if answer.error is not None:
        error = faults.from_error_body(who, answer.error)
        error.usage = usage_of(data.get("usage"))
        raise error
    if answer.finish_reason is None and (answer.begun or not answer.chunks):
        raise faults.broken_stream(who, "it ended without a finish_reason")
    return replace(read_reply(who, data), timing=answer.timing())


def cut_reply(who: Provider, answer: StreamAssembly, cut: Cut, why: str, request: CallRequest) -> Reply:
    """What there is of an answer that was ended before its end: its tokens are estimated, its calls are text."""
    answer.finish_reason = "stop"
    found = read_reply(who, answer.completion()) if answer.begun else Reply()
    calls = [f"{call.name}({call.arguments}" for call in found.tool_calls]
    timing = answer.timing()
    asked = len(json.dumps(request.messages, default=str)) + len(json.dumps(request.tools or ""))
    usage = found.usage or Usage(asked // _CHARACTERS_PER_TOKEN, timing.pieces if timing else 0)
    return replace(
        found,
        content="\n".join(part for part in (found.content, *calls) if part),
        tool_calls=(),
        finish_reason=cut,
        usage=usage,
        timing=timing,
        cut=why,
    )


def progress_of(answer: StreamAssembly, now: float) -> StreamProgress:
    """How far an answer had come when its time was up."""
    timing = answer.timing()
    if timing is None:
        return StreamProgress(0, 0.0, 0.0)
    return StreamProgress(timing.pieces, timing.first_s, now - (answer.last_at or now))
