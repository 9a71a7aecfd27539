"""JSON out of a model's text: strict first, LaTeX-safe second, repaired last, and never an exception."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from modex.core.jsonvalues.jsonargs import too_deep

MAX_CHARS = 1_000_000
"""Longer texts keep their last characters only: the answer stands at the end."""
MAX_REPAIR_CHARS = 100_000
MAX_REPAIR_DEPTH = 40
"""json-repair descends recursively, so that deeper text is refused before it is tried."""
MAX_REPAIR_WORK = 500_000
"""Characters times depth: what repairing costs grows with both (2 µs each)."""
_MAX_STARTS = 200

_START = re.compile(r"\{\s*(?:[\"'“”‘’}]|[A-Za-z_]\w*\s*:)")
_FENCE = re.compile(r"```[ \t]*+(?:json5?|JSON)?[ \t]*+\r?\n(.*?)(?:```|\Z)", re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|[A-Za-z]+|.)", re.DOTALL)
_UNICODE = re.compile(r"u[0-9a-fA-F]{4}")
_BRACKET = re.compile(r"[\[\]{}]")
_COMMAND = re.compile(
    r"n(?:u|eq?|eg|abla|ot|otin|mid|olimits|onumber|ewline|leq|geq)"
    r"|t(?:an|anh|au|ext|ext(?:bf|it|rm|tt|sf)|frac|heta|herefore|ilde|imes|o|op|riangle)"
    r"|r(?:ho|ight|angle|ightarrow|floor|ceil|brace|m|oot|vert|Vert)"
)


@dataclass(frozen=True, slots=True)
class JsonAnswer:
    """What was found: `value` is the object, or None with a `reason` that says why there is none.

    `repaired` is True where the text was not JSON as it stood (a trailing comma, a lone backslash, an open brace).
    """

    value: dict[str, Any] | None
    repaired: bool = False
    reason: str | None = None


def parse_json_answer(text: str, key: str = "answer") -> JsonAnswer:
    """Find the JSON object that `text` answers with.

    Fences and prose around it are ignored. Among several objects the last that has `key` wins, else the last one.
    Numbers that JSON does not have (NaN, Infinity) come back as their names. Never raises.
    """
    if len(text) > MAX_CHARS:
        text = text[-MAX_CHARS:]
    if "{" not in text:
        return JsonAnswer(None, reason="the text holds no JSON object")
    escaped = escape_latex(text)
    found = _pick(list(_strict_objects(escaped)), key)
    if found is not None and key in found:
        return JsonAnswer(found, repaired=escaped != text)
    mended, refusal = _mended(escaped, key)
    if mended is not None and (found is None or key in mended):
        return JsonAnswer(mended, repaired=True)
    if found is not None:
        return JsonAnswer(found, repaired=escaped != text)
    return JsonAnswer(None, reason=refusal)


def escape_latex(text: str) -> str:
    r"""Return `text` with the backslashes doubled that JSON would refuse or misread (`\(`, `\alpha`, `\frac`).

    `\f`, `\b`, `\n`, `\t` and `\r` are JSON escapes as well as the start of LaTeX commands: before letters, `\f` and
    `\b` are always read as a command, the other three where the letters spell one that is in common use.
    """
    return _ESCAPE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    token = match.group(1)
    if token in ('"', "\\", "/") or _UNICODE.fullmatch(token):
        return match.group(0)
    if token[0] in "bf" and len(token) > 1:
        return "\\" + match.group(0)
    if token[0] in "bfnrt" and not _COMMAND.fullmatch(token):
        return match.group(0)
    return "\\" + match.group(0)


def _strict_objects(text: str) -> Iterator[dict[str, Any]]:
    """Every outermost object of `text` that is JSON as it stands, in order."""
    decoder = json.JSONDecoder(parse_constant=str, strict=False)
    position = 0
    for _ in range(_MAX_STARTS):
        start = _START.search(text, position)
        if start is None:
            return
        position = start.start() + 1
        try:
            value, end = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            continue
        position = end
        if isinstance(value, dict) and not too_deep(value):
            yield _finite(value)


def _pick(values: list[dict[str, Any]], key: str) -> dict[str, Any] | None:
    """The last object with `key`, else the last one."""
    return next((value for value in reversed(values) if key in value), values[-1] if values else None)


def _mended(text: str, key: str) -> tuple[dict[str, Any] | None, str]:
    """The object that repairing yields, or None and the reason."""
    import json_repair

    refusal = "the text holds no JSON object"
    for candidate in _repairable(text):
        if len(candidate) > MAX_REPAIR_CHARS:
            refusal = f"the JSON does not parse and is too long to repair ({len(candidate):,} characters)"
            continue
        depth = _depth(candidate)
        if depth * len(candidate) > MAX_REPAIR_WORK and depth <= MAX_REPAIR_DEPTH:
            refusal = f"the JSON does not parse and is too long and deep to repair ({len(candidate):,} characters)"
            continue
        if depth > MAX_REPAIR_DEPTH:
            refusal = f"the JSON does not parse and nests deeper than {MAX_REPAIR_DEPTH} levels"
            continue
        refusal = "the text holds no JSON object that could be repaired"
        try:
            value = json_repair.loads(candidate, skip_json_loads=True)
        except Exception:  # a repairer of guesses fails in ways of its own, its assertions among them
            continue
        items = value if isinstance(value, list) else [value]
        objects = [_finite(item) for item in items if isinstance(item, dict) and item]
        best = _pick(objects, key)
        if best is not None:
            return best, ""
    return None, refusal


def _repairable(text: str) -> Iterator[str]:
    """Pieces of the text worth repairing: the last fences that hold an object, then everything from the first brace."""
    for body in reversed(_FENCE.findall(text)[-5:]):
        start = _START.search(body)
        if start is not None:
            yield body[start.start() :]
    start = _START.search(text)
    if start is not None:
        end = text.rfind("}")
        yield text[start.start() : end + 1 if end > start.start() else len(text)]


def _depth(text: str) -> int:
    """The deepest nesting of brackets, strings not told apart: an upper bound."""
    depth = deepest = 0
    for match in _BRACKET.finditer(text):
        if match.group() in "[{":
            depth += 1
            deepest = max(deepest, depth)
        else:
            depth = max(0, depth - 1)
    return deepest


def _finite(value: Any) -> Any:
    """The value with every number that JSON cannot write replaced by its name."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {str(name): _finite(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return value
