"""An answer put together from the chunks of its stream, to the very JSON that the provider would have sent whole.

What is written so far can be read from other threads at any time: the lists only grow.
"""

from __future__ import annotations

import json
import time
from array import array
from collections.abc import Callable, Mapping
from typing import Any

from modex.core.llm import quirks
from modex.core.llm.timing import Timing, timing_of

_JOINED = ("text", "thinking", "summary", "data", "arguments")
"""Fields of a part that come piece by piece; every other one comes whole."""
_THOUGHTS = quirks.names("thinking field")
_THINKING_PARTS = frozenset(quirks.names("thinking part"))
_BY_INDEX = frozenset(quirks.names("thinking blocks by index"))
_BLOCKS = _BY_INDEX | frozenset(quirks.names("thinking blocks"))
_WHOLE_ITEMS = frozenset(quirks.names("whole items"))
_BACK_WITH_A_CALL = quirks.names("wanted back with a call")
_USAGE_ASIDE = quirks.names("usage aside")
_BLOCKED_PROMPT = quirks.names("blocked prompt")


class CallPieces:
    """One tool call as far as it is written."""

    __slots__ = ("arguments", "extra", "form", "id", "name", "whole")

    def __init__(self) -> None:
        self.id = ""
        self.name = ""
        self.form = ""
        self.arguments: list[str] = []
        self.whole: Any = None
        """Arguments that came as JSON instead of its text."""
        self.extra: dict[str, Any] = {}

    def as_message(self) -> dict[str, Any]:
        """As it stands in a whole message."""
        arguments = self.whole if self.whole is not None else "".join(self.arguments)
        return {
            **({"id": self.id} if self.id else {}),
            "type": self.form or "function",
            "function": {"name": self.name, "arguments": arguments},
            **self.extra,
        }


