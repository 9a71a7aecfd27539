"""A suite of evonic's with faulty files: each ends the tests that need it and no other, is told with file and line, and what is
written in our form has no mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modex.core.sandbox.javascript import javascript_unavailable
from modex.core.suite.loading import load_suite
from tests.cli import call
from tests.core.suite.conftest import write_files

D = "test_definitions"


def _tool(name: str, mock: str, kind: str = "python") -> dict[str, Any]:
    return {"id": name, "function": {"name": name}, "mock_response": mock, "mock_response_type": kind}


def _needs(name: str, *offered: str, **more: Any) -> dict[str, Any]:
    ids = [name, *offered]
    return {"id": f"t_{name}", "prompt": "q", "evaluator_id": "tool_call", "tool_ids": ids, "expected": [name], **more}


FILES: dict[str, Any] = {
    "tools/ok.json": _tool("ok", "result = 1"),
    "tools/py.json": json.dumps(_tool("py", "def f(:"), indent=1),
    "tools/js.json": json.dumps(_tool("js", "var a = {;", "javascript"), indent=1),
    "tools/lua.json": _tool("lua", "return 1", "lua"),
    f"{D}/a/domain.json": {"id": "a", "evaluator_id": "two_pass"},
    f"{D}/a/level_1/ok.json": _needs("ok", "py", "lua", "gone"),
    f"{D}/a/level_1/py.json": _needs("py"),
    f"{D}/a/level_1/lua.json": _needs("lua"),
    f"{D}/a/level_1/gone.json": _needs("gone"),
    f"{D}/a/level_1/within.json": {
        **_needs("within"), "tool_ids": [],
        "tools": [_tool("within", "result = 2"), _tool("torn", "def f(:"), _tool("l", "", "lua")],
    },
    f"{D}/a/level_1/torn.json": {**_needs("torn"), "tool_ids": [], "tools": [_tool("torn", "def f(:")]},
    f"{D}/a/level_1/odd.json": {**_needs("odd"), "tool_ids": [], "tools": [_tool("odd", "", "lua")]},
    f"{D}/a/level_2/broken.json": '{"id": "broken",\n "prompt": ',
    f"{D}/a/level_2/chain.json": _needs("ok", expected={"chain": ["ok", "other"]}, id="chain"),
    f"{D}/a/level_2/lines.jsonl": '{"id": "l1", "prompt": "q", "expected": {"answer": ["A", "B"]}}\n{"id": "l2"\n'
    '{"id": "l3", "prompt": "q", "expected": {"answer": 3}}\n',
    f"{D}/a/level_3/bad.json": {"id": "bad", "prompt": "q", "evaluator_id": "bad", "expected": "1"},
    f"{D}/a/level_3/good.json": {"id": "good", "prompt": "q", "evaluator_id": "good", "expected": "1"},
    f"{D}/evaluators/both.json": [
        {"id": "bad", "type": "regex", "extraction_regex": "("},
        {"id": "good", "type": "regex", "extraction_regex": "(1)"},
    ],
    f"{D}/a/level_9/far.json": {"id": "far", "prompt": "q", "expected": {"answer": 1}},
    f"{D}/b/domain.json": {"id": "b", "evaluator_id": "bad"},
    f"{D}/b/level_1/b.json": {"id": "b", "prompt": "q", "evaluator_id": "two_pass", "expected": {"answer": 1}},
    f"{D}/c/domain.json": '{"id": "c", "name": }',
    f"{D}/c/level_1/c.json": {"id": "c", "prompt": "q", "evaluator_id": "two_pass", "expected": {"answer": 1}},
}  # fmt: skip
RUNS = {"t_ok", "t_within", "l1", "l3", "good", "b"}


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_files(tmp_path_factory.mktemp("there") / "suite", FILES)


def _rows(data: Any) -> dict[str, dict[str, Any]]:
    return {row["test"].rpartition("/")[2]: row for row in data["not_runnable"]}


def test_each_fault_ends_the_tests_that_need_it_and_no_other(suite: Path) -> None:
    called = call("check", suite, "--json")
    rows, tests = _rows(called.data), called.data["tests"]
    assert (called.code, tests - len(rows)) == (1, len(RUNS))
    assert not RUNS & rows.keys()
    assert {name: row["path"] for name, row in rows.items()} == {
        "t_py": f"{D}/a/level_1/py.json", "t_lua": f"{D}/a/level_1/lua.json", "t_gone": f"{D}/a/level_1/gone.json",
        "t_torn": f"{D}/a/level_1/torn.json", "t_odd": f"{D}/a/level_1/odd.json", "broken.json": f"{D}/a/level_2/broken.json",
        "chain": f"{D}/a/level_2/chain.json", "lines.jsonl:2": f"{D}/a/level_2/lines.jsonl", "bad": f"{D}/a/level_3/bad.json",
        "level_9:far.json": f"{D}/a/level_9/far.json", "c": f"{D}/c/level_1/c.json",
    }  # fmt: skip
    for name, words in {
        "t_py": "tools/py.json:6: its Python does not parse: invalid syntax (line 1 of the code)",
        "t_lua": "tools/lua.json:2: tool 'lua' has a mock of the type 'lua'; there are json, text, javascript, python",
        "t_gone": "there is no tool 'gone'; define it in tools/",
        "t_torn": f"{D}/a/level_1/torn.json:15: its Python does not parse",
        "t_odd": "tool 'odd' has a mock of the type 'lua'",
        "bad": f"evaluator 'bad' has a mistake: {D}/evaluators/both.json:5: 'extraction_regex' is not a regular expression",
        "level_9:far.json": f"{D}/a/level_9: a level's folder must be named level_1 to level_5",
        "c": f"{D}/c/domain.json:1: is not valid JSON",
    }.items():
        assert words in rows[name]["reason"], name


@pytest.mark.skipif(javascript_unavailable() is not None, reason="the extra for JavaScript is not installed")
def test_a_script_that_does_not_parse_is_a_mistake_of_its_tool(suite: Path) -> None:
    assert "mistake: tools/js.json:6: its JavaScript does not parse: invalid property name" in call("check", suite).out


def test_check_counts_mistakes_and_skipped_tests_and_names_each(suite: Path) -> None:
    called = call("check", suite)
    assert called.code == 1
    assert f"mistake: {D}/a/level_2/broken.json:2: is not valid JSON" in called.out
    assert f"not here: {D}/a/level_1/gone.json:8: the expected value needs the tool 'gone'" in called.out
    assert "11 tests skipped (--strict refuses the run)" in called.err
    assert " 0 mistakes" not in called.err
    assert f"a/2/broken.json ({D}/a/level_2/broken.json:2): is not valid JSON" in called.err
    assert f"a/3/bad ({D}/a/level_3/bad.json:1): evaluator 'bad' has a mistake" in called.err
    assert "golds are lists" not in called.err
    assert "gold is a list" not in called.err


def test_what_is_written_in_our_form_has_no_mistake_and_the_rest_is_listed(suite: Path, tmp_path: Path) -> None:
    called = call("import", "evonic", suite, tmp_path / "out")
    assert called.code == 0
    checked = call("check", tmp_path / "out")
    assert (checked.code, checked.out) == (0, "")
    assert {test.test_id for test in load_suite(tmp_path / "out").tests} == RUNS
    assert f"{len(RUNS)} tests; check them" in called.err
    listed = [line for line in call("check", suite, "--notes").err.splitlines() if "/" in line and "):" in line]
    assert len(listed) == 11
    assert set(listed) <= set(called.err.splitlines())
    left = tmp_path / "out" / "left_out"
    assert (left / D / "a" / "level_1" / "py.json").exists()
    assert json.loads((left / D / "evaluators" / "both.json").read_text())["id"] == "bad"


def test_a_run_names_every_skipped_test_first(suite: Path, tmp_path: Path) -> None:
    asked = ("run", "--model", "demo", "--suite", suite, "--headless", "--exp-id", "e", "--db", tmp_path / "m.db")
    called = call(*asked, "--domain", "a")
    assert called.code == 1
    assert "15 tests, 5 asked, 10 not" in called.err
    assert (
        f"a/5/level_9:far.json ({D}/a/level_9/far.json:1): {D}/a/level_9: a level's folder must be named" in called.err
    )
