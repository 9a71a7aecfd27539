"""The bundled suite read straight from its files, for the tests that verify golds."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DEFINITIONS = ROOT / "test_definitions"


@cache
def golds(domain: str) -> dict[str, dict[str, Any]]:
    """The definitions of a domain's tests by id, each with its level under `level`."""
    found: dict[str, dict[str, Any]] = {}
    for folder in sorted((DEFINITIONS / domain).glob("level_*")):
        tests = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("test_*.json"))]
        for lines in sorted(folder.glob("*.jsonl")):
            tests += [json.loads(line) for line in lines.read_text("utf-8").splitlines()]
        for test in tests:
            assert test["id"] not in found, f"{domain}: two tests are called {test['id']}"
            found[test["id"]] = {**test, "level": int(folder.name.removeprefix("level_"))}
    return found
