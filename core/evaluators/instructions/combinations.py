"""Answers that are put together: two of them, or the request and its answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from modex.core.evaluators.instructions.found import Compliance, counted, short

_DIVIDER = "******"


def two_responses(text: str, given: Mapping[str, Any]) -> Compliance:
    """Two different answers between which six stars stand."""
    del given
    pieces = [piece.strip() for piece in text.split(_DIVIDER)]
    if "" in pieces[1:-1]:
        return Compliance(False, f"an empty answer between two `{_DIVIDER}`")
    answers = [piece for piece in pieces if piece]
    if len(answers) == 2 and answers[0] == answers[1]:
        return Compliance(False, "twice the same answer")
    return counted(len(answers), "answer", 2, "exactly")


def repeat_prompt(text: str, given: Mapping[str, Any]) -> Compliance:
    """It begins with the words that have to be repeated."""
    begins = text.strip().lower().startswith(given["prompt_to_repeat"].strip().lower())
    return Compliance(begins, "begins with the request" if begins else f"begins with {short(text.strip())}")
