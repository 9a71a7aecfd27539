"""PASS 2 as the scripted model does it: it really reads the response, and does not know the expected answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

_FENCED = re.compile(r"<<<([^\s<>]{4,80})[^\n]*\n(.*?)\n\1>>>", re.DOTALL)
_CONCLUSION = re.compile(
    r"(?:final answer|the answer|answer|result|jawaban(?:nya)?|antwort|respuesta|réponse)\s*(?:is|are|:|=|adalah|ist|es|est)+\s*"
    r"|####\s*",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"""(?:(?:Rp|US\$|[$€£¥])\s?)? [-−+]?
        (?:\d{1,3}(?:[\ \u00a0\u202f]\d{3})+(?!\d) | \d[\d.,']*\d | \d) (?:[eE][-+]?\d+)? (?:\s?/\s?\d+)?
        (?:\s?% | \s?[A-Za-zµ°²³/]{1,12}(?=\s*(?:[.,;:!?)]|$)))?""",
    re.VERBOSE,
)
_BOXED = re.compile(r"\\boxed\{((?:[^{}]|\{[^{}]*\})*)\}")
_CHOICE = re.compile(r"\(([A-Ja-j])\)|\b([A-J])\b(?![’'])")
_BOOLEAN = re.compile(r"\b(yes|no|true|false|ya|tidak|ja|nein|sí|si|oui|non|correct|incorrect)\b", re.IGNORECASE)
NO_ANSWER = "NO_ANSWER"


def extract(prompt: str, kind: str) -> str:
    """The reply to a PASS 2 prompt: `ANSWER: …` where it asks for that, else JSON with an `answer`."""
    response = response_in(prompt)
    if kind == "tool_calls":
        listed = re.findall(r"^- `([^`]+)`", prompt, re.MULTILINE)
        return json.dumps({"calls": [{"name": name, "arguments": {}} for name in listed if name in response]})
    answer = _READERS.get(kind, _text)(response) if response.strip() else None
    if "ANSWER:" in prompt:
        return f"ANSWER: {answer or NO_ANSWER}"
    return json.dumps({"answer": answer}, ensure_ascii=False)


def response_in(prompt: str) -> str:
    """The response that a prompt fences, the last one where there are several; the whole prompt where there is none."""
    blocks = _FENCED.findall(prompt)
    return str(blocks[-1][1]) if blocks else prompt


def _conclusion(response: str) -> str | None:
    """What stands after the last words that announce an answer, up to the end of that line."""
    marks = list(_CONCLUSION.finditer(response))
    if not marks:
        return None
    rest = response[marks[-1].end() :].strip()
    return rest.split("\n", 1)[0].strip() or None


def _number(response: str) -> str | None:
    boxed = _BOXED.findall(response)
    if boxed:
        return str(boxed[-1])
    for text, place in ((_conclusion(response) or "", 0), (response, -1)):
        found: list[str] = [number.strip(" .,'") for number in _NUMBER.findall(text.replace("*", ""))]
        if found:
            return found[place]
    return None


def _choice(response: str) -> str | None:
    for text, place in ((_conclusion(response) or "", 0), (response, -1)):
        found: list[str] = [first or second for first, second in _CHOICE.findall(text)]
        if found:
            return found[place].upper()
    return None


def _boolean(response: str) -> str | None:
    for text, place in ((_conclusion(response) or "", 0), (response, -1)):
        found = _BOOLEAN.findall(text)
        if found:
            return str(found[place])
    return None


def _math(response: str) -> str | None:
    boxed = _BOXED.findall(response)
    return str(boxed[-1]) if boxed else _line(response)


def _line(response: str) -> str | None:
    """The conclusion without Markdown and full stop, else the last line."""
    lines = [line.strip() for line in response.splitlines() if line.strip()]
    found = _conclusion(response) or (lines[-1] if lines else None)
    if found is None:
        return None
    found = re.sub(r"\*\*|__|`", "", found).strip()
    return (found[:-1] if found.endswith(".") else found).strip() or None


def _text(response: str) -> str | None:
    return _line(response)


_READERS: dict[str, Callable[[str], str | None]] = {
    "numeric": _number,
    "choice": _choice,
    "boolean": _boolean,
    "math": _math,
    "exact_match": _line,
    "text": _text,
}
