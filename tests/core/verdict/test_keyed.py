"""Details of simple evaluators and of version 0.1.0, keys beside each other."""

from __future__ import annotations

from typing import Any

import pytest

from core.verdict import Compared, Extra, Extracted, Keywords, Part, Rows
from core.verdict.keyed import parts_of_keys


@pytest.mark.parametrize(
    ("details", "parts"),
    [
        ({}, ()),
        ({"exchanges": [1], "reason": "r", "empty": [], "none": None, "text": ""}, ()),
        ({"zero": 0, "no": False}, (Extra({"zero": 0, "no": False}),)),
        ({"got": "a", "expected": "b"}, (Compared("b", "a"),)),
        ({"got": None}, (Compared(None, None),)),
        (
            {"got": "5", "expected": "4", "tolerance": 0.5, "difference": 1, "comparison": "numeric", "value": 5},
            (Compared("4", "5", type="numeric", tolerance=0.5, difference=1, facts={"value": 5}),),
        ),
        ({"got": "5", "type": "a", "comparison": "b"}, (Compared(None, "5", type="a"), Extra({"comparison": "b"}))),
        ({"got": "5", "tolerance": True}, (Compared(None, "5"), Extra({"tolerance": True}))),
        ({"got": "5", "tolerance": "x"}, (Compared(None, "5"), Extra({"tolerance": "x"}))),
        (
            {
                "got": "5",
                "extraction": "found",
                "extraction_span": [1, 2],
                "answer_from": "box",
                "extraction_form": "json",
            },
            (Compared(None, "5"), Extracted("found", (1, 2), "json", "box")),
        ),
        (
            {"extraction": "found", "extraction_span": [1, "x"]},
            (Extracted("found"), Extra({"extraction_span": [1, "x"]})),
        ),
        ({"extraction": 3}, (Extra({"extraction": 3}),)),
        ({"query": "q", "gold_query": "g", "parts": {"a": 1}}, (Rows("q", "g", (), {"a": True}),)),
        ({"query": "q", "got": "x"}, (Rows("q", None), Extra({"got": "x"}))),
        ({"matched": ["a"], "missing": ["b"]}, (Keywords(("a",), ("b",)),)),
        ({"matched": ["a"]}, (Extra({"matched": ["a"]}),)),
        ({"matched": ["a"], "missing": "b"}, (Extra({"matched": ["a"], "missing": "b"}),)),
        ({"judges": 3}, (Extra({"judges": 3}),)),
    ],
)
def test_keys_are_read_as_parts_and_what_none_knows_stays(details: dict[str, Any], parts: tuple[Part, ...]) -> None:
    assert parts_of_keys(details) == parts
