"""Which optional parameter a provider refuses, and whether it can be left out or its value is the user's mistake."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from modex.core.foundation.lazy_regex import deferred
from modex.core.llm import quirks
from modex.core.llm.faults.words import ProviderWords

_REFUSED = deferred(quirks.words("parameter refused"), re.IGNORECASE)
_VALUES = deferred(quirks.words("value refused"), re.IGNORECASE)
_ONLY_DEFAULT = deferred(quirks.words("only the default"), re.IGNORECASE)
NO_STREAM = deferred(quirks.words("no stream"), re.IGNORECASE)
"""An endpoint that sends its answers only whole."""
_NAMES = frozenset(quirks.names("parameter refused"))
_SCHEMA_NOT_KEPT = frozenset(quirks.names("schema not kept"))
_INSTEAD = {row.name: row.instead for row in quirks.PARAMETERS if row.instead}


@dataclass(frozen=True, slots=True)
class Refusal:
    """A parameter that is not taken (`absent`), or whose value is none of those that are (`value`)."""

    parameter: str
    what: Literal["absent", "value"]
    instead: str | None = None


def refusal_of(words: ProviderWords) -> Refusal | None:
    """The optional parameter that the words are about, and what is wrong with it; None where they refuse none."""
    if words.names & _SCHEMA_NOT_KEPT:
        return Refusal("response_format", "absent")
    refused = bool(words.names & _NAMES) or _REFUSED.search(words.message) is not None
    values = _VALUES.search(words.message) is not None and _ONLY_DEFAULT.search(words.message) is None
    if not refused and not values:
        return None
    parameter = _parameter(words)
    if parameter is None:
        return None
    if values and not parameter.startswith("stream"):
        return Refusal(parameter, "value")
    instead = _INSTEAD.get(parameter)
    return Refusal(parameter, "absent", instead if instead is not None and instead in words.message else None)


def _parameter(words: ProviderWords) -> str | None:
    """The parameter by the error's own field, else the first that its words name."""
    for row in quirks.PARAMETERS:
        if words.parameter in row.spellings:
            return row.name
    found = [
        (match.start(), row.name)
        for row in quirks.PARAMETERS
        for spelling in row.spellings
        if (match := re.search(rf"(?<![A-Za-z_]){re.escape(spelling)}(?![A-Za-z_])", words.message)) is not None
    ]
    return min(found)[1] if found else None
