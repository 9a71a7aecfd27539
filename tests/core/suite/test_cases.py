"""One test's file: what it takes from its level and domain, what is wrong with it, and what it becomes then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_type_hints

import pytest

from modex.core.store.columns import fits
from modex.core.store.definition import KEPT, given
from modex.core.suite.definitions import Suite, TestCase
from modex.core.suite.tables import DATASET, DOMAIN, GIVEN, GIVEN_ABOVE, LEVEL, TEST
from tests.core.suite.conftest import case

Load = Callable[[dict[str, Any]], Suite]
D = "test_definitions/d"
_TOOL = {"response": 1}


def _tests(load: Load, *cases: dict[str, Any], **files: Any) -> tuple[Suite, list[TestCase]]:
    """Tests of one level, in the order of their files."""
    named = {f"{D}/level_2/t{number}.json": one for number, one in enumerate(cases)}
    suite = load({
        **named, "tool_mocks/x.json": {"name": "x", **_TOOL}, "tool_mocks/y.json": {"name": "y", **_TOOL},
        "tool_mocks/z.json": {"id": "z", "name": "x", **_TOOL},
        **{f"{name}.json": one for name, one in files.items()},
    })  # fmt: skip
    return suite, sorted(suite.tests, key=lambda test: test.location.path)


_WRONG: list[tuple[dict[str, Any], str]] = [
    (
        {"id": "w0", "prompt": "q", "expected": 1, "evaluator_id": "two_pas"},
        "there is no evaluator 'two_pas'; did you mean 'two_pass'?",
    ),
    (
        {"id": "w1", "prompt": "q", "expected": 1},
        "the test names no evaluator: set 'evaluator_id' here or in level.json or",
    ),
    (case("w2", tool_ids=[3]), "'tool_ids'"),
    (case("w3", tool_ids=["X"]), "there is no tool 'X'; did you mean 'x'?"),
    (case("w4", tools=["x"]), "a tool must be an object"),
    (case("w5", tool_ids=["x", "z"]), "two tools offered here are named 'x'; leave one out"),
    (case("w6", tool_ids=["x"], tools=[{"name": "x", **_TOOL}]), "two tools offered here are named 'x'"),
    (case("w7", domain="e"), "'domain' is 'e', but the file stands in the folder of 'd'"),
    (case("w8", level=3), "'level' is 3, but the file stands in level_2"),
    (case("level_3", system_prompt="s"), "'level_3' is the name of a layer in prompts/"),
    (case("domain", system_prompt="s"), "'domain' is the name of a layer in prompts/"),
    (case("a b"), "'id'"),
    (case("w12", files=["gone.png"]), "'files': "),
    (case("w13", file_name="gone.png"), "'file_name': "),
]


def test_each_mistake_is_named_and_leaves_a_test_that_cannot_run(load: Load) -> None:
    suite, tests = _tests(load, *(wrong for wrong, _ in _WRONG))
    said = {
        path: [one.message for one in suite.problems if one.path == path]
        for path in {one.path for one in suite.problems}
    }
    missing = [
        (part, said.get(f"{D}/level_2/t{number}.json"))
        for number, (_, part) in enumerate(_WRONG)
        if not any(part in message for message in said.get(f"{D}/level_2/t{number}.json", ()))
    ]
    assert missing == []
    assert all(test.invalid for test in tests)
    assert len(tests) == len(_WRONG)
    by_path = {test.location.path.rpartition("/")[2]: test for test in tests}
    assert (by_path["t11.json"].test_id, by_path["t0.json"].test_id) == ("t11.json", "w0")
    first = by_path["t0.json"]
    assert (first.prompt, first.expected, first.evaluator_id, first.level, first.source) == (
        "q",
        1,
        "two_pas",
        2,
        "suite",
    )


def test_an_id_that_is_there_already_names_the_first_place(load: Load) -> None:
    suite, tests = _tests(load, case("a"), case("a"))
    (problem,) = suite.problems
    assert f"test 'a' is defined already in {D}/level_2/t0.json; give another id" in problem.message
    assert [(test.test_id, test.invalid is None) for test in tests] == [("a", True), ("t1.json", False)]


def test_an_id_may_stand_in_another_level_too(load: Load) -> None:
    assert load({f"{D}/level_1/a.json": case("a"), f"{D}/level_2/a.json": case("a")}).problems == []


@pytest.mark.parametrize(
    ("level", "given", "tools"),
    [
        (["x"], None, ["x"]),
        (["x"], ["y"], ["y"]),
        (["x"], [], []),
        (None, ["x", "y"], ["x", "y"]),
    ],
)
def test_the_tools_of_a_test_stand_instead_of_its_levels(load: Load, level: Any, given: Any, tools: list[str]) -> None:
    more = {} if given is None else {"tool_ids": given}
    _, (test,) = _tests(load, case("a", **more), **{f"{D}/level_2/level": {"tool_ids": level} if level else {}})
    assert ([tool.id for tool in test.tools], list(test.tool_ids)) == (tools, tools)


def test_tools_are_added_to_those_of_the_layers_above_where_that_is_said(load: Load) -> None:
    _, (test, other) = _tests(
        load, case("a", tool_ids=["y", "x"], tool_ids_mode="append"), case("b", tools=[{"name": "own", **_TOOL}]),
        **{f"{D}/domain": {"tool_ids": ["x"]}},
    )  # fmt: skip
    assert (list(test.tool_ids), [tool.id for tool in test.tools]) == (["x", "y"], ["x", "y"])
    assert list(other.tool_ids) == ["x", "own"]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, {"weight": 3.0, "timeout_ms": 9, "max_iterations": 7, "rollout": "agentic", "name": "", "description": "",
              "cluster": None, "required": None, "invalid": None, "disabled_by": None, "metadata": {}, "written": True}),
        ({"weight": 2, "timeout_ms": 5, "max_iterations": 4, "rollout": "direct"},
         {"weight": 2, "timeout_ms": 5, "max_iterations": 4, "rollout": "direct"}),
        ({"name": "n", "description": "e", "cluster": "c"}, {"name": "n", "description": "e", "cluster": "c"}),
        ({"enabled": False}, {"disabled_by": "test"}),
        ({"enabled": True}, {"disabled_by": None}),
        ({"icon": "i", "metadata": {"k": 1}}, {"metadata": {"icon": "i", "k": 1}}),
        ({"$schema": "x"}, {"metadata": {}}),
        ({"tool_faults": {"x": ["timeout"]}, "tool_ids": ["x"]}, {"tool_faults": {"x": ["timeout"]}}),
        ({"domain": "d", "level": 2}, {"domain": "d", "level": 2, "invalid": None}),
        ({"files": 3}, {"metadata": {"files": 3}}),
    ],
)  # fmt: skip
def test_a_test_is_what_its_file_says_and_else_what_its_level_says(
    load: Load, fields: dict[str, Any], told: dict[str, Any]
) -> None:
    level = {"weight": 3, "timeout_ms": 9, "max_iterations": 7, "rollout": "agentic"}
    suite, (test,) = _tests(load, case("a", **fields), **{f"{D}/level_2/level": level})
    assert (suite.problems, {name: getattr(test, name) for name in told}) == ([], told)


def test_tries_of_which_some_must_pass_are_read(load: Load) -> None:
    _, (test,) = _tests(load, case("a", epochs={"pass": 2, "of": 3}))
    assert test.required is not None
    assert (test.required.passes, test.required.of) == (2, 3)


@pytest.mark.parametrize(("file", "by"), [("level_2/level", "test"), ("domain", "domain")])
def test_where_a_level_or_a_domain_is_switched_off_its_tests_say_so(load: Load, file: str, by: str) -> None:
    _, (test,) = _tests(load, case("a"), **{f"{D}/{file}": {"enabled": False}})
    assert test.disabled_by == by


def test_what_the_mocks_know_is_laid_over_by_domain_level_and_test(load: Load) -> None:
    level = {"tool_state": {"a": {"y": 2}, "c": 3}}
    _, (own, bare) = _tests(
        load, case("a", tool_state={"a": {"z": 3}}), case("b", name="", cluster="", timeout_ms=None),
        **{f"{D}/domain": {"tool_state": {"a": {"x": 1, "y": 1}}}, f"{D}/level_2/level": level},
    )  # fmt: skip
    assert own.tool_state == {"a": {"x": 1, "y": 2, "z": 3}, "c": 3}
    assert bare.tool_state == {"a": {"x": 1, "y": 2}, "c": 3}
    assert (bare.name, bare.cluster, bare.timeout_ms) == ("", None, None)


def test_a_field_that_is_given_is_a_key_of_the_files_that_may_give_it() -> None:
    for name, one in given(TestCase).items():
        files = {
            file: name in table.checks for file, table in (("domain", DOMAIN), ("level", LEVEL), ("dataset", DATASET))
        }
        assert name in TEST.checks, name
        assert {file for file in one.above if not files[file]} == set(), name
    assert set(KEPT) < set(GIVEN)
    assert {"description", "icon"}.isdisjoint(GIVEN_ABOVE)


def test_what_a_key_may_hold_its_field_may_hold() -> None:
    hints = get_type_hints(TestCase)
    examples: list[Any] = [
        "a",
        "direct",
        1,
        2.5,
        True,
        {},
        {"clock": ["error"]},
        [],
        ["a"],
        0,
        -1,
        "loud",
        {"clock": ["odd"]},
    ]
    for name in GIVEN:
        taken = [value for value in examples if TEST.checks[name](value) is None]
        assert taken, name
        assert [value for value in taken if not fits(hints[name])(value)] == [], name
