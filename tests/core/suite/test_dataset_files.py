"""`dataset.json`: what it says of its domain and of its rows, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modex.core.suite.definitions import Suite, SuiteDataset
from tests.core.suite.conftest import case

Load = Callable[[dict[str, Any]], Suite]
D = "test_definitions/d"
_ROWS = {f"{D}/rows.jsonl": '{"question": "1+1?", "answer": "2"}\n'}
_TOOLS = {"tool_mocks/t.json": [{"name": name, "response": 1} for name in ("one", "two")]}


def _only(suite: Suite) -> SuiteDataset:
    (dataset,) = suite.datasets
    return dataset


@pytest.mark.parametrize(
    ("domain", "dataset", "told"),
    [
        ({}, {"name": "N", "description": "w", "icon": "i", "color": "c"},
         {"name": "N", "description": "w", "icon": "i", "color": "c"}),
        ({"name": "Own", "description": "own", "icon": "o", "color": "b"},
         {"name": "N", "description": "w", "icon": "i", "color": "c"},
         {"name": "Own", "description": "own", "icon": "o", "color": "b"}),
        ({}, {}, {"name": "d", "description": "", "icon": None, "color": None, "evaluator_id": None, "tool_ids": ()}),
        ({"name": "d"}, {"name": "N"}, {"name": "N"}),
        ({}, {"evaluator_id": "match", "tool_ids": ["one"]}, {"evaluator_id": "match", "tool_ids": ("one",)}),
        ({"evaluator_id": "keyword", "tool_ids": ["two"]}, {"evaluator_id": "match", "tool_ids": ["one"]},
         {"evaluator_id": "keyword", "tool_ids": ("two",)}),
        ({}, {"enabled": False}, {"enabled": False}),
        ({"enabled": False}, {"enabled": True}, {"enabled": False}),
        ({"enabled": True}, {"enabled": None}, {"enabled": True}),
    ],
)  # fmt: skip
def test_what_a_domain_leaves_open_its_dataset_says(
    load: Load, domain: dict[str, Any], dataset: dict[str, Any], told: dict[str, Any]
) -> None:
    suite = load(
        {f"{D}/domain.json": domain, f"{D}/dataset.json": {"file": "rows.jsonl", **dataset}, **_ROWS, **_TOOLS}
    )
    assert suite.problems == []
    assert {name: getattr(suite.domains["d"], name) for name in told} == told
    assert _only(suite).enabled is suite.domains["d"].enabled


@pytest.mark.parametrize(
    ("given", "source"),
    [
        ({}, "rows"),
        ({"preset": "gsm8k"}, "gsm8k"),
        ({"preset": "gsm8k", "source": "own"}, "own"),
        ({"source": ""}, "rows"),
    ],
)
def test_rows_come_from_the_named_source_else_the_preset_else_the_file(
    load: Load, given: dict[str, Any], source: str
) -> None:
    assert _only(load({f"{D}/dataset.json": {"file": "rows.jsonl", **given}, **_ROWS})).source == source


@pytest.mark.parametrize(("evaluator", "lacks"), [("tool_call", True), ("world", True), ("match", False)])
def test_a_missing_tool_ends_the_rows_only_where_calls_are_judged(load: Load, evaluator: str, lacks: bool) -> None:
    given = {"file": "rows.jsonl", "evaluator_id": evaluator, "tool_ids": ["one", "far"]}
    suite = load({f"{D}/dataset.json": given, **_ROWS, **_TOOLS})
    why = f"{D}/dataset.json:6: there is no tool 'far'; define it in tool_mocks/"
    assert suite.problems == []
    assert [str(one) for one in suite.lacks] == (
        [f"{D}/dataset.json:1: its rows are offered the tool 'far': {why}"] if lacks else []
    )
    assert [str(one) for one in suite.notes if "offered" in one.message] == (
        [] if lacks else [f"{D}/dataset.json:1: offered without 'far': {why}"]
    )
    dataset = _only(suite)
    assert (dataset.invalid, [tool.id for tool in dataset.tools]) == (why if lacks else None, ["one"])


def test_rows_have_the_tools_of_their_domain_unless_the_dataset_names_its_own(load: Load) -> None:
    domain = {f"{D}/domain.json": {"tool_ids": ["two"]}}
    for given, tools in (({}, ["two"]), ({"tool_ids": ["one"]}, ["one"]), ({"tool_ids": []}, [])):
        suite = load({**domain, f"{D}/dataset.json": {"file": "rows.jsonl", **given}, **_ROWS, **_TOOLS})
        dataset = _only(suite)
        assert ([tool.id for tool in dataset.tools], list(dataset.tool_ids)) == (tools, tools)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"file": "gone.jsonl"}, "'file': there is no file 'gone.jsonl'"),
        ({"file": "folder"}, "'file': 'folder' is not a regular file; put one in its place"),
        ({"file": "../../../x"}, "'file': '../../../x' lies outside the suite"),
        ({}, "the dataset has no 'file'; add it"),
        ({"file": "rows.jsonl", "filters": ["level=1", "=="]}, "the filter '==' is not understood"),
        ({"file": "rows.jsonl", "preset": "gsm8"}, "there is no preset 'gsm8'; did you mean 'gsm8k'?"),
        ({"file": "rows.jsonl", "preset": "x" * 50}, f"there is no preset '{'x' * 40}'; there are "),
        ({"file": "rows.jsonl", "seed": True}, "'seed' must be a whole number"),
        ({"file": "rows.jsonl", "seed": 1.5}, "'seed' must be a whole number"),
        ({"file": "rows.jsonl", "evaluator_id": "mach"}, "there is no evaluator 'mach'; did you mean 'match'?"),
    ],
)
def test_a_mistake_is_told_and_its_rows_cannot_run(load: Load, given: dict[str, Any], problem: str) -> None:
    suite = load(
        {f"{D}/dataset.json": given, f"{D}/folder/x": "", **_ROWS, "test_definitions/e/level_1/a.json": case()}
    )
    (found,) = suite.problems
    assert (found.path, problem in found.message or found.message) == (f"{D}/dataset.json", True)
    assert [dataset.invalid for dataset in suite.datasets] == (
        [str(found)] if given.get("file") == "rows.jsonl" else []
    )


@pytest.mark.parametrize(("seed", "taken"), [(None, 0), (7, 7), (0, 0), (-1, -1)])
def test_a_sample_is_drawn_by_the_seed_that_is_given_or_by_0(load: Load, seed: int | None, taken: int) -> None:
    suite = load({f"{D}/dataset.json": {"file": "rows.jsonl", "sample": 2, "limit": 1, "seed": seed}, **_ROWS})
    dataset = _only(suite)
    assert (suite.problems, dataset.seed, dataset.sample, dataset.limit) == ([], taken, 2, 1)


def test_a_dataset_whose_domain_cannot_be_read_says_why(load: Load) -> None:
    suite = load({f"{D}/domain.json": "{", f"{D}/dataset.json": {"file": "rows.jsonl"}, **_ROWS})
    assert (_only(suite).invalid or "").startswith(f"{D}/domain.json:1: is not valid JSON")
    broken = load({f"{D}/dataset.json": "{", **_ROWS})
    assert broken.datasets == []
    assert {problem.path for problem in broken.problems} >= {f"{D}/dataset.json"}
