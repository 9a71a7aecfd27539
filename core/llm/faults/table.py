"""What a failure means by what the providers say (`modex.core.llm.quirks`): names of errors first, words where there are none.

A name (a code, a type, a status, a reason) decides alone. Words decide only where no name did, and none there fits two causes:
some say "exceeded your current quota" of a limit per minute, so those words are no sign of an empty account.
"""

from __future__ import annotations

import re
from typing import Literal

from modex.core.foundation.lazy_regex import deferred
from modex.core.llm import quirks

Meaning = Literal["quota", "rate", "context", "filter", "key", "model", "overload", "permission"]

_ORDER: tuple[Meaning, ...] = ("quota", "context", "filter", "model", "key", "permission", "rate", "overload")
_BY_NAME: dict[str, Meaning] = {name: meaning for meaning in _ORDER for name in quirks.names(meaning)}
_IN_WORDS: tuple[Meaning, ...] = ("quota", "context", "filter", "key", "model")
WORDS: tuple[tuple[Meaning, re.Pattern[str]], ...] = tuple(
    (meaning, deferred(quirks.words(meaning), re.IGNORECASE)) for meaning in _IN_WORDS
)
NO_TOOLS = deferred(quirks.words("no tools"), re.IGNORECASE)
"""A model, or its server, that knows no tools."""
NO_ATTACHMENTS = deferred(quirks.words("no attachments"), re.IGNORECASE)
"""A model, or its server, that takes no image or file."""


def meaning_by_name(names: frozenset[str]) -> Meaning | None:
    """What the names of an error mean; the more telling one where there are several."""
    found = {_BY_NAME[name] for name in names if name in _BY_NAME}
    return next((meaning for meaning in _ORDER if meaning in found), None)


def meaning_by_words(message: str) -> Meaning | None:
    """What the sentence says; None where it fits no cause, or more than one."""
    return next((meaning for meaning, pattern in WORDS if pattern.search(message)), None)
