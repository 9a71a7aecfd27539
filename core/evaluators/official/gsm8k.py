"""GSM8K's rule: the number behind the first `####`, or `A:` as its published answers write it, is the gold's text."""

from __future__ import annotations

import re

from modex.core.evaluators.official.rule import OfficialRule
from modex.core.foundation.lazy_regex import deferred

_MARKED = deferred(r"(?:####|^A:) (-?[0-9.,]+)", re.MULTILINE)


def read_number(text: str) -> str | None:
    """What stands behind the first mark, its commas left out; None without one."""
    found = _MARKED.search(text)
    return found[1].strip().replace(",", "") if found is not None else None


RULE = OfficialRule(
    "GSM8K's rule",
    read_number,
    lambda read, gold: read == gold.strip().replace(",", ""),
    "The number behind the first `#### `, or behind `A: ` at the start of a line, compared as a text without commas. A response"
    " without either is wrong.",
    "https://github.com/openai/grade-school-math/blob/master/grade_school_math/dataset.py",
)
