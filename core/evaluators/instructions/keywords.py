"""Texts and characters that have to stand in an answer, or may not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from modex.core.evaluators.instructions.found import Compliance, counted


def existence(text: str, given: Mapping[str, Any]) -> Compliance:
    """Each text occurs, as a part of a word too."""
    missing = [word for word in given["keywords"] if not _times(word, text)]
    return Compliance(not missing, f"{_listed(missing)} missing" if missing else f"{_listed(given['keywords'])} found")


def frequency(text: str, given: Mapping[str, Any]) -> Compliance:
    """A text occurs so often, as a part of a word too."""
    times = _times(given["keyword"], text)
    return counted(times, f"time '{given['keyword']}'", given["frequency"], given.get("relation"),
                   many=f"times '{given['keyword']}'")  # fmt: skip


def forbidden(text: str, given: Mapping[str, Any]) -> Compliance:
    """None of the words occurs as a whole word."""
    found = [word for word in given["forbidden_words"] if re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE)]
    return Compliance(not found, f"{_listed(found)} found, forbidden" if found else "none of the forbidden words")


def letter_frequency(text: str, given: Mapping[str, Any]) -> Compliance:
    """A character occurs so often; any character, where IFEval draws a letter by chance for one that is none."""
    letter = given["letter"]
    times = text.lower().count(letter.lower())
    return counted(times, f"time '{letter}'", given["let_frequency"], given.get("let_relation"),
                   many=f"times '{letter}'")  # fmt: skip


def _times(word: str, text: str) -> int:
    return len(re.findall(re.escape(word), text, re.IGNORECASE))


def _listed(words: list[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)
