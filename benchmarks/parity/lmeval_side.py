"""Runs in lm-evaluation-harness' own environment: its tasks' filters and its exact match, as JSON lines of verdicts by rule.

The filters and options are those of its tasks nq_open, triviaqa, gsm8k and mmlu_pro.
"""

from __future__ import annotations

import json
import re
import string
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lm_eval.filters.extraction import RegexFilter

STRICT = RegexFilter(regex_pattern=r"#### (\-?[0-9\.\,]+)")
FLEXIBLE = RegexFilter(regex_pattern=r"(-?[$0-9.,]{2,})|(-?[0-9]+)", group_select=-1)
LETTER = RegexFilter(regex_pattern=r"answer is \(?([ABCDEFGHIJ])\)?")
PUNCTUATION = str.maketrans("", "", string.punctuation)


def taken(rule: Any, text: str) -> str:
    return str(rule.apply([[text]], [{}])[0][0])


def plain(text: str, ignored: Sequence[str], punctuation: bool) -> str:
    for pattern in ignored:
        text = re.sub(pattern, "", text)
    text = text.lower()
    return text.translate(PUNCTUATION) if punctuation else text


def exact(text: str, gold: str, ignored: Sequence[str] = (), punctuation: bool = True) -> bool:
    return plain(text, ignored, punctuation) == plain(gold, ignored, punctuation)


def of(row: dict[str, Any]) -> dict[str, bool]:
    text, golds = row["text"], row["golds"]
    if row["kind"] == "choice":
        return {"mmlu_pro": exact(taken(LETTER, text), golds[0])}
    if row["kind"] == "number":
        ignored = (",", "\\$", "(?s).*#### ", "\\.$")
        rules = {"gsm8k strict-match": STRICT, "gsm8k flexible-extract": FLEXIBLE}
        return {name: exact(taken(rule, text), golds[0], ignored, False) for name, rule in rules.items()}
    articles = (r"\b(?:The |the |An |A |The |a |an )",)
    return {"exact_match": any(exact(text.strip(), gold, articles) for gold in golds)}


for line in Path(sys.argv[1]).read_text("utf-8").splitlines():
    print(json.dumps(of(json.loads(line))))
