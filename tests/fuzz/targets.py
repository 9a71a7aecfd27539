"""What is fuzzed: one function for each parser of hostile text; each says what must hold whatever it is given."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from modex.core.answers.final_answer import find_final_answer
from modex.core.answers.numbers.reading import parse_number
from modex.core.llm.jsontext import parse_json_answer
from modex.core.llm.textcalls.reading import extract_tool_calls
from modex.core.llm.thinking import strip_thinking
from modex.core.suite.definitions import Location, PromptLayer
from modex.core.suite.frontmatter import parse_prompt
from modex.core.suite.layers import fold, trace

LONGEST = 20_000
"""Characters of one input."""
SLOWEST_S = 1.5
"""Processor seconds that one input may take; quadratic parsers stay far below, catastrophic ones do not."""

_COMMON = ("\n", " ", "`", "```", '"', "'", "\\", "{", "}", "[", "]", ":", ",", "x", "7", "\x00", "\ud800", "é", "𝟙")
FRAGMENTS: dict[str, Sequence[str]] = {
    "thinking": (
        *_COMMON, "<think>", "</think>", "<thinking>", "</thinking>", "<THINK>", "<|channel>thought", "<channel|>", "<turn|>",
        "the answer is 4", "~~~", "“", "”", "    ", "\ufeff", "<th",
    ),
    "tool_calls": (
        *_COMMON, "<tool_call>", "</tool_call>", "<|tool_call>", "<tool_call|>", "[TOOL_CALLS]", "call:f", "<function=f>",
        "</function>", "<parameter=k>", "</parameter>", '"name"', '"arguments"', '"f"', '<|"|>', "{}", "null", "1e999", "true",
        '{"name": "f", "arguments": {"a": 1}}',
    ),
    "json": (
        *_COMMON, "```json\n", '"answer"', '{"answer": ', "null", "NaN", "1e999", "true", "\\frac", "\\u0041", "\\ud800",
        "//", "/*", "*/", "“", "”", "-", "9" * 400, "answer: ",
    ),
    "numbers": (
        *_COMMON, "0", "1", "12", ".", ",", "-", "+", "−", "%", "e", "E", "^", "10^", "×", "*", "/", "½", "⅔", "\\frac{1}{3}",
        "\\boxed{", "\\%", "$", "€", "Rp", "USD", "km", "million", "ribu", "juta", "Mio.", "’", "\u202f", "\u00a0", "Infinity",
        "nan", "9" * 50, "1e400", "١", "(", ")", "=",
    ),
    "layers": (*_COMMON, "---\n", "mode: append\n", "mode: overwrite\n", "mode:", "#", "---", "\r\n", "a"),
}  # fmt: skip


def text_of(name: str, data: bytes) -> str:
    """Bytes as text: three in four name a fragment of the target's language, the others are characters."""
    fragments = FRAGMENTS[name]
    parts: list[str] = []
    for value in data[:2000]:
        parts.append(fragments[value % len(fragments)] if value < 192 else chr(value - 192 + 33))
    return "".join(parts)[:LONGEST]


def thinking(text: str) -> None:
    """Nothing is invented: answer and thinking are parts of the message, and a message without tags is left alone."""
    found = strip_thinking(text)
    assert found.answer.strip() in text
    assert not (found.truncated and found.answer)
    for part in (found.reasoning or "").split("\n\n"):
        assert part.strip() in text
    if "<" not in text:
        assert found.answer == text
        assert found.reasoning is None


def tool_calls(text: str) -> None:
    """Calls have texts for name and arguments; without a call the text is unchanged."""
    found = extract_tool_calls(text, {"f": {"properties": {"x": {"type": "string"}}}, "get_weather": {}})
    for call in found.calls:
        assert isinstance(call.name, str)
        assert isinstance(call.arguments, str)
        assert call.form
    if not found.calls:
        assert found.text == text
    assert len(found.text) <= len(text)


def json_answers(text: str) -> None:
    """What is found is an object of finite JSON values, and an intact object is found as it is."""
    found = parse_json_answer(text)
    if found.value is not None:
        assert isinstance(found.value, dict)
        _assert_json(found.value)
    wrapped = parse_json_answer("Here it is:\n" + json.dumps({"answer": text}))
    assert wrapped.value is not None
    assert wrapped.value["answer"] == text or "\\" in text


def numbers(text: str) -> None:
    """A number is finite and exact; finding the final answer never fails."""
    for locale in ("en", "de", "fr"):
        found = parse_number(text, locale)
        if found is not None:
            assert isinstance(found.value, Fraction)
    answer = find_final_answer(text)
    if answer is not None:
        assert 0 <= answer.start <= len(text)
        assert answer.text in text


def layers(text: str) -> None:
    """A prompt file gives a text of its own; folding appends and overwrites, and `trace` agrees with `fold`."""
    parsed = parse_prompt(text)
    assert parsed.text in text.replace("\r\n", "\n") or parsed.text.strip() in text
    pieces = text.split("\n")[:6]
    here = Location("a.md", 1)
    made = [PromptLayer("test", piece, "append" if len(piece) % 2 else "overwrite", here) for piece in pieces]
    folded = fold(made)
    kept = [found.layer.text for found in trace(made) if found.overwritten_by is None and found.layer.text]
    assert (folded or "") == "\n\n".join(kept)


def _assert_json(value: Any) -> None:
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            stack += [*item.keys(), *item.values()]
        elif isinstance(item, list):
            stack += item
        else:
            assert item is None or isinstance(item, str | int | float | bool)
            assert not isinstance(item, float) or math.isfinite(item)


TARGETS: dict[str, Callable[[str], None]] = {
    "thinking": thinking,
    "tool_calls": tool_calls,
    "json": json_answers,
    "numbers": numbers,
    "layers": layers,
}


def check(name: str, text: str) -> None:
    """Run a target on one text, in bounded time.

    Raises:
        AssertionError: what must hold does not, or it took too long.
    """
    begun = time.process_time()
    TARGETS[name](text)
    spent = time.process_time() - begun
    assert spent < SLOWEST_S, f"{name}: {spent:.1f} s for {len(text)} characters"
