"""Git bundles as folders."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from modex.core.sandbox.bubblewrap.box import BoxError
from modex.core.sandbox.workspace.box import WorkBox, missing_program
from modex.core.sandbox.workspace.bundles import unbundled
from modex.core.sandbox.workspace.spec import WorkLimits
from modex.core.sandbox.workspace.tree import BEGINNING_NS
from tests.core.sandbox.conftest import boxes  # noqa: F401 - a fixture

pytestmark = [
    pytest.mark.process,
    pytest.mark.usefixtures("boxes"),
    pytest.mark.skipif(missing_program(["git"]) is not None, reason="git is not here"),
]


def bundle(folder: Path, *commits: str) -> bytes:
    """A bundle with a commit for each text of `value.txt`."""
    folder.mkdir()
    identity = ["-c", "user.name=x", "-c", "user.email=x@localhost"]

    def git(*words: str) -> None:
        subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    for text in commits:
        (folder / "value.txt").write_text(text)
        git("add", "-A")
        git("commit", "-q", "-m", text)
    git("bundle", "create", "out.bundle", "--all")
    return (folder / "out.bundle").read_bytes()


def test_a_bundle_is_a_clone_with_its_history_and_a_clean_tree(tmp_path: Path) -> None:
    tree = unbundled(bundle(tmp_path / "r", "one", "two", "three"))
    assert tree["value.txt"].data == b"three"
    assert {entry.mtime_ns for entry in tree.values()} == {BEGINNING_NS}
    box = WorkBox(tree, WorkLimits())
    try:
        said = box.shell("git status --porcelain; git log --format=%s; git remote; git branch --show-current; ls -A")
    finally:
        box.close()
    assert said.out == "three\ntwo\none\nmain\n.git\nvalue.txt\n"


def test_every_branch_and_tag_is_there(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    bundle(folder, "one", "two")
    for words in (
        ["branch", "other", "HEAD~1"],
        ["tag", "old", "HEAD~1"],
        ["bundle", "create", "-q", "out.bundle", "--all"],
    ):
        subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)
    box = WorkBox(unbundled((folder / "out.bundle").read_bytes()), WorkLimits())
    try:
        said = box.shell("git for-each-ref --format='%(refname)'; git show other:value.txt; git status --porcelain -b")
    finally:
        box.close()
    assert said.out == "refs/heads/main\nrefs/heads/other\nrefs/tags/old\none## main\n"


def test_what_git_cannot_clone_is_said() -> None:
    with pytest.raises(BoxError, match=r"cannot be cloned \(.+\); make it with `git bundle create"):
        unbundled(b"# v2 git bundle\nnothing")
