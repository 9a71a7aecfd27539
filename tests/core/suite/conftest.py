from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modex.core.suite.definitions import Suite
from modex.core.suite.loading import load_suite

Write = Callable[[dict[str, Any]], Path]


def write_files(root: Path, files: dict[str, Any]) -> Path:
    """Write each file below `root`: texts and bytes as they are, everything else as indented JSON."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        else:
            path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    return root


@pytest.fixture
def write(tmp_path: Path) -> Write:
    return lambda files: write_files(tmp_path / "suite", files)


@pytest.fixture
def load(write: Write) -> Callable[[dict[str, Any]], Suite]:
    return lambda files: load_suite(write(files))


def case(identity: str = "sum", **more: Any) -> dict[str, Any]:
    """A correct test definition."""
    return {"id": identity, "prompt": "What is 2 + 2?", "expected": 4, "evaluator_id": "two_pass", **more}
