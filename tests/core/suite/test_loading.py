from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.bundled import bundled_root
from modex.core.suite.datasets import read_suite_dataset
from modex.core.suite.definitions import Suite, TestCase
from modex.core.suite.loading import load_suite
from tests.core.suite.conftest import Write, case

Load = Callable[[dict[str, Any]], Suite]
D = "test_definitions"


def only(suite: Suite) -> TestCase:
    assert suite.problems == []
    (test,) = suite.tests
    return test


def test_a_test_inherits_from_its_level_and_then_from_its_domain(load: Load) -> None:
    suite = load(
        {
            f"{D}/math/domain.json": {
                "evaluator_id": "keyword",
                "system_prompt": "You are exact.",
                "tool_ids": ["calc"],
            },
            f"{D}/math/level_2/level.json": {
                "evaluator_id": "two_pass",
                "system_prompt": "Think first.",
                "system_prompt_mode": "append",
                "timeout_ms": 5000,
                "weight": 2,
                "rollout": "agentic",
                "name": "Two steps",
            },
            f"{D}/math/level_2/test_a.json": {
                "id": "a",
                "prompt": "1+1?",
                "expected": 2,
                "icon": "x",
                "metadata": {"k": 1},
            },
            "tool_mocks/calc.json": {"id": "calc", "function": {"name": "calc"}, "response": 4},
        }
    )
    test = only(suite)
    assert (test.domain, test.level, test.test_id, test.source) == ("math", 2, "a", "suite")
    assert (test.evaluator_id, test.timeout_ms, test.weight, test.rollout) == ("two_pass", 5000, 2, "agentic")
    assert [(layer.scope, layer.mode, layer.text) for layer in test.layers] == [
        ("domain", "overwrite", "You are exact."),
        ("level", "append", "Think first."),
    ]
    assert [str(layer.location) for layer in test.layers] == [
        f"{D}/math/domain.json:3",
        f"{D}/math/level_2/level.json:3",
    ]
    assert [tool.name for tool in test.tools] == ["calc"]
    assert test.tools[0].mock == [{"response": 4}]
    assert test.metadata == {"icon": "x", "k": 1}
    assert suite.domains["math"].levels[2].name == "Two steps"


def test_a_test_overrides_what_it_inherits(load: Load) -> None:
    suite = load(
        {
            f"{D}/d/domain.json": {"evaluator_id": "keyword", "tool_ids": ["calc"], "rollout": "agentic"},
            f"{D}/d/level_1/a.json": case(tool_ids=[], rollout="direct", weight=0.5, timeout_ms=10),
            "tool_mocks/calc.json": {"name": "calc", "error": "broken"},
        }
    )
    test = only(suite)
    assert (test.evaluator_id, test.tools, test.rollout, test.weight, test.timeout_ms) == (
        "two_pass",
        (),
        "direct",
        0.5,
        10,
    )


def test_jsonl_gives_one_test_a_line_and_keeps_the_line(load: Load) -> None:
    lines = [json.dumps(case("a")), "", json.dumps(case("b"))]
    suite = load({f"{D}/d/level_3/many.jsonl": "\ufeff" + "\r\n".join(lines) + "\n"})
    assert suite.problems == []
    assert [(test.test_id, test.level, str(test.location)) for test in suite.tests] == [
        ("a", 3, f"{D}/d/level_3/many.jsonl:1"),
        ("b", 3, f"{D}/d/level_3/many.jsonl:3"),
    ]


def test_a_folder_that_is_the_definitions_is_a_suite_too(write: Write) -> None:
    root = write({"d/level_1/a.json": case(), "tools/t.json": {"name": "t", "response": 1}})
    suite = load_suite(root)
    assert only(suite).location.path == "d/level_1/a.json"
    assert suite.root == root.resolve()
    assert set(suite.tools) == {"t"}


def test_naming_test_definitions_itself_takes_the_prompts_beside_it(write: Write) -> None:
    root = write({f"{D}/d/level_1/a.json": case(), "prompts/d/domain.md": "Be kind.\n"})
    suite = load_suite(root / D)
    assert suite.root == root.resolve()
    assert only(suite).layers[0].text == "Be kind."


def test_markdown_layers_carry_their_mode_and_line(load: Load) -> None:
    suite = load(
        {
            f"{D}/d/level_1/a.json": case("a"),
            "prompts/d/domain.md": "---\nmode: overwrite\n---\n\nOne.\n",
            "prompts/d/level_1.md": "---\r\nmode: append\r\n---\r\nTwo.",
            "prompts/d/a.md": "---\nmode: append\nauthor: me\n---\nThree.\n\nFour.\n",
        }
    )
    assert [(layer.text, layer.mode, str(layer.location)) for layer in only(suite).layers] == [
        ("One.", "overwrite", "prompts/d/domain.md:5"),
        ("Two.", "append", "prompts/d/level_1.md:4"),
        ("Three.\n\nFour.", "append", "prompts/d/a.md:5"),
    ]
    assert [note.message for note in suite.notes] == ["unknown front matter key 'author' is ignored"]


