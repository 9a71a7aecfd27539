"""Which tests guard a module, and those of what has changed: `python -m tests.guards [PATH…]`, which `make quick` runs.

A module's guards are its mirrored file, `tests/core/x/test_y.py` for `core/x/y.py`, what `guards.toml` names for it, and for
evaluators the corpus of labelled answers.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
MAP = Path(__file__).with_name("guards.toml")

BESIDE: dict[str, tuple[str, ...]] = {
    "docs/": ("tests/docs/test_generate.py", "tests/docs/test_evaluators.py", "tests/docs/test_results.py"),
    "prompts/": ("tests/suite/test_structure.py",),
    "plugins/": ("tests/plugins/crypto_world/test_handlers.py",),
    "test_definitions/": ("tests/suite/test_structure.py",),
    "tool_mocks/": ("tests/suite/test_structure.py",),
}
"""Guards of what is no module of the program, by the folder that it stands in."""

CORPUS = "tests/trust/test_trust.py"
"""Labelled answers, thousands of them: they guard whatever reads answers or judges, beside each module's own tests."""
_READERS = ("core/answers/", "core/evaluators/")


def modules() -> tuple[str, ...]:
    """Every module of the program that says something of its own; a package that only hands on names does not."""
    found = (path for package in ("core", "tui") for path in (ROOT / package).rglob("*.py"))
    return tuple(sorted(path.relative_to(ROOT).as_posix() for path in found if _says_something(path)))


def _says_something(path: Path) -> bool:
    return any(not _only_hands_on(statement) for statement in ast.parse(path.read_text(encoding="utf-8")).body)


def _only_hands_on(statement: ast.stmt) -> bool:
    match statement:
        case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Assign(targets=[ast.Name(id="__all__")]) | ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
    return False


@cache
def named() -> dict[str, tuple[str, ...]]:
    """What the map says: module to files of tests, both from the root of the tree."""
    tables = tomllib.loads(MAP.read_text(encoding="utf-8"))
    return {
        f"{folder}/{module}": tuple(f"tests/{guard}" for guard in guards)
        for folder, table in tables.items()
        for module, guards in table.items()
    }


def mirrored(module: str) -> str:
    """The place of the tests of a module, whether they are there or not."""
    folder, _, name = module.rpartition("/")
    return f"tests/{folder}/test_{name}"


def guards_of(module: str) -> tuple[str, ...]:
    """The files of tests that should fail when this module's behaviour changes; none for what is no module of the program."""
    own = mirrored(module)
    found = (own,) if module.startswith(("core/", "tui/")) and (ROOT / own).exists() else ()
    corpus = (CORPUS,) if module.startswith(_READERS) else ()
    return (*found, *(guard for guard in named().get(module, ()) if guard != own), *corpus)


def tests_for(paths: Iterable[str]) -> tuple[str, ...]:
    """The files of tests to run when these files have changed: guards, changed tests, and tests that import a changed helper."""
    return tuple(sorted({test for path in paths for test in _tests_for(path) if (ROOT / test).exists()}))


def _tests_for(path: str) -> Iterator[str]:
    yield from guards_of(path)
    yield from (guard for folder, guards in BESIDE.items() if path.startswith(folder) for guard in guards)
    if path == "tests/guards.toml" or path.startswith(("core/", "tui/")):
        yield "tests/test_guards.py"
    if not path.startswith("tests/") or not path.endswith(".py"):
        return
    if Path(path).name.startswith("test_"):
        yield path
    elif not path.endswith(("/conftest.py", "/__init__.py")):
        name = path.removesuffix(".py").replace("/", ".")
        yield from (test for test, text in _texts() if f"from {name} import" in text or f"import {name}" in text)


@cache
def _texts() -> tuple[tuple[str, str], ...]:
    tests = (ROOT / "tests").rglob("test_*.py")
    return tuple((path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")) for path in tests)


def changed(base: str = "main") -> tuple[str, ...]:
    """What differs from where this branch left `base`, uncommitted files too; without that branch, from the last commit."""
    left = _git("merge-base", "HEAD", base) or ["HEAD"]
    return tuple(sorted({*_git("diff", "--name-only", left[0]), *_git("ls-files", "--others", "--exclude-standard")}))


def _git(*arguments: str) -> list[str]:
    done = subprocess.run(("git", *arguments), cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []


def main(arguments: list[str]) -> None:
    """Print the files of tests to run for the paths that are given, else for what has changed."""
    print(*tests_for(arguments or changed()), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
