"""Where the parts of a suite stand in its files, what is written there anew, and what is copied and taken back."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from modex.core.foundation.errors import ConfigurationError, ModexError
from modex.core.suite.definitions import Suite
from modex.core.suite.editing.changes import FileChange, SuiteEdit, apply
from modex.core.suite.editing.new import copy_suite, new_domain, new_evaluator, new_test
from modex.core.suite.editing.patterns import EVALUATORS, TESTS
from modex.core.suite.editing.places import WrittenTest, free_id, layer_file, others_with, written
from modex.core.suite.loading import load_suite
from tests.core.suite.conftest import case, write_files
from tests.rows import each_row


@each_row(
    ("whole", "line", "other", "after", "without"),
    [
        ("a\nb\nc", 0, "x\nb\nc", "a\nx\nb\nc", "b\nc"),
        ("a\nb\nc", 1, "a\nx\nc", "a\nb\nx\nc", "a\nc"),
        ("a\nb\nc", 2, "a\nb\nx", "a\nb\nc\nx", "a\nb"),
        ("a\nb\n", 1, "a\nx\n", "a\nb\nx\n", "a\n"),
        ("a", 0, "x", "a\nx", None),
        ("a\n\n \t", 0, "x\n\n \t", "a\nx\n\n \t", None),
    ],
)
def test_a_line_is_changed_followed_by_another_and_taken_out_alone(
    whole: str, line: int, other: str, after: str, without: str | None
) -> None:
    test = WrittenTest("p", whole, line)
    assert test.text == whole.split("\n")[line]
    assert (test.with_text("x").decode(), test.and_after("x").decode()) == (other, after)
    left = test.without()
    assert (left if left is None else left.decode()) == without


def test_lines_keep_the_ends_that_the_file_has() -> None:
    middle, last = WrittenTest("p", "a\r\nb\r\nc", 0), WrittenTest("p", "a\r\nb", 1)
    assert middle.and_after("x\r") == b"a\r\nx\r\nb\r\nc"
    assert last.and_after("x\r") == b"a\r\nb\nx"  # the last line of a file has no end
    assert last.with_text("x\r") == b"a\r\nx\r"


def test_a_file_that_holds_one_test_is_its_text() -> None:
    test = WrittenTest("p", "{}\n", None)
    assert (test.text, test.with_text("x"), test.without()) == ("{}\n", b"x", None)


def _suite(root: Path, **files: Any) -> Suite:
    named = {f"test_definitions/d/{name}": one for name, one in files.items()}
    own = {"test_definitions/d/domain.json": {"evaluator_id": "two_pass"}, "test_definitions/evaluators/own.json": _OWN}
    return load_suite(write_files(root, {**own, **named}))


_OWN = {"id": "own", "type": "regex", "extraction_regex": "(a)"}


def test_a_new_test_has_a_free_id_a_level_and_a_file_of_its_own(tmp_path: Path) -> None:
    suite = _suite(tmp_path, **{"level_1/test_b.json": case("a"), "level_5/x.json": case("x")})
    edit = new_test(suite, TESTS[0], "d", 1, " b ")
    (change,) = edit.changes
    assert (edit.message, edit.test, change.path) == (
        "d/1/b written",
        "d/1/b",
        "test_definitions/d/level_1/test_b_2.json",
    )
    written = json.loads(change.after or b"")
    assert {name: written[name] for name in ("id", "name", "description")} == {
        "id": "b",
        "name": "B",
        "description": "",
    }
    assert (
        new_test(suite, TESTS[0], "d", 5, "my_new-test").changes[0].path
        == "test_definitions/d/level_5/test_my_new-test.json"
    )
    for domain, level, identity, said in (
        ("d", 0, "b", "a level must be"), ("d", 6, "b", "a level must be"), ("d", 1, "a", "d/1 has a test 'a' already"),
        ("d", 5, "x", "d/5 has a test 'x' already"), ("e", 1, "a", "there is no domain 'e'"), ("d", 1, "a b", "the id may hold"),
    ):  # fmt: skip
        with pytest.raises(ConfigurationError, match=said):
            new_test(suite, TESTS[0], domain, level, identity)


def test_a_new_domain_and_a_new_evaluator_have_a_name_that_nothing_else_has(tmp_path: Path) -> None:
    suite = _suite(tmp_path, **{"level_1/a.json": case("a"), "../bare/readme.md": "words"})
    edit = new_domain(suite, TESTS[0], "my_words")
    first, second = (json.loads(change.after or b"") for change in edit.changes)
    assert [change.path for change in edit.changes] == [
        "test_definitions/my_words/domain.json", "test_definitions/my_words/level_1/test_first.json",
    ]  # fmt: skip
    assert (first["id"], first["name"], first["evaluator_id"]) == (
        "my_words",
        "My words",
        TESTS[0].fields["evaluator_id"],
    )
    assert ("evaluator_id" in second, second["id"], second["name"], edit.test) == (
        False,
        "first",
        "First",
        "my_words/1/first",
    )
    suite.domains["elsewhere"] = suite.domains["d"]
    for identity in ("d", "bare", "tools", "elsewhere"):
        with pytest.raises(ConfigurationError, match=f"a folder or a domain '{identity}' already"):
            new_domain(suite, TESTS[0], identity)
    made = new_evaluator(suite, EVALUATORS[0], "mine")
    assert (made.changes[0].path, made.test) == ("test_definitions/evaluators/mine.json", "")
    (tmp_path / "test_definitions/evaluators/taken.json").write_text("{}")
    for identity in ("own", "two_pass", "taken"):
        with pytest.raises(ConfigurationError, match=f"an evaluator '{identity}' already"):
            new_evaluator(suite, EVALUATORS[0], identity)
    assert [json.loads(new_test(suite, TESTS[0], "d", 2, one).changes[0].after or b"")["name"] for one in ("a_b-c", "_")] == [
        "A b c", "_",
    ]  # fmt: skip


def test_a_suite_is_copied_into_an_empty_folder_and_counted(tmp_path: Path) -> None:
    suite = _suite(tmp_path / "from", **{"level_1/a.json": case("a"), ".hidden": "x", "../../labels.json": "{}"})
    for name in ("new/deep", "empty"):
        target = tmp_path / name
        if name == "empty":
            target.mkdir()
        assert copy_suite(suite, target) == 4
        found = {path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file()}
        assert found == {
            "labels.json", "test_definitions/d/domain.json", "test_definitions/d/level_1/a.json",
            "test_definitions/evaluators/own.json",
        }  # fmt: skip
    labelled = _suite(tmp_path / "labels")
    shutil.rmtree(tmp_path / "labels/test_definitions")
    (tmp_path / "labels/labels.json").write_text("{}")
    assert copy_suite(labelled, tmp_path / "only/labels") == 1
    assert (tmp_path / "only/labels/labels.json").read_text() == "{}"
    (tmp_path / "file").write_text("x")
    for name in ("file", "empty"):
        with pytest.raises(ConfigurationError, match="is there already"):
            copy_suite(suite, tmp_path / name)


def test_a_copy_that_cannot_be_finished_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suite = _suite(tmp_path / "from", **{"../../labels.json": "{}"})
    (tmp_path / "kept").mkdir()

    def full(*_: object, **__: object) -> None:
        raise OSError("no room")

    monkeypatch.setattr(shutil, "copyfile", full)
    for name in ("new", "kept"):
        with pytest.raises(ConfigurationError, match=r"cannot be written .*no room"):
            copy_suite(suite, tmp_path / name)
    assert ((tmp_path / "new").exists(), (tmp_path / "kept").exists()) == (False, True)


def test_where_a_test_stands_is_found_while_its_file_is_what_was_read(tmp_path: Path) -> None:
    lines = json.dumps(case("a")) + "\n" + json.dumps(case("b"))
    suite = _suite(tmp_path, **{"level_1/l.jsonl": lines, "level_1/c.json": case("c")})
    by_id = {test.test_id: test for test in suite.tests}
    assert [written(suite, by_id[name]).line for name in "abc"] == [0, 1, None]
    place = tmp_path / "test_definitions/d/level_1/l.jsonl"
    moved = replace(by_id["b"], location=replace(by_id["b"].location, line=3))
    none = replace(by_id["b"], location=replace(by_id["b"].location, line=0))
    for test, said in ((moved, "changed in the meantime"), (none, "changed in the meantime"),
                       (replace(by_id["a"], source="rows"), "a row of a dataset")):  # fmt: skip
        with pytest.raises(ConfigurationError, match=said):
            written(suite, test)
    place.write_bytes(b"\xff")
    with pytest.raises(ConfigurationError, match="is not UTF-8 text"):
        written(suite, by_id["a"])
    place.unlink()
    with pytest.raises(ConfigurationError, match="there is no such file any more"):
        written(suite, by_id["a"])


def test_a_tests_own_layer_is_the_one_in_markdown_and_shared_by_tests_of_its_id_and_domain(tmp_path: Path) -> None:
    suite = _suite(
        tmp_path, **{"level_1/a.json": case("a"), "level_2/a.json": case("a"), "level_1/b.json": case("b", system_prompt="s"),
                     "../../prompts/d/a.md": "A.", "../../prompts/d/domain.md": "D.", "level_1/c.json": case("c"),
                     "../e/level_2/c.json": case("c")},
    )  # fmt: skip
    found = {(test.test_id, test.level): test for test in suite.tests if test.domain == "d"}
    layers = {name: layer_file(test) for name, test in found.items()}
    assert {name: layer.text if layer else None for name, layer in layers.items()} == {
        ("a", 1): "A.", ("a", 2): "A.", ("b", 1): None, ("c", 1): None,
    }  # fmt: skip
    assert {name: others_with(suite, test) for name, test in found.items()} == {
        ("a", 1): True, ("a", 2): True, ("b", 1): False, ("c", 1): False,
    }  # fmt: skip


@each_row(
    ("known", "name"),
    [("", "a"), ("b", "a"), ("a", "a_2"), ("a a_2", "a_3"), ("a a_3", "a_2"), ("a a_2 a_3 a_4", "a_5")],
)
def test_a_name_that_is_taken_has_the_first_free_number_behind_it(known: str, name: str) -> None:
    assert free_id("a", set(known.split())) == name


def test_what_cannot_be_written_is_taken_back_and_empty_folders_go(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/x").write_text("old")
    (tmp_path / "file").write_text("no folder")
    changes = (FileChange("a/b/x", b"old", b"new"), FileChange("c/y", None, b"y"), FileChange("file/z", None, b"z"))
    with pytest.raises(ModexError):
        apply(tmp_path, SuiteEdit("m", changes))
    assert (tmp_path / "a/b/x").read_text() == "old"
    assert not (tmp_path / "c").exists()
    apply(tmp_path, SuiteEdit("m", (FileChange("a/b/x", b"old", None),)))
    assert (sorted(path.name for path in tmp_path.iterdir()), tmp_path.exists()) == (["file"], True)