def test_an_empty_overwriting_layer_is_a_layer(load: Load) -> None:
    suite = load({f"{D}/d/level_1/a.json": case(system_prompt="", system_prompt_mode="overwrite")})
    assert [(layer.text, layer.mode) for layer in only(suite).layers] == [("", "overwrite")]


def test_a_layer_in_json_and_in_prompts_names_both_files(load: Load) -> None:
    suite = load(
        {
            f"{D}/d/domain.json": {"name": "D", "system_prompt": "x"},
            f"{D}/d/level_1/a.json": case(),
            "prompts/d/domain.md": "y",
        }
    )
    (problem,) = suite.problems
    assert str(problem) == f"{D}/d/domain.json:3: the domain layer is given here and in prompts/d/domain.md:1; keep one"
    assert suite.tests[0].invalid is not None


def test_chat_turns_are_kept_in_order(load: Load) -> None:
    turns = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Yes?"},
        {"role": "user", "content": "2+2?"},
    ]
    assert only(load({f"{D}/d/level_1/a.json": case(prompt=turns)})).prompt == tuple(turns)


def test_embedded_tools_join_those_named_by_id(load: Load) -> None:
    embedded = {
        "type": "function",
        "function": {"name": "here", "parameters": {"type": "object"}},
        "response": {"x": 1},
    }
    suite = load(
        {
            f"{D}/d/level_1/a.json": case(tool_ids=["far"], tools=[embedded]),
            "tool_mocks/far.json": {
                "id": "far",
                "function": {"type": "function", "function": {"name": "far_away"}},
                "handler": "world:x",
            },
        }
    )
    test = only(suite)
    assert [tool.name for tool in test.tools] == ["far_away", "here"]
    assert test.tool_ids == ("far", "here")
    assert test.tools[0].handler == "world:x"


def test_disabled_domains_and_tests_are_loaded_and_say_so(load: Load) -> None:
    suite = load(
        {
            f"{D}/off/domain.json": {"enabled": False},
            f"{D}/off/level_1/a.json": case(),
            f"{D}/on/level_1/a.json": case(enabled=False),
        }
    )
    assert suite.problems == []
    assert [test.disabled_by for test in suite.tests] == ["domain", "test"]


def test_unknown_keys_are_one_note_per_key(load: Load) -> None:
    suite = load({f"{D}/d/level_1/{name}.json": case(name, created_at="2026") for name in "abc"})
    assert suite.problems == []
    assert [str(note) for note in suite.notes] == [
        f"{D}/d/level_1/a.json:6: unknown test key 'created_at' is kept as metadata (and 2 more)"
    ]
    assert suite.tests[2].metadata == {"created_at": "2026"}


@pytest.mark.parametrize("key", ["$schema", "tags", "author", "created_at", "difficulty", "category", "icon", "source"])
def test_keys_of_real_suites_are_no_typos(load: Load, key: str) -> None:
    assert load({f"{D}/d/level_1/a.json": case(**{key: "x"})}).problems == []


def test_an_invalid_test_is_kept_with_its_reason(load: Load) -> None:
    suite = load({f"{D}/d/level_1/a.json": case("a", tool_ids=3), f"{D}/d/level_1/b.json": case("b")})
    first, second = suite.tests
    assert first.test_id == "a"
    assert "'tool_ids'" in (first.invalid or "")
    assert second.invalid is None


def test_tests_below_a_broken_domain_file_cannot_run(load: Load) -> None:
    suite = load({f"{D}/d/domain.json": '{"name": ', f"{D}/d/level_1/a.json": case()})
    assert len(suite.problems) == 1
    assert suite.tests[0].invalid == str(suite.problems[0])


@pytest.mark.parametrize("files", [{"readme.txt": "x"}, {"d/notes.json": {}}])
def test_a_folder_without_a_suite_is_refused(write: Write, files: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match="holds no suite"):
        load_suite(write(files))


def test_a_single_domain_says_to_name_the_folder_above(write: Write) -> None:
    root = write({"math/level_1/a.json": case()})
    with pytest.raises(ConfigurationError, match="--domain math"):
        load_suite(root / "math")


@pytest.mark.parametrize("name", ["missing", "file.txt"])
def test_a_suite_that_is_no_folder_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "file.txt").write_text("x")
    with pytest.raises(ConfigurationError, match=r"does not exist|is not a folder"):
        load_suite(tmp_path / name)


