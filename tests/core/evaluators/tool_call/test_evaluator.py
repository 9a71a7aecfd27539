from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import JudgeError
from core.evaluators.base import EvaluationResult, JudgeContext
from core.evaluators.tool_call import ToolCallEvaluator
from core.evaluators.tool_call.assignment import best_assignment, best_in_order
from core.store.sample import EvaluationSample
from core.suite.definitions import EvaluatorConfig, Location, TestCase, ToolDefinition

CONFIG = EvaluatorConfig("tool_call", "tool_call", "builtin")


def _tool(name: str, properties: dict[str, Any], required: list[str]) -> ToolDefinition:
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return ToolDefinition(name, name, "", schema, Location("t.json"))


TOOLS = {
    tool.name: tool
    for tool in (
        _tool(
            "f",
            {
                "x": {"type": "integer"},
                "y": {"type": "integer"},
                "r": {"type": "number"},
                "s": {"type": "string"},
                "b": {"type": "boolean"},
                "unit": {"type": "string", "default": "km"},
                "any": {},
                "l": {"type": "array"},
            },
            [],
        ),
        _tool("g", {"x": {"type": "integer"}}, ["x"]),
        _tool("h", {}, []),
    )
}


def _judge(expected: Any, *calls: Any, config: dict[str, Any] | None = None) -> EvaluationResult:
    """Each call is (name, arguments); arguments that are a text are taken as they are."""
    entries = [
        {"id": str(n), "name": name, "arguments": args if isinstance(args, str) else json.dumps(args)}
        for n, (name, args) in enumerate(calls)
    ]
    transcript: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    transcript += [{"role": "assistant", "content": "", "tool_calls": [entry]} for entry in entries]
    own = EvaluatorConfig("tool_call", "tool_call", "builtin", config=config or {})
    context = JudgeContext(own, lambda name: "", tools=TOOLS)
    return ToolCallEvaluator().evaluate(EvaluationSample(expected=expected, transcript=transcript), context)


def test_the_right_call_and_nothing_else_is_a_full_score() -> None:
    result = _judge({"tool": "f", "args": {"x": 1}}, ("f", {"x": 1}))
    assert result.score == 1.0
    assert result.details["why"] == "every call as expected"
    assert (result.details["name"], result.details["arguments"], result.details["extra_calls"]) == (1.0, 1.0, 0)


@pytest.mark.parametrize(
    ("expected", "actual", "right"),
    [
        ({"any": 1}, {"any": True}, False),
        ({"any": True}, {"any": 1}, False),
        ({"r": 5}, {"r": 5.0}, True),
        ({"r": 0.3}, {"r": 0.1 + 0.2}, True),
        ({"r": 0.3}, {"r": 0.31}, False),
        ({"s": "-5"}, {"s": "5"}, False),
        ({"any": "5"}, {"any": 5}, False),
        ({"s": "Oslo"}, {"s": "oslo"}, False),
        ({"s": {"$ci": "oslo"}}, {"s": "OSLO"}, True),
        ({"s": {"$normalized": "new york"}}, {"s": " New  York. "}, True),
        ({"s": {"$regex": "^a.c$"}}, {"s": "abc"}, True),
        ({"x": {"$any_of": [1, 2]}}, {"x": 2}, True),
        ({"x": {"$any_of": [1, 2]}}, {"x": 3}, False),
        ({"r": {"$approx": 3.14, "tolerance": 0.01}}, {"r": 3.149}, True),
        ({"r": {"$approx": 3.14, "tolerance": 0.01}}, {"r": 3.16}, False),
        ({"x": {"$any": True}}, {"x": 7}, True),
        ({"x": {"$any": True}}, {}, False),
        ({"x": 1}, {}, False),
        ({"x": 1}, {"x": 1, "unit": "km"}, True),
        ({"x": 1}, {"x": 1, "unit": "mi"}, False),
        ({"x": 1, "unit": "km"}, {"x": 1}, True),
        ({"x": 1, "unit": "mi"}, {"x": 1}, False),
        ({"l": [1, {"$any": True}]}, {"l": [1, "z"]}, True),
        ({"l": [1, 2]}, {"l": [2, 1]}, False),
        ({}, {}, True),
        ({}, {"x": 1}, False),
    ],
)
def test_arguments_keep_types_apart(expected: dict[str, Any], actual: dict[str, Any], right: bool) -> None:
    result = _judge({"tool": "f", "args": expected}, ("f", actual))
    assert (result.status == "passed") is right


@pytest.mark.parametrize("order", itertools.permutations([{"x": 1}, {"x": 2}]))
def test_matching_does_not_depend_on_the_order_of_the_calls(order: tuple[dict[str, int], ...]) -> None:
    # Matching greedily, gold [{1,2},{1}] rejects (1,2) and accepts (2,1).
    expected = {"calls": [{"name": "f", "args": {"x": {"$any_of": [1, 2]}}}, {"name": "f", "args": {"x": 1}}]}
    assert _judge(expected, *[("f", args) for args in order]).score == 1.0


