from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.evaluators.base import EvaluationResult, JudgeContext
from modex.core.evaluators.tool_call import ToolCallEvaluator
from modex.core.evaluators.tool_call.assignment import best_assignment, best_in_order
from modex.core.evaluators.tool_call.calls import made_calls
from modex.core.evaluators.tool_call.final_text import read_final_text, text_faults
from modex.core.foundation.errors import JudgeError
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, Location, TestCase, ToolDefinition
from modex.core.verdict import Calls
from tests.core.evaluators.conftest import part
from tests.rows import each_row

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
                "e": {"type": "string", "enum": ["celsius", "fahrenheit"]},
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
    return _judge_transcript(expected, [[entry] for entry in entries], config=config)


def _judge_transcript(
    expected: Any,
    turns: list[list[dict[str, Any]]],
    *,
    errors: dict[str, str] | None = None,
    config: dict[str, Any] | None = None,
    tools: dict[str, ToolDefinition] | None = None,
) -> EvaluationResult:
    """Each turn is a list of calls; `errors` are the results, by call, that were errors."""
    transcript: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for calls in turns:
        transcript.append({"role": "assistant", "content": "", "tool_calls": calls})
        transcript += [
            {
                "role": "tool",
                "tool_call_id": call["id"],
                "content": (errors or {}).get(call["id"], "{}"),
                "is_error": call["id"] in (errors or {}),
            }
            for call in calls
        ]
    own = EvaluatorConfig("tool_call", "tool_call", "builtin", config=config or {})
    context = JudgeContext(own, lambda name: "", tools=TOOLS if tools is None else tools)
    return ToolCallEvaluator().evaluate(EvaluationSample(expected=expected, transcript=transcript), context)


def test_the_right_call_and_nothing_else_is_a_full_score() -> None:
    result = _judge({"tool": "f", "args": {"x": 1}}, ("f", {"x": 1}))
    assert result.score == 1.0
    assert result.why == "every call as expected"
    assert (part(result, Calls).name_share, part(result, Calls).argument_share, part(result, Calls).extra_calls) == (
        1.0,
        1.0,
        0,
    )


