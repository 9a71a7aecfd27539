"""What is named and not here: tools that are offered or needed, evaluators that nobody defines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modex.core.config.runconfig import Selection
from modex.core.foundation.errors import SuiteError
from modex.core.suite.definitions import Suite
from modex.core.suite.plan import SelectedTests
from tests.core.suite.conftest import case

Load = Callable[[dict[str, Any]], Suite]
A = "test_definitions/d/level_1/a.json"
_CALLS: dict[str, Any] = {"evaluator_id": "tool_call", "tool_ids": ["far", "near"]}
_NEAR = {"tool_mocks/near.json": {"name": "near", "response": 1}}


def test_an_offered_tool_that_no_gold_needs_is_left_out_with_a_flag(load: Load) -> None:
    suite = load({A: case(**_CALLS, expected={"calls": [{"name": "near"}]}), **_NEAR})
    (test,) = suite.tests
    assert (test.invalid, test.tool_ids, [tool.id for tool in test.tools]) == (None, ("near",), ["near"])
    assert test.metadata == {"tools_left_out": ["far"]}
    assert (suite.problems, suite.lacks) == ([], [])
    assert any("offered without far: " in note.message and note.path == A for note in suite.notes)


@pytest.mark.parametrize(
    "expected",
    [{"calls": [{"name": "far"}]}, {"tools": ["near", "far"]}, {"bfcl": [{"far": {"a": [1]}}]}],
)
def test_a_missing_tool_that_the_gold_names_skips_the_test_with_its_line(load: Load, expected: Any) -> None:
    suite = load({A: case(**_CALLS, expected=expected), "test_definitions/d/level_1/b.json": case("b"), **_NEAR})
    first, second = suite.tests
    assert "the expected value needs the tool 'far': " in (first.invalid or "")
    assert f"{A}:" in (first.invalid or "")
    assert (second.invalid, suite.problems, len(suite.lacks)) == (None, [], 1)
    assert suite.lacks[0].line > 1


def test_a_domains_missing_tool_ends_only_the_tests_that_need_it(load: Load) -> None:
    needs = case("a", evaluator_id="tool_call", expected={"tools": ["far"]})
    suite = load({
        "test_definitions/d/domain.json": {"id": "d", "tool_ids": ["far"]},
        A: needs,
        "test_definitions/d/level_1/b.json": case("b"),
        "test_definitions/d/level_2/level.json": {"tool_ids": []},
        "test_definitions/d/level_2/c.json": case("c"),
    })  # fmt: skip
    first, second, third = suite.tests
    assert first.invalid is not None
    assert (second.invalid, second.metadata) == (None, {"tools_left_out": ["far"]})
    assert (third.invalid, third.metadata) == (None, {})


def test_lists_that_add_up_keep_what_is_missing_above(load: Load) -> None:
    suite = load({
        "test_definitions/suite.json": {"tool_ids_mode": "append"},
        "test_definitions/d/domain.json": {"id": "d", "tool_ids": ["far"]},
        A: case(tool_ids=["further"]),
    })  # fmt: skip
    assert suite.tests[0].metadata == {"tools_left_out": ["far", "further"]}


def test_a_tool_of_the_tests_own_takes_the_place_of_a_missing_one(load: Load) -> None:
    own = [{"name": "far", "response": 1}]
    suite = load({A: case(tool_ids=["far"], tools=own, evaluator_id="tool_call", expected={"tools": ["far"]})})
    assert (suite.tests[0].invalid, suite.tests[0].metadata) == (None, {})


def test_a_tool_that_a_layer_names_again_is_offered_once(load: Load) -> None:
    suite = load({
        "test_definitions/suite.json": {"tool_ids_mode": "append"},
        "test_definitions/d/domain.json": {"id": "d", "tool_ids": ["near"]},
        "test_definitions/d/level_1/level.json": {"tool_ids": ["near", "third"]},
        A: case(tool_ids=["further", "near"]),
        "tool_mocks/more.json": [{"name": name, "response": 1} for name in ("third", "further")],
        **_NEAR,
    })  # fmt: skip
    (test,) = suite.tests
    assert test.tool_ids == ("near", "third", "further")
    assert tuple(tool.id for tool in test.tools) == test.tool_ids


def test_an_evaluator_that_nobody_defines_skips_its_tests_and_a_typo_is_a_mistake(load: Load) -> None:
    suite = load({
        "test_definitions/d/domain.json": {"id": "d", "evaluator_id": "of_nobody"},
        A: {"id": "a", "prompt": "q", "expected": 1},
        "test_definitions/d/level_1/b.json": case("b"),
        "test_definitions/d/level_1/c.json": case("c", evaluator_id="mach"),
    })  # fmt: skip
    first, second, third = suite.tests
    assert "there is no evaluator 'of_nobody'" in (first.invalid or "")
    assert second.invalid is None
    assert "did you mean 'match'?" in (third.invalid or "")
    assert [problem.path for problem in suite.lacks] == ["test_definitions/d/domain.json"]
    assert [problem.path for problem in suite.problems] == ["test_definitions/d/level_1/c.json"]


def test_a_user_whose_tool_is_missing_ends_its_test(load: Load) -> None:
    user = {"goal": "a", "tool_ids": ["far"]}
    suite = load({A: case(rollout="conversation", simulated_user=user)})
    assert "there is no tool 'far'" in (suite.tests[0].invalid or "")
    assert (suite.problems, len(suite.lacks)) == ([], 1)


def test_a_lack_skips_and_strict_refuses_it(load: Load) -> None:
    suite = load({A: case("a", evaluator_id="of_nobody"), "test_definitions/d/level_1/b.json": case("b")})
    selected = SelectedTests(suite, Selection(suite="here"))
    assert selected.check() == 2
    assert [(test.test_id, bool(why)) for test, why in selected.skips] == [("a", True)]
    assert (selected.problems, selected.lacks) == ([], suite.lacks)
    with pytest.raises(SuiteError) as refused:
        SelectedTests(suite, Selection(suite="here", strict=True)).check()
    assert refused.value.problems == suite.lacks


def test_mistakes_in_another_systems_suite_skip_the_tests_only(load: Load) -> None:
    files: dict[str, Any] = {
        "test_definitions/suite.json": {"dialect": "evonic"},
        A: case("a", prompt=3),
        "test_definitions/d/level_1/b.json": case("b"),
    }
    suite = load(files)
    selected = SelectedTests(suite, Selection(suite="here"))
    assert selected.check() == 2
    assert ([test.test_id for test, _ in selected.skips], selected.problems) == (["a"], [])
    assert selected.lacks == suite.problems != []
    files["test_definitions/suite.json"] = {"dialect": "modex"}
    with pytest.raises(SuiteError):
        SelectedTests(load(files), Selection(suite="here")).check()
