"""What the parts of the loader share: folders, single objects, and what counts as a mistake."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modex.core.suite.definitions import Suite
from modex.core.suite.dialects import dialect_of
from modex.core.suite.loading import load_suite
from modex.core.suite.state import Loading, one_object
from tests.core.suite.conftest import Write, case
from tests.rows import each_row

D = "test_definitions"
Load = Callable[[dict[str, Any]], Suite]


def _loading(root: Path, **more: Any) -> Loading:
    return Loading(Suite(root), "", frozenset(), True, **more)


def _told(loading: Loading) -> list[str]:
    return [str(one) for one in loading.report.problems]


def test_a_folder_that_cannot_be_listed_is_a_problem_with_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "scandir", refuse)
    loading = _loading(tmp_path)
    assert [loading.folder(name).files for name in ("d", "")] == [[], []]
    why = "cannot be listed (Permission denied); make it readable"
    assert _told(loading) == [f"d: {why}", f".: {why}"]
    assert [one.line for one in loading.report.problems] == [0, 0]


def test_a_link_out_of_the_suite_is_named_by_its_folder_and_without_one_at_the_top(tmp_path: Path) -> None:
    (tmp_path / "suite" / "d").mkdir(parents=True)
    for place in ("suite", "suite/d"):
        (tmp_path / place / "away").symlink_to(tmp_path)
    loading = _loading(tmp_path / "suite")
    assert [loading.folder(name).folders for name in ("", "d")] == [["d"], []]
    assert [(one.path, one.line) for one in loading.report.problems] == [("away", 0), ("d/away", 0)]


def test_a_folder_that_is_missing_is_an_empty_one(tmp_path: Path) -> None:
    loading = _loading(tmp_path)
    assert (loading.folder("gone").files, _told(loading)) == ([], [])


@each_row(
    ("hint", "foreign", "typo"),
    [("did you mean 'a'?", False, True), ("", False, False), ("did you mean 'a'?", True, False), ("", True, False)],
)
def test_what_nearly_has_a_name_is_a_mistake_unless_another_systems_code_may_have_it(
    hint: str, foreign: bool, typo: bool
) -> None:
    assert _loading(Path(), dialect=dialect_of("evonic") if foreign else None).is_typo(hint) is typo


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[{}]", "f.json:1: an object is expected; put several tests into a .jsonl file, one a line"),
        ("3", "f.json:1: an object is expected; write one"),
        ("null", "f.json:1: an object is expected; write one"),
    ],
)
def test_a_file_of_one_object_that_holds_something_else_says_what_to_do(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "f.json").write_text(text)
    loading = _loading(tmp_path)
    assert (one_object(loading, "f.json"), _told(loading)) == (None, [told])


def test_a_file_that_is_no_json_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "f.json").write_text("[1,\n")
    loading = _loading(tmp_path)
    assert one_object(loading, "f.json") is None
    assert list(loading.objects("f.json")) == []
    assert len(set(_told(loading))) == 1
    assert "an object is expected" not in _told(loading)[0]


def test_of_a_list_those_that_are_no_objects_are_told_and_the_others_taken(tmp_path: Path) -> None:
    (tmp_path / "f.json").write_text('[{"a": 1},\n 3,\n {"b": 2}]')
    (tmp_path / "g.json").write_text('"x"')
    loading = _loading(tmp_path)
    assert [(at, found) for _, at, found in loading.objects("f.json")] == [((0,), {"a": 1}), ((2,), {"b": 2})]
    assert list(loading.objects("g.json")) == []
    assert list(loading.objects("gone.json")) == []
    assert _told(loading) == [
        "f.json:2: an object is expected; write one",
        "g.json:1: an object is expected; write one",
        "gone.json: there is no such file; correct its name, or put it there",
    ]


_SIGNED = {f"{D}/d/level_1/a.json": case(), "tool_mocks/t.json": {"id": "t", "mock_response": "1"}}


def test_a_suite_that_bears_another_systems_signs_is_read_as_that_systems_unless_it_says_what_it_is(
    write: Write,
) -> None:
    root = write(_SIGNED)
    read = load_suite(root)
    assert (read.dialect, read.problems, set(read.tools) >= {"t", "calculator"}) == ("evonic", [], True)
    write({f"{D}/suite.json": {"dialect": "modex"}})
    ours = load_suite(root)
    assert (ours.dialect, set(ours.tools)) == (None, set())
    assert [one.path for one in ours.problems] == ["tool_mocks/t.json"]
    write({f"{D}/suite.json": {"dialect": "evonic"}})
    assert load_suite(root).tools == read.tools


@pytest.mark.parametrize("folder", ["seed", "other"])
def test_the_tables_of_another_systems_queries_stand_in_the_file_that_it_names(write: Write, folder: str) -> None:
    root = write({f"{folder}/test_db.sqlite": "x"})
    assert _loading(root, dialect=dialect_of("evonic")).fixture == ("seed/test_db.sqlite" if folder == "seed" else "")
    assert _loading(root).fixture == ""