def test_one_call_never_satisfies_two_expectations() -> None:
    result = _judge({"calls": [{"name": "f", "args": {"x": 1}}, {"name": "f", "args": {"x": 1}}]}, ("f", {"x": 1}))
    assert result.status == "failed"
    assert "f was not called" in result.details["why"]


def test_extra_calls_cost_and_twenty_of_them_cost_everything() -> None:
    expected = {"tool": "f", "args": {"x": 1}}
    assert _judge(expected, ("f", {"x": 1}), ("h", {})).score == 0.9
    assert _judge(expected, ("f", {"x": 1}), *[("h", {})] * 20).score == 0.0
    assert _judge(expected, ("f", {"x": 1}), ("h", {}), config={"extra_call_penalty": 0.5}).score == 0.5
    assert _judge({**expected, "max_extra_calls": 1}, ("f", {"x": 1}), ("h", {})).score == 1.0


@pytest.mark.parametrize("broken", ["{not json", "[1]", '{"x": "1"}', '{"zzz": 1}'])
def test_a_malformed_call_is_an_extra_and_matches_nothing(broken: str) -> None:
    assert _judge({"tool": "f", "args": {"x": 1}}, ("f", broken)).status == "failed"
    assert _judge({"tool": "f"}, ("f", broken)).status == "failed"
    assert _judge({"tool": "f", "args": {"x": 1}}, ("f", broken), ("f", {"x": 1})).score == 0.9


def test_an_unknown_tool_is_an_extra() -> None:
    assert _judge({"tool": "h"}, ("h", {}), ("rm_rf", {})).score == 0.9


def test_names_alone_can_be_expected() -> None:
    assert _judge({"tools": ["f", "g"]}, ("g", {"x": 3}), ("f", {"s": "any"})).score == 1.0
    assert _judge({"tools": ["f", "g"]}, ("f", {})).status == "failed"


def test_a_chain_is_in_order_and_the_details_say_so() -> None:
    chain = {"chain": [{"name": "f", "args": {"x": 1}}, {"name": "g", "args": {"x": 2}}]}
    assert _judge(chain, ("f", {"x": 1}), ("g", {"x": 2})).score == 1.0
    swapped = _judge(chain, ("g", {"x": 2}), ("f", {"x": 1}))
    assert swapped.status == "failed"
    assert swapped.details["order"] == "wrong"
    assert swapped.details["arguments"] == 1.0
    retried = _judge({**chain, "max_extra_calls": 1}, ("g", {"x": 2}), ("f", {"x": 1}), ("g", {"x": 2}))
    assert retried.score == 1.0


def test_calls_in_any_order_unless_strict() -> None:
    calls = [{"name": "f", "args": {"x": 1}}, {"name": "h"}]
    assert _judge({"calls": calls}, ("h", {}), ("f", {"x": 1})).score == 1.0
    assert _judge({"calls": calls, "order": "strict"}, ("h", {}), ("f", {"x": 1})).status == "failed"


def test_an_optional_call_may_be_there_or_not_but_right() -> None:
    expected = {"calls": [{"name": "f", "args": {"x": 1}}, {"name": "g", "args": {"x": 2}, "optional": True}]}
    assert _judge(expected, ("f", {"x": 1})).score == 1.0
    assert _judge(expected, ("f", {"x": 1}), ("g", {"x": 2})).score == 1.0
    assert _judge(expected, ("f", {"x": 1}), ("g", {"x": 3})).score == 0.9


def test_a_required_expectation_comes_before_an_optional_one() -> None:
    expected = {"calls": [{"name": "f", "optional": True}, {"name": "f", "args": {"x": 1}}]}
    assert _judge(expected, ("f", {"x": 1})).score == 1.0


def test_no_call_means_none() -> None:
    assert _judge({"no_call": True}).score == 1.0
    assert _judge({"no_call": True}, ("h", {})).score == 0.0


def test_a_forbidden_call_is_a_zero() -> None:
    result = _judge({"tool": "f", "forbidden": ["h"]}, ("f", {}), ("h", "{broken"))
    assert result.score == 0.0
    assert result.details["forbidden_called"] == ["h"]


def test_partly_right_is_worth_something_and_never_passes() -> None:
    none = _judge({"tool": "f", "args": {"x": 1, "y": 2}})
    wrong = _judge({"tool": "f", "args": {"x": 1, "y": 2}}, ("f", {"x": 9, "y": 9}))
    half = _judge({"tool": "f", "args": {"x": 1, "y": 2}}, ("f", {"x": 1, "y": 9}))
    assert none.score == 0.0
    assert 0 < wrong.score < half.score < 0.7
    assert half.details["expected_calls"][0]["wrong"] == {"y": "expected 2, got 9"}
    nine = [{"name": "f", "args": {"x": n}} for n in range(10)]
    assert _judge({"calls": nine}, *[("f", {"x": n}) for n in range(9)]).status == "failed"


