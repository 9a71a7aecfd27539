"""What a model's calls in its workspace are answered."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from modex.core.llm.gate import Interrupted
from modex.core.sandbox.workspace.spec import WorkLimits
from modex.core.sandbox.workspace.tree import TreeEntry, tree_of
from modex.core.tools.base import ToolResult, ToolSession
from modex.core.tools.executor import SuiteToolExecutor
from modex.core.tools.registry import find_handler, handler_unavailable
from modex.core.tools.shell_tools import SampleWorkspace, workspace_tools
from tests.core.sandbox.conftest import boxes  # noqa: F401 - a fixture

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("boxes")]
LIMITS = WorkLimits(seconds=3, memory_mb=256, output_kb=1, processes=16, calls=30, size_mb=8)
FILES = {"a.txt": "one\ntwo\nthree\ntwo\n", "src/b.py": "x = 1\n", "run.sh": "#!/bin/sh\necho ran\n", "empty": ""}


@pytest.fixture
def workspace() -> Iterator[SampleWorkspace]:
    """A workspace with some files."""
    found = SampleWorkspace(tree_of(FILES), LIMITS)
    yield found
    found.close()


def said(workspace: SampleWorkspace, name: str, **arguments: Any) -> str:
    """What a call is answered, an error with a `!` before it."""
    result = workspace.call(name, arguments)
    return ("!" if result.is_error else "") + result.content


def test_the_schemas_are_those_of_coding_agents() -> None:
    found = {tool.name: tool for tool in workspace_tools(LIMITS)}
    assert {name: tool.parameters["required"] for name, tool in found.items()} == {
        "shell": ["command"], "read_file": ["path"], "write_file": ["path", "content"],
        "edit_file": ["path", "old_text", "new_text"], "list_files": [], "search": ["pattern"],
    }  # fmt: skip
    assert [name for name, tool in found.items() if tool.read_only] == ["read_file", "list_files", "search"]
    assert all(tool.handler == tool.id == f"workspace:{name}" for name, tool in found.items())
    assert "3 seconds" in found["shell"].description
    assert "at most 1 kB" in found["shell"].description


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("echo hi; echo err >&2", "hi\nerr\n"),
        ("true", "[no output]"),
        ("echo no; exit 4", "!no\n[exit code 4]"),
        ("kill -TERM $$", "!\n[ended by signal 15]"),
        ("while :; do :; done", "!\n[ended: more than 3 seconds of processor time]"),
        ("kill -9 -1; sleep 1", "!\n[the command ended the whole sandbox; the work folder is as it was before]"),
        ("syntax ((",
         "!/bin/bash: -c: line 1: syntax error near unexpected token `('\n"
         "/bin/bash: -c: line 1: `syntax (('\n[exit code 2]"),
    ],
)  # fmt: skip
def test_a_command_says_how_it_ended(workspace: SampleWorkspace, command: str, answer: str) -> None:
    assert said(workspace, "shell", command=command) == answer


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        ({"path": "a.txt"}, "one\ntwo\nthree\ntwo\n"),
        ({"path": "a.txt", "start_line": 2, "end_line": 3}, "two\nthree\n"),
        ({"path": "a.txt", "start_line": 4, "end_line": 99}, "two\n"),
        ({"path": "/tmp/work/./src/../a.txt", "end_line": 1}, "one\n"),
        ({"path": "a.txt", "start_line": 5}, '!{"error": "a.txt has 4 lines"}'),
        ({"path": "empty"}, "[the file is empty]"),
        ({"path": "src"}, '!{"error": "src: it is a folder"}'),
        ({"path": "none"}, '!{"error": "none: No such file or directory"}'),
        ({"path": "../x"}, '!{"error": "../x: it is outside of the work folder"}'),
        ({"path": "/etc/hosts"}, '!{"error": "/etc/hosts: it is outside of the work folder"}'),
        ({"path": "a\0"}, '!{"error": "a\\u0000: it is outside of the work folder"}'),
        ({"path": "."}, '!{"error": ".: it is the work folder itself; name a file in it"}'),
    ],
)
def test_files_are_read(workspace: SampleWorkspace, arguments: dict[str, Any], answer: str) -> None:
    assert said(workspace, "read_file", **arguments) == answer


def test_what_is_read_is_cut_and_says_so(workspace: SampleWorkspace) -> None:
    said(workspace, "write_file", path="long", content="x" * 1500)
    assert said(workspace, "read_file", path="long") == (
        "x" * 1024 + "\n[… 476 of 1,500 characters left out; read by start_line and end_line]"
    )
    said(workspace, "shell", command="printf 'a\\0b' > bin")
    assert said(workspace, "read_file", path="bin") == '!{"error": "bin is no text: 3 bytes"}'


def test_files_are_written_whole_with_the_folders_above(workspace: SampleWorkspace) -> None:
    assert said(workspace, "write_file", path="new/deep/f.txt", content="ü\n") == "wrote 3 bytes to new/deep/f.txt"
    assert said(workspace, "write_file", path="go", content="#!/bin/sh\necho went\n") == "wrote 20 bytes to go"
    assert said(workspace, "write_file", path="run.sh", content="echo other\n") == "wrote 11 bytes to run.sh"
    assert said(workspace, "shell", command="cat new/deep/f.txt; ./go; ./run.sh") == "ü\nwent\nother\n"
    assert said(workspace, "write_file", path="src", content="") == '!{"error": "src: it is a folder"}'
    assert said(workspace, "write_file", path="odd", content="\udc80") == "wrote 3 bytes to odd"
    assert workspace.now["new/deep/f.txt"].data == b"\xc3\xbc\n"
    assert "too long" in said(workspace, "write_file", path="x" * 300, content="")


def test_a_file_above_a_path_stays_and_links_within_are_written_through(workspace: SampleWorkspace) -> None:
    said(
        workspace,
        "shell",
        command="ln -s src lq; ln -s a.txt la; ln -s /tmp out; ln -s /etc/hosts far; ln -s me me; ln -s no new",
    )
    for path, why in [
        ("a.txt/b", "a.txt is a file"),
        ("la/b/c", "a.txt is a file"),
        ("out/x", "a link leads out of the work folder there"),
        ("far", "a link leads out of the work folder there"),
        ("lq", "it is a folder"),
    ]:
        assert said(workspace, "write_file", path=path, content="x") == f'!{{"error": "{path}: {why}"}}'
    assert said(workspace, "write_file", path="me", content="x").startswith("!")
    assert workspace.now["a.txt"].data.decode() == FILES["a.txt"]
    assert said(workspace, "write_file", path="lq/g", content="1") == "wrote 1 bytes to lq/g"
    assert said(workspace, "edit_file", path="la", old_text="three", new_text="3") == "edited la at line 3"
    said(workspace, "write_file", path="new", content="made")
    now = workspace.now
    assert [now[one].kind for one in ("lq", "la", "out", "far", "me", "new")] == ["link"] * 6
    assert (now["src/g"].data, now["no"].data, now["a.txt"].data) == (b"1", b"made", b"one\ntwo\n3\ntwo\n")
    assert said(workspace, "read_file", path="la", start_line=3, end_line=3) == "3\n"


def test_more_than_the_size_is_said_by_its_number_and_not_kept(workspace: SampleWorkspace) -> None:
    said(workspace, "shell", command="head -c 8388608 /dev/zero | tail -c +100 > big")
    assert len(workspace.now["big"].data) == 8388608 - 99
    answer = said(workspace, "shell", command="head -c 30000000 /dev/zero > big; echo there")
    assert answer == (
        "there\n\n[the work folder holds 28.62 MB of files, where it may hold 8 MB: nothing since is kept until they are removed]"
    )
    assert workspace.too_much == "28.62 MB of files, where it may hold 8 MB"
    assert len(workspace.now["big"].data) == 8388608 - 99
    assert "8.01 MB of files" in said(workspace, "shell", command="head -c 8388609 /dev/zero > big")
    said(workspace, "shell", command="rm big; truncate -s 20M sparse")
    assert workspace.too_much.startswith("20.01 MB of files")
    said(workspace, "shell", command="rm sparse")
    assert (workspace.too_much, "big" in workspace.now) == ("", False)


def test_what_a_test_gives_may_be_more_than_its_size() -> None:
    found = SampleWorkspace({"big": TreeEntry("file", bytes(9 << 20))}, LIMITS)
    try:
        assert said(found, "shell", command="wc -c < big") == "9437184\n"
        assert not found.too_much
    finally:
        found.close()


@pytest.mark.parametrize(
    ("old", "new", "answer"),
    [
        ("three", "3", "edited a.txt at line 3"),
        ("one\ntwo\n", "", "edited a.txt at line 1"),
        ("four", "4", '!{"error": "a.txt: old_text does not occur in it"}'),
        ("two", "2", '!{"error": "a.txt: old_text occurs 2 times in it; give more of the lines around it"}'),
        ("", "x", '!{"error": "old_text is empty; write_file writes a whole file"}'),
    ],
)
def test_a_piece_that_occurs_once_is_replaced(workspace: SampleWorkspace, old: str, new: str, answer: str) -> None:
    assert said(workspace, "edit_file", path="a.txt", old_text=old, new_text=new) == answer
    wanted = FILES["a.txt"].replace(old, new) if not answer.startswith("!") else FILES["a.txt"]
    assert workspace.now["a.txt"].data.decode() == wanted


def test_files_are_listed_without_gits_own(workspace: SampleWorkspace) -> None:
    said(workspace, "shell", command="mkdir -p .git/x; touch $'a\\nb' .hidden")
    assert said(workspace, "list_files").split("\n") == [
        '"a\\nb"',
        ".hidden",
        "a.txt",
        "empty",
        "run.sh",
        "src/",
        "src/b.py",
    ]
    assert said(workspace, "list_files", path="src/") == "src/b.py"
    assert said(workspace, "list_files", path="none") == '!{"error": "none: there is no such folder"}'
    assert said(workspace, "list_files", path="a.txt") == '!{"error": "a.txt: there is no such folder"}'
    said(workspace, "shell", command="mkdir many; cd many; seq 1 600 | xargs touch")
    assert said(workspace, "list_files", path="many").endswith("\n[… 100 more left out; list a folder]")
    said(workspace, "shell", command="rm -rf /tmp/work/* /tmp/work/.*")
    assert said(workspace, "list_files") == "[no files]"


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        ({"pattern": "^t.+e"}, "a.txt:3:three\n"),
        ({"pattern": "x|two", "path": "src"}, "src/b.py:1:x = 1\n"),
        ({"pattern": "-e", "path": "."}, "[no line matches]"),
        ({"pattern": "("}, '!{"error": "grep: Unmatched ( or \\\\("}'),
        ({"pattern": "x", "path": "none"}, '!{"error": "grep: none: No such file or directory"}'),
        ({"pattern": "x", "path": "/etc"}, '!{"error": "/etc: it is outside of the work folder"}'),
    ],
)
def test_lines_are_searched(workspace: SampleWorkspace, arguments: dict[str, Any], answer: str) -> None:
    assert said(workspace, "search", **arguments) == answer


def test_after_the_last_call_nothing_is_done(workspace: SampleWorkspace) -> None:
    few = SampleWorkspace(tree_of(FILES), WorkLimits(calls=2), calls=1)
    used = [few.is_used_up]
    assert said(few, "write_file", path="n", content="1").startswith("wrote")
    assert [*used, few.is_used_up] == [False, True]
    assert (
        said(few, "write_file", path="n", content="2") == '!{"error": "all 2 calls are used up; give your answer now"}'
    )
    assert (few.calls, few.now["n"].data) == (2, b"1")
    few.close()


def test_what_stands_there_is_known_after_the_box_and_taken_up_elsewhere(workspace: SampleWorkspace) -> None:
    said(workspace, "shell", command="echo more >> a.txt; rm empty")
    workspace.close()
    again = SampleWorkspace(tree_of(FILES), LIMITS, now=workspace.now, calls=workspace.calls)
    assert said(again, "shell", command="tail -1 a.txt; ls empty").startswith("!more\n")
    assert again.now == workspace.now
    assert again.beginning["empty"] == TreeEntry("file", b"")
    again.close()
    assert said(workspace, "read_file", path="a.txt", start_line=5) == "more\n"


def test_too_much_is_said_and_what_was_there_before_is_kept(workspace: SampleWorkspace) -> None:
    answer = said(workspace, "shell", command="mkdir many && cd many && seq 1 20001 | xargs touch")
    assert answer.endswith(
        "[the work folder holds more than 20,000 files: nothing since is kept until they are removed]"
    )
    assert "many" not in workspace.now
    said(workspace, "shell", command="rm -r many")
    assert said(workspace, "shell", command="true") == "[no output]"
    assert not workspace.too_much


def test_a_run_that_stops_ends_a_command() -> None:
    stop = threading.Event()
    stop.set()
    workspace = SampleWorkspace(tree_of(FILES), LIMITS, given_up=stop.is_set)
    try:
        with pytest.raises(Interrupted):
            workspace.call("shell", {"command": "sleep 60"})
    finally:
        workspace.close()


def test_only_a_test_with_a_workspace_has_these_tools(workspace: SampleWorkspace) -> None:
    handler = find_handler("workspace:read_file")
    assert handler is not None
    assert handler({"path": "a.txt", "end_line": 1}, ToolSession(workspace=workspace)) == ToolResult("one\n")
    assert handler({"path": "a.txt"}, ToolSession()).is_error
    assert find_handler("workspace:fly") is None
    assert handler_unavailable("workspace:shell") is None


def test_a_replayed_run_works_in_its_folder_all_the_same(workspace: SampleWorkspace) -> None:
    class Nothing:
        def give(self, *_: Any) -> ToolResult:
            raise AssertionError

    executor = SuiteToolExecutor(replayer=Nothing())  # type: ignore[arg-type]
    shell = workspace_tools(LIMITS)[0]
    assert executor.unavailable(shell) is None
    assert executor.call(shell, {"command": "echo real"}, ToolSession(workspace=workspace)).content == "real\n"


def test_files_are_named_by_the_places_of_the_folder_too() -> None:
    limits = replace(LIMITS, places=("/app", "/data"))
    found = SampleWorkspace(tree_of({"a.txt": "one\n", ".at/data/b.txt": "two\n"}), limits)
    try:
        assert said(found, "read_file", path="/app/a.txt") == "one\n"
        assert said(found, "read_file", path="/data/b.txt") == "two\n"
        assert said(found, "list_files", path="/data") == ".at/data/b.txt"
        assert said(found, "list_files", path="/app") == ".at/\n.at/data/\n.at/data/b.txt\na.txt"
        assert said(found, "search", pattern="two", path="/data") == ".at/data/b.txt:1:two\n"
        assert said(found, "write_file", path="/data/new/c", content="3") == "wrote 1 bytes to .at/data/new/c"
        assert said(found, "edit_file", path="/app/./a.txt", old_text="one", new_text="1") == "edited a.txt at line 1"
        assert said(found, "shell", command="cat /data/new/c /app/a.txt") == "31\n"
        assert "outside of the work folder" in said(found, "read_file", path="/app/../etc/passwd")
        assert "outside of the work folder" in said(found, "read_file", path="/database")
    finally:
        found.close()


def test_a_model_is_told_where_its_folder_is() -> None:
    def told(*places: str) -> str:
        return workspace_tools(replace(LIMITS, places=places))[0].description

    assert "in the work folder (/tmp/work)" in told()
    assert "in the work folder (/app)" in told("/app")
    assert "in the work folder (/app)" in told("/app", "/data")
    assert "Only the work folder is kept" in told("/app")
    assert "Only it, and other folders of the task, are kept" in told("/app", "/data")
