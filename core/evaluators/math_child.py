"""The child process behind `mathematics`: whether two expressions are equal, by math-verify. It may be killed at any time."""

from __future__ import annotations

import logging
from typing import Any

from math_verify import LatexExtractionConfig, parse, verify

from core.sandbox.child import Confinement, serve

_CONFINEMENT = Confinement(memory_bytes=2 * 1024**3)
# Only the LaTeX grammar: math-verify's reader of plain expressions ends in Python's eval.
_TARGETS = [LatexExtractionConfig(boxed_match_priority=0)]


def compare(request: dict[str, Any]) -> dict[str, Any]:
    """Compare the LaTeX or plain expressions `gold` and `answer`: `equal` and their values, or which is `unreadable`."""
    gold = _read(request["gold"])
    if not gold:
        return {"equal": False, "unreadable": "gold"}
    answer = _read(request["answer"])
    if not answer:
        return {"equal": False, "unreadable": "answer"}
    equal = bool(verify(gold, answer, timeout_seconds=None))
    return {"equal": equal, "gold_value": _number(gold), "answer_value": _number(answer)}


def _read(text: str) -> list[Any]:
    found: list[Any] = parse(f"${text}$", _TARGETS, parsing_timeout=None)
    return found


def _number(parsed: list[Any]) -> str | None:
    """The value to 30 digits where the expression is a real constant."""
    for item in parsed:
        if getattr(item, "is_number", False) and getattr(item, "is_real", False):
            return str(item.evalf(30))
    return None


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    serve(compare, _CONFINEMENT)
