from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from modex.core.pipeline.stat import stat
from modex.core.store.manager import DBDataManager
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from modex.core.store.writer import Writer
from tests.core.store.stores import CONFIG, FINISHED, sample, with_writer

Store = Callable[[str, list[EvaluationSample]], RunRow]


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[DBDataManager]:
    opened = DBDataManager(tmp_path / "modex.db")
    yield opened
    opened.close()


@pytest.fixture
def store(manager: DBDataManager) -> Store:
    """Store a run with these samples as they are, summed up."""

    def make(exp_id: str, samples: list[EvaluationSample]) -> RunRow:
        run_id = manager.create_run(exp_id, CONFIG)
        names = (
            "source", "domain", "level", "epoch", "name", "prompt", "expected", "definition", "evaluator_id", "pass_needed",
            "pass_of",
        )  # fmt: skip
        manager.plan(run_id, [sample(s.test_id, **{name: getattr(s, name) for name in names}) for s in samples])
        stored = list(manager.reader.samples(run_id))

        def work(writer: Writer) -> None:
            for known, wanted in zip(stored, samples, strict=True):
                wanted.id = known.id
                writer.save(wanted, FINISHED, before="pending")

        with_writer(manager, run_id, work)
        stat(manager, run_id)
        manager.update_run(run_id, status="completed")
        return manager.reader.run_by_id(run_id)

    return make
