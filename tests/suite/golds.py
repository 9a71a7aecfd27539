"""The bundled suite read straight from its files, for the tests that verify golds."""

from __future__ import annotations

import json
import multiprocessing
import warnings
from functools import cache
from pathlib import Path
from typing import Any

from modex.core.suite.definitions import Suite
from modex.core.suite.loading import load_suite
from modex.core.suite.variants import varied

ROOT = Path(__file__).parents[2]
DEFINITIONS = ROOT / "test_definitions"


@cache
def golds(domain: str) -> dict[str, dict[str, Any]]:
    """The definitions of a domain's tests by id, each with its level under `level`."""
    return {
        test_id: test if "prompt" in test else {**test, **_made()[test_id]}
        for test_id, test in _definitions(domain).items()
    }


def golds_by_hand(domain: str) -> dict[str, dict[str, Any]]:
    """The tests of a domain whose gold somebody wrote; a template computes its own."""
    return {test_id: test for test_id, test in _definitions(domain).items() if "template" not in test}


@cache
def _definitions(domain: str) -> dict[str, dict[str, Any]]:
    """The same as they are written: what a template makes is not made, which takes processes."""
    found: dict[str, dict[str, Any]] = {}
    for folder in sorted((DEFINITIONS / domain).glob("level_*")):
        tests = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("test_*.json"))]
        for lines in sorted(folder.glob("*.jsonl")):
            tests += [json.loads(line) for line in lines.read_text("utf-8").splitlines()]
        for test in tests:
            assert test["id"] not in found, f"{domain}: two tests are called {test['id']}"
            found[test["id"]] = {**test, "level": int(folder.name.removeprefix("level_"))}
    return found


@cache
def bundled() -> Suite:
    """The bundled suite as the product loads it."""
    return load_suite(ROOT)


@cache
def made() -> Suite:
    """The same with what is made when a run takes it.

    It is asked for while tests are collected, and the interpreters that make it would stay in that process with their threads. So
    another one makes it.
    """
    suite = bundled()
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 counts the threads of libraries
        process = context.Process(target=lambda: there.send(varied(suite, None)))
        process.start()
    there.close()
    made: Suite = here.recv()
    process.join()
    return made


@cache
def _made() -> dict[str, dict[str, Any]]:
    """What the suite makes only when a run takes it, by test id."""
    names = {test.test_id for test in bundled().tests if not test.written}
    return {
        test.test_id: {"prompt": test.prompt, "expected": test.expected}
        for test in made().tests
        if test.test_id in names
    }
