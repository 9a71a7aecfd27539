"""A home of its own for each test, and every process ended with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.harness import Modex


@pytest.fixture
def modex(tmp_path: Path) -> Iterator[Modex]:
    """modex as a process, with an empty home."""
    home = tmp_path / "home"
    home.mkdir()
    program = Modex(home)
    yield program
    program.end()
