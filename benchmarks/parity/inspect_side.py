"""Runs in inspect_ai's own environment: its scorers' rules on the answers of a file, as JSON lines of verdicts by rule.

inspect's scorers are given an answer and the targets; `match_str` and `AnswerPattern` are what they compare with.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, Literal

from inspect_ai.scorer import AnswerPattern
from inspect_ai.scorer._common import match_str


def matched(text: str, golds: list[str], location: Literal["end", "any"], numeric: bool = False) -> bool:
    return any(match_str(text, gold, location=location, numeric=numeric)[1] for gold in golds)


def of(row: dict[str, Any]) -> dict[str, bool]:
    text, golds = row["text"], row["golds"]
    if row["kind"] == "choice":
        found = re.search(AnswerPattern.LETTER, text)
        return {"answer(letter)": found is not None and found.group(1).upper() == golds[0]}
    if row["kind"] == "number":
        return {
            "match(numeric)": matched(text, golds, "end", True),
            "match(numeric, any)": matched(text, golds, "any", True),
        }
    return {"includes": any(gold.lower() in text.lower() for gold in golds), "match": matched(text, golds, "end")}


for line in Path(sys.argv[1]).read_text("utf-8").splitlines():
    print(json.dumps(of(json.loads(line))))
