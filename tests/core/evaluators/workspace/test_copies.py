"""Checks in copies of what was left, and what cannot turn them."""

from __future__ import annotations

import pytest

from modex.core.evaluators.workspace.copies import checked, judged_copy
from modex.core.sandbox.workspace.spec import Check, WorkLimits
from modex.core.sandbox.workspace.tree import Tree, TreeEntry, tree_of, with_folders
from tests.core.sandbox.conftest import boxes  # noqa: F401 - a fixture

LIMITS = WorkLimits(seconds=3, memory_mb=256)


def test_tests_are_laid_over_whatever_was_left_there() -> None:
    left = tree_of({"tests/a": "faked", "src": "x", "more/b/c": "y", "kept": "z"})
    left["src"] = TreeEntry("link", b"/tmp")
    tests = with_folders(tree_of({"tests/a": "right", "src/t": "t", "more/b": "file"}))
    copy = judged_copy(left, {}, tests)
    assert {path: entry.data for path, entry in copy.items() if entry.kind == "file"} == {
        "tests/a": b"right", "src/t": b"t", "more/b": b"file", "kept": b"z",
    }  # fmt: skip
    assert copy["src"].kind == "folder"


def test_settings_and_hooks_of_git_are_those_of_the_beginning() -> None:
    beginning = tree_of({".git/config": "own", ".git/hooks/kept": "k", ".git/HEAD": "1"})
    left = tree_of({".git/config": "mine", ".git/config.worktree": "w", ".git/hooks/pre-commit": "#!/bin/sh\n", ".git/HEAD": "2",
                    ".git/info/attributes": "* diff=x"})  # fmt: skip
    assert {path: entry.data for path, entry in judged_copy(left, beginning, {}).items()} == {
        ".git/config": b"own", ".git/hooks/kept": b"k", ".git/HEAD": b"2",
    }  # fmt: skip
    assert ".git/config" not in judged_copy(left, {}, {})


@pytest.mark.process
@pytest.mark.usefixtures("boxes")
@pytest.mark.parametrize(
    ("check", "why"),
    [
        (Check("true"), ""),
        (Check("exit 3"), "exit code 3"),
        (Check("exit 3", exit=3), ""),
        (Check("true", exit=1), "exit code 0, expected 1"),
        (Check("kill -9 $$"), "ended by signal 9"),
        (Check("kill -9 -1; sleep 1"), "it ended the sandbox"),
        (Check("kill -SEGV $$", exit=139), ""),
        (Check("kill -SEGV $$", exit=138), "ended by signal 11, expected 138"),
        (Check("while :; do :; done"), "more than 3 seconds of processor time"),
        (Check("cat", stdin="a \nb\n\n", prints="a\nb"), ""),
        (Check("cat; echo noise >&2", stdin="a", prints="a"), ""),
        (Check("cat", stdin="a", prints="b"), "line 1 is 'a', expected 'b'"),
        (Check("echo a; exit 1", prints="a"), "exit code 1"),
        (Check("true", prints="a"), "0 lines of 1; line 1 should be 'a'"),
        (Check("true", prints=""), ""),
    ],
)
def test_a_check_holds_by_its_code_and_by_what_it_prints(check: Check, why: str) -> None:
    found = checked(check, {}, LIMITS)
    assert (found.why, found.passed) == (why, not why)
    assert found.name == check.run


@pytest.mark.process
@pytest.mark.usefixtures("boxes")
def test_a_check_shows_the_end_of_what_it_printed() -> None:
    found = checked(Check("yes x | head -3000; echo last >&2; exit 1"), {}, LIMITS)
    assert found.output.startswith("[… 2,004 characters left out]\nx\n")
    assert found.output.endswith("x\nlast")
    assert found.code == 1


TEST = "import tool\nassert tool.f() == 1\nprint('all held')\n"
HELD = Check("python3 t.py", prints="all held")
ATTACKS: dict[str, tuple[Tree, Check]] = {
    "exit": (tree_of({"tool.py": "import os\nos._exit(0)\n"}), HELD),
    "sys exit": (tree_of({"tool.py": "import sys\nsys.exit(0)\n"}), HELD),
    "atexit": (tree_of({"tool.py": "import atexit, os\natexit.register(os._exit, 0)\ndef f(): raise ValueError\n"}), HELD),
    "test": (tree_of({"t.py": "print('all held')\n", "tool.py": "f = None"}), HELD),
    "link": ({**tree_of({"fake": "print('all held')\n", "tool.py": ""}), "t.py": TreeEntry("link", b"fake")}, HELD),
    "shadow": (tree_of({"python3": "#!/bin/sh\necho all held\n", "tool.py": ""}), HELD),
    "hook": (
        tree_of({".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[alias]\n\tx = !true\n[core]\n\tpager = echo all held\n"
                 "[diff]\n\texternal = echo all held; true\n", "tool.py": ""}),
        Check("git diff --exit-code --no-index t.py tool.py"),
    ),
    "left behind": (tree_of({"tool.py": "import os, time\nif os.fork() == 0:\n    time.sleep(60)\ndef f(): return 2\n"}), HELD),
    "stdin": (tree_of({"p.py": "print(open('t.py').read())"}), Check("python3 p.py", stdin="6", prints="42")),
}  # fmt: skip


@pytest.mark.process
@pytest.mark.usefixtures("boxes")
@pytest.mark.parametrize("name", ATTACKS)
def test_no_verdict_is_stolen(name: str) -> None:
    left, check = ATTACKS[name]
    found = checked(check, judged_copy(left, {}, tree_of({"t.py": TEST})), LIMITS)
    assert not found.passed


@pytest.mark.process
@pytest.mark.usefixtures("boxes")
def test_the_same_check_holds_for_what_is_right() -> None:
    copy = judged_copy(tree_of({"tool.py": "def f(): return 1\n"}), {}, tree_of({"t.py": TEST}))
    found = checked(HELD, copy, LIMITS)
    assert (found.passed, found.code, found.output) == (True, 0, "all held")
