"""Evaluators of a suite: what is wrong with a file, what refers to what, and what a right one becomes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modex.core.suite.definitions import Suite
from tests.core.suite.conftest import case

Load = Callable[[dict[str, Any]], Suite]
D = "test_definitions"


def _suite(load: Load, *evaluators: dict[str, Any], used: str = "two_pass") -> Suite:
    return load({
        f"{D}/d/level_1/a.json": case(evaluator_id=used),
        **{f"{D}/evaluators/e{number:02}.json": one for number, one in enumerate(evaluators)},
    })  # fmt: skip


def _custom(identity: str = "own", **more: Any) -> dict[str, Any]:
    return {"id": identity, "type": "custom", "eval_prompt": "Is {{response}} right?", **more}


def _of(identity: str, *names: str) -> dict[str, Any]:
    return {"id": identity, "type": "hybrid", "config": {"evaluators": [{"evaluator": name} for name in names]}}


_WRONG: list[tuple[dict[str, Any], str]] = [
    ({"id": "w0", "type": "regex", "extraction_regex": "("}, "'extraction_regex' "),
    (_custom("w1", verdict_regex="("), "'verdict_regex' "),
    (
        _custom("w2", verdict_regex="a", config={"verdict_regex": "b"}),
        "'verdict_regex' is another one than 'config.verdict_regex'",
    ),
    (
        {"id": "two_pas", "type": "predefined"},
        "'two_pas' is no built-in evaluator; did you mean 'two_pass'? (name one in `id`",
    ),
    ({"id": "w4", "type": "predefined", "config": {"base": "unheard"}}, "'w4' is no built-in evaluator"),
]


def test_each_mistake_is_named_and_breaks_the_evaluator(load: Load) -> None:
    suite = _suite(load, *(wrong for wrong, _ in _WRONG))
    said = [
        [one.message for one in suite.problems if one.path == f"{D}/evaluators/e{n:02}.json"]
        for n in range(len(_WRONG))
    ]
    told = zip(said, _WRONG, strict=True)
    assert [(part, found) for found, (_, part) in told if not any(part in message for message in found)] == []
    assert suite.evaluators == {}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"id": "r", "type": "regex", "extraction_regex": "a", "name": "n", "uses_pass2": True, "description": "d"},
         {"id": "r", "name": "n", "type": "regex", "extraction_regex": "a", "uses_pass2": True, "config": {"description": "d"}}),
        (_custom(verdict_regex="a", config={"x": 1}), {"name": "own", "config": {"x": 1, "verdict_regex": "a"}}),
        (_custom(verdict_regex="a", config={"verdict_regex": "a"}), {"config": {"verdict_regex": "a"}}),
        (_custom(description="d", config={"description": "e"}), {"config": {"description": "e"}}),
        ({"id": "two_pass", "type": "predefined"}, {"id": "two_pass", "type": "predefined", "config": {}}),
        ({"id": "p", "type": "builtin", "config": {"base": "keyword"}}, {"id": "p", "config": {"base": "keyword"}}),
    ],
)  # fmt: skip
def test_a_right_file_is_an_evaluator(load: Load, given: dict[str, Any], told: dict[str, Any]) -> None:
    suite = _suite(load, given)
    (config,) = suite.evaluators.values()
    assert (suite.problems, {name: getattr(config, name) for name in told}) == ([], told)


def test_a_verdict_pattern_of_another_type_is_read_by_nobody_and_that_is_noted(load: Load) -> None:
    suite = _suite(load, {"id": "r", "type": "regex", "verdict_regex": "a"})
    assert (suite.evaluators["r"].config, suite.problems) == ({}, [])
    assert any("is read for custom and hybrid evaluators only" in note.message for note in suite.notes)


def test_an_id_that_is_there_already_names_the_first_place(load: Load) -> None:
    suite = _suite(load, _custom(config={"a": 1}), _custom(config={"a": 2}))
    (problem,) = suite.problems
    assert (problem.path, suite.evaluators["own"].config) == (f"{D}/evaluators/e01.json", {"a": 1})
    assert f"evaluator 'own' is defined already in {D}/evaluators/e00.json" in problem.message


@pytest.mark.parametrize(
    ("evaluators", "problems"),
    [
        ([_of("a", "b"), _of("b", "two_pass")], []),
        ([_of("a", "two_pas")], ["there is no evaluator 'two_pas'"]),
        ([_of("a", "a")], ["evaluators refer to each other in a circle: a → a"]),
        ([_of("a", "b"), _of("b", "c"), _of("c", "a")], ["evaluators refer to each other in a circle: a → b → c → a"]),
        ([_of("x", "a"), _of("a", "b"), _of("b", "a")], ["evaluators refer to each other in a circle: a → b → a"]),
    ],
)  # fmt: skip
def test_references_lead_to_evaluators_and_never_in_a_circle(
    load: Load, evaluators: list[dict[str, Any]], problems: list[str]
) -> None:
    suite = _suite(load, *evaluators, used=evaluators[0]["id"])
    assert [problem.message.partition("; ")[0] for problem in suite.problems] == problems
    (test,) = suite.tests
    assert (test.invalid is None) is (problems == [])


def test_a_test_says_why_its_evaluator_is_broken_even_by_what_that_refers_to(load: Load) -> None:
    suite = _suite(load, _of("a", "b"), {"id": "b", "type": "regex", "extraction_regex": "("}, used="a")
    (test,) = suite.tests
    assert test.invalid == f"evaluator 'b' has a mistake: {suite.problems[0]}"
    assert suite.problems[0].path == f"{D}/evaluators/e01.json"


def test_a_mistake_in_an_evaluator_does_not_take_those_of_its_file_with_it(load: Load) -> None:
    both = [
        {"id": "bad", "type": "regex", "extraction_regex": "("},
        {"id": "good", "type": "regex", "extraction_regex": "x"},
    ]
    tests = {f"{D}/d/level_1/{name}.json": case(name, evaluator_id=name, expected="x") for name in ("bad", "good")}
    suite = load({f"{D}/evaluators/both.json": both, **tests})
    bad, good = suite.tests
    assert (bad.invalid, good.invalid) == (f"evaluator 'bad' has a mistake: {suite.problems[0]}", None)
    twice = load({f"{D}/evaluators/both.json": '[{"id": "good", "type": "regex", "type": "regex"}]', **tests})
    assert "'type' is given twice" in (twice.tests[1].invalid or "")
