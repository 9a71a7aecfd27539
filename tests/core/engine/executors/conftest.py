"""Worker processes that are forked, and a Dask cluster of real ones on loopback, started once for the tests that ask for it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from modex.core.engine.executors import channel
from tests.core.engine.executors.daemons import Daemons
from tests.faults.harness import Modex, alive
from tests.forked import Forked

_FORKED: list[int] = []


@pytest.fixture(autouse=True)
def forked_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a driver in the test's own process starts is forked; a driver that is a command starts interpreters, as users' do."""
    _FORKED.clear()

    def start(words: Sequence[str], **options: Any) -> Forked:
        made = Forked(words, env=os.environ, cwd=Path.cwd(), module=words[-1], text=False, **options)
        _FORKED.append(made.pid)
        return made

    monkeypatch.setattr(channel, "subprocess", SimpleNamespace(Popen=start, PIPE=subprocess.PIPE))


def forked() -> list[int]:
    """The worker processes that this test started so and that live."""
    return [pid for pid in _FORKED if alive(pid)]


@pytest.fixture
def modex(tmp_path: Path) -> Iterator[Modex]:
    """The program with a home of its own; what it started ends with the test."""
    program = Modex(tmp_path / "home")
    program.home.mkdir()
    yield program
    program.end()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What asks for the cluster stands together, so that few workers of a session start one, and end it soon."""
    here = os.path.dirname(__file__) + os.sep  # noqa: PTH120  (of ten thousand paths the text is compared in a moment)
    places = [place for place, item in enumerate(items) if str(item.path).startswith(here)]
    ours = sorted((items[place] for place in places), key=_asks_for_cluster)
    for place, item in zip(places, ours, strict=True):
        items[place] = item


def _asks_for_cluster(item: pytest.Item) -> bool:
    return "dask_cluster" in getattr(item, "fixturenames", ()) or item.name.endswith("[cluster]")


@pytest.fixture(scope="package")
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
    idle = {
        "WORKER__PROFILE__ENABLED": "False",
        "ADMIN__TICK__INTERVAL": "500ms",
        "ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
    }
    quiet = {f"DASK_DISTRIBUTED__{name}": value for name, value in idle.items()}
    return {**kept, **own, **quiet, "HOME": str(home), "MODEX_RETRY_WAIT": "0.01"}
