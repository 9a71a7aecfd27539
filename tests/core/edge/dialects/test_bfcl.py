"""BFCL's shape: 120 tests over every single-turn category; gold calls in any order pass, a wrong, missing or extra one fails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from modex.core.edge.dialects import bfcl
from modex.core.edge.dialects.bfcl import read_file
from modex.core.evaluators.base import JudgeContext
from modex.core.evaluators.registry import find_config, get_evaluator
from modex.core.pipeline.assembly import problems_of
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import Suite, TestCase
from tests.cli import call
from tests.rows import each_row

FIXTURE = Path(__file__).parents[3] / "fixtures" / "bfcl"
Call = tuple[str, dict[str, Any]]


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    out = tmp_path_factory.mktemp("bfcl") / "out"
    called = call("import", "bfcl", FIXTURE, out)
    assert (called.code, called.err.count("left out")) == (0, 0), called.err
    suite, problems = problems_of(str(out))
    assert problems == []
    return suite


def passes(test: TestCase, calls: list[Call]) -> bool:
    made = [
        {"id": f"c{number}", "name": name, "arguments": json.dumps(arguments)}
        for number, (name, arguments) in enumerate(calls)
    ]
    config = find_config("tool_call", {})
    assert config is not None
    transcript: list[dict[str, Any]] = [{"role": "assistant", "content": "", "phase": "pass1", "iteration": 1}]
    if made:
        transcript[0]["tool_calls"] = made
    sample = EvaluationSample(test_id=test.test_id, expected=test.expected, response="", transcript=transcript)
    context = JudgeContext(config, lambda name: "", tools={tool.name: tool for tool in test.tools})
    return get_evaluator(config).evaluate(sample, context).status == "passed"


def plain(value: Any) -> Any:
    """A gold value with the first choice of each nested key; what may be left out is, where nothing else is allowed."""
    if not isinstance(value, dict):
        return value
    return {
        key: plain(next(item for item in allowed if item != "")) for key, allowed in value.items() if allowed != [""]
    }


def golds(test: TestCase, *, optional: bool) -> list[Call]:
    """The gold calls, with or without the arguments (and nested keys) that may be left out."""
    found: list[Call] = []
    for entry in test.expected["bfcl"]:
        ((name, arguments),) = entry.items()
        given: dict[str, Any] = {}
        for key, allowed in arguments.items():
            choices = [item for item in allowed if item not in ("", None)]
            if not choices or ("" in allowed and not optional):
                continue
            value = plain(choices[0])
            if isinstance(choices[0], dict) and not optional:
                value = {inner: item for inner, item in value.items() if "" not in choices[0][inner]}
            given[key] = value
        found.append((name.replace(".", "_"), given))
    return found


def with_gold(suite: Suite) -> Iterator[TestCase]:
    return (test for test in suite.tests if "bfcl" in test.expected)


def other(value: Any) -> Any:
    """A value of the same type that no gold allows."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1000
    if isinstance(value, str):
        return f"{value} somewhere else"
    if isinstance(value, list):
        return value[:-1] if value else [1]
    return {**value, next(iter(value)): other(next(iter(value.values())))}


def test_every_row_of_every_category_is_a_test(suite: Suite) -> None:
    assert len(suite.tests) == 120
    assert len(suite.domains) == 13
    assert not [test.test_id for test in suite.tests if test.invalid]


def test_gold_calls_pass_in_any_order_with_and_without_what_may_be_left_out(suite: Suite) -> None:
    failed = []
    for test in with_gold(suite):
        for optional in (True, False):
            calls = golds(test, optional=optional)
            for order in (calls, calls[::-1]):
                if not passes(test, order):
                    failed.append((test.test_id, order))
    assert failed == []


def test_one_wrong_argument_fails(suite: Suite) -> None:
    passed = []
    for test in with_gold(suite):
        calls = golds(test, optional=True)
        for number, (_, arguments) in enumerate(calls):
            for name in arguments:
                wrong = deepcopy(calls)
                wrong[number][1][name] = other(wrong[number][1][name])
                if passes(test, wrong):
                    passed.append((test.test_id, name, wrong[number][1][name]))
    assert passed == []


def test_one_missing_argument_or_call_fails(suite: Suite) -> None:
    passed = []
    for test in with_gold(suite):
        calls = golds(test, optional=False)
        passed += [
            (test.test_id, "call", number)
            for number in range(len(calls))
            if passes(test, calls[:number] + calls[number + 1 :])
        ]
        for number, (_, arguments) in enumerate(calls):
            for name in arguments:
                missing = deepcopy(calls)
                del missing[number][1][name]
                if passes(test, missing):
                    passed.append((test.test_id, name, number))
    assert passed == []


