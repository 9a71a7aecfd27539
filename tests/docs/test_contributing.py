"""The worked changes of CONTRIBUTING.md, done to a copy of the tree: they apply, touch few files, and do what the page says."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from docs.generate import FOLDER
from tests.docs.blocks import write

pytestmark = pytest.mark.process

ROOT = FOLDER.parent
_BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TREES = ("core", "tui", "tests", "docs", "prompts")
MOST_FILES = 3
"""As many files of the program as a change may touch."""
EACH_COMMAND = """
import json, os, sys
import modex.core.engine.session, modex.core.pipeline.assembly, modex.core.store.manager
import modex.tui.commands.run, modex.tui.commands.show, modex.tui.plain.summary, modex.tui.plain.transcript
from modex.tui.cli import main

def said(words):
    read, write = os.pipe()
    if not (child := os.fork()):
        os.dup2(write, 1)
        os.dup2(write, 2)
        sys.argv = words
        try:
            main()
        except SystemExit as end:
            sys.stdout.flush()
            os._exit(end.code if isinstance(end.code, int) else 0)
        sys.stdout.flush()
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), text

print(json.dumps([said(words) for words in json.loads(sys.argv[1])]))
"""
"""Imports the program once, for all commands; they are its children, which takes 1.5 s of a core instead of 3.5."""


@dataclass(frozen=True)
class Worked:
    """A worked change: what it adds to which file, what is typed then, and what that prints."""

    name: str
    new: Mapping[str, str]
    added: Mapping[str, str]
    commands: tuple[tuple[str, ...], ...]
    printed: tuple[str, ...]

    @property
    def program(self) -> set[str]:
        """The files of the program that it touches."""
        return {file for file in (*self.new, *self.added) if file.startswith(("core/", "tui/"))}


@cache
def page() -> tuple[tuple[Worked, ...], dict[str, str]]:
    """The worked changes of the page, and the suite that they use."""
    changes: list[Worked] = []
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for section in re.split(r"^### Worked out: ", text, flags=re.MULTILINE)[1:]:
        body = re.split(r"^##", section, flags=re.MULTILINE)[0]
        found = _BLOCK.findall(body)
        changes.append(
            Worked(
                section.partition("\n")[0],
                {file: code for kind, file, code in found if file and kind != "diff"},
                {file: code for kind, file, code in found if kind == "diff"},
                tuple(
                    tuple(shlex.split(line)) for kind, _, code in found if kind == "sh" for line in code.splitlines()
                ),
                tuple(line for kind, _, code in found if kind == "text" for line in code.splitlines()),
            )
        )
    suite = {file: code for kind, file, code in _BLOCK.findall(text) if kind == "json" and file}
    return tuple(changes), suite


def _linked(tree: Path) -> Path:
    """A tree of links to this one's files; what a change touches is written in a link's place."""

    def link(source: str, target: str) -> None:
        try:
            os.link(source, target)
        except OSError:  # another disk
            Path(target).symlink_to(source)

    for name in _TREES:
        for folder, inner, files in os.walk(ROOT / name):
            inner[:] = [one for one in inner if one != "__snapshots__"]
            below = tree / Path(folder).relative_to(ROOT)
            below.mkdir(parents=True)
            for file in files:
                link(f"{folder}/{file}", str(below / file))
    package = tree / ".src/modex"
    package.mkdir(parents=True)
    link(str(ROOT / ".src/modex/__init__.py"), str(package / "__init__.py"))
    for name in ("core", "tui"):
        (package / name).symlink_to(tree / name)
    link(str(ROOT / "pyproject.toml"), str(tree / "pyproject.toml"))
    return tree


def _do(change: Worked, tree: Path) -> None:
    for file, code in change.new.items():
        assert not (tree / file).exists(), f"{file} is there already: the page calls it new"
        write(tree, {file: code})
    for file, diff in change.added.items():
        text = (tree / file).read_text(encoding="utf-8")
        for place in diff.split("@@\n"):
            old, new = ("".join(f"{line[1:]}\n" for line in place.splitlines() if line[:1] != sign) for sign in "+-")
            assert text.count(old) == 1, f"CONTRIBUTING.md, {change.name}: {file} has not these lines once:\n{old}"
            text = text.replace(old, new)
        (tree / file).unlink()  # never through the link into this tree
        write(tree, {file: text})


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The copy, with every change done."""
    tree = _linked(tmp_path_factory.mktemp("copy"))
    for change in page()[0]:
        _do(change, tree)
    write(tree / "work", page()[1])
    return tree


def _run(tree: Path, *words: str) -> subprocess.CompletedProcess[str]:
    work = tree / "work"
    settings = {"MODEX_DB": str(work / "modex.db"), "MODEX_CONFIG": os.devnull, "MODEX_DEMO_LATENCY": "0"}
    env = {**os.environ, **settings, "PYTHONPATH": f"{tree / '.src'}{os.pathsep}{tree}", "COLUMNS": "120"}
    return subprocess.run(
        [sys.executable, *words], env=env, cwd=work, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.fixture(scope="module")
def outputs(changed: Path) -> dict[tuple[str, ...], tuple[int, str]]:
    """What each command of the page printed, once."""
    commands = list(dict.fromkeys(words for change in page()[0] for words in change.commands))
    done = _run(changed, "-c", EACH_COMMAND, json.dumps(commands))
    assert done.returncode == 0, done.stderr
    return {words: (code, text) for words, (code, text) in zip(commands, json.loads(done.stdout), strict=True)}


def test_there_are_the_changes_that_are_asked_for_most_each_in_few_files() -> None:
    changes, _ = page()
    files = {change.name.partition(",")[0]: len(change.program) for change in changes}
    assert len(files) == 6, files
    assert {name: count for name, count in files.items() if not 0 < count <= MOST_FILES} == {}
    assert [change.name for change in changes if f"in {len(change.program)} file" not in change.name] == []


@pytest.mark.long
@pytest.mark.parametrize("change", [change for change in page()[0] if change.commands], ids=lambda change: change.name)
def test_a_change_does_what_the_page_says(change: Worked, outputs: dict[tuple[str, ...], tuple[int, str]]) -> None:
    said = [outputs[words] for words in change.commands]
    assert [(words, *said_) for words, said_ in zip(change.commands, said, strict=True) if said_[0]] == []
    rest = " ".join("\n".join(text for _, text in said).split())
    for line in change.printed:
        words = " ".join(line.split())
        assert words in rest, f"{change.name}: not printed, or not in this order: {line}"
        rest = rest[rest.index(words) + len(words) :]


@pytest.mark.long
def test_the_tests_that_the_page_shows_pass(changed: Path) -> None:
    tests = [file for change in page()[0] for file in change.new if file.startswith("tests/")]
    assert tests
    done = _run(changed, "-m", "pytest", "-n", "0", "-q", "-p", "no:cacheprovider", "--rootdir", str(changed),
                *(str(changed / file) for file in tests))  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_the_page_shows_is_written_as_the_tree_is(changed: Path) -> None:
    files = [file for change in page()[0] for file in (*change.new, *change.added)]
    for words in (("check",), ("format", "--check")):
        done = _run(changed, "-m", "ruff", *words, "--no-cache",
                    *(str(changed / file) for file in files))  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
