"""A Dask cluster of real processes on loopback, started once for the tests that ask for it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.engine.executors.daemons import Daemons
from tests.faults.harness import Modex


@pytest.fixture
def modex(tmp_path: Path) -> Iterator[Modex]:
    """The program with a home of its own; what it started ends with the test."""
    program = Modex(tmp_path / "home")
    program.home.mkdir()
    yield program
    program.end()


@pytest.fixture(scope="session")
def dask_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemons]:
    """A cluster of two workers, whose environment is that of a test: a home of its own, no keys."""
    pytest.importorskip("distributed", reason="distributed is not installed: pip install 'modex[cluster]'")
    home = tmp_path_factory.mktemp("cluster")
    found = Daemons(home, worker_environment(home))
    yield found
    found.end()


def worker_environment(home: Path) -> dict[str, str]:
    """The environment of a worker: a home of its own, no keys."""
    foreign = ("_API_KEY", "_API_BASE", "_PROXY", "_proxy")
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("MODEX_") and not name.endswith(foreign)
    }
    own = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "DATA", "CACHE", "STATE")}
    return {**kept, **own, "HOME": str(home), "MODEX_RETRY_WAIT": "0.01"}