def test_one_extra_call_or_argument_fails(suite: Suite) -> None:
    passed = []
    for test in with_gold(suite):
        calls = golds(test, optional=True)
        extra = deepcopy(calls)
        extra[0][1]["surprise"] = 1
        passed += [test.test_id for wrong in ([*calls, calls[0]], extra) if passes(test, wrong)]
    assert passed == []


def test_another_function_fails(suite: Suite) -> None:
    passed = [
        test.test_id
        for test in with_gold(suite)
        for name in {tool.name for tool in test.tools} - {golds(test, optional=True)[0][0]}
        if passes(test, [(name, golds(test, optional=True)[0][1]), *golds(test, optional=True)[1:]])
    ]
    assert passed == []


def test_irrelevance_wants_no_call_and_relevance_any(suite: Suite) -> None:
    wanted = {test.test_id: test for test in suite.tests if "bfcl" not in test.expected}
    assert len(wanted) == 18
    for name, test in wanted.items():
        tool = test.tools[0]
        if "irrelevance" in name:
            assert (passes(test, []), passes(test, [(tool.name, {})])) == (True, False)
        else:
            calls: list[Call] = [(tool.name, {"city": "Oslo"})]
            assert (passes(test, calls), passes(test, []), passes(test, [(tool.name, {"town": 3})])) == (
                True,
                False,
                False,
            )


@pytest.mark.parametrize(
    ("domain", "argument", "literal"),
    [
        ("java", "sizes", "new ArrayList<>(Arrays.asList({0}, {1}))"),
        ("java", "limit", "{2}L"),
        ("javascript", "items", "['a', 'b{0}']"),
        ("javascript", "options", "{{deep: true, depth: {0}}}"),
    ],
)
def test_java_and_javascript_values_written_as_such_are_read(
    suite: Suite, domain: str, argument: str, literal: str
) -> None:
    for index, test in enumerate(one for one in suite.tests if one.domain == domain):
        calls = golds(test, optional=True)
        calls[0][1][argument] = literal.format(index, index + 1, 1000 + index)
        assert passes(test, calls), (test.test_id, calls)
        calls[0][1][argument] = literal.format(index + 7, index + 9, 5)
        assert not passes(test, calls), (test.test_id, calls)


def test_golds_written_as_calls_and_rows_that_are_none(tmp_path: Path) -> None:
    rows = [
        {"id": "e0", "question": [[{"role": "user", "content": "q"}]], "function": {"name": "f.g", "parameters": {}},
         "ground_truth": ["f.g(a=1, b=(2, 3), c={'k': 'v'})"]},
        {"id": "e1", "question": "q", "function": [{"name": "f"}], "ground_truth": ["f(1)"]},
        {"id": "e2", "question": [[{"content": "a"}], [{"content": "b"}]], "function": [{"name": "f"}]},
        {"id": "e3", "question": "q", "function": []},
    ]  # fmt: skip
    path = tmp_path / "BFCL_v3_exec_simple.json"
    path.write_text("\n".join(map(json.dumps, rows)) + "\nnot json\n")
    brought = read_file(path)
    assert [test["expected"] for _, test in brought.tests] == [
        {"calls": [{"name": "f_g", "args": {"a": 1, "b": [2, 3], "c": {"k": "v"}}}]}
    ]
    assert len(brought.left_out) == 4
    several = tmp_path / "BFCL_v3_multi_turn_base.json"
    several.write_text("{}\n")
    assert "--run-code" in read_file(several).left_out[0]


