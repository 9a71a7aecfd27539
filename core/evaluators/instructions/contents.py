"""What has to stand in an answer by its form: placeholders, a postscript."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from modex.core.evaluators.instructions.found import Compliance, counted
from modex.core.foundation.lazy_regex import deferred

_AS_WRITTEN = {"P.S.": deferred(r"p\.\s?s\."), "P.P.S": deferred(r"p\.\s?p\.\s?s")}
"""Marks that may have a blank behind each point."""


def placeholders(text: str, given: Mapping[str, Any]) -> Compliance:
    """At least so many passages in square brackets, each within a line."""
    number = sum(_bracketed(line) for line in text.split("\n"))
    return counted(number, "placeholder", given["num_placeholders"])


def postscript(text: str, given: Mapping[str, Any]) -> Compliance:
    """The mark stands in the answer, in any case."""
    mark = given["postscript_marker"].strip()
    pattern, low = _AS_WRITTEN.get(mark), text.lower()
    there = pattern.search(low) is not None if pattern is not None else mark.lower() in low
    return Compliance(there, f"'{mark}' {'found' if there else 'missing'}")


def _bracketed(line: str) -> int:
    number, at = 0, line.find("[")
    while at >= 0 and (end := line.find("]", at)) >= 0:
        number += 1
        at = line.find("[", end)
    return number
