"""What `expected` may say of calls, what each form means, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.evaluators.tool_call.expectations import (
    ExpectationError,
    Expectations,
    ExpectedCall,
    read_expectations,
)
from tests.rows import each_row


@each_row(
    ("expected", "said"),
    [
        ("f", "must be an object"),
        ({}, "has none of"),
        ({"tool": "f", "no_call": True}, "has no_call and tool|has tool and no_call"),
        ({"tool": "f", "other": 1}, "does not know other"),
        ({"tools": ["f"], "args": {}}, "'args' stands beside 'tool', not 'tools'"),
        ({"tool": "f", "order": "loose"}, "'order' is 'any' or 'strict'"),
        ({"tool": "f", "forbidden": "g"}, "'forbidden' is a list"),
        ({"tool": "f", "forbidden": [1]}, "'forbidden' is a list"),
        ({"tool": "f", "max_extra_calls": -1}, "whole number from 0"),
        ({"tool": "f", "max_extra_calls": True}, "whole number from 0"),
        ({"tool": "f", "max_extra_calls": 1.0}, "whole number from 0"),
        ({"tool": "f", "extra_reads": 1}, "'extra_reads' is true or false"),
        ({"tool": "f", "language": "cobol"}, "'language' is one of"),
        ({"state": {}}, "'state' is an object"),
        ({"state": []}, "'state' is an object"),
        ({"state": {"a": {"$nothing": 1}}}, "'state', a: "),
        ({"state": {"a": 1}, "partial_state": 1}, "'partial_state' is true or false"),
        ({"no_call": 1}, "'no_call' is true, or not there"),
        ({"any_call": False}, "'any_call' is true, or not there"),
        ({"tools": []}, "a list with at least one entry"),
        ({"tools": "f"}, "a list with at least one entry"),
        ({"tool": ""}, "'tool' needs the name of a tool"),
        ({"calls": [{"args": {}}]}, r"calls\[0\] needs the name"),
        ({"calls": [1]}, r"calls\[0\] needs the name"),
        ({"calls": ["f", {"name": "f", "other": 1}]}, r"calls\[1\] does not know other"),
        ({"calls": [{"name": "f", "partial": 1}]}, "'partial' is true or false"),
        ({"calls": [{"name": "f", "values": 1, "partial": True}]}, "'values' a list"),
        ({"calls": [{"name": "f", "values": [1]}]}, "'partial' must be true"),
        ({"calls": [{"name": "f", "args": []}]}, "'args' is an object"),
        ({"calls": [{"name": "f", "optional": 1}]}, "'optional' is true or false"),
        ({"calls": [{"name": "f", "args": {"x": {"$nothing": 1}}}]}, "argument 'x': "),
        ({"calls": [{"name": "f", "partial": True, "values": [{"$nothing": 1}]}]}, "argument '0': "),
        ({"bfcl": ["f"]}, r"bfcl\[0\] is an object"),
        ({"bfcl": [{"f": {}, "g": {}}]}, r"bfcl\[0\] is an object"),
        ({"bfcl": [{"f": []}]}, r"bfcl\[0\] is an object"),
        ({"bfcl": [{"f": {"x": 1}}]}, "'x' needs a list of allowed values"),
        ({"bfcl": [{"f": {"x": []}}]}, "'x' needs a list of allowed values"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_what_is_wrong(expected: Any, said: str) -> None:
    with pytest.raises(ExpectationError, match=said):
        read_expectations(expected)


@each_row(
    ("expected", "calls"),
    [
        ({"tool": "f"}, (ExpectedCall("f"),)),
        ({"tool": "f", "args": {"x": 1}}, (ExpectedCall("f", {"x": 1}),)),
        ({"tools": ["f", "g"]}, (ExpectedCall("f"), ExpectedCall("g"))),
        ({"calls": ["f", {"name": "g", "optional": True}]}, (ExpectedCall("f"), ExpectedCall("g", optional=True))),
        (
            {"calls": [{"name": "f", "partial": True, "values": [1, 2]}]},
            (ExpectedCall("f", {}, partial=True, values=(1, 2)),),
        ),
        ({"no_call": True}, ()),
        ({"any_call": True}, ()),
        ({"state": {"a": 1}}, ()),
        (
            {"bfcl": [{"a.f": {"x": [1, "s"], "y": ["", 2], "z": [""]}}]},
            (
                ExpectedCall(
                    "a_f",
                    {
                        "x": {"$any_of": [1, {"$bfcl": "s"}]},
                        "y": {"$any_of": [2]},
                        "z": {"$any_of": ["", None]},
                    },
                    omittable=frozenset({"y", "z"}),
                ),
            ),
        ),
        (
            {"bfcl": [{"f": {"o": [{"k": [1, ""], "l": ["s"], "m": 3, "n": [""]}], "p": [[1, "s"]]}}]},
            (
                ExpectedCall(
                    "f",
                    {
                        "o": {
                            "$any_of": [
                                {
                                    "$object": {
                                        "k": {"$any_of": [1]},
                                        "l": {"$any_of": [{"$bfcl": "s"}]},
                                        "m": {"$any_of": [3]},
                                        "n": {"$any_of": ["", None]},
                                    },
                                    "optional": ["k", "n"],
                                }
                            ]
                        },
                        "p": {"$any_of": [[1, {"$bfcl": "s"}]]},
                    },
                ),
            ),
        ),
    ],
)
def test_each_form_means_these_calls(expected: dict[str, Any], calls: tuple[ExpectedCall, ...]) -> None:
    assert read_expectations(expected).calls == calls


def test_rules_stand_as_they_are_given_and_have_their_defaults() -> None:
    plain = read_expectations({"tool": "f"})
    assert (plain.order, plain.forbidden, plain.max_extra_calls, plain.extra_reads) == ("any", frozenset(), 0, False)
    assert (plain.language, plain.text, plain.state) == (None, None, None)
    assert (plain.has_answer, plain.partial_state) == (False, False)
    assert (plain.no_call, plain.any_call, plain.state_only, plain.chained) == (False, False, False, False)
    given = read_expectations(
        {"tool": "f", "order": "strict", "forbidden": ["g"], "max_extra_calls": 2, "extra_reads": True, "answer": None,
         "language": "java", "state": {"a": 1}, "partial_state": True}
    )  # fmt: skip
    assert (given.order, given.forbidden, given.max_extra_calls, given.extra_reads) == (
        "strict",
        frozenset({"g"}),
        2,
        True,
    )
    assert (given.language, given.has_answer, given.state, given.partial_state) == ("java", True, {"a": 1}, True)
    assert read_expectations({"no_call": True}).no_call
    assert read_expectations({"any_call": True}).any_call
    assert read_expectations({"state": {"a": 1}}).state_only
    chain = read_expectations({"chain": ["f", "g"]})
    assert (chain.chained, chain.order, len(chain.calls)) == (True, "strict", 2)


def test_what_is_not_said_is_not_asked() -> None:
    assert read_expectations({"no_call": True}) == Expectations(form="no_call")
    assert read_expectations({"tool": "f"}) == Expectations((ExpectedCall("f"),), form="tool")
    assert read_expectations({"state": {"a": 1}}).partial_state is False
    assert read_expectations({"state": {"a": 1}, "partial_state": True}).partial_state is True
    assert read_expectations({"tool": "f", "extra_reads": True}).extra_reads is True


def test_what_is_not_known_is_named_in_the_order_of_the_alphabet() -> None:
    with pytest.raises(ExpectationError, match=r"does not know a, b, c, d, e, x, y, z$"):
        read_expectations({"tool": "f", **dict.fromkeys("zaybxcde", 1)})
    with pytest.raises(ExpectationError, match=r"does not know a, b, c, d, e, x, y, z$"):
        read_expectations({"calls": [{"name": "f", **dict.fromkeys("zaybxcde", 1)}]})
