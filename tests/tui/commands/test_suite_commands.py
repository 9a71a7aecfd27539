"""`modex check`, `prompt`, `schema`: the suite, without any run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli import call, keyword_tests, write_suite
from tests.core.suite.conftest import write_files
from tests.tui.commands.conftest import HOSTILE, assert_clean


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    write_suite(tmp_path / "suite", keyword_tests(1), system_prompt="Domain.")
    return write_files(tmp_path / "suite", {"prompts/d/level_1.md": "---\nmode: append\n---\nLevel."})


def test_a_suite_without_mistakes_is_said_to_have_none(suite: Path) -> None:
    called = call("check", suite)
    assert (called.code, called.out) == (0, "")
    assert "1 test in 1 cell of 1 domain, 0 mistakes" in called.err


def test_the_bundled_suite_has_no_mistakes() -> None:
    called = call("check")
    assert (called.code, called.out) == (0, "")


def test_a_mistake_is_file_line_message(suite: Path) -> None:
    write_files(suite, {"test_definitions/d/level_1/x.json": '{\n "id": "x",\n "promt": "?"\n}'})
    called = call("check", suite)
    assert called.code == 2
    assert any(line.startswith("test_definitions/d/level_1/x.json:3: ") for line in called.out.splitlines())


def test_json_lists_problems_and_notes(suite: Path) -> None:
    write_files(suite, {"test_definitions/d/level_1/x.json": {"id": "x", "prompt": "?", "icon": "i", "weight": -1}})
    called = call("check", suite, "--json")
    assert called.code == 2
    assert called.data["problems"][0]["line"] > 0
    assert called.data["tests"] == 2
    assert any("icon" in note["message"] for note in called.data["notes"])
    assert "icon" in call("check", suite, "--notes").out


def test_a_folder_without_a_suite_says_what_to_name(tmp_path: Path) -> None:
    called = call("check", tmp_path)
    assert called.code == 2
    assert "test_definitions" in called.err


def test_hostile_names_reach_no_terminal(suite: Path) -> None:
    write_files(suite, {"test_definitions/d/level_1/x.json": {"id": f"x{HOSTILE}", "prompt": "?", f"k{HOSTILE}": 1}})
    for words in ([], ["--notes"], ["--json"]):
        assert_clean(call("check", suite, *words))


def test_a_prompt_is_shown_layer_by_layer(suite: Path) -> None:
    called = call("prompt", "t0", "--suite", suite)
    assert called.code == 0
    assert "[domain: overwrite, test_definitions/d/domain.json:" in called.out
    assert "[level: append, prompts/d/level_1.md:" in called.out
    assert "[effective system prompt]\nDomain.\n\nLevel.\n" in called.out
    assert "[prompt]\nquestion 0" in called.out


def test_a_prompt_as_json_holds_layers_and_effect(suite: Path) -> None:
    (shown,) = call("prompt", "d/1/t0", "--suite", suite, "--json").data
    assert "Domain.\n\nLevel." in json.dumps(shown).replace("\\n", "\n")


def test_an_unknown_test_is_answered_with_a_near_one(suite: Path) -> None:
    called = call("prompt", "t00", "--suite", suite)
    assert called.code == 2
    assert "did you mean 't0'" in called.err


NAMES = {"domain", "level", "test", "dataset", "evaluator", "tool"}


def test_every_schema_is_printed_or_written(tmp_path: Path) -> None:
    assert set(call("schema").data) >= NAMES
    assert call("schema", "test").data["type"] == "object"
    called = call("schema", "--out", tmp_path / "schemas")
    assert {Path(line).name.split(".")[0] for line in called.out.splitlines()} >= NAMES
    for line in called.out.splitlines():
        json.loads(Path(line).read_text())


def test_an_unknown_schema_lists_the_known_ones() -> None:
    called = call("schema", "tset")
    assert called.code == 2
    assert "evaluator" in called.err


def test_check_counts_rows_names_plugins_and_leaves_a_datasets_own_file_alone(tmp_path: Path) -> None:
    root = write_suite(tmp_path / "s", [{"id": "t", "prompt": "?", "expected": 1, "evaluator_id": "of_ours"}])
    folder = root / "test_definitions" / "quiz"
    folder.mkdir()
    (folder / "dataset.json").write_text(json.dumps({"id": "quiz", "file": "rows.json", "evaluator_id": "match"}))
    rows = [{"question": "1?", "answer": "1"}, {"question": "2?", "answer": "2", "file_name": "gone.mp3"}]
    (folder / "rows.json").write_text(json.dumps(rows))
    (root / "plugins").mkdir()
    (root / "plugins" / "ours.py").write_text("raise SystemExit('not to be run')\n")
    called = call("check", root, "--notes")
    assert called.code == 2
    assert "there is no evaluator 'of_ours'; the suite's plugins may define it (ours.py)" in called.out
    assert "test_definitions/quiz/dataset.json: 2 rows" in called.err
    assert "rows.json: form: each row is asked for its final answer" in called.err
    assert "1 row names a file that no model is sent and will end as errors" in called.err
    assert "row 2: not asked, since its file is not sent: there is no file 'gone.mp3'" in called.out
    assert "rows.json" not in "".join(line for line in called.out.splitlines() if "is ignored" in line)


def test_a_file_of_tests_beside_the_levels_is_said_unasked(suite: Path) -> None:
    (domain,) = [path for path in (suite / "test_definitions").iterdir() if (path / "domain.json").exists()][:1]
    (domain / "test_lost.json").write_text("{}")
    assert f"{domain.name}/test_lost.json: is ignored: tests stand in level_<n>/" in call("check", suite).err
