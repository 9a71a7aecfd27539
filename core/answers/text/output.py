"""Program output made comparable: nothing but what stands around the whole is taken off."""

from __future__ import annotations

import re
from collections.abc import Iterable

from modex.core.foundation.lazy_regex import deferred

_FENCE = deferred(r"```[\w+#-]*[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)
_PAIRS = (("**", "**"), ("`", "`"), ('"', '"'), ("'", "'"), ("“", "”"), ("*", "*"), ("__", "__"))


def plain_output(text: str) -> str:
    """Without a fence or one pair of marks around the whole, blanks at the ends of lines, and line ends of other systems."""
    text = _lines(text)
    if (fence := _FENCE.fullmatch(text.strip())) is not None:
        return _lines(fence[1])
    return text


def _lines(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").strip().split("\n"))


def same_output(answer: str, golds: Iterable[str]) -> str | None:
    """The first of `golds` that an answer is, letter for letter; marks around it and a sentence's full stop may be there."""
    forms = [plain_output(answer)]
    for _ in range(3):
        shorter = [_unmarked(form) for form in forms]
        forms += [form for form in shorter if form not in forms]
    return next((gold for gold in golds if plain_output(gold) in forms), None)


def _unmarked(text: str) -> str:
    for left, right in _PAIRS:
        if len(text) > len(left) + len(right) and text.startswith(left) and text.endswith(right):
            return text[len(left) : -len(right)].strip()
    return text[:-1].rstrip() if text.endswith(".") and not text.endswith("..") else text
