"""How many samples passed, test by test and cluster by cluster, as sums."""

from __future__ import annotations

from pathlib import Path

from modex.core.statistics.moments import Moments
from modex.core.store.pass_rates import pass_moments
from modex.core.store.sample import SampleStatus
from tests.tui.stores import StoreMaker, sample


def test_a_unit_is_a_test_or_a_cluster_weighed_by_its_scored_epochs(tmp_path: Path) -> None:
    store = StoreMaker(tmp_path / "m.db")
    epochs: list[SampleStatus] = ["passed", "failed", "passed", "error"]
    samples = [
        *(sample("d", 1, 1, status, epoch=epoch) for epoch, status in enumerate(epochs, 1)),
        sample("d", 1, 2, "failed"),
        sample("d", 1, 3, "passed", source="other"),
        sample("d", 1, 4, "pending"),
        sample("d", 2, 5, "passed", cluster="x"),
        sample("d", 2, 6, "failed", cluster="x"),
        sample("e", 1, 7, "passed", cluster="x"),
        sample("e", 1, 8, "failed", cluster="y"),
        sample("e", 1, 9, "passed"),
        sample("e", 1, 10, "error", cluster="z"),
    ]
    run = store.run("r", samples=samples)
    store.run("again", samples=samples)
    cells, shared = pass_moments(store.manager.reader, run, "suite")
    assert cells == {  # level, units, Σw, Σwx, Σw², Σw²x, Σw²x²
        ("d", 1): Moments(1, 2, 4, 2, 10, 6, 4),
        ("d", 2): Moments(2, 1, 2, 1, 4, 2, 1, 2),
        ("e", 1): Moments(1, 3, 3, 2, 3, 2, 2, 1),
    }
    assert shared == [{("d", 2): (2, 1), ("e", 1): (1, 1)}]
    database = store.manager.database
    database.run("UPDATE individual_test_results SET level = 1.5 WHERE run_id = ? AND domain = 'd'", [run])
    cells, shared = pass_moments(store.manager.reader, run, "suite")
    assert (list(cells), shared) == ([("e", 1)], [])
    store.close()
