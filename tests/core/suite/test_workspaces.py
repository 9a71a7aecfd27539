"""Folders and bundles that tests name: read as data, and refused where they cannot be."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from modex.core.sandbox.workspace.tree import TreeEntry
from modex.core.suite import workspaces as module
from modex.core.suite.files import FileFaultError
from modex.core.suite.workspaces import beginning_of, digest_of, hidden_files, needs_missing, read_folder, with_digests
from tests.cli import call, write_suite


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A suite's folder with one for a workspace."""
    given = tmp_path / "given"
    (given / "src" / "__pycache__").mkdir(parents=True)
    (given / "src" / "a.py").write_text("a\n")
    (given / "src" / "__pycache__" / "a.pyc").write_text("x")
    (given / "run").write_text("#!/bin/sh\n")
    (given / "run").chmod(0o755)
    (given / ".hidden").write_text("h")
    (given / "link").symlink_to("src/a.py")
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "t.py").write_text("t")
    return tmp_path


def test_a_folder_is_read_with_links_and_permissions(root: Path) -> None:
    tree = read_folder(root, "given")
    assert sorted(tree) == [".hidden", "link", "run", "src", "src/a.py"]
    assert tree["link"] == TreeEntry("link", b"src/a.py", 0o777)
    assert (tree["run"].mode, tree["src/a.py"].mode) == (0o755, 0o644)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("none", "there is no file 'none'"),
        ("../x", "outside"),
        ("/etc", "is absolute"),
        ("given/run", "is no folder; name one, or a git bundle"),
    ],
)
def test_what_is_no_folder_of_the_suite_is_refused(root: Path, name: str, words: str) -> None:
    (root.parent / "x").mkdir(exist_ok=True)
    with pytest.raises(FileFaultError) as raised:
        read_folder(root, name)
    assert words in raised.value.message


@pytest.mark.parametrize("leads", ["/etc/passwd", "../hidden/t.py", "src/../../hidden/t.py"])
def test_links_that_lead_out_of_the_folder_are_refused(root: Path, leads: str) -> None:
    (root / "given" / "out").symlink_to(leads)
    with pytest.raises(FileFaultError) as raised:
        read_folder(root, "given")
    assert "'out' in 'given' is a link that leads out of the folder" in raised.value.message


def test_what_is_too_much_or_no_file_is_refused(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ENTRIES", 4)
    with pytest.raises(FileFaultError, match="more than 4 files"):
        read_folder(root, "given")
    monkeypatch.setattr(module, "MAX_ENTRIES", 5)
    assert read_folder(root, "given")
    monkeypatch.setattr(module, "MAX_BYTES", 10)
    with pytest.raises(FileFaultError, match=r"'given' is larger"):
        read_folder(root, "given")
    os.mkfifo(root / "hidden" / "pipe")
    with pytest.raises(FileFaultError, match=r"'pipe' in 'hidden' is not a regular file"):
        read_folder(root, "hidden")


def test_a_test_that_names_folders_carries_their_digests(root: Path) -> None:
    plain = {"files": {"a": "x"}, "checks": ["true"]}
    assert with_digests(plain, root) == plain
    named = {"workspace": "given", "tests": "hidden"}
    found = with_digests(named, root)
    assert found == {**named, "digest": {key: digest_of(read_folder(root, named[key])) for key in named}}
    assert sorted(beginning_of({**found, "files": {"run": "other", "new": "n"}}, root)) == [
        ".hidden", "link", "new", "run", "src", "src/a.py",
    ]  # fmt: skip
    assert beginning_of({**found, "files": {"run": "other"}}, root)["run"].data == b"other"
    assert sorted(hidden_files(found, root)) == ["t.py"]
    assert sorted(hidden_files({"tests": {"x": "1"}}, None)) == ["x"]
    (root / "hidden" / "t.py").write_text("changed")
    with pytest.raises(FileFaultError, match="'hidden' has changed since the run was planned; run it again"):
        hidden_files(found, root)
    with pytest.raises(FileFaultError, match="there is none; name it with --suite"):
        beginning_of(found, None)


def test_a_digest_is_of_names_contents_and_permissions() -> None:
    one = {"a": TreeEntry("file", b"x")}
    others = [
        {"b": TreeEntry("file", b"x")},
        {"a": TreeEntry("file", b"y")},
        {"a": TreeEntry("file", b"x", 0o755)},
        {"a": TreeEntry("link", b"x")},
    ]
    assert len({digest_of(tree) for tree in (one, *others)}) == 5
    assert digest_of(one) == digest_of({"a": TreeEntry("file", b"x", mtime_ns=3)})


def test_a_bundle_must_be_one(root: Path) -> None:
    (root / "x.bundle").write_bytes(b"PK")
    with pytest.raises(FileFaultError, match=r"'x\.bundle' is no git bundle; make one with git bundle create"):
        with_digests({"workspace": "x.bundle"}, root)
    with pytest.raises(FileFaultError, match=r"'y\.bundle'"):
        with_digests({"workspace": "y.bundle"}, root)
    (root / "x.bundle").write_bytes(b"# v3 git bundle\n")
    assert set(with_digests({"workspace": "x.bundle"}, root)["digest"]) == {"workspace"}
    with pytest.raises(FileFaultError, match="'none'"):
        with_digests({"files": {}, "solution": {"folder": "none"}}, root)


def test_programs_that_are_missing_are_named() -> None:
    assert needs_missing({"needs": ["sh"]}) is None
    assert "needs no-such-program, which is not in /usr/bin here; install it" in str(
        needs_missing({"needs": ["no-such-program"]})
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"sandbox": {"workspace": "none", "checks": ["true"]}}, "'sandbox': there is no file 'none'"),
        (
            {"sandbox": {"files": {"../a": ""}, "checks": ["true"]}},
            "'sandbox' has a file among its files that cannot be",
        ),
        ({"sandbox": {"packages": ["numpy"]}}, "the test has no workspace; give it one"),
        ({"sandbox": {"files": {"a": ""}}}, "nothing judges what is left"),
        (
            {"sandbox": {"files": {"a": ""}}, "expected": {"file": {}}},
            "expected of a workspace is left out, or an object of",
        ),
        ({"sandbox": {"files": {"a": ""}}, "expected": {"files": {"/a": "x"}}}, "is absolute"),
        (
            {"sandbox": {"files": {"a": ""}}, "expected": {"judge": ""}},
            "expected.judge must say by what a judge decides",
        ),
        (
            {"sandbox": {"checks": ["true"]}, "expected": {"credit": "some"}},
            "expected.credit must be one of all, checks",
        ),
    ],
)
def test_check_names_file_and_line_of_every_mistake(tmp_path: Path, fields: dict[str, Any], words: str) -> None:
    suite = write_suite(tmp_path / "s", [{"id": "t", "prompt": "p", "evaluator_id": "workspace", **fields}])
    checked = call("check", suite)
    assert checked.code == 2
    assert "level_1/tests.jsonl:1: " in checked.out + checked.err
    assert words in checked.out + checked.err


def test_check_says_where_a_check_can_be_faked(tmp_path: Path) -> None:
    sandbox = {"files": {"a": ""}, "checks": ["python3 t.py", "make test", {"run": "python3 t.py", "prints": "done"}]}
    suite = write_suite(tmp_path / "s", [{"id": "t", "prompt": "p", "evaluator_id": "workspace", "sandbox": sandbox}])
    checked = call("check", suite, "--notes")
    assert checked.code == 0
    assert (checked.out + checked.err).count("holds by its exit code alone") == 1
