"""Files that workers elsewhere may ask for: those of the suite that are no tests, and those that go with a question."""

from __future__ import annotations

from pathlib import Path

from modex.core.engine.executors.setup import Contents, _files
from modex.core.store.definition import Definition
from modex.core.store.sample import EvaluationSample
from modex.core.suite.attachments import digest_of
from tests.core.suite.conftest import write_files


def test_of_a_suite_every_file_is_sent_that_is_no_test_not_hidden_and_not_the_database(tmp_path: Path) -> None:
    names = (
        "suite.json", "fixtures/shop.sql", "plugins/a.py", "plugins/__pycache__/a.pyc", ".git/x", ".hidden",
        "test_definitions/d/level_1/a.json", "test_definitions/d/rows.jsonl", "test_definitions/d/picture.png",
        "prompts/d/domain.md", "modex.db", "modex.db-wal",
    )  # fmt: skip
    root = write_files(tmp_path / "suite", dict.fromkeys(names, "x"))
    (root / "gone").symlink_to(root / "nowhere")
    found = [path.relative_to(root).as_posix() for path in _files(root, beside=(root / "modex.db").resolve())]
    assert found == [
        "fixtures/shop.sql", "plugins/a.py", "prompts/d/domain.md", "suite.json", "test_definitions/d/picture.png",
    ]  # fmt: skip


def test_a_file_is_read_by_what_it_held_when_it_was_offered(tmp_path: Path) -> None:
    path, contents = tmp_path / "a.png", Contents()
    path.write_bytes(b"a")
    digest = digest_of(b"a")
    attached = [
        {"path": str(path), "digest": digest}, {"path": "", "digest": "ab"}, {"path": str(path), "digest": ""}, {},
    ]  # fmt: skip
    contents.offer(EvaluationSample(definition=Definition(attachments=attached)))
    assert [contents.read(one) for one in (digest, "ab", "", "cd")] == [b"a", None, None, None]
    path.write_bytes(b"b")
    assert contents.read(digest) is None
    path.unlink()
    assert contents.read(digest) is None