@each_row(
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
    assert "f was not called" in result.why


def test_an_extra_call_fails_the_test_and_twenty_of_them_cost_everything() -> None:
    expected = {"tool": "f", "args": {"x": 1}}
    extra = _judge(expected, ("f", {"x": 1}), ("h", {}))
    assert (extra.status, extra.score, extra.why) == ("failed", 0.6, "1 extra call (h)")
    assert _judge(expected, ("f", {"x": 1}), *[("h", {})] * 20).score == 0.0
    assert _judge({**expected, "max_extra_calls": 1}, ("f", {"x": 1}), ("h", {})).score == 1.0
    assert _judge({**expected, "max_extra_calls": 1}, ("f", {"x": 1}), ("h", {}), ("h", {})).status == "failed"


def test_an_evaluator_file_may_declare_what_an_extra_call_costs_instead() -> None:
    expected = {"tool": "f", "args": {"x": 1}}
    assert _judge(expected, ("f", {"x": 1}), ("h", {}), config={"extra_call_penalty": 0.2}).score == 0.8
    assert _judge(expected, ("f", {"x": 1}), ("h", {}), config={"extra_call_penalty": 0.5}).score == 0.5


def test_the_same_refund_twice_is_one_too_many() -> None:
    assert _judge({"tool": "f", "args": {"x": 1}}, ("f", {"x": 1}), ("f", {"x": 1})).status == "failed"


def _entry(id_: str, name: str, **args: Any) -> dict[str, Any]:
    return {"id": id_, "name": name, "arguments": json.dumps(args)}


def test_a_call_whose_result_was_an_error_satisfies_nothing() -> None:
    failed = _judge_transcript({"tool": "f", "args": {"x": 1}}, [[_entry("1", "f", x=1)]], errors={"1": "busy"})
    assert failed.status == "failed"
    assert "its result was an error: busy" in failed.why


def test_the_retry_that_succeeded_counts_and_the_failed_attempts_are_no_extras() -> None:
    turns = [[_entry("1", "f", x=2)], [_entry("2", "f", x=1)], [_entry("3", "f", x=1)]]
    retried = _judge_transcript({"tool": "f", "args": {"x": 1}}, turns, errors={"1": "no x 2", "2": "busy"})
    assert retried.score == 1.0
    assert len(part(retried, Calls).retried) == 2
    other = [[_entry("1", "h")], [_entry("2", "f", x=1)]]
    assert _judge_transcript({"tool": "f", "args": {"x": 1}}, other, errors={"1": "busy"}).status == "failed"
    after = [[_entry("1", "f", x=1)], [_entry("2", "f", x=1)]]
    assert _judge_transcript({"tool": "f", "args": {"x": 1}}, after, errors={"2": "busy"}).status == "failed"


def test_a_test_may_allow_any_number_of_reads() -> None:
    reading = {**TOOLS, "h": replace(TOOLS["h"], read_only=True)}
    turns = [[_entry("1", "h"), _entry("2", "h")], [_entry("3", "f", x=1)]]
    expected = {"tool": "f", "args": {"x": 1}}
    assert _judge_transcript({**expected, "extra_reads": True}, turns, tools=reading).score == 1.0
    assert _judge_transcript(expected, turns, tools=reading).status == "failed"
    assert _judge_transcript({**expected, "extra_reads": True}, turns).status == "failed"


def test_a_chain_asked_for_in_one_message_is_blind() -> None:
    chain = {"chain": [{"name": "g", "args": {"x": 1}}, {"name": "f", "args": {"x": 2}}]}
    calls = [_entry("1", "g", x=1), _entry("2", "f", x=2)]
    assert _judge_transcript(chain, [[calls[0]], [calls[1]]]).score == 1.0
    blind = _judge_transcript(chain, [calls])
    assert (blind.status, part(blind, Calls).order) == ("failed", "blind")
    assert blind.why == "calls that build on a result were made before it came"
    strict = {"calls": chain["chain"], "order": "strict"}
    assert _judge_transcript(strict, [calls]).score == 1.0


@each_row("broken", ["{not json", "[1]", '{"x": "1"}', '{"zzz": 1}'])
def test_a_malformed_call_is_an_extra_and_matches_nothing(broken: str) -> None:
    assert _judge({"tool": "f", "args": {"x": 1}}, ("f", broken)).status == "failed"
    assert _judge({"tool": "f"}, ("f", broken)).status == "failed"
    assert _judge({"tool": "f", "args": {"x": 1}}, ("f", {"x": 1}), ("f", broken)).status == "failed"
    assert _judge({"tool": "f", "args": {"x": 1}}, ("f", broken), ("f", {"x": 1})).score == 1.0


def test_an_unknown_tool_is_an_extra() -> None:
    assert _judge({"tool": "h"}, ("h", {}), ("rm_rf", {})).status == "failed"


def test_names_alone_can_be_expected() -> None:
    assert _judge({"tools": ["f", "g"]}, ("g", {"x": 3}), ("f", {"s": "any"})).score == 1.0
    assert _judge({"tools": ["f", "g"]}, ("f", {})).status == "failed"


def test_a_chain_is_in_order_and_the_details_say_so() -> None:
    chain = {"chain": [{"name": "f", "args": {"x": 1}}, {"name": "g", "args": {"x": 2}}]}
    assert _judge(chain, ("f", {"x": 1}), ("g", {"x": 2})).score == 1.0
    swapped = _judge(chain, ("g", {"x": 2}), ("f", {"x": 1}))
    assert swapped.status == "failed"
    assert part(swapped, Calls).order == "wrong"
    assert part(swapped, Calls).argument_share == 1.0
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
    assert _judge(expected, ("f", {"x": 1}), ("g", {"x": 3})).status == "failed"


def test_a_required_expectation_comes_before_an_optional_one() -> None:
    expected = {"calls": [{"name": "f", "optional": True}, {"name": "f", "args": {"x": 1}}]}
    assert _judge(expected, ("f", {"x": 1})).score == 1.0


def test_no_call_means_none() -> None:
    assert _judge({"no_call": True}).score == 1.0
    assert _judge({"no_call": True}, ("h", {})).score == 0.0


def test_a_forbidden_call_is_a_zero() -> None:
    result = _judge({"tool": "f", "forbidden": ["h"]}, ("f", {}), ("h", "{broken"))
    assert result.score == 0.0
    assert part(result, Calls).forbidden == ("h",)


def test_partly_right_is_worth_something_and_never_passes() -> None:
    none = _judge({"tool": "f", "args": {"x": 1, "y": 2}})
    wrong = _judge({"tool": "f", "args": {"x": 1, "y": 2}}, ("f", {"x": 9, "y": 9}))
    half = _judge({"tool": "f", "args": {"x": 1, "y": 2}}, ("f", {"x": 1, "y": 9}))
    assert none.score == 0.0
    assert 0 < wrong.score < half.score < 0.7
    assert part(half, Calls).expected[0].wrong == {"y": "expected 2, got 9"}
    nine = [{"name": "f", "args": {"x": n}} for n in range(10)]
    assert _judge({"calls": nine}, *[("f", {"x": n}) for n in range(9)]).status == "failed"


def test_bfcl_s_own_form() -> None:
    gold = {"bfcl": [{"f": {"x": [1, 2], "unit": ["", "mi"], "s": ["Oslo"]}}]}
    assert _judge(gold, ("f", {"x": 2, "s": "oslo"})).score == 1.0
    assert _judge(gold, ("f", {"x": 2, "s": "Oslo", "unit": "mi"})).score == 1.0
    assert _judge(gold, ("f", {"x": 3, "s": "Oslo"})).status == "failed"
    assert _judge(gold, ("f", {"s": "Oslo"})).status == "failed"
    assert _judge({"bfcl": [{"f": {"s": ["-5"]}}]}, ("f", {"s": "5"})).status == "failed"


@each_row(
    ("allowed", "given", "right"),
    [
        ({"s": ["New York, NY"]}, {"s": "new_york ny"}, True),
        ({"s": ["it's"]}, {"s": 'it"s'}, True),
        ({"s": ["New York"]}, {"s": "Newark"}, False),
        ({"s": ["5.0"]}, {"s": "50"}, False),
        ({"s": ["1,000"]}, {"s": "1000"}, True),
        ({"s": [""]}, {}, True),
        ({"s": [""]}, {"s": ""}, True),
        ({"s": [""]}, {"s": "x"}, False),
        ({"any": [{"a": [1], "b": ["", 2]}]}, {"any": {"a": 1}}, True),
        ({"any": [{"a": [1], "b": ["", 2]}]}, {"any": {"a": 1, "b": 2}}, True),
        ({"any": [{"a": [1], "b": ["", 2]}]}, {"any": {"a": 1, "b": 3}}, False),
        ({"any": [{"a": [1], "b": ["", 2]}]}, {"any": {"b": 2}}, False),
        ({"any": [{"a": [1]}]}, {"any": {"a": 1, "c": 1}}, False),
        ({"l": [["Oslo", "Rome"]]}, {"l": ["oslo", "rome"]}, True),
        ({"l": [["Oslo", "Rome"]]}, {"l": ["rome", "oslo"]}, False),
        ({"e": ["F", "fahrenheit"]}, {"e": "F"}, True),
        ({"e": ["F", "fahrenheit"]}, {"e": "celsius"}, False),
    ],
)
def test_values_of_a_bfcl_gold(allowed: dict[str, Any], given: dict[str, Any], right: bool) -> None:
    assert (_judge({"bfcl": [{"f": allowed}]}, ("f", given)).status == "passed") is right


def test_bfcl_golds_outside_an_enum_and_left_out_are_no_mistake_of_the_test() -> None:
    gold = {"bfcl": [{"f": {"e": ["F"], "x": [""]}}]}
    test = TestCase("suite", "d", 1, "t", "p", gold, "tool_call", Location("t.json"), tools=tuple(TOOLS.values()))
    assert list(ToolCallEvaluator().check(test, CONFIG, None)) == []


def test_values_may_be_written_in_the_language_of_the_test() -> None:
    gold = {"bfcl": [{"f": {"any": [[1, 2]], "x": [5]}}]}
    call = ("f", {"any": "new int[]{1, 2}", "x": "5L"})
    assert _judge({**gold, "language": "java"}, call).score == 1.0
    assert _judge({**gold, "language": "javascript"}, call).status == "failed"
    assert _judge(gold, call).status == "failed"
    assert _judge({**gold, "language": "java"}, ("f", {"any": "new int[]{1, 3}", "x": "5L"})).status == "failed"


@each_row(
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
        ({"tool": "f", "extra_reads": 1}, "'extra_reads' is true or false"),
        ({"tool": "f", "language": "cobol"}, "one of java, javascript"),
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


def test_a_failed_attempt_before_a_wrong_call_is_an_extra() -> None:
    turns = [[_entry("1", "f", x=9, y=9)], [_entry("2", "f", x=1, y=9)]]
    wrong = _judge_transcript({"tool": "f", "args": {"x": 1, "y": 2}}, turns, errors={"1": "busy"})
    assert (part(wrong, Calls).extra_calls, part(wrong, Calls).retried) == (1, ())


def test_right_arguments_of_a_call_that_failed_are_worth_half() -> None:
    failed = _judge_transcript({"tool": "f", "args": {"x": 1}}, [[_entry("1", "f", x=1)]], errors={"1": "busy"})
    assert (part(failed, Calls).argument_share, failed.score) == (0.5, 0.45)


def _judge_answer(answer: int, calls: list[tuple[str, dict[str, int]]], **config: float) -> EvaluationResult:
    """Calls and a final text that says 42."""
    entries = [{"id": str(n), "name": name, "arguments": json.dumps(args)} for n, (name, args) in enumerate(calls)]
    transcript = [{"role": "assistant", "content": "", "tool_calls": entries}]
    expected = {"tool": "f", "args": {"x": 1}, "answer": answer}
    own = EvaluatorConfig("tool_call", "tool_call", "builtin", config=config)
    reading = EvaluatorConfig("two_pass", "two_pass", "builtin", uses_pass2=False)
    context = JudgeContext(own, lambda name: "", tools=TOOLS, configs={"two_pass": reading})
    sample = EvaluationSample(expected=expected, transcript=transcript, response="Answer: 42")
    return ToolCallEvaluator().evaluate(sample, context)


def test_right_calls_with_a_wrong_answer_do_not_pass_whatever_the_weight() -> None:
    assert _judge_answer(42, [("f", {"x": 1})], answer_weight=0.1).score == 1.0
    wrong = _judge_answer(41, [("f", {"x": 1})], answer_weight=0.1)
    assert (wrong.score, wrong.why) == (0.6, "expected 41, got 42")
    assert _judge_answer(42, [("f", {"x": 2})], answer_weight=0.9).score == 0.6


def test_the_answer_counts_by_its_weight() -> None:
    calls: list[tuple[str, dict[str, int]]] = [("f", {"x": 1}), ("h", {})]
    assert _judge_answer(42, calls, answer_weight=0.25, extra_call_penalty=0.2).score == pytest.approx(0.85)


CLAIMING = {"f": replace(TOOLS["f"], claims=r"\bI(?:'ve| have) sent\b")}


@each_row(
    ("response", "called", "passes"),
    [
        ("I have sent it.", True, True),
        ("I have sent it.", False, False),
        ("I have not sent it.", False, True),
        ("Have I sent it? No.", False, True),
        ("It is 5.", False, True),
    ],
)
def test_a_text_may_not_claim_a_call_that_was_not_made(response: str, called: bool, passes: bool) -> None:
    result = _judge_text({"calls": [{"name": "f", "args": {}, "optional": True}]}, response, called=called)
    assert (result.score == 1.0) == passes
    assert passes or "I have sent" in result.why


def test_a_call_whose_result_was_an_error_is_no_base_for_a_claim() -> None:
    result = _judge_text({"tools": ["f"], "max_extra_calls": 2}, "I have sent it.", called=True, error=True)
    assert any("was not called with success" in str(found) for found in result.parts)


@each_row(
    ("text", "response", "passes"),
    [
        ({"says": [r"\bon\b"]}, "The light is on.", True),
        ({"says": [r"\bon\b"]}, "The light is not on.", False),
        ({"says": [{"pattern": r"\bon\b", "as_written": True}]}, "The light is not on.", True),
        ({"never": [{"pattern": "68 °C", "what": "the wrong unit"}]}, "It is set to 68 °C.", False),
        ({"never": ["68 °C"]}, "It is set to 20 °C.", True),
        ({"asks": "date|when"}, "When do you want to fly?", True),
        ({"asks": "date|when"}, "Please tell me the date.", True),
        ({"asks": "date|when"}, "I need to know:\n- the date\n- the airport", True),
        ({"asks": "date|when"}, "The date is missing.", False),
        ({"asks": "date|when"}, "Anything else?", False),
    ],
)
def test_what_the_final_text_must_say(text: dict[str, Any], response: str, passes: bool) -> None:
    result = _judge_text({"no_call": True, "text": text}, response, called=False)
    assert (result.score == 1.0) == passes, result.why
    assert passes or (result.score <= 0.6 and "text" in result.why)


@each_row("text", [{}, [], {"say": ["a"]}, {"says": "a"}, {"says": ["("]}, {"asks": "("}, {"says": [{"x": 1}]}])
def test_demands_on_the_text_that_cannot_be_read_are_named(text: Any) -> None:
    test = TestCase("suite", "d", 1, "t", "p", {"no_call": True, "text": text}, "tool_call", Location("t.json"))
    found = list(ToolCallEvaluator().check(test, CONFIG, None))
    assert len(found) == 1
    assert "'text" in found[0]


def _judge_text(expected: Any, response: str, *, called: bool, error: bool = False) -> EvaluationResult:
    transcript: list[dict[str, Any]] = []
    if called:
        call = {"id": "c", "name": "f", "arguments": "{}"}
        transcript = [
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c", "content": "{}", "is_error": error},
        ]
    sample = EvaluationSample(expected=expected, response=response, transcript=transcript)
    return ToolCallEvaluator().evaluate(sample, JudgeContext(CONFIG, template=lambda name: name, tools=CLAIMING))


def test_the_right_calls_in_another_order_are_worth_less_than_any_other_fault() -> None:
    ordered = {"calls": [{"name": "f", "args": {"x": 1}}, {"name": "g", "args": {"x": 2}}], "order": "strict"}
    assert _judge(ordered, ("g", {"x": 2}), ("f", {"x": 1})).score == 0.54


def test_calls_beyond_the_most_that_are_compared_are_extra() -> None:
    assert part(_judge({"tool": "h"}, *[("h", {})] * 203), Calls).extra_calls == 202


def test_an_error_belongs_to_the_call_before_it_where_ids_come_again() -> None:
    call = {"role": "assistant", "tool_calls": [{"id": "0", "name": "h", "arguments": "{}"}]}
    fine: dict[str, Any] = {"role": "tool", "tool_call_id": "0", "content": "1"}
    made = made_calls(EvaluationSample(transcript=[call, fine, call, {**fine, "is_error": True}]), TOOLS)
    assert [one.fault for one in made] == [None, "its result was an error: 1"]


def test_items_of_a_list_ask_only_beside_a_question() -> None:
    wanted = read_final_text({"asks": "date"})
    assert list(text_faults(wanted, "Which of these?\n- the date", (), {})) == []
    assert len(list(text_faults(wanted, "I looked at this.\n- the date", (), {}))) == 1
