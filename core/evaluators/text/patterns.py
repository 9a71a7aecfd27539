"""Patterns of suite files, run with a time limit: a pattern that backtracks for ever ends as an error that names it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.sandbox.patterns import PatternError, compile_pattern

TIMEOUT_S = 2.0
MAX_TEXT = 1_000_000
"""Characters of a response that a pattern is run over; of a longer one the end."""


def pattern_problem(pattern: Any) -> str | None:
    """Why `pattern` is no pattern, or None."""
    if not isinstance(pattern, str) or not pattern:
        return "a pattern is a text that is not empty"
    try:
        compile_pattern(pattern)
    except PatternError as error:
        return f"the pattern {pattern!r} does not compile: {error}"
    return None


def matches(pattern: str, text: str, *, ignore_case: bool = False, overlapped: bool = False) -> Iterator[Any]:
    """Every match of `pattern` in `text`, in order (`regex` match objects). `(?m)` makes `^` and `$` match at lines.

    Raises:
        JudgeError: the pattern does not compile, or takes more than two seconds.
    """
    try:
        compiled = compile_pattern(pattern, ignore_case=ignore_case)
        yield from compiled.finditer(text[-MAX_TEXT:], overlapped=overlapped, timeout=TIMEOUT_S)
    except PatternError as error:
        raise JudgeError(f"the pattern {pattern!r} does not compile: {error}", ErrorType.EVALUATOR_ERROR) from None
    except TimeoutError:
        raise JudgeError(
            f"the pattern {pattern!r} took more than {TIMEOUT_S:g} s on this response; write it without nested repetition",
            ErrorType.EVALUATOR_ERROR,
        ) from None


def occurs(pattern: str, text: str, *, ignore_case: bool = False) -> bool:
    """Whether `pattern` occurs anywhere in `text`; anchors make it stricter."""
    return next(matches(pattern, text, ignore_case=ignore_case), None) is not None


def trimmed(text: str) -> str:
    """`text` without blanks at the end of its lines (Markdown's line breaks) and without blank space around it."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def is_whole(pattern: str, text: str) -> bool:
    """Whether `pattern` matches the whole of `text`."""
    return occurs(rf"\A(?:{pattern})\Z", text)