def test_the_bundled_suite_is_where_the_package_says() -> None:
    assert (bundled_root() / D).is_dir()


def test_a_dataset_domain_is_opened_only_when_asked_for(load: Load) -> None:
    suite = load(
        {
            f"{D}/qa/dataset.json": {
                "name": "Questions",
                "file": "qa.jsonl",
                "evaluator_id": "match",
                "enabled": False,
                "limit": 3,
            },
            f"{D}/qa/qa.jsonl": "not read yet",
            "prompts/qa/domain.md": "Be brief.",
            "prompts/qa/level_2.md": "---\nmode: append\n---\nShow steps.",
        }
    )
    assert suite.problems == []
    (dataset,) = suite.datasets
    assert (dataset.domain, dataset.source, dataset.evaluator_id, dataset.limit, dataset.enabled) == (
        "qa",
        "qa",
        "match",
        3,
        False,
    )
    assert [layer.text for layer in dataset.level_layers[2]] == ["Be brief.", "Show steps."]
    assert suite.domains["qa"].name == "Questions"


def test_without_its_tests_a_suite_gives_the_same_evaluators_and_tools() -> None:
    whole, parts = load_suite(None), load_suite(None, tests=False)
    assert whole.problems == []
    assert (parts.evaluators, parts.tools) == (whole.evaluators, whole.tools)
    assert (parts.tests, parts.domains, parts.datasets) == ([], {}, [])


def test_a_folder_of_prompts_that_nearly_meets_a_domain_is_a_mistake_and_another_is_none(load: Load) -> None:
    suite = load(
        {
            f"{D}/math/level_1/a.json": case(),
            "prompts/maht/domain.md": "Be exact.",
            "prompts/math/domain.md": "Be exact.",
            "prompts/judge/x.md": "x",
            "prompts/unrelated/x.md": "x",
        }
    )
    assert [str(problem) for problem in suite.problems] == [
        "prompts/maht: there is no domain 'maht'; did you mean 'math'?"
    ]


def test_a_domain_is_called_by_its_folder_and_described_by_nothing_where_it_says_nothing(load: Load) -> None:
    suite = load({f"{D}/math/level_1/a.json": case(), f"{D}/sql/domain.json": {"description": "d", "icon": "i"}})
    assert (suite.domains["math"].name, suite.domains["math"].description) == ("math", "")
    assert (suite.domains["sql"].description, suite.domains["sql"].icon) == ("d", "i")


def test_where_an_evaluator_may_be_a_plugin_s_the_plugins_are_named(load: Load) -> None:
    suite = load(
        {
            f"{D}/d/level_1/a.json": case(evaluator_id="of_a_plugin"),
            "plugins/own.py": "",
            "plugins/_hidden.py": "",
            "plugins/notes.txt": "",
            "plugins/package/__init__.py": "",
            "plugins/.git/x": "",
        }
    )
    (problem,) = suite.problems
    assert "(own.py, package)" in str(problem)
    assert suite.lacks == []


def test_a_dataset_whose_tools_are_broken_cannot_run(load: Load) -> None:
    suite = load(
        {
            f"{D}/d/dataset.json": {"file": "rows.jsonl", "tool_ids": ["calc"]},
            f"{D}/d/rows.jsonl": '{"question": "1+1?", "answer": "2"}\n',
            "tool_mocks/calc.json": {"name": "calc", "parameters": {"type": "nothing"}, "response": 1},
        }
    )
    assert ["calc" in str(one.invalid) for one in suite.datasets] == [True]


def test_what_the_files_above_a_dataset_give_reaches_its_rows(load: Load) -> None:
    domain = {"max_iterations": 9, "tool_state": {"a": {"x": 1, "y": 1}}}
    suite = load(
        {
            f"{D}/d/domain.json": domain,
            f"{D}/d/dataset.json": {"file": "rows.jsonl", "tool_state": {"a": {"y": 2}}},
            f"{D}/d/rows.jsonl": '{"question": "1+1?", "answer": "2"}\n',
        }
    )
    (row,) = read_suite_dataset(suite.datasets[0], suite.root)
    assert (row.max_iterations, row.tool_state) == (9, {"a": {"x": 1, "y": 2}})


def test_what_the_mocks_of_a_dataset_know_is_checked_as_a_tests(load: Load) -> None:
    suite = load(
        {
            f"{D}/d/dataset.json": {"file": "rows.jsonl", "tool_state": {"a.b": 1}},
            f"{D}/d/rows.jsonl": '{"question": "1+1?", "answer": "2"}\n',
        }
    )
    assert ["'a.b'" in str(problem) for problem in suite.problems] == [True]


