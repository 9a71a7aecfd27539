"""A database of the test's own, the commands on it, and the rows that they store."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from modex.core.store.manager import DBDataManager
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from tests.cli import Called, call
from tests.server import Reply, Request, ServerHandle, serve

Row = tuple[str, int, float | None, int, int]
"""A sample's test, epoch, score, prompt tokens and completion tokens."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Pytest asks this of tests in this folder alone."""
    item.add_marker(pytest.mark.timeout(1200))  # the first test of a tool installs it
    if not os.environ.get("TEST_INTEROP"):
        item.add_marker(pytest.mark.skip(reason="other tools: make test-interop"))


class Modex:
    """The commands on one database."""

    def __init__(self, database: Path) -> None:
        self.database = database

    def __call__(self, *arguments: str | Path) -> Called:
        """A command that must end well."""
        called = call(*arguments, "--db", self.database)
        assert called.code in (0, 1), called.err
        return called

    def runs(self) -> list[RunRow]:
        """Every run, the oldest first."""
        manager = DBDataManager(self.database)
        try:
            return sorted(manager.reader.runs(), key=lambda run: run.id)
        finally:
            manager.close()

    def samples(self, run: RunRow | None = None) -> list[EvaluationSample]:
        """The samples of a run, by test and epoch; without one, of the only run there is."""
        (chosen,) = self.runs() if run is None else (run,)
        manager = DBDataManager(self.database)
        try:
            return sorted(manager.reader.samples(chosen.id), key=lambda one: (one.test_id, one.epoch))
        finally:
            manager.close()

    def rows(self, run: RunRow | None = None) -> list[Row]:
        """What every tool's rows are compared with."""
        return [row_of(one) for one in self.samples(run)]


def row_of(one: EvaluationSample) -> Row:
    return one.test_id, one.epoch, one.score, one.prompt_tokens, one.completion_tokens


@pytest.fixture
def modex(tmp_path: Path) -> Modex:
    return Modex(tmp_path / "modex.db")


def answer(request: Request) -> Reply:
    """A model that adds two numbers, refuses 4 and 5, and says back what it does not understand."""
    words = [word.strip("?.,:") for word in request.prompt.rpartition("Q:")[2].replace("+", " ").split()]
    numbers = [int(word) for word in words if word.isdecimal()]
    if numbers[:2] == [4, 5]:
        return Reply(status=400, body={"error": {"message": "planted refusal"}})
    said = str(sum(numbers)) if len(numbers) == 2 else request.prompt
    return Reply(said, usage={"prompt_tokens": 12, "completion_tokens": 5, "total_tokens": 17})


@pytest.fixture
def server() -> Iterator[ServerHandle]:
    with serve(answer) as made:
        yield made