def test_bfcl_s_own_form() -> None:
    gold = {"bfcl": [{"f": {"x": [1, 2], "unit": ["", "mi"], "s": ["Oslo"]}}]}
    assert _judge(gold, ("f", {"x": 2, "s": "oslo"})).score == 1.0
    assert _judge(gold, ("f", {"x": 2, "s": "Oslo", "unit": "mi"})).score == 1.0
    assert _judge(gold, ("f", {"x": 3, "s": "Oslo"})).status == "failed"
    assert _judge(gold, ("f", {"s": "Oslo"})).status == "failed"
    assert _judge({"bfcl": [{"f": {"s": ["-5"]}}]}, ("f", {"s": "5"})).status == "failed"


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        ("f", "must be an object"),
        ({}, "has none of"),
        ({"tool": "f", "tools": ["f"]}, "has tool and tools"),
        ({"tool": "f", "arg": {}}, "does not know arg"),
        ({"tools": []}, "at least one"),
        ({"calls": [{"args": {}}]}, "calls[0] needs the name"),
        ({"calls": [{"name": "f", "args": []}]}, "'args' is an object"),
        ({"calls": ["f"], "order": "random"}, "'order'"),
        ({"no_call": False}, "'no_call' is true"),
        ({"tool": "f", "max_extra_calls": -1}, "whole number"),
        ({"tool": "f", "forbidden": "h"}, "list of tool names"),
        ({"tool": "f", "args": {"s": {"$regex": "("}}}, "does not compile"),
        ({"tool": "f", "args": {"s": {"$rgex": "a"}}}, "$rgex"),
        ({"bfcl": [{"f": {"x": 1}}]}, "list of allowed values"),
        ({"tool": "nope"}, "does not offer"),
        ({"tool": "g", "args": {}}, "without 'x'"),
        ({"tool": "g", "args": {"x": "one"}}, 'not of type "integer"'),
        ({"tool": "g", "args": {"x": {"$any_of": [1, "one"]}}}, 'not of type "integer"'),
        ({"tool": "g", "args": {"x": 1, "z": 1}}, "with 'z'"),
        ({"tool": "h", "forbidden": ["nope"]}, "forbids 'nope'"),
    ],
)
def test_a_gold_that_cannot_be_met_is_named(expected: Any, said: str) -> None:
    test = TestCase("suite", "d", 1, "t", "p", expected, "tool_call", Location("t.json"), tools=tuple(TOOLS.values()))
    messages = list(ToolCallEvaluator().check(test, CONFIG, None))
    assert any(said in message for message in messages), messages


def test_an_expectation_that_cannot_be_read_is_an_error_and_no_zero() -> None:
    with pytest.raises(JudgeError, match="cannot be judged"):
        _judge({"tol": "f"}, ("f", {}))


WEIGHTS = st.integers(1, 4).flatmap(
    lambda columns: st.lists(st.lists(st.integers(0, 9), min_size=columns, max_size=columns), min_size=1, max_size=4)
)


def _total(weights: list[list[int]], matching: dict[int, int]) -> int:
    assert len(set(matching.values())) == len(matching)
    return sum(weights[row][column] for row, column in matching.items())


@given(WEIGHTS)
def test_the_assignment_is_the_best_there_is(weights: list[list[int]]) -> None:
    rows, columns = len(weights), len(weights[0])
    padded = range(max(rows, columns))
    brute = max(
        sum(weights[r][c] for r, c in enumerate(choice) if r < rows and c < columns)
        for choice in itertools.permutations(padded)
    )
    assert _total(weights, best_assignment(weights)) == brute


@given(WEIGHTS)
def test_the_ordered_assignment_is_ordered_and_the_best_there_is(weights: list[list[int]]) -> None:
    rows, columns = len(weights), len(weights[0])
    found = best_in_order(weights)
    assert list(found.values()) == sorted(set(found.values()))
    brute = max(
        sum(weights[r][c] for r, c in zip(some_rows, some_columns, strict=True))
        for size in range(min(rows, columns) + 1)
        for some_rows in itertools.combinations(range(rows), size)
        for some_columns in itertools.combinations(range(columns), size)
    )
    assert _total(weights, found) == brute


@given(st.lists(st.tuples(st.sampled_from(["f", "g", "h", "?"]), st.text(max_size=20)), max_size=6))
def test_any_calls_give_a_score(calls: list[tuple[str, str]]) -> None:
    assert 0.0 <= _judge({"chain": [{"name": "f"}, {"name": "h"}]}, *calls).score <= 1.0
