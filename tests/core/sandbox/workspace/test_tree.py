"""States of a folder as data."""

from __future__ import annotations

import os

import pytest

from modex.core.sandbox.workspace import tree as module
from modex.core.sandbox.workspace.tree import (
    BEGINNING_NS,
    TreeEntry,
    changed,
    changes,
    file_of,
    packed,
    tree_of,
    unpacked,
    with_folders,
)

BEFORE = with_folders(tree_of({"a": "1", "b/c/d": "2", "run": "#!/bin/sh\n"}))


def test_files_by_their_texts_are_old_and_scripts_can_be_run() -> None:
    assert BEFORE["a"] == TreeEntry("file", b"1", 0o644, BEGINNING_NS)
    assert BEFORE["run"].mode == 0o755
    assert file_of("#!", executable=False).mode == 0o644
    assert file_of("\udc80").data == b"\xed\xb2\x80"


def test_folders_stand_before_what_is_in_them() -> None:
    assert list(BEFORE) == ["a", "b", "b/c", "b/c/d", "run"]
    assert BEFORE["b"] == TreeEntry("folder", mode=0o755)
    assert with_folders({"b": TreeEntry("folder", mode=0o700), "b/c": TreeEntry("file")})["b"].mode == 0o700


def test_what_was_changed_is_found_and_done_again() -> None:
    after = dict(BEFORE)
    del after["a"]
    after["b/c/d"] = TreeEntry("file", b"3")
    after["new\n\x1b"] = TreeEntry("link", b"\xff", 0o777, 5)
    after[os.fsdecode(b"\xff")] = TreeEntry("file", b"\0")
    found = changes(BEFORE, after)
    assert found["a"] is None
    assert len(found) == 4
    assert changed(BEFORE, unpacked(packed(found))) == after
    assert changes(after, after) == {}


def test_a_new_time_is_kept_and_is_no_change_for_a_person() -> None:
    old, new = TreeEntry("file", b"1"), TreeEntry("file", b"1", mtime_ns=7)
    assert changes({"a": old}, {"a": new}) == {"a": new}
    assert old.same == new.same
    assert TreeEntry("file", b"", 0o755).same != TreeEntry("file", b"", 0o644).same
    assert TreeEntry("folder", mode=0o755).same == TreeEntry("folder", mode=0o700).same


def test_more_than_can_be_kept_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_PACKED", 4 * 1024 * 1024 // 3 + 4)
    assert packed({"a": TreeEntry("file", bytes(5 * 1024 * 1024))})
    with pytest.raises(ValueError, match=r"^2.0 MB of changed files, 2.0 MB compressed, where 1 MB can be kept$"):
        packed({"a": TreeEntry("file", os.urandom(2 * 1024 * 1024))})


@pytest.mark.parametrize("text", ["", "x", "eJw=", packed({})[:-8], "eJyrVspWslJQylTSUQIAFvoDPg=="])
def test_what_is_no_kept_state_is_said(text: str) -> None:
    with pytest.raises(ValueError, match="no kept workspace"):
        unpacked(text)
