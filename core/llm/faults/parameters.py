"""Which optional parameter a provider refuses, and whether it can be left out or its value is the user's mistake."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from core.deferred import deferred
from core.llm.faults.words import Words

SPELLINGS: dict[str, tuple[str, ...]] = {
    "max_completion_tokens": ("max_completion_tokens",),
    "max_tokens": ("max_tokens", "maxOutputTokens", "max_output_tokens", "max_new_tokens"),
    "temperature": ("temperature",),
    "seed": ("seed",),
    "reasoning_effort": (
        "reasoning_effort",
        "reasoningEffort",
        "reasoning.effort",
        "thinking",
        "thinking_config",
        "thinkingConfig",
        "thinking_level",
        "thinkingLevel",
        "output_config",
    ),
    "response_format": (
        "response_format",
        "response_schema",
        "responseSchema",
        "json_schema",
        "json_object",
        "guided_json",
    ),
    "include": ("include", "reasoning.encrypted_content", "Encrypted content"),
    "stream_options": ("stream_options", "streamOptions", "include_usage"),
    "stream": ("stream", "streaming"),
}
"""What a request can do without, in the spellings of the providers' messages."""

_REFUSED = deferred(
    r"unsupported|not supported|do(?:es)?(?:n['’]t| not) support|unknown (?:parameter|field|name)|unrecognized|not permitted"
    r"|extra (?:inputs|fields)|not allowed|only (?:the )?default|may only be set to|is deprecated|cannot find field"
    r"|unexpected (?:keyword|field|parameter)|cannot (?:both )?be (?:set|specified|used)|is not (?:available|compatible)"
    r"|not compatible|must be (?:set to )?1\b|is immutable|invalid parameter",
    re.IGNORECASE,
)
_VALUES = deferred(
    r"supported values are|must be one of|should be '|input should be|one of the following|allowed values|expected one of"
    r"|valid values|between \S+ and \S+|less than or equal to|greater than or equal to|should be in \[|range is",
    re.IGNORECASE,
)
_ONLY_DEFAULT = deferred(r"only (?:the )?default|may only be set to 1|must be (?:set to )?1\b", re.IGNORECASE)
NO_STREAM = deferred(
    r"stream(?:ing|ed)?(?: mode| responses?| answers?| requests?)? (?:is |are )?(?:not|un)(?: yet| currently)?[ -]?"
    r"(?:supported|available|implemented|enabled|allowed)"
    r"|(?:do(?:es)?(?: not|n['’]t)|can(?:not|['’]t)) (?:support )?stream(?:ing)?\b|must be verified to stream",
    re.IGNORECASE,
)
"""An endpoint that sends its answers only whole."""
_NAMES = {"unsupported_value", "unsupported_parameter", "unknown_parameter", "extra_forbidden", "unsupported_argument"}


@dataclass(frozen=True, slots=True)
class Refusal:
    """A parameter that is not taken (`absent`), or whose value is none of those that are (`value`)."""

    parameter: str
    what: Literal["absent", "value"]
    instead: str | None = None


def refusal_of(said: Words) -> Refusal | None:
    """The optional parameter that the words are about, and what is wrong with it; None where they refuse none."""
    if "json_validate_failed" in said.names:
        return Refusal("response_format", "absent")
    refused = bool(said.names & _NAMES) or _REFUSED.search(said.message) is not None
    values = _VALUES.search(said.message) is not None and _ONLY_DEFAULT.search(said.message) is None
    if not refused and not values:
        return None
    parameter = _parameter(said)
    if parameter is None:
        return None
    if values and not parameter.startswith("stream"):
        return Refusal(parameter, "value")
    instead = "max_completion_tokens" if parameter == "max_tokens" and "max_completion_tokens" in said.message else None
    return Refusal(parameter, "absent", instead)


def _parameter(said: Words) -> str | None:
    """The parameter by the error's own field, else the first that its words name."""
    for name, spellings in SPELLINGS.items():
        if said.parameter in spellings:
            return name
    found = [
        (match.start(), name)
        for name, spellings in SPELLINGS.items()
        for spelling in spellings
        if (match := re.search(rf"(?<![A-Za-z_]){re.escape(spelling)}(?![A-Za-z_])", said.message)) is not None
    ]
    return min(found)[1] if found else None
