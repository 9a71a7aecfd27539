"""Patterns of suite files, run with a time limit: a pattern that backtracks for ever ends as an error that names it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.errors import ErrorType, JudgeError

TIMEOUT_S = 2.0
MAX_TEXT = 1_000_000
"""Characters of a response that a pattern is run over; of a longer one the end."""


def pattern_problem(pattern: Any) -> str | None:
    """Why `pattern` is no pattern, or None."""
    import regex

    if not isinstance(pattern, str) or not pattern:
        return "a pattern is a text that is not empty"
    try:
        regex.compile(pattern)
    except regex.error as error:
        return f"the pattern {pattern!r} does not compile: {error}"
    return None


def matches(pattern: str, text: str, *, ignore_case: bool = False) -> Iterator[Any]:
    """Every match of `pattern` in `text`, in order (`regex` match objects). `(?m)` makes `^` and `$` match at lines.

    Raises:
        JudgeError: the pattern does not compile, or takes more than two seconds.
    """
    import regex

    try:
        compiled = regex.compile(pattern, regex.IGNORECASE if ignore_case else 0)
        yield from compiled.finditer(text[-MAX_TEXT:], timeout=TIMEOUT_S)
    except regex.error as error:
        raise JudgeError(f"the pattern {pattern!r} does not compile: {error}", ErrorType.EVALUATOR_ERROR) from None
    except TimeoutError:
        raise JudgeError(
            f"the pattern {pattern!r} took more than {TIMEOUT_S:g} s on this response; write it without nested repetition",
            ErrorType.EVALUATOR_ERROR,
        ) from None


def occurs(pattern: str, text: str, *, ignore_case: bool = False) -> bool:
    """Whether `pattern` occurs anywhere in `text`; anchors make it stricter."""
    return next(matches(pattern, text, ignore_case=ignore_case), None) is not None
