"""A file of pytest's against a module that a model wrote: the file runs where the answer cannot reach it.

What it imports from the module are the answer's functions and classes as they are in another process; what they return and
raise comes over as it is. Putting something else in their place (`monkeypatch`) and what they print is not seen there.
"""

from __future__ import annotations

import ast
import functools
import importlib.metadata
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

KEYS = {"pytest", "module", "before", "seconds", "memory_mb", "credit"}
SECONDS = 10.0
_AT = "/pytest"
_NAME = re.compile(r"[A-Za-z0-9._-]{1,80}")
RUN = """
def __modex_told():
    import os, sys, types
    sys.path.append("/pytest")
    module = types.ModuleType(__module)
    vars(module).update(__handed)
    sys.modules[__module] = module
    os.makedirs("/tmp/tests", exist_ok=True)
    place = "/tmp/tests/test_answer.py"
    with open(place, "w", encoding="utf-8") as file:
        file.write(__source)
    import pytest
    told = []
    class Telling:
        def pytest_collectreport(self, report):
            if report.failed:
                told.append(["the file", "failed", str(report.longrepr)])
        def pytest_runtest_logreport(self, report):
            name = report.nodeid.partition("::")[2]
            if report.when == "call" or report.outcome == "failed" or report.skipped:
                crash = getattr(report.longrepr, "reprcrash", None)
                said = crash.message if crash is not None else str(report.longrepr or "")
                told.append([name, report.outcome, said])
    arguments = ["-q", "-s", "-p", "no:cacheprovider", "-p", "no:faulthandler", "--rootdir", "/tmp/tests"]
    ended = int(pytest.main([*arguments, place], plugins=[Telling()]))
    if ended not in (0, 1, 5):  # tests that an answer broke off have not held
        told.append(["the file", "failed", f"its tests were broken off (pytest ended with {ended})"])
    return told
__modex_told()
"""
"""The code that runs the file and gives each test with its outcome and what it said."""


@dataclass(frozen=True, slots=True)
class PytestExpectation:
    """A file of tests."""

    source: str
    module: str = "solution"
    before: str = ""
    seconds: float = SECONDS
    memory_mb: float = 512.0


def read_pytest(expected: Mapping[str, Any], seconds: float, memory_mb: float) -> PytestExpectation:
    """`expected` without its problems; `seconds` and `memory_mb` hold where it says none."""
    return PytestExpectation(
        expected["pytest"], expected.get("module", "solution"), expected.get("before", ""),
        float(expected.get("seconds", seconds)), float(expected.get("memory_mb", memory_mb)),
    )  # fmt: skip


def pytest_problems(expected: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with `expected`, one message each."""
    if unknown := sorted(set(expected) - KEYS):
        yield f"expected.{unknown[0]} is not known beside pytest; known are {', '.join(sorted(KEYS))}"
    module = expected.get("module", "solution")
    if not isinstance(module, str) or not module.isidentifier():
        yield "expected.module must be the name by which the file imports the answer"
    for key in ("pytest", "before"):
        code = expected.get(key, "")
        if not isinstance(code, str) or (key == "pytest" and not code.strip()):
            yield f"expected.{key} must be Python code"
            continue
        try:
            tree = ast.parse(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            yield f"expected.{key} is no Python: {error}"
            continue
        if key == "pytest" and not any(
            isinstance(node, ast.FunctionDef) and node.name.startswith("test") for node in ast.walk(tree)
        ):
            yield "expected.pytest has no function called test…"


@functools.cache
def pytest_shown() -> tuple[tuple[str, str], ...] | None:
    """Where pytest and what it needs are in this Python, and where a sandbox shows them; None where it is not installed."""
    wanted, seen, found = ["pytest"], set[str](), dict[str, str]()
    while wanted:
        name = wanted.pop()
        if name in seen:
            continue
        seen.add(name)
        try:
            distribution = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            if name == "pytest":
                return None
            continue  # of another system or an older Python
        for file in distribution.files or ():
            top = file.parts[0]
            if top.endswith((".dist-info", ".pth")) or top.startswith(("..", "__pycache__")):
                continue
            found[top] = str(Path(str(distribution.locate_file(top))).resolve())
        for line in distribution.requires or ():
            if "extra ==" not in line and (match := _NAME.match(line)) is not None:
                wanted.append(match[0])
    return tuple((place, f"{_AT}/{top}") for top, place in sorted(found.items()))
