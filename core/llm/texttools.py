"""Tool calls that a model wrote into its text, because its server or its training knows no other way."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from modex.core.foundation.lazy_regex import deferred
from modex.core.jsonvalues.jsonargs import too_deep
from modex.core.llm.codespans import CodeSpans
from modex.core.llm.quirks import CALL_FORMS
from modex.core.llm.types import ToolCall

_KEYED_CALL = deferred(r"\s*call:\s*([^\s{]+)\s*(\{.*\})?\s*\Z", re.DOTALL)
_KEYED_STRING = deferred(r'<\|"\|>(.*?)<\|"\|>', re.DOTALL)
_KEY = deferred(r"([{,]\s*)([A-Za-z_][\w.-]*)\s*:")
_XML_FUNCTION = deferred(r"\s*<function=([^>\s]+)>(.*?)(?:</function>|\Z)\s*\Z", re.DOTALL)
_XML_PARAMETER = deferred(r"<parameter=([^>\s]+)>\n?(.*?)\n?</parameter>", re.DOTALL)
_NAME = deferred(r'"name"\s*:\s*"([^"]*)"')
_HEAD = deferred(r"\A\s*```(?:json)?\s*|(?<!\s)\s++```\s*+\Z|```\s*+\Z")
_MAX_CALLS = 256


@dataclass(frozen=True, slots=True)
class TextToolCalls:
    """What was found: the calls in order (ids are the caller's to give), and the text without them."""

    calls: tuple[ToolCall, ...]
    text: str


def extract_tool_calls(text: str) -> TextToolCalls:
    """Find the tool calls in `text`.

    Known forms (`quirks.CALL_FORMS`): `<tool_call>{json}</tool_call>`, the same with `<function=name><parameter=k>…`
    inside, `<|tool_call>call:name{…}<tool_call|>`, and `[TOOL_CALLS] [...]`. A call that cannot be read keeps its raw text as
    `arguments` (and an empty name where none is seen), so that the tool loop can tell the model. Tags in code are text.
    """
    readers = {"json": _read_list, "tags or json": _read_tags, "keys": _read_keyed}
    for form in CALL_FORMS:
        if form.marker in text and (found := _extract(text, form.pattern, readers[form.reading])).calls:
            return found
    return TextToolCalls((), text)


def _extract(text: str, pattern: re.Pattern[str], read: Callable[[str], Iterator[tuple[str, str]]]) -> TextToolCalls:
    code = CodeSpans(text)
    calls: list[ToolCall] = []
    kept: list[str] = []
    position = 0
    for found in pattern.finditer(text):
        if code.covers(found.start()) or len(calls) >= _MAX_CALLS or not found[1].strip():
            continue
        for name, arguments in read(found[1]):
            calls.append(ToolCall("", name, arguments, from_text=True))
        kept.append(text[position : found.start()])
        position = found.end()
    kept.append(text[position:])
    return TextToolCalls(tuple(calls), "".join(kept).strip() if calls else text)


def _read_tags(inner: str) -> Iterator[tuple[str, str]]:
    xml = _XML_FUNCTION.match(inner)
    if xml is not None:
        values = {name: _scalar(value) for name, value in _XML_PARAMETER.findall(xml[2])}
        yield xml[1], json.dumps(values, ensure_ascii=False)
        return
    yield from _read_list(inner)


def _read_list(inner: str) -> Iterator[tuple[str, str]]:
    """A JSON object with a name and arguments, or a list of them; anything else comes back raw."""
    source = _HEAD.sub("", inner).strip()
    try:
        value = _shallow(json.loads(source, strict=False))
    except (ValueError, RecursionError):
        name = _NAME.search(source)
        yield (name[1] if name else ""), source
        return
    for item in value if isinstance(value, list) else [value]:
        yield _call(item, source)


def _call(item: Any, source: str) -> tuple[str, str]:
    if isinstance(item, dict) and isinstance(item.get("function"), dict):
        item = item["function"]
    if not isinstance(item, dict) or not isinstance(item.get("name"), str):
        return "", source
    arguments = item.get("arguments", item.get("parameters", {}))
    return item["name"], arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def _read_keyed(inner: str) -> Iterator[tuple[str, str]]:
    found = _KEYED_CALL.match(inner)
    if found is None:
        yield from _read_list(inner)
        return
    yield found[1], _keyed_arguments(found[2] or "{}")


def _keyed_arguments(source: str) -> str:
    """Arguments like `{key:<|"|>text<|"|>,n:3}` as JSON, or as it is where it cannot be read."""
    strings: list[str] = []

    def hold(found: re.Match[str]) -> str:
        strings.append(found[1])
        return f'"\x00{len(strings) - 1}\x00"'

    keyed = _KEY.sub(r'\1"\2":', _KEYED_STRING.sub(hold, source))
    held = re.sub(r'"\x00(\d+)\x00"', lambda found: json.dumps(strings[int(found[1])], ensure_ascii=False), keyed)
    try:
        _shallow(json.loads(held))
    except (ValueError, RecursionError):
        return source
    return held


def _shallow(value: Any) -> Any:
    """The value, which can be walked and written again.

    Raises:
        ValueError: it nests too deeply for that.
    """
    if too_deep(value):
        raise ValueError("it nests too deeply")
    return value


def _scalar(value: str) -> Any:
    """The JSON value that a parameter's text spells, else the text."""
    try:
        return _shallow(json.loads(value))
    except (ValueError, RecursionError):
        return value
