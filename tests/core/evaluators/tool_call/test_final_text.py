"""What a test demands of the final text."""

from __future__ import annotations

import json
from typing import Any

import pytest

from modex.core.evaluators.tool_call.final_text import (
    FinalText,
    Passage,
    asking,
    claims_fault,
    read_final_text,
    text_faults,
)
from modex.core.suite.definitions import Location, ToolDefinition
from tests.core.answers.tables import differing
from tests.rows import each_row


def tool(claims: str | None) -> ToolDefinition:
    return ToolDefinition("book", "book", "", {}, Location("book.json"), claims=claims)


@each_row(
    ("given", "wanted"),
    [
        ({"says": ["a"]}, FinalText((Passage("a", "/a/", False),))),
        (
            {"never": [{"pattern": "b", "what": "a b", "as_written": True}]},
            FinalText(never=(Passage("b", "a b", True),)),
        ),
        ({"says": [{"pattern": "a", "what": "", "as_written": 1}]}, FinalText((Passage("a", "/a/", False),))),
        ({"asks": "when"}, FinalText(asks="when")),
    ],
)
def test_a_demand_is_read(given: dict[str, Any], wanted: FinalText) -> None:
    assert read_final_text(given) == wanted


@each_row(
    ("given", "said"),
    [
        ("a", "'text' is an object"),
        ({}, "'text' is an object"),
        ({"say": ["a"]}, "'text' is an object"),
        ({"asks": "("}, "'text.asks': "),
        ({"asks": 3}, "'text.asks': "),
        ({"says": "a"}, "'text.says' is a list"),
        ({"says": []}, "'text.says' is a list"),
        ({"never": ["a", "("]}, r"'text.never\[1\]': "),
        ({"never": [3]}, r"'text.never\[0\]' is a pattern"),
        ({"never": [{"pattern": "a", "x": 1}]}, r"'text.never\[0\]' is a pattern"),
        ({"never": [{"what": "a"}]}, r"'text.never\[0\]': "),
    ],
)
def test_a_demand_that_cannot_be_meant_is_refused(given: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_final_text(given)


@each_row(
    ("given", "text", "faults"),
    [
        ({"says": ["room", "paid"]}, "Your room is paid.", []),
        ({"says": ["room", "paid"]}, "Your room.", ["the text does not say /paid/"]),
        ({"says": ["paid"]}, "It is not paid.", ["the text does not say /paid/"]),
        ({"never": ["paid"]}, "It is paid.", ["the text says /paid/"]),
        ({"never": ["paid"]}, "It is booked.", []),
        ({"asks": "date"}, "Which DATE suits you?", []),
        ({"asks": "date"}, "The date is set. Is it fine?", ["the text does not ask for what is missing"]),
        ({"asks": "date"}, "Please tell me:\n- your name\n- the date", []),
        ({"asks": "date"}, "Here:\n- your name\n- the date", ["the text does not ask for what is missing"]),
    ],
)
def test_what_is_wrong_with_a_text(given: dict[str, Any], text: str, faults: list[str]) -> None:
    assert list(text_faults(read_final_text(given), text, (), {})) == faults


def test_a_claim_needs_its_call() -> None:
    tools = {"book": tool(r"\bbooked\b"), "other": tool(None)}
    assert list(text_faults(None, "It is booked.", ("book",), tools)) == []
    assert list(text_faults(None, "It is not booked.", (), tools)) == []
    assert list(text_faults(None, "It is booked.", ("other",), tools)) == [
        "the text claims 'booked', and book was not called with success"
    ]
    assert claims_fault(tool(None)) is None
    assert claims_fault(tool("a+")) is None
    assert claims_fault(tool("(")) is not None


def test_sentences_that_ask_come_with_the_items_of_lists() -> None:
    assert list(asking("It is so. Is it?")) != []
    assert list(asking("It is so.\n- an item")) == []


_FORMS = r"""
5 => none: 'text' is an object with asks, never, says
{} => none: 'text' is an object with asks, never, says
{"says": []} => none: 'text.says' is a list of patterns
{"says": ["x"]} => FinalText(says=(Passage(pattern='x', what='/x/', as_written=False),), never=(), asks=None)
{"asks": "("} => none: 'text.asks': the pattern '(' does not compile: missing ) at position 1
{"asks": "x"} => FinalText(says=(), never=(), asks='x')
{"foo": 1} => none: 'text' is an object with asks, never, says
{"says": "x"} => none: 'text.says' is a list of patterns
{"says": [5]} => none: 'text.says[0]' is a pattern, or an object with 'pattern', 'what' and 'as_written'
{"never": [{"pattern": "("}]} => none: 'text.never[0]': the pattern '(' does not compile: missing ) at position 1
{"says": [{"what": "y"}]} => none: 'text.says[0]': a pattern is a text that is not empty
"""
_FAULTS = r"""
{"says": ["done"]}|It is done. => fine
{"says": ["done"]}|It is not done. => the text does not say /done/
{"never": ["done"]}|It is done. => the text says /done/
{"never": ["done"]}|It is not done. => fine
{"asks": "date"}|Which date? => fine
{"asks": "date"}|The date is fine. => the text does not ask for what is missing
{"asks": "date"}|Please tell me the date. => fine
{"asks": "date"}|Please tell me:\n- the date => fine
{"asks": "date"}|I list:\n- the date => the text does not ask for what is missing
"""


def demanded(text: str) -> str:
    try:
        return str(read_final_text(json.loads(text)))
    except ValueError as problem:
        return f"none: {problem}"


def faults(line: str) -> str:
    wanted, text = line.split("|")
    return "; ".join(text_faults(read_final_text(json.loads(wanted)), text, (), {})) or "fine"


def test_what_a_test_demands_of_the_final_text() -> None:
    assert differing(_FORMS, demanded) == []
    assert differing(_FAULTS, faults) == []
