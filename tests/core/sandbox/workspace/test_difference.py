"""Diffs of folders."""

from __future__ import annotations

import pytest

from modex.core.sandbox.workspace import difference as module
from modex.core.sandbox.workspace.difference import FolderDifference, difference, named
from modex.core.sandbox.workspace.tree import Tree, TreeEntry, tree_of


def test_changed_new_and_deleted_files_are_shown_line_by_line() -> None:
    before = tree_of({"a": "1\n2\n3\n", "gone": "x\n"})
    after = tree_of({"a": "1\nzwei\n3\n", "new": "y\n"})
    assert difference(before, after) == FolderDifference(
        "diff a\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n 1\n-2\n+zwei\n 3\n"
        "diff gone\ndeleted file\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
        "diff new\nnew file\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+y\n",
        3,
    )


@pytest.mark.parametrize(
    ("one", "two", "shown"),
    [
        (TreeEntry("file", b"1"), TreeEntry("file", b"1\n"), "-1\n\\ No newline at end of file\n+1\n"),
        (TreeEntry("file", b""), TreeEntry("file", b"", 0o755), "diff a\nmode 644 became 755\n"),
        (None, TreeEntry("file", b"x\n", 0o755), "new executable file\n"),
        (None, TreeEntry("link", b"/etc/passwd"), "new link\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+link to /etc/passwd\n"),
        (TreeEntry("file", b"x\n"), TreeEntry("link", b"\xff\n"),
         'file became link\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+link to "\\\\xff\\n"\n'),
        (TreeEntry("file", b"a\0b"), TreeEntry("file", b"a\0bc"), "diff a\ncontents are not shown: 3 bytes became 4 bytes\n"),
        (TreeEntry("file", b"\xff"), None, "deleted file\ncontents are not shown: 1 bytes became nothing\n"),
        (TreeEntry("link", b"x"), TreeEntry("file", b"\xff"), "contents are not shown: link became 1 bytes\n"),
        (None, TreeEntry("file", b"x" * 600_000), "contents are not shown: nothing became 600,000 bytes\n"),
        (None, TreeEntry("file", b"x\n" * 7000), "contents are not shown: nothing became 14,000 bytes\n"),
    ],
)  # fmt: skip
def test_what_is_no_text_is_only_named(one: TreeEntry | None, two: TreeEntry | None, shown: str) -> None:
    trees: list[Tree] = [{"a": entry} if entry else {} for entry in (one, two)]
    found = difference(*trees)
    assert shown in found.text
    assert found.files == 1


@pytest.mark.parametrize(
    "path",
    [".git/config", "x/__pycache__/a.pyc", "a.pyc", ".pytest_cache/x", "node/.git/HEAD"],
)
def test_caches_and_what_git_keeps_are_left_out(path: str) -> None:
    assert difference({}, {path: TreeEntry("file", b"x")}) == FolderDifference()


def test_folders_and_times_alone_are_no_difference() -> None:
    assert (
        difference({"a": TreeEntry("file", b"x")}, {"a": TreeEntry("file", b"x", mtime_ns=1), "d": TreeEntry("folder")})
        == FolderDifference()
    )


def test_a_large_diff_is_cut_at_whole_files_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_DIFF", 1024)
    found = difference({}, tree_of({"a": "x\n" * 250, "b": "y\n" * 400, "c": "z\n", "d": "z\n" * 90}))
    assert [line for line in found.text.splitlines() if line.startswith("diff ")] == ["diff a", "diff c"]
    assert (found.files, found.left_out) == (4, "2 of 4 files are not shown: the diff is larger than 1 kB")


@pytest.mark.parametrize(
    ("path", "shown"),
    [("a/b c", "a/b c"), ("ü", "ü"), ("a\nb", '"a\\nb"'), ("\x1b[31m", '"\\u001b[31m"'), ("\udcff", '"\\udcff"'),
     ('"a"', '"\\"a\\""')],
)  # fmt: skip
def test_names_stand_on_one_line(path: str, shown: str) -> None:
    assert named(path) == shown
    assert f"diff {shown}\n" in difference({}, {path: TreeEntry("file", b"x\n")}).text
