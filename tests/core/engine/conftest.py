from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from modex.core.config.runconfig import ModelSpec, RunConfig, Selection
from modex.core.engine.start import Prepared, prepare_run
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from tests.cli import keyword_tests, reading, write_suite
from tests.server import ServerHandle, serve


@dataclass(slots=True)
class Bench:
    """A server, a suite of keyword tests, and a database for runs over them."""

    server: ServerHandle
    root: Path
    database: Path

    def prepare(self, count: int = 8, exp_id: str = "e", **config: Any) -> int:
        """Store a run over `count` tests that nobody holds; its id."""
        return self.prepared(count, exp_id, **config).run_id

    def prepared(self, count: int = 8, exp_id: str = "e", **config: Any) -> Prepared:
        """Store a run over `count` tests and hold it."""
        suite = write_suite(self.root / "suite", keyword_tests(count))
        whole = RunConfig(
            **{
                "model": ModelSpec(model="openai/test-model", api_base=self.server.url),
                "selection": Selection(suite=str(suite)),
                "concurrency": 2,
                **config,
            }
        )
        return prepare_run(self.database, whole, exp_id)

    def run(self, exp_id: str = "e") -> RunRow:
        """The run as it stands."""
        with reading(self.database) as reader:
            return reader.run(exp_id)

    def statuses(self) -> list[str]:
        """Every sample's status in planning order."""
        with reading(self.database) as reader:
            return [head.status for head in reader.heads(reader.run("e").id)]

    def until(self, condition: Callable[[Reader], object], what: str) -> None:
        """Wait until the store says so."""
        deadline = time.monotonic() + 30
        with reading(self.database) as reader:
            while not condition(reader):
                assert time.monotonic() < deadline, f"never: {what}"
                time.sleep(0.01)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with serve() as server:
        yield Bench(server, tmp_path, tmp_path / "modex.db")
