"""What a gold that is a list means: alternatives, unless the test or `--gold parts` says that all its items are asked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from modex.core.suite.definitions import TestCase

Gold = Literal["any", "parts"]
_READ = frozenset(
    {"two_pass", "match", "llm_judge", "gaia", "browsecomp", "browsecomp_zh", "webwalkerqa", "xbench", "caia"}
)
"""Evaluators that know `gold: any` and `gold: parts`; a judge is told in words."""


def has_list(test: TestCase) -> bool:
    """Whether the test's gold is a list whose meaning this rule decides."""
    return test.evaluator_id in _READ and _items(test.expected) is not None


def is_open(test: TestCase) -> bool:
    """Whether the test's gold is a list of which the test itself does not say whether any item is right or all are asked."""
    return has_list(test) and not (isinstance(test.expected, dict) and "gold" in test.expected)


def with_gold(test: TestCase, rule: Gold) -> TestCase:
    """The test with what its list means written into `expected`; one that says so itself keeps its word."""
    items = _items(test.expected) if has_list(test) else None
    if items is None:
        return test
    document = test.expected if isinstance(test.expected, dict) else {"value": items}
    own = document.get("gold", rule)
    return test if own == "any" else replace(test, expected={**document, "gold": own})


def list_words(count: int, rule: Gold) -> str:
    """How lists are read, in a sentence."""
    golds = "1 gold is a list" if count == 1 else f"{count} golds are lists"
    if rule == "parts":
        return f"{golds}: all items are asked for (a test's own `gold` overrides)"
    return f"{golds}: any one of the items is right (`gold: parts` or --gold parts asks for all)"


def _items(expected: Any) -> list[Any] | None:
    value = expected.get("value") if isinstance(expected, dict) else expected
    return value if isinstance(value, list) and value else None
