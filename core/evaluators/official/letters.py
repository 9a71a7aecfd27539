"""simple-evals' rules for questions with four options: the letter behind the first "Answer:".

Chat models' figures for MMLU and GPQA are mostly made so; base models' for MMLU are made by likelihood.
"""

from __future__ import annotations

from modex.core.evaluators.official.rule import OfficialRule
from modex.core.foundation.lazy_regex import deferred

_MMLU = deferred(r"(?i)answer\s*+:\s*+([A-D])")
_GPQA = deferred(r"(?i)answer[ \t]*+:[ \t]*+\$?([A-D])\$?")


def read_mmlu(text: str) -> str | None:
    """The letter behind the first "answer:" that has one behind blanks or line ends, as it is written."""
    found = _MMLU.search(text)
    return found[1] if found is not None else None


def read_gpqa(text: str) -> str | None:
    """The letter behind the first "answer:" that has one on the same line, also in dollars, as it is written."""
    found = _GPQA.search(text)
    return found[1] if found is not None else None


MMLU = OfficialRule(
    "simple-evals' rule",
    read_mmlu,
    lambda read, gold: read == gold.strip(),
    "The letter A to D behind the first `Answer:`, in any case, but a small letter is wrong. An answer without one is wrong."
    " MMLU's own figures, of base models, are made by likelihood.",
    "https://github.com/openai/simple-evals/blob/main/mmlu_eval.py",
)
GPQA = OfficialRule(
    "simple-evals' rule",
    read_gpqa,
    lambda read, gold: read == gold.strip(),
    "The letter A to D behind the first `Answer:` with one on its line, in any case, but a small letter is wrong. An answer"
    " without one is wrong.",
    "https://github.com/openai/simple-evals/blob/main/gpqa_eval.py",
)
