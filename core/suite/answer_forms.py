"""The form of answer that a dataset's row is asked for: one line of system prompt by answer type.

Benchmarks ask for a form, so that the answer is found where the question's words leave it open. A row that says itself how
to answer, and one below a system prompt of its suite, its row or its preset, is asked as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from modex.core.foundation.lazy_regex import deferred
from modex.core.suite.datasets.golds import number_of, truth_of
from modex.core.suite.definitions import Location, PromptLayer, TestCase

if TYPE_CHECKING:
    from modex.core.suite.datasets.reader import DatasetReader

_LAST = "Give the final answer alone on the last line as `Answer: "
FORMS: Mapping[str, str] = {
    "numeric": f"{_LAST}<number>`, the number without its unit.",
    "choice": f"{_LAST}<letter>`, the letter of the right option.",
    "boolean": f"{_LAST}yes` or `Answer: no`.",
    "math": f"{_LAST}<expression>`.",
    "date": f"{_LAST}<date>`, written as YYYY-MM-DD.",
    "list": f"{_LAST}<item>, <item>, …`, every item.",
    "exact_match": f"{_LAST}<answer>`, as short as it can be.",
}
"""The line by answer type; a type that is not here (a text to compare with) is asked for nothing."""
PLACE = "(form of the answer)"
"""What stands for the file of this layer."""
_READS = frozenset({"two_pass", "match"})
_OWN_FORM = deferred(
    r"answer\s*:|\bfinal answer\b|\bexact answer\b|\\boxed|####|<answer>"
    r"|\b(?:answer|respond|reply|output|return|write)\s+(?:only|just|with|in|as|using)\b"
    r"|\bonly (?:the|a|one) (?:letter|number|word)"
    r"|\b(?:json|xml|yaml)\b|\bjawab(?:an|lah)?\s*:|\bantworte (?:nur|mit)\b|答案\s*[:：]",
    re.IGNORECASE,
)
_LETTER = re.compile(r"\(?[A-Z]\)?")
_LATEX = re.compile(r"\\[A-Za-z]+|\$[^$]+\$|\^\{")


def with_form(test: TestCase) -> TestCase:
    """The test with the line for its answer type as the last layer; as it is where it has a form or prompt of its own."""
    kind = kind_of(test.expected) if test.evaluator_id in _READS and test.expected not in (None, "", []) else None
    if kind is None or kind not in FORMS or any(layer.text for layer in test.layers) or _has_own(test):
        return test
    layer = PromptLayer("test", FORMS[kind], "append", Location(PLACE))
    return replace(test, layers=(*test.layers, layer))


def form_words(reader: DatasetReader) -> str:
    """What the rows of a dataset are asked for, in a sentence that begins with its file, or why nothing is added."""
    return f"{reader.path.name}: form: {_words(reader)}"


def _words(reader: DatasetReader) -> str:
    if reader.preset is not None and reader.preset.answer_format:
        return f"that of the preset {reader.preset.name}"
    if reader.has_prompt:
        return "nothing is added, since the dataset has a system prompt of its own"
    if reader.evaluator not in _READS:
        return f"nothing is added, since {reader.evaluator} needs no answer on a line of its own"
    kind = reader.kind
    if kind is not None and kind not in FORMS:
        return "nothing is added, since its answers are texts"
    asked = (
        "each row is asked for its final answer as `Answer: …` on the last line"
        if kind is None
        else f"each row is told: {FORMS[kind]}"
    )
    return f"{asked} (not where it has a form or system prompt of its own; --no-form leaves it out)"


def kind_of(expected: Any) -> str:
    """The answer type of an `expected`, `list` where all items are asked for."""
    document = expected if isinstance(expected, dict) else {"value": expected}
    value = document.get("value")
    if isinstance(value, list):
        if document.get("gold") == "parts":
            return "list"
        kinds = {_kind(document, item) for item in value}
        return kinds.pop() if len(kinds) == 1 else "exact_match"
    return _kind(document, value)


def _kind(document: Mapping[str, Any], value: Any) -> str:
    if document.get("type"):
        return str(document["type"])
    if document.get("options") or (isinstance(value, str) and _LETTER.fullmatch(value.strip())):
        return "choice"
    if truth_of(value) is not None:
        return "boolean"
    if isinstance(value, str) and "####" in value:
        value = value.rpartition("####")[2].strip()
    if number_of(value) is not None:
        return "numeric"
    return "math" if isinstance(value, str) and _LATEX.search(value) else "exact_match"


def _has_own(test: TestCase) -> bool:
    """Whether the row says itself how to answer."""
    if isinstance(test.prompt, str):
        return _OWN_FORM.search(test.prompt) is not None
    turns = [turn for turn in test.prompt if isinstance(turn.get("content"), str)]
    return any(turn["role"] == "system" or _OWN_FORM.search(turn["content"]) for turn in turns)
