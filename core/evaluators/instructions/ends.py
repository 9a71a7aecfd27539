"""How an answer begins and ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from modex.core.evaluators.instructions.found import Compliance, short


def end_phrase(text: str, given: Mapping[str, Any]) -> Compliance:
    """The last words are the phrase; quotation marks around the answer do not count."""
    bare, phrase = text.strip().strip('"').lower(), given["end_phrase"].strip()
    ends = bare.endswith(phrase.lower())
    return Compliance(
        ends, f"ends with {short(text.strip()[-len(phrase) :])}" + ("" if ends else f", '{phrase}' asked")
    )


def quotation(text: str, given: Mapping[str, Any]) -> Compliance:
    """It begins and ends with a double quotation mark."""
    del given
    bare = text.strip()
    if bare == '"':
        return Compliance(False, "a lone quotation mark, and no quoted text")
    right = len(bare) > 1 and bare[0] == bare[-1] == '"'
    return Compliance(
        right, "in quotation marks" if right else f"begins with {short(bare[:1])} and ends with {short(bare[-1:])}"
    )
