"""The form of an answer: bullets, highlights, sections, JSON, a title, one of three answers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from modex.core.evaluators.instructions.found import Compliance, counted, short
from modex.core.foundation.lazy_regex import deferred

ANSWERS = ("My answer is yes.", "My answer is no.", "My answer is maybe.")
_STARRED = deferred(r"\*([^\n*]*)\*")
_DOUBLY = deferred(r"\*\*([^\n*]*)\*\*")
_FENCES = ("```json", "```Json", "```JSON", "```")


def bullets(text: str, given: Mapping[str, Any]) -> Compliance:
    """Exactly so many lines that begin with `-`, or with a single `*`."""
    lines = [line.lstrip() for line in text.split("\n")]
    number = sum(line.startswith("-") or (line.startswith("*") and not line.startswith("**")) for line in lines)
    return counted(number, "bullet point", given["num_bullets"], "exactly")


def constrained(text: str, given: Mapping[str, Any]) -> Compliance:
    """One of three sentences stands in it, as it is written."""
    del given
    said = next((answer for answer in ANSWERS if answer in text), None)
    return Compliance(said is not None, f"'{said}' found" if said else "none of the three answers")


def highlights(text: str, given: Mapping[str, Any]) -> Compliance:
    """At least so many passages between stars, or pairs of stars, within a line."""
    passages = [*_STARRED.findall(text), *_DOUBLY.findall(text)]
    number = sum(bool(passage.strip()) for passage in passages)
    return counted(number, "highlighted section", given["num_highlights"])


def sections(text: str, given: Mapping[str, Any]) -> Compliance:
    """At least so many times the word with a number behind it."""
    word = given["section_spliter"].strip()
    number = len(re.findall(rf"{re.escape(word)}\s?\d+", text))
    return counted(number, "section", given["num_sections"])


def json_form(text: str, given: Mapping[str, Any]) -> Compliance:
    """The whole answer is JSON, in a block of code or not."""
    del given
    bare = text.strip()
    for fence in _FENCES:
        bare = bare.removeprefix(fence)
    try:
        json.loads(bare.removesuffix("```").strip())
    except ValueError as error:
        return Compliance(False, f"no JSON: {error}")
    except RecursionError:
        return Compliance(False, "no JSON: nested too deeply to be read")
    return Compliance(True, "JSON")


def title(text: str, given: Mapping[str, Any]) -> Compliance:
    """A title between `<<` and `>>`, within a line."""
    del given
    for line in text.split("\n"):
        begin, end = line.find("<<"), line.rfind(">>")
        if begin >= 0 and begin + 2 < end and (inner := line[begin:end].lstrip("<").rstrip(">").strip()):
            return Compliance(True, f"the title {short(inner)}")
    return Compliance(False, "no title in `<<` and `>>`")