class StreamAssembly:
    """The first choice of a streamed chat completion, from its chunks. Written by one thread; `clock` in seconds."""

    def __init__(self, started: float | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.started = clock() if started is None else started
        """When the request was sent."""
        self.text: list[str] = []
        self.thinking: list[str] = []
        self.calls: list[CallPieces] = []
        self.finish_reason: str | None = None
        self.error: Any = None
        """What a chunk named as the error that ended the stream."""
        self.chunks = 0
        self.done = False
        """Whether the server itself ended the stream, by `[DONE]`."""
        self.begun = False
        """Whether the choice was seen, with or without words in it."""
        self._text_at = array("d")
        self._thinking_at = array("d")
        self._calls_at = array("d")
        self._message: dict[str, Any] = {}
        self._parts: list[Any] | None = None
        self._thought_by: str | None = None
        self._choice: dict[str, Any] = {}
        self._usage: Any = None
        self._outer: dict[str, Any] = {}
        self._by_index: dict[Any, CallPieces] = {}

    @property
    def silent(self) -> bool:
        """Whether nothing came: no word, no call, and no count of tokens either."""
        return self.size == 0 and self._usage is None

    @property
    def size(self) -> int:
        """How many pieces of text, thinking and calls there are."""
        return len(self._text_at) + len(self._thinking_at) + len(self._calls_at)

    @property
    def last_at(self) -> float | None:
        """When the last piece came, by the clock; None where none did."""
        return max((times[-1] for times in (self._text_at, self._thinking_at, self._calls_at) if times), default=None)

    def add(self, chunk: Any) -> None:
        """Take in one chunk, parsed; what is no chunk is passed over."""
        if not isinstance(chunk, dict):
            return
        self.chunks += 1
        if (usage := chunk.get("usage")) is not None:
            self._usage = usage
        choices = chunk.get("choices")
        if not choices or chunk.get("error"):
            self._aside(chunk)
        if not isinstance(choices, list):
            return
        for choice in choices:
            if isinstance(choice, dict) and not choice.get("index"):
                self._choose(choice)

    def add_text(self, word: str) -> None:
        """Take in a chunk of which only this text was new."""
        self.chunks += 1
        if not word or self.finish_reason:
            return
        if self._parts is None:
            self.text.append(word)
            self._text_at.append(self._clock())
        else:
            self._take_content(word)

    def completion(self) -> dict[str, Any]:
        """The chat completion as the provider would have sent it whole."""
        found = dict(self._outer)
        if self._usage is not None:
            found["usage"] = self._usage
        if self.begun:
            found["choices"] = [
                {**self._choice, "index": 0, "finish_reason": self.finish_reason, "message": self._whole_message()}
            ]
        else:
            found["choices"] = []
        return found

    def timing(self) -> Timing | None:
        """When it was written; None where nothing was."""
        return timing_of(self.started, self._thinking_at, self._text_at, self._calls_at, self.text)

    def _whole_message(self) -> dict[str, Any]:
        message = {"role": "assistant", **self._message}
        if self._parts is not None:
            message["content"] = self._parts
        elif self.text:
            message["content"] = "".join(self.text)
        else:
            message.setdefault("content", None)
        if self._thought_by is not None:
            message[self._thought_by] = "".join(self.thinking)
        if self.calls:
            message["tool_calls"] = [call.as_message() for call in self.calls]
        return message

    def _choose(self, choice: dict[str, Any]) -> None:
        self.begun = True
        # Behind its end an answer has no more words: what a layer between adds there is not the model's.
        delta = None if self.finish_reason else choice.get("delta") or choice.get("message")
        if delta.__class__ is dict:
            content = delta.get("content")
            if content:
                if content.__class__ is str and self._parts is None:
                    self.text.append(content)
                    self._text_at.append(self._clock())
                else:
                    self._take_content(content)
            if len(delta) > (2 if "role" in delta else 1) or content is None:
                self._take_rest(delta)
        finish = choice.get("finish_reason")
        if finish is not None:
            self.finish_reason = str(finish)
        if len(choice) != 3 or finish is None:
            for name in ("error", "provider_specific_fields", "usage"):
                value = choice.get(name)
                if value and name == "usage":
                    self._usage = value
                elif value:
                    self._choice[name] = value

    def _take_rest(self, delta: dict[str, Any]) -> None:
        """Everything of a delta but its content."""
        thought = False
        for name, value in delta.items():
            if not value or name in {"role", "content"}:
                continue
            if name in _THOUGHTS:
                # Some send the same thought under both names.
                if isinstance(value, str) and self._thought_by in {None, name}:
                    self._thought_by = name
                    self.thinking.append(value)
                    self._thinking_at.append(self._clock())
                thought = True
            elif name == "tool_calls":
                for item in value if isinstance(value, list) else ():
                    if isinstance(item, dict):
                        self._take_call(item)
            elif name == "function_call" and isinstance(value, dict):
                self._take_call({"function": value, "index": 0})
            elif name == "refusal" and isinstance(value, str):
                self._message[name] = self._message.get(name, "") + value
                self._text_at.append(self._clock())
                self.text.append("")
            elif name in _BLOCKS and isinstance(value, list):
                blocks = self._message.setdefault(name, [])
                for block in value:
                    _join_part(blocks, block, new_at_index=name in _BY_INDEX)
            elif name in _WHOLE_ITEMS and isinstance(value, list):
                self._message[name] = value
            elif name == "provider_specific_fields" and isinstance(value, dict):
                _merge(self._message.setdefault(name, {}), value)
        if not thought and any(delta.get(name) for name in _BLOCKS):
            self._thinking_at.append(self._clock())
            self.thinking.append("")

    def _take_content(self, content: Any) -> None:
        """Content that is a list of parts."""
        now = self._clock()
        if self._parts is None:
            self._parts = [{"type": "text", "text": "".join(self.text)}] if self.text else []
        for part in content if isinstance(content, list) else [content]:
            item = {"type": "text", "text": part} if isinstance(part, str) else part
            words = _words_of(item)
            thinks = isinstance(item, dict) and item.get("type") in _THINKING_PARTS
            (self.thinking if thinks else self.text).append(words)
            (self._thinking_at if thinks else self._text_at).append(now)
            _join_part(self._parts, _flat(item, words) if thinks else item)

    def _take_call(self, item: dict[str, Any]) -> None:
        """One piece of a tool call: by its index, unless another id says that it is another call.

        Some give no index and whole calls, some give every call the same index (`modex.core.llm.quirks`, "call's index").
        """
        now = self._clock()
        function = item.get("function")
        function = function if isinstance(function, dict) else {}
        given_id, name = item.get("id"), function.get("name")
        given_id = given_id if isinstance(given_id, str) else ""
        index = item.get("index")
        if index is None:
            index = "last"
        call = self._by_index.get(index)
        another = call is not None and bool(name) and (given_id != call.id if given_id else index == "last")
        if call is None or another:
            call = self._by_index[index] = CallPieces()
            self.calls.append(call)
        call.id = call.id or given_id
        call.form = call.form or str(item.get("type") or "")
        if isinstance(name, str) and name != call.name:
            call.name += name
        arguments = function.get("arguments")
        if isinstance(arguments, str):
            call.arguments.append(arguments)
        elif arguments is not None:
            call.whole = arguments
        for field in _BACK_WITH_A_CALL:
            if item.get(field):
                call.extra[field] = item[field]
        self._calls_at.append(now)

    def _aside(self, chunk: dict[str, Any]) -> None:
        """What stands beside the choices: errors, why a prompt was blocked, the usage of some."""
        if chunk.get("error"):
            self.error = chunk["error"]
        elif chunk.get("object") == "error":
            self.error = chunk
        for name in _BLOCKED_PROMPT:
            if chunk.get(name):
                self._outer[name] = chunk[name]
        for name in _USAGE_ASIDE:
            aside = chunk.get(name)
            if isinstance(aside, dict) and aside.get("usage"):
                self._usage = aside["usage"]


def _words_of(part: Any) -> str:
    """The words of one part of a content, nested parts included."""
    if isinstance(part, str):
        return part
    if isinstance(part, list):
        return "".join(_words_of(inner) for inner in part)
    if isinstance(part, Mapping):
        return _words_of(part.get("text") if "text" in part else part.get("thinking"))
    return ""


def _flat(part: Any, words: str) -> dict[str, Any]:
    return {**part, "thinking": words} if isinstance(part, dict) else {"type": "thinking", "thinking": words}


def _join_part(parts: list[Any], part: Any, *, new_at_index: bool = False) -> None:
    """Put a piece behind the part it belongs to: the last one of its type (and index), unless that one was signed."""
    last = parts[-1] if parts else None
    if not isinstance(part, dict) or not isinstance(last, dict):
        parts.append(part if not isinstance(part, dict) else dict(part))
        return
    form = last.get("type")
    same = part.get("type", form) == form and (
        not new_at_index or part.get("index", last.get("index")) == last.get("index")
    )
    if same and part.get("signature") and part.get("thinking") and part["thinking"] == last.get("thinking"):
        parts[-1] = dict(
            part
        )  # litellm ends such a block with the whole of it: twice the text would void its signature
        return
    if not same or form == "redacted_thinking" or (last.get("signature") and not new_at_index):
        parts.append(dict(part))
        return
    _merge(last, part)


def _merge(into: dict[str, Any], more: Mapping[str, Any]) -> None:
    for name, value in more.items():
        before = into.get(name)
        if isinstance(before, str) and isinstance(value, str) and name in _JOINED:
            into[name] = before + value
        elif isinstance(before, list) and isinstance(value, list):
            into[name] = [*before, *value]
        elif value or before is None:
            into[name] = value


def parsed(data: str) -> Any:
    """An event's JSON.

    Raises:
        ValueError: it is none.
    """
    try:
        return json.loads(data)
    except RecursionError:
        raise ValueError("nested too deep") from None