def test_openai_evals_rows_are_a_dataset(tmp_path: Path) -> None:
    path = tmp_path / "evals.jsonl"
    rows = [
        {
            "input": [{"role": "system", "content": "Only the number."}, {"role": "user", "content": "1+1?"}],
            "ideal": "2",
        },
        {"input": [{"role": "user", "content": "2+1?"}], "ideal": ["3", "three"]},
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    listed = call("tests", "--dataset", path, "--evaluator", "match", "--json")
    assert [row["evaluator"] for row in listed.data] == ["match", "match"]
    assert not [row["mistake"] for row in listed.data if row["mistake"]]


@each_row(
    ("given", "said"),
    [
        (
            {"type": "dict", "properties": {"a": {"type": "Float"}}},
            {"type": "object", "properties": {"a": {"type": "number"}}},
        ),
        ({"type": "unheard"}, {}),
        ({"type": ["string"]}, {"type": ["string"]}),
        ({"required": ["a"]}, {"required": ["a"]}),
        ({"required": True}, {}),
        ({"default": 0, "optional": True, "format": "x", "nullable": True}, {"default": 0}),
        ({"default": None}, {}),
        ({"items": {"type": "integer", "optional": True}}, {"items": {"type": "integer"}}),
        ({"anyOf": [{"type": "String"}, 3]}, {"anyOf": [{"type": "string"}, 3]}),
        ({"description": {"type": "dict"}}, {"description": {"type": "dict"}}),
        ({"properties": 3}, {"properties": 3}),
    ],
)
def test_a_schema_is_said_in_json_schemas_own_words(given: dict[str, Any], said: dict[str, Any]) -> None:
    assert bfcl._schema(given) == said


@each_row(
    ("question", "prompt"),
    [
        ("q", "q"),
        ([{"role": "user", "content": "q"}], "q"),
        ([[{"role": "user", "content": 3}]], "3"),
        ([{"content": "q"}], "q"),
        ([{"role": "system", "content": "s"}], [{"role": "system", "content": "s"}]),
        ([{"role": "system", "content": "s"}, {"content": "q"}],
         [{"role": "system", "content": "s"}, {"role": "user", "content": "q"}]),
        ([[{"content": "q"}], [{"content": "r"}]], "the question has several turns"),
        ([{"content": "q"}, {"role": "user"}], "no question"),
        ([{"content": "q"}, "r"], "no question"),
        (3, "no question"),
    ],
)  # fmt: skip
def test_a_question_of_one_turn_is_a_text(question: Any, prompt: Any) -> None:
    if prompt in ("no question", "the question has several turns"):
        with pytest.raises(ValueError, match=prompt):
            bfcl._prompt(question)
    else:
        assert bfcl._prompt(question) == prompt


@each_row(
    ("text", "call"),
    [
        ("f(a=1, b=(1, {2}))", {"name": "f", "args": {"a": 1, "b": [1, [2]]}}),
        (" m.f(a={1: 'x'}) ", {"name": "m_f", "args": {"a": {"1": "x"}}}),
        ("f()", {"name": "f", "args": {}}),
        ("f(1)", None), ("f(a=b)", None), ("f", None), ("f(", None),
    ],
)  # fmt: skip
def test_a_gold_written_as_a_call_has_named_arguments(text: str, call: dict[str, Any] | None) -> None:
    if call is None:
        with pytest.raises(ValueError, match="is no call with named arguments"):
            bfcl._written(text)
    else:
        assert bfcl._written(text) == call


@each_row(
    ("gold", "category", "expected"),
    [
        (None, "irrelevance", {"no_call": True}), (None, "live_irrelevance", {"no_call": True}),
        (None, "relevance", {"any_call": True}),
        (["f(a=1)"], "exec_simple", {"calls": [{"name": "f", "args": {"a": 1}}]}), ([{"f": {}}], "simple", {"bfcl": [{"f": {}}]}),
        ([{"f": {}}, "f()"], "simple", {"bfcl": [{"f": {}}, "f()"]}), ([], "simple", None), ({"f": {}}, "simple", None),
    ],
)  # fmt: skip
def test_a_gold_is_calls_or_none_or_any(gold: Any, category: str, expected: dict[str, Any] | None) -> None:
    if expected is None:
        with pytest.raises(ValueError, match="no possible answer"):
            bfcl._expected(gold, category, None)
    else:
        assert bfcl._expected(gold, category, None) == expected
        told = bfcl._expected(gold, category, "java")
        assert told == ({**expected, "language": "java"} if "bfcl" in expected else expected)


def test_a_row_is_a_test_where_it_lists_functions() -> None:
    row = {"id": 3, "question": "q", "function": {"name": "a.b", "description": None, "parameters": {"type": "dict"}}}
    (tool,) = bfcl._test(row, [{"a.b": {}}], "simple_javascript")["tools"]
    assert tool == {
        "id": "a_b", "function": {"name": "a_b", "description": "", "parameters": {"type": "object", "properties": {}}},
        "response": {"status": "ok"},
    }  # fmt: skip
    test = bfcl._test({**row, "ground_truth": [{"a.b": {}}]}, None, "simple_java")
    assert (test["id"], test["expected"], test["evaluator_id"]) == (
        "3",
        {"bfcl": [{"a.b": {}}], "language": "java"},
        "tool_call",
    )
    for functions in (None, ["f"], [{"description": "x"}], "f"):
        with pytest.raises(ValueError, match="no list of functions"):
            bfcl._test({**row, "function": functions}, [{"f": {}}], "simple")
    long = bfcl.as_tool({"name": "x" * 65})
    assert long["id"] == "x" * 64
