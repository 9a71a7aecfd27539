"""Another system's suite written in our form: it says the same, and what cannot run here lies beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modex.core.edge.dialects.writing import empty_folder, import_suite, write_tests, write_world
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.builtin import BUILTIN_EVALUATORS
from modex.core.suite.definitions import Suite
from modex.core.suite.layers import fold
from modex.core.suite.loading import load_suite
from tests.core.suite.conftest import case, write_files
from tests.core.suite.whole_suites import FOREIGN

D = "test_definitions"


def _written(folder: Path, files: dict[str, Any]) -> tuple[Path, Suite, Suite]:
    """Where a suite was written anew, what was read of it there, and what is read here."""
    there = import_suite(write_files(folder / "there", files), folder / "here", BUILTIN_EVALUATORS.keys()).suite
    return folder / "here", there, load_suite(folder / "here")


def _files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_a_suite_is_read_here_as_it_was_read_there(tmp_path: Path) -> None:
    out, there, here = _written(tmp_path, FOREIGN)
    assert (there.dialect, here.dialect) == ("evonic", None)
    ran = {(test.domain, test.test_id): test for test in there.tests if test.invalid is None}
    again = {(test.domain, test.test_id): test for test in here.tests if test.invalid is None}
    assert set(ran) == set(again)
    for name, test in ran.items():
        assert (again[name].prompt, again[name].expected, again[name].level) == (test.prompt, test.expected, test.level)
        assert [(tool.name, tool.mock) for tool in again[name].tools] == [(tool.name, tool.mock) for tool in test.tools]
    assert not (out / D / "tools" / "rooms.json").exists()
    assert here.problems == here.lacks == []
    assert "{{unheard}}" in str(here.evaluators["judge"].eval_prompt)
    assert json.loads((out / D / "suite.json").read_text()) == {
        "dialect": "modex", "tool_ids_mode": "append", "ignore_case": False,
    }  # fmt: skip


def test_files_of_several_folders_come_together_and_those_that_cannot_run_lie_beside(tmp_path: Path) -> None:
    files: dict[str, Any] = {
        f"{D}/d/domain.json": {"id": "d", "evaluator_id": "two_pass", "tool_ids": ["near", "far", "api_call"]},
        f"{D}/d/level_1/a.json": {"id": "a", "prompt": "q", "expected": {"answer": 1}},
        f"{D}/d/level_1/b.json": {"id": "b", "prompt": "q", "evaluator_id": "tool_call", "expected": ["far"]},
        "custom_tests/e/level_2/c.jsonl": json.dumps(case("c")) + "\n" + json.dumps(case("d")) + "\n",
        "custom_evaluators/own.json": {"id": "own", "type": "regex", "extraction_regex": "a"},
        "tool_mocks/near.json": {"id": "near", "mock_response": "1"},
        "tools/other.json": [{"id": "o1", "mock_response": "1"}, {"id": "o2", "mock_response": "2"}],
        "prompts/d/domain.md": "Be kind.",
        "seed/test_db.sql": "create table t (a);",
        "notes.txt": "left where it is",
    }
    out, _, here = _written(tmp_path, files)
    assert _files(out) == [
        f"left_out/{D}/d/level_1/b.json",
        "prompts/d/domain.md",
        "seed/test_db.sql",
        f"{D}/d/domain.json",
        f"{D}/d/level_1/a.json",
        f"{D}/e/level_2/c.jsonl",
        f"{D}/evaluators/own.json",
        f"{D}/suite.json",
        f"{D}/tools/api_call.json",
        f"{D}/tools/other.json",
        "tool_mocks/near.json",
    ]
    assert json.loads((out / D / "d" / "domain.json").read_text())["tool_ids"] == ["near", "api_call"]
    assert [one["id"] for one in json.loads((out / D / "tools" / "other.json").read_text())] == ["o1", "o2"]
    assert here.problems == []
    assert [(test.test_id, test.level, len(test.layers)) for test in here.tests] == [
        ("a", 1, 1),
        ("c", 2, 0),
        ("d", 2, 0),
    ]
    assert here.tests[0].layers[0].text == "Be kind."
    assert (out / "seed" / "test_db.sql").read_text() == "create table t (a);"


def test_a_suite_without_signs_is_refused_with_how_to_say_whose_it_is(tmp_path: Path) -> None:
    root = write_files(tmp_path / "ours", {f"{D}/d/level_1/a.json": case()})
    with pytest.raises(ConfigurationError, match="bears no sign of another system"):
        import_suite(root, tmp_path / "here", BUILTIN_EVALUATORS.keys())
    assert not (tmp_path / "here").exists()


def test_nothing_is_written_where_something_is(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a").touch()
    (tmp_path / "full" / "b").mkdir()
    for name in ("gone", "empty"):
        assert empty_folder(tmp_path / name) == tmp_path / name
    for name in ("full", "full/a"):
        with pytest.raises(ConfigurationError, match="is not empty; name a folder that is not there yet"):
            empty_folder(tmp_path / name)


def test_a_domain_has_its_tests_by_level_one_a_line_and_without_any_it_is_none(tmp_path: Path) -> None:
    write_tests(tmp_path, "my_tests", [(2, {"id": "b"}), (1, {"id": "é"}), (2, {"id": "c"})], evaluator_id="match")
    write_tests(tmp_path, "none", [])
    assert _files(tmp_path) == [
        f"{D}/my_tests/domain.json",
        f"{D}/my_tests/level_1/my_tests.jsonl",
        f"{D}/my_tests/level_2/my_tests.jsonl",
    ]
    folder = tmp_path / D / "my_tests"
    assert json.loads((folder / "domain.json").read_text()) == {
        "id": "my_tests", "name": "my tests", "evaluator_id": "match",
    }  # fmt: skip
    assert (folder / "level_1" / "my_tests.jsonl").read_text() == '{"id": "é"}\n'
    assert (folder / "level_2" / "my_tests.jsonl").read_text() == '{"id": "b"}\n{"id": "c"}\n'


def test_a_program_of_a_world_is_copied_byte_by_byte(tmp_path: Path) -> None:
    write_world(tmp_path, "tau2_world.py")
    here = Path(__file__).parents[4] / "core" / "edge" / "worlds" / "tau2_world.py"
    assert (tmp_path / "worlds" / "tau2_world.py").read_bytes() == here.read_bytes()


def test_a_domain_may_have_the_name_of_another_folder_or_stand_in_two_of_them(tmp_path: Path) -> None:
    def words(name: str, **others: Any) -> dict[str, Any]:
        return {"id": name, "prompt": "q", "expected": {"keywords": ["cat"]}, **others}

    files: dict[str, Any] = {
        f"{D}/tools/domain.json": {"name": "Tools", "evaluator_id": "keyword"},
        f"{D}/tools/level_1/a.json": words("a"),
        f"{D}/tools/near.json": {"id": "near", "mock_response": "1"},
        f"{D}/evaluators/domain.json": {"id": "evaluators", "evaluator_id": "keyword"},
        f"{D}/evaluators/level_2/a.json": words("a"),
        f"{D}/sql/domain.json": {
            "id": "sql",
            "evaluator_id": "keyword",
            "tool_ids": ["near"],
            "system_prompt": "Short.",
        },
        f"{D}/sql/level_1/a.json": words("a"),
        f"{D}/sql/level_1/level.json": {"name": "First"},
        f"{D}/two words/level_3/a.json": words("b"),
        "custom_tests/sql/level_1/a.json": words("c"),
        "custom_tests/sql/level_1/b.json": words("a"),
        "custom_tests/sql/level_2/d.json": words("d", evaluator_id="two_pass", expected={"answer": 1}),
        "custom_tests/loose.json": words("e"),
        "custom_tests/suite.json": {},
    }
    out, there, here = _written(tmp_path, files)
    ran = {(test.domain, test.level, test.test_id): test for test in there.tests if test.invalid is None}
    asked = [("evaluators", 2, "a"), ("sql", 1, "a"), ("sql", 1, "c"), ("sql", 2, "d"), ("tools", 1, "a")]
    assert sorted(ran) == sorted((test.domain, test.level, test.test_id) for test in here.tests) == asked
    for test in here.tests:
        same = ran[test.domain, test.level, test.test_id]
        assert (test.evaluator_id, test.tool_ids, fold(test.layers)) == (
            same.evaluator_id,
            same.tool_ids,
            fold(same.layers),
        )
    assert (ran["sql", 1, "c"].tool_ids, [layer.text for layer in ran["sql", 1, "c"].layers]) == (("near",), ["Short."])
    assert here.domains["sql"].levels[1].name == there.domains["sql"].levels[1].name == "First"
    assert (here.problems, list(here.tools)) == ([], ["near"])
    assert {(test.location.path, test.level): test.invalid for test in there.tests if test.invalid} == {
        (f"{D}/two words/level_3/a.json", 3): f"{D}/two words: the folder's name is the domain's id, "
        "which may hold letters, digits and _ - . : @ + only, not a space; rename it",
        ("custom_tests/loose.json", 1): "custom_tests: a test stands in a level of a domain's folder; "
        "move it to <domain>/level_<n>/ there",
        ("custom_tests/sql/level_1/b.json", 1): "custom_tests/sql/level_1/b.json:2: test 'a' is defined already in "
        f"{D}/sql/level_1/a.json:1; give another id",
    }
    assert [name for name in _files(out) if name.startswith("left_out/")] == [
        "left_out/custom_tests/loose.json",
        "left_out/custom_tests/sql/level_1/b.json",
        f"left_out/{D}/two words/level_3/a.json",
    ]
    assert [name for name in _files(out / D) if "level_" in name] == [
        "evaluators_domain/level_2/a.json",
        "sql/level_1/a.json",
        "sql/level_1/a_2.json",
        "sql/level_1/level.json",
        "sql/level_2/d.json",
        "tools_domain/level_1/a.json",
    ]


def test_tests_of_a_second_domain_file_keep_what_it_gave_them(tmp_path: Path) -> None:
    files: dict[str, Any] = {
        f"{D}/d/domain.json": {"id": "d", "evaluator_id": "two_pass"},
        f"{D}/d/level_1/a.json": {"id": "a", "prompt": "q", "expected": {"answer": 1}},
        "custom_tests/d/domain.json": {"id": "d", "evaluator_id": "keyword", "system_prompt": "Kind."},
        "custom_tests/d/level_1/b.json": {"id": "b", "prompt": "q", "expected": {"keywords": ["cat"]}},
    }
    _, there, here = _written(tmp_path, files)
    for suite in (there, here):
        assert {test.test_id: test.evaluator_id for test in suite.tests} == {"a": "two_pass", "b": "keyword"}
        assert {test.test_id: fold(test.layers) for test in suite.tests} == {"a": None, "b": "Kind."}
    assert list(here.domains) == list(there.domains) == ["d"]


def test_in_our_own_form_a_folder_of_tools_is_no_domain(tmp_path: Path) -> None:
    files = {
        f"{D}/tools/level_1/a.json": case("a"),
        f"{D}/d/domain.json": {"id": "d", "evaluator_id": "match"},
        f"{D}/d/level_1/b.json": case("b"),
    }
    assert [test.test_id for test in load_suite(write_files(tmp_path, files)).tests] == ["b"]
