"""Tool calls in a text: the first form of `quirks.CALL_FORMS` that it holds is read, else what has no mark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from modex.core.llm.codespans import CodeSpans
from modex.core.llm.quirks import CALL_FORMS, UNMARKED, CallForm
from modex.core.llm.textcalls.bare import bare_calls
from modex.core.llm.textcalls.readers import READERS, Found, Offered
from modex.core.llm.textcalls.shown import is_shown
from modex.core.llm.types import ToolCall

_MAX_CALLS = 256
_SIGNS = "<[✿"
"""How the marks begin that no prose has."""


@dataclass(frozen=True, slots=True)
class TextToolCalls:
    """What was found: the calls in order (ids are the caller's to give), and the text without them."""

    calls: tuple[ToolCall, ...]
    text: str
    form: str = ""
    """The name of the form that they are written in."""
    looks_like: str = ""
    """The tool that the text seems to call where none is called: a call that is only shown, or cannot be told from one."""


def extract_tool_calls(text: str, offered: Offered) -> TextToolCalls:
    """Find the calls of the tools on offer in a text; `offered` has the schema of each tool's parameters by its name.

    A call in a form's marks that cannot be read keeps its raw text as `arguments` (and an empty name where none is seen), so
    that the tool loop can tell the model; a tool that is not on offer is called there as well. Marks in code are text, and so are
    those that the words before say to be only shown, where the text goes on behind them. What has no marks is a call only
    where every name is on offer (`modex.core.llm.textcalls.bare`).
    """
    if not offered or not text.strip():
        return TextToolCalls((), text)
    code = CodeSpans(text)
    for form in CALL_FORMS:
        if form.opens in text and ((found := _marked(text, form, code, offered)).calls or found.looks_like):
            return found
    unmarked = bare_calls(text, offered)
    if unmarked is not None:
        calls, kept = unmarked
        return TextToolCalls(_calls(calls[:_MAX_CALLS], UNMARKED), kept, UNMARKED)
    return TextToolCalls((), text, looks_like=_looks_like(text, offered))


def _calls(found: list[Found], form: str) -> tuple[ToolCall, ...]:
    return tuple(ToolCall("", name, arguments, form=form) for name, arguments in found)


def _marked(text: str, form: CallForm, code: CodeSpans, offered: Offered) -> TextToolCalls:
    calls: list[Found] = []
    kept: list[str] = []
    position = 0
    for start, inner, end in _pieces(text, form, code):
        if len(calls) >= _MAX_CALLS:
            break
        found = list(READERS[form.reading](inner, offered))
        if found:
            calls += found
            kept.append(text[position:start])
            position = end
    if not calls:
        return TextToolCalls((), text)
    if is_shown(kept[0], text[position:]):
        return TextToolCalls((), text, looks_like=calls[0][0] or form.name)
    rest = "".join([*kept, text[position:]])
    for mark in form.around:
        rest = rest.replace(mark, "")
    return TextToolCalls(_calls(calls[:_MAX_CALLS], form.name), rest.strip(), form.name)


def _pieces(text: str, form: CallForm, code: CodeSpans) -> Iterator[tuple[int, str, int]]:
    """Where each call begins, what stands between its marks, and where it ends: at the end of the text at the latest."""
    marks = _Places(text)
    position = 0
    while (start := text.find(form.opens, position)) >= 0:
        position = start + len(form.opens)
        if code.covers(start):
            continue
        ends = [(place, place + len(mark)) for mark in form.closes if (place := marks.next(mark, position)) >= 0]
        if (following := marks.next(form.opens, position)) >= 0:
            ends.append((following, following))
        stop, end = min(ends, default=(len(text), len(text)))
        if text[position:stop].strip():
            yield start, text[position:stop], end
        position = end


@dataclass(slots=True)
class _Places:
    """Where a mark stands next; each part of the text is searched once for each mark."""

    text: str
    known: dict[str, int] = field(default_factory=dict)

    def next(self, mark: str, position: int) -> int:
        """The first place from `position` on; -1 where there is none."""
        place = self.known.get(mark, position - 1)
        if place != -1 and place < position:
            place = self.text.find(mark, position)
            self.known[mark] = place
        return place


_BEFORE = (
    'name":',
    "name':",
    "name:",
    'tool":',
    'function":',
    "invoke name=",
    "function=",
    "call:",
    "<tool_call>",
    "functions.",
)
_BEHIND = ("{", "[ARGS]", "<｜tool")
"""What stands before or behind a tool's name where it is called."""


def _looks_like(text: str, offered: Offered) -> str:
    """The tool on offer whose name stands in the text as in a call."""
    marked = any(form.opens in text for form in CALL_FORMS if form.opens[0] in _SIGNS)
    for name in offered:
        for found in re.finditer(rf"(?<![\w.]){re.escape(name)}(?!\w)", text):
            behind = text[found.end() : found.end() + 20].lstrip("\"'`: \n")
            before = text[max(0, found.start() - 24) : found.start()].rstrip("\"'` ")
            if marked or text.startswith("(", found.end()) or behind.startswith(_BEHIND) or before.endswith(_BEFORE):
                return name
    return ""
