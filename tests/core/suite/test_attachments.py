"""Files that go with a question: found in the suite, bounded, of a kind that is sent; what is wrong is said with its line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modex.core.config.runconfig import DatasetSpec
from modex.core.suite import attachments
from modex.core.suite.attachments import _begins_as
from modex.core.suite.datasets import DatasetReader
from modex.core.suite.definitions import Suite
from tests.core.suite.conftest import case
from tests.rows import each_row

Load = Callable[[dict[str, Any]], Suite]
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20
TEST = "test_definitions/d/level_1/t.json"


@pytest.fixture
def suite_of(load: Load) -> Callable[..., Suite]:
    def make(stored: dict[str, Any] | None = None, **test: Any) -> Suite:
        return load({"test_definitions/d/domain.json": {"id": "d"}, TEST: case(**test), **(stored or {})})

    return make


def test_a_tests_files_are_found_from_the_suites_folder(suite_of: Callable[..., Suite]) -> None:
    suite = suite_of({"files/a.png": PNG, "files/b.csv": "x,y\n1,2\n"}, file_name="files/a.png", files=["files/b.csv"])
    assert suite.problems == []
    found = suite.tests[0].attachments
    assert [(one.name, one.media_type, one.size) for one in found] == [
        ("files/a.png", "image/png", 28),
        ("files/b.csv", "text/csv", 8),
    ]
    assert Path(found[0].path).read_bytes() == PNG


def test_parts_of_a_turn_keep_their_place_in_its_text(suite_of: Callable[..., Suite]) -> None:
    parts = [
        {"type": "text", "text": "First"},
        {"type": "image", "image": "a.png"},
        {"type": "text", "text": "second"},
        {"type": "file", "file": "b.txt"},
    ]
    turns = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Yes?"}]
    suite = suite_of({"a.png": PNG, "b.txt": "b"}, prompt=[*turns, {"role": "user", "content": parts}])
    assert suite.problems == []
    (test,) = suite.tests
    assert test.prompt == (*turns, {"role": "user", "content": "First\n\nsecond"})
    assert [(one.name, one.turn, one.at) for one in test.attachments] == [("a.png", 2, 5), ("b.txt", 2, 13)]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("gone.png", None, "'file_name': there is no file 'gone.png'"),
        ("../out.png", None, "'file_name': '../out.png' lies outside the suite"),
        ("/etc/hosts", None, "is absolute"),
        ("a.xlsx", b"PK", "is of a kind that is not sent to models (.xlsx)"),
        ("a.png", b"GIF89a", "is not image/png, as its ending says"),
        ("a.txt", b"\xff\xfe", "is not UTF-8 text"),
        ("a.pdf", b"no", "is not application/pdf"),
    ],
)
def test_a_file_that_cannot_be_sent_is_a_mistake_with_its_line(
    suite_of: Callable[..., Suite], name: str, content: bytes | None, said: str
) -> None:
    files = {} if content is None else {name: content}
    suite = suite_of(files, file_name=name)
    (problem,) = suite.problems
    assert said in problem.message
    assert (problem.path, problem.line) == (TEST, 6)
    assert suite.tests[0].invalid


def test_large_files_are_named_with_what_is_allowed(
    suite_of: Callable[..., Suite], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attachments, "MAX_BYTES", 1024 * 1024)
    monkeypatch.setattr(attachments, "MAX_TOGETHER", 1024 * 1024)
    large = suite_of({"a.txt": "x" * (2 * 1024 * 1024)}, file_name="a.txt")
    assert "'a.txt' is too large to attach: 2.0 MiB, where 1 MiB are allowed" in large.problems[0].message
    many = suite_of({f"{n}.txt": "x" * (600 * 1024) for n in "ab"}, files=["a.txt", "b.txt"])
    assert "too large together: 1.2 MiB, where 1 MiB are allowed" in many.problems[0].message


def test_a_wrong_part_is_named_by_its_turn(suite_of: Callable[..., Suite]) -> None:
    suite = suite_of(prompt=[{"role": "user", "content": [{"type": "image", "url": "a.png"}]}])
    assert "has a wrong part in turn 1: a part is" in suite.problems[0].message


def test_a_file_that_changes_has_another_digest(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one")
    before = attachments.find(tmp_path, "a.txt").digest
    (tmp_path / "a.txt").write_text("other")
    assert attachments.find(tmp_path, "a.txt").digest != before


def rows(tmp_path: Path, *given: dict[str, Any], filters: tuple[str, ...] = ()) -> DatasetReader:
    path = tmp_path / "data" / "q.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps({"question": "q?", "answer": "a", **row}) + "\n" for row in given))
    return DatasetReader(DatasetSpec(path=str(path)), filters=filters)


def test_a_datasets_files_lie_in_its_folder_and_one_that_is_not_sent_shuts_out_no_row(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.png").write_bytes(PNG)
    (tmp_path / "data" / "sheet.xlsx").write_bytes(b"PK")
    (tmp_path / "out.png").write_bytes(PNG)
    reader = rows(
        tmp_path,
        {"file_name": "a.png"},
        {"file_name": ""},
        {"file_name": "b.png"},
        {"file_name": "../out.png"},
        {"file_name": "sheet.xlsx"},
    )
    found = list(reader)
    assert [[one.name for one in test.attachments] for test in found] == [
        ["a.png"],
        [],
        ["b.png"],
        ["../out.png"],
        ["sheet.xlsx"],
    ]
    assert reader.problems == []
    said = [(problem.line, problem.message) for problem in reader.unsent]
    assert [line for line, _ in said] == [3, 4, 5]
    assert (
        said[0][1]
        == "not asked, since its file is not sent: there is no file 'b.png'; correct its name, or put it there"
    )
    assert "lies outside the dataset's folder" in said[1][1]
    assert "'sheet.xlsx' is of a kind that is not sent to models (.xlsx); those are: png, " in said[2][1]
    assert [bool(test.attachments[0].path) for test in found if test.attachments] == [True, False, False, True]
    assert "attachments: column 'file_name', sent with the questions" in reader.guesses


def test_metadata_that_names_files_is_metadata(suite_of: Callable[..., Suite]) -> None:
    suite = suite_of(metadata={"file_name": "gone.xlsx", "files": ["gone.mp3"]})
    assert suite.problems == []
    assert suite.tests[0].attachments == ()


@pytest.mark.parametrize("value", [3, {"a": 1}, [1, 2], ["https://example.org/a.xlsx"], True])
def test_a_key_of_other_suites_that_names_no_files_is_kept_as_metadata(
    suite_of: Callable[..., Suite], value: object
) -> None:
    suite = suite_of(files=value)
    assert suite.problems == []
    assert suite.tests[0].metadata["files"] == value
    assert any("'files' holds no names of files" in note.message for note in suite.notes)


def test_rows_that_a_filter_leaves_out_need_no_files(tmp_path: Path) -> None:
    reader = rows(tmp_path, {"file_name": "gone.png"}, {"file_name": ""}, filters=("file_name=",))
    assert len(list(reader)) == 1
    assert reader.problems == []


def test_a_column_of_addresses_is_not_sent_and_this_is_said(tmp_path: Path) -> None:
    reader = rows(tmp_path, {"image": "https://example.org/a.png"})
    assert [test.attachments for test in reader] == [()]
    assert "column 'image' holds no names of files: nothing of it is sent with the questions" in reader.guesses


@each_row(
    ("media_type", "data", "is_one"),
    [
        ("image/png", b"\x89PNG\r\n\x1a\n...", True), ("image/png", b"\x89PNG\n", False),
        ("image/jpeg", b"\xff\xd8\xff\xe0", True), ("image/jpeg", b"\xff\xd8\x00", False),
        ("image/gif", b"GIF89a", True), ("image/gif", b"PNG", False),
        ("image/webp", b"RIFF\0\0\0\0WEBPVP8 ", True), ("image/webp", b"RIFX\0\0\0\0WEBP", False),
        ("image/webp", b"RIFF\0\0\0\0WAVE", False), ("image/webp", b"RIFFWEBP", False),
        ("application/pdf", b"%PDF-1.7", True), ("application/pdf", b"x" * 1019 + b"%PDF-", True),
        ("application/pdf", b"x" * 1020 + b"%PDF-", False),
    ],
)  # fmt: skip
def test_a_file_is_known_by_its_first_bytes(media_type: str, data: bytes, is_one: bool) -> None:
    assert _begins_as(media_type, data) is is_one
