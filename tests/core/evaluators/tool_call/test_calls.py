"""The calls that a model made, and how well one fits an expectation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from modex.core.evaluators.tool_call.calls import Fit, MadeCall, as_literals, fit, made_calls
from modex.core.evaluators.tool_call.expectations import ExpectedCall
from modex.core.evaluators.tool_call.literals import Language
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import Location, ToolDefinition
from tests.rows import each_row

PARAMETERS = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "u": {"type": "string", "default": "C", "enum": ["C", "F"]}},
    "required": ["a"],
}
TOOL = ToolDefinition("f", "f", "", PARAMETERS, Location("f.json"))


@each_row(
    ("expected", "args", "share", "wrong"),
    [
        (ExpectedCall("f"), {"x": 1}, 1.0, {}),
        (ExpectedCall("f", {}), {}, 1.0, {}),
        (ExpectedCall("f", {"a": 1}), {"a": 1}, 1.0, {}),
        (ExpectedCall("f", {"a": 1}), {"a": 2}, 0.0, {"a": "expected 1, got 2"}),
        (ExpectedCall("f", {"a": 1, "b": 2}), {"a": 1}, 0.5, {"b": "missing, expected 2"}),
        (ExpectedCall("f", {"a": 1}), {"a": 1, "x": 3}, 0.5, {"x": "not expected, got 3"}),
        (ExpectedCall("f", {"a": 1}, partial=True), {"a": 1, "x": 3}, 1.0, {}),
        (ExpectedCall("f", {"a": 1}), {"a": 1, "u": "C"}, 1.0, {}),
        (ExpectedCall("f", {"a": 1}), {"a": 1, "u": "F"}, 0.5, {"u": "not expected, got 'F'"}),
        (ExpectedCall("f", {"a": 1, "u": "C"}), {"a": 1}, 1.0, {}),
        (ExpectedCall("f", {"a": 1, "u": "F"}), {"a": 1}, 0.5, {"u": "missing, expected 'F'"}),
        (ExpectedCall("f", {"a": 1, "b": 2}, omittable=frozenset({"b"})), {"a": 1}, 1.0, {}),
        (ExpectedCall("f", {}, partial=True, values=("oslo", 5)), {"x": " Oslo ", "y": ["5"]}, 1.0, {}),
        (ExpectedCall("f", {}, partial=True, values=(True,)), {"x": True}, 1.0, {}),
        (
            ExpectedCall("f", {"a": 1}, partial=True, values=("x",)),
            {"a": 1, "y": "z"},
            0.5,
            {"'x'": "is not among the arguments"},
        ),
        (ExpectedCall("f", {"s": "x" * 300}), {}, 0.0, {"s": "missing, expected '" + "x" * 199 + "…"}),
        (ExpectedCall("f", {"s": "x" * 198}), {}, 0.0, {"s": f"missing, expected '{'x' * 198}'"}),
        (ExpectedCall("f", {"s": "x" * 199}), {}, 0.0, {"s": f"missing, expected '{'x' * 199}…"}),
        (
            ExpectedCall("f", {}, partial=True, values=("none",)),
            {"x": None},
            0.0,
            {"'none'": "is not among the arguments"},
        ),
        (
            ExpectedCall("f", {}, partial=True, values=(None,)),
            {"x": "none"},
            0.0,
            {"None": "is not among the arguments"},
        ),
        (ExpectedCall("f", {}, partial=True, values=(None,)), {"x": [1, None]}, 1.0, {}),
    ],
)
def test_the_share_of_right_arguments(
    expected: ExpectedCall, args: dict[str, Any], share: float, wrong: dict[str, str]
) -> None:
    assert fit(expected, MadeCall("f", args, ""), TOOL) == Fit(share, wrong)


def test_wrong_arguments_are_told_by_name() -> None:
    found = fit(ExpectedCall("f", dict.fromkeys("zaybxc", 1)), MadeCall("f", {}, ""), replace(TOOL, parameters={}))
    assert found is not None
    assert list(found.wrong) == sorted("zaybxc")


def test_another_tool_does_not_fit_and_a_fault_halves_at_least() -> None:
    assert fit(ExpectedCall("g", {}), MadeCall("f", {}, ""), None) is None
    faulty = MadeCall("f", {"a": 1}, "", "broken")
    assert fit(ExpectedCall("f"), faulty, None) == Fit(0.0, {"": "broken"})
    assert fit(ExpectedCall("f", {"a": 1}), faulty, None) == Fit(0.5, {"": "broken"})
    assert fit(ExpectedCall("f", {"a": 1, "b": 1, "c": 1, "d": 1}), faulty, None) == Fit(
        0.25, {"": "broken", **dict.fromkeys("bcd", "missing, expected 1")}
    )
    assert Fit(1.0).full
    assert not Fit(0.5, {"a": "x"}).full


@each_row(
    ("wanted", "made", "language", "right"),
    [
        (5, "5L", "java", True),
        (5, "5L", "javascript", False),
        (5, "5L", None, False),
        (5, "5", None, False),
        ([1, 2], "new int[]{1, 2}", "java", True),
        ("a", "'a'", "javascript", True),
        ("a\\n", '"a\\n"', "java", True),
        ("5L", 5, "java", True),
        ("null", None, "java", True),
        ("Oslo", "Oslo", "java", True),
        ("5", 5, "java", False),
        ({"$bfcl": "[1, 'A']"}, [1, "a"], "javascript", True),
    ],
)
def test_a_text_that_writes_a_value_in_the_language_stands_for_it(
    wanted: Any, made: Any, language: Language | None, right: bool
) -> None:
    found = fit(ExpectedCall("f", {"x": wanted}), MadeCall("f", {"x": made}, ""), None, language)
    assert found is not None
    assert found.full is right


def test_golds_are_read_as_values_where_they_show_the_language() -> None:
    given = {
        "x": ["5L", "Oslo", "null", 3],
        "optional": ["5L"],
        "y": {"$bfcl": "List.of('a')"},
        "z": {"$bfcl": "plain"},
    }
    assert as_literals(given, "java") == {
        "x": [5, "Oslo", None, 3],
        "optional": ["5L"],
        "y": [{"$bfcl": "a"}],
        "z": {"$bfcl": "plain"},
    }
    assert as_literals("a b (", "java") == "a b ("


def turn(*calls: tuple[str, Any]) -> dict[str, Any]:
    """A message of the model with calls, numbered from 0."""
    found = [{"id": str(number), "name": name, "arguments": args} for number, (name, args) in enumerate(calls)]
    return {"role": "assistant", "tool_calls": found}


def result(number: int, content: str, error: bool) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": str(number), "content": content, "is_error": error}


def made(*transcript: dict[str, Any], language: Language | None = None, values_by_gold: bool = False) -> list[MadeCall]:
    sample = EvaluationSample(transcript=list(transcript))
    return made_calls(sample, {"f": TOOL}, language, values_by_gold=values_by_gold)


def test_every_call_of_the_transcript_is_found_with_its_turn_and_fault() -> None:
    found = made(
        {"role": "user", "content": "x", "tool_calls": [{"id": "9", "name": "f", "arguments": "{}"}]},
        turn(("f", '{"a": 1}'), ("g", "{}"), ("f", {"a": "x"}), ("f", "{"), ("f", "")),
        result(0, "it   broke " + "y" * 200, True),
        result(1, "", True),
        {"role": "assistant", "content": "so"},
        result(2, "late", True),
        turn(("f", {"a": 2})),
        result(0, "fine", False),
    )
    assert [(one.name, one.args, one.turn) for one in found] == [
        ("f", {"a": 1}, 1),
        ("g", {}, 1),
        ("f", {"a": "x"}, 1),
        ("f", {}, 1),
        ("f", {}, 1),
        ("f", {"a": 2}, 6),
    ]
    assert [one.fault is None for one in found] == [False, False, False, False, False, True]
    assert (found[0].fault or "").startswith("its result was an error: it broke yyy")
    assert len(found[0].fault or "") == len("its result was an error: ") + 120
    assert found[1].fault == "unknown tool 'g'"
    assert (found[3].fault or "").startswith("the arguments are not JSON")
    assert "required" in (found[4].fault or "")
    assert [one.raw for one in found] == ['{"a": 1}', "{}", "", "{", "", ""]


def test_a_result_without_words_is_an_error_all_the_same() -> None:
    assert made(turn(("f", {"a": 1})), result(0, "", True))[0].fault == "its result was an error"


def test_a_literal_of_the_language_is_valid_where_the_schema_asks_for_its_value() -> None:
    assert made(turn(("f", {"a": "5L"})))[0].fault is not None
    assert made(turn(("f", {"a": "5L"})), language="java")[0].fault is None
    assert made(turn(("f", {"a": "5L"})), language="java")[0].args == {"a": "5L"}
    assert made(turn(("f", {"a": "x y"})), language="java")[0].fault is not None
    assert made(turn(("f", {"a": 1, "u": "'C'"})), language="java")[0].fault is not None


@each_row(
    ("args", "by_schema", "by_gold"),
    [
        ({"a": 1}, True, True),
        ({"a": 1, "u": "K"}, False, True),
        ({"a": 1, "u": 3}, False, True),
        ({"a": None}, False, True),
        ({"u": "C"}, False, False),
    ],
)
def test_which_values_are_right_may_be_left_to_the_gold_and_names_are_not(
    args: dict[str, Any], by_schema: bool, by_gold: bool
) -> None:
    assert (made(turn(("f", args)))[0].fault is None) is by_schema
    assert (made(turn(("f", args)), values_by_gold=True)[0].fault is None) is by_gold


@each_row(
    ("schema", "args", "valid"),
    [
        ({"properties": {"s": {"enum": ["5L"]}}}, {"s": "5L"}, True),
        ({"properties": {"s": {"type": "integer"}}}, {"s": "5L"}, True),
        ({"required": ["z"]}, {"s": "5L"}, False),
        ({"properties": {}, "additionalProperties": False}, {"s": "5L"}, False),
        ({"properties": {"s": True}, "required": ["z"]}, {"s": "5L"}, False),
    ],
)
def test_a_text_is_read_as_a_value_only_where_the_schema_refuses_the_text(
    schema: dict[str, Any], args: dict[str, Any], valid: bool
) -> None:
    found = made_calls(
        EvaluationSample(transcript=[turn(("f", args))]), {"f": replace(TOOL, parameters=schema)}, "java"
    )
    assert (found[0].fault is None) is valid


def test_a_name_that_the_schema_does_not_have_is_wrong_whoever_says_which_values_are_right() -> None:
    tools = {"f": replace(TOOL, parameters={"properties": {"a": {}}, "additionalProperties": False})}
    sample = EvaluationSample(transcript=[turn(("f", {"a": "x"}), ("f", {"b": 1}))])
    assert [one.fault is None for one in made_calls(sample, tools, values_by_gold=True)] == [True, False]


def test_enums_bind_unless_they_are_left_to_the_gold_and_no_arguments_are_none() -> None:
    sample = EvaluationSample(transcript=[turn(("f", {"a": 1, "u": "K"}), ("f", None))])
    wrong, bare = made_calls(sample, {"f": TOOL})
    assert wrong.fault is not None
    assert (bare.args, bare.raw) == ({}, "")


def test_a_call_is_shown_with_its_arguments_or_what_was_written() -> None:
    assert MadeCall("f", {"a": 1}, "{").part().args == {"a": 1}
    assert MadeCall("f", {}, "x" * 3000, "no").part().args == "x" * 2000
    assert MadeCall("f", {}, "").part().args == {}
    assert MadeCall("f", {}, "", "no").part().fault == "no"
    assert MadeCall("f", {}, "").part().fault == ""
    assert MadeCall("f", {}, "").turn == 0