@pytest.mark.parametrize("tests", [True, False])
def test_of_a_suite_whose_tests_are_not_asked_what_is_costly_is_not_checked(write: Write, tests: bool) -> None:
    root = write(
        {
            f"{D}/d/level_1/a.json": case(),
            "tool_mocks/calc.json": {"name": "calc", "parameters": {"type": "nothing"}, "response": 1},
            "tool_mocks/find.json": {"name": "find", "responses": [{"when": {"a": {"$regex": "("}}, "response": 1}]},
        }
    )
    suite = load_suite(root, tests=tests)
    assert len(suite.tests) == int(tests)
    assert sorted(problem.path for problem in suite.problems) == (
        ["tool_mocks/calc.json", "tool_mocks/find.json"] if tests else []
    )


def test_a_dataset_describes_a_domain_that_does_not_describe_itself_and_may_be_switched_off(load: Load) -> None:
    rows = '{"question": "1+1?", "answer": "2"}\n'
    off = {"file": "r.jsonl", "name": "Sums", "description": "d", "icon": "i", "seed": 7, "enabled": False}
    on = {"file": "r.jsonl", "name": "Other", "seed": 3, "limit": 2, "sample": 5}
    suite = load(
        {
            f"{D}/a/dataset.json": off, f"{D}/a/r.jsonl": rows,
            f"{D}/b/dataset.json": on, f"{D}/b/r.jsonl": rows, f"{D}/b/domain.json": {"name": "Own", "description": "o"},
        }
    )  # fmt: skip
    told = {name: (one.name, one.description, one.icon, one.enabled) for name, one in suite.domains.items()}
    assert told == {"a": ("Sums", "d", "i", False), "b": ("Own", "o", None, True)}
    assert {one.domain: (one.seed, one.limit, one.sample, one.enabled) for one in suite.datasets} == {
        "a": (7, None, None, False), "b": (3, 2, 5, True),
    }  # fmt: skip


@pytest.mark.parametrize("level", [1, 3, 5])
def test_a_layer_of_a_level_stands_behind_those_of_a_dataset(load: Load, level: int) -> None:
    suite = load(
        {
            f"{D}/a/dataset.json": {"file": "r.jsonl"},
            f"{D}/a/r.jsonl": '{"question": "1+1?", "answer": "2"}\n',
            "prompts/a/domain.md": "Be exact.",
            f"prompts/a/level_{level}.md": "---\nmode: append\n---\nThink.",
        }
    )
    (dataset,) = suite.datasets
    assert {at: [layer.text for layer in layers] for at, layers in dataset.level_layers.items()} == {
        level: ["Be exact.", "Think."]
    }


def test_a_suite_whose_tools_alone_bear_the_signs_of_another_system_is_that_systems(load: Load) -> None:
    suite = load(
        {
            "test_definitions/a/domain.json": {"id": "a", "evaluator_id": "tool_call", "tool_ids": ["look"]},
            "test_definitions/a/level_1/t.json": {"id": "t", "prompt": "p", "expected": {"tool": "look"}},
            "tools/look.json": {"id": "look", "function": {"name": "look"}, "mock_response": {"sky": "blue"}},
            "tools/broken.json": "{",
        }
    )
    assert (suite.dialect, [test.invalid for test in suite.tests]) == ("evonic", [None])
    own = {
        "test_definitions/suite.json": {"dialect": "modex"},
        "test_definitions/a/domain.json": {"id": "a", "evaluator_id": "two_pass"},
        "test_definitions/a/level_1/t.json": {"id": "t", "prompt": "p", "expected": "x"},
        "tools/look.json": {"id": "look", "function": {"name": "look"}, "mock_response": {"sky": "blue"}},
    }
    assert load(own).dialect is None


def test_of_a_folder_of_tools_without_such_signs_nothing_is_said(load: Load) -> None:
    files = {
        "test_definitions/a/domain.json": {"id": "a", "evaluator_id": "two_pass"},
        "test_definitions/a/level_1/t.json": {"id": "t", "prompt": "p", "expected": "x"},
        "tools/broken.json": "{",
        "tools/other.json": [{"anything": 1}, 2],
    }
    assert (load(files).dialect, load(files).problems) == (None, [])


def test_a_suite_of_keywords_is_known_by_what_its_evaluator_weighs(load: Load) -> None:
    weighed = {"id": "keyword", "name": "K", "type": "predefined", "config": {"fluency_weight": 0.3}}
    files = {
        "test_definitions/evaluators/keyword.json": weighed,
        "test_definitions/a/domain.json": {"id": "a", "evaluator_id": "keyword"},
        "test_definitions/a/level_1/t.json": {"id": "t", "prompt": "p", "expected": {"keywords": ["sky", "sea"]}},
    }
    suite = load(files)
    assert suite.dialect == "evonic"
    assert only(suite).expected["formula"] == "mentions"
