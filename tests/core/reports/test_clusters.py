"""Clusters in stored runs: noise, a dataset's accuracy and comparisons take their tests as one draw."""

from __future__ import annotations

import pytest

from modex.core.comparison.difference import difference_json
from modex.core.comparison.wording import passes_test_words
from modex.core.features.compare.compare import compare, comparison_json
from modex.core.features.gate.rule import gate
from modex.core.features.noise.rule import noise_of
from modex.core.statistics.intervals import wilson
from modex.core.store.manager import DBDataManager
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from tests.core.reports.conftest import Store
from tests.core.store.stores import finished, sample

LEVELS = range(1, 6)


def answers(passed: dict[str, float], **fields: str) -> list[EvaluationSample]:
    """Each cluster's tests, one a level, all with one score."""
    return [
        finished(sample(f"{cluster}-{level}", level=level, **fields), score=score)
        for cluster, score in passed.items()
        for level in LEVELS
    ]


def clustered(manager: DBDataManager, run: RunRow) -> RunRow:
    """The run with a cluster beside each test, named as its id begins, summed up again."""
    from modex.core.pipeline.stat import stat

    manager.database.run(
        "UPDATE individual_test_results SET cluster = substr(test_id, 1, instr(test_id, '-') - 1) WHERE run_id = ?",
        [run.id],
    )
    stat(manager, run.id)
    return manager.reader.run_by_id(run.id)


def test_a_datasets_accuracy_and_the_score_have_as_many_draws_as_clusters(manager: DBDataManager, store: Store) -> None:
    alone = store("a", answers({f"c{number}": 1.0 for number in range(20)}))
    run = clustered(manager, alone)
    assert alone.ci_low is not None
    assert run.ci_low is not None
    assert run.ci_low <= 0.84 < alone.ci_low
    (metrics,) = run.metrics.values()
    expected = wilson(20, 20)
    assert expected is not None
    assert (metrics["accuracy"]["n"], metrics["accuracy"]["ci_low"]) == (100, pytest.approx(expected[0]))
    assert metrics["by_category"]["d"]["ci_low"] == pytest.approx(expected[0])


def test_noise_over_clusters_is_as_sure_as_clusters_are_many(manager: DBDataManager, store: Store) -> None:
    names = [f"c{number}" for number in range(8)]
    first = store("a", answers(dict.fromkeys(names, 1.0)))
    second = store("b", answers({name: float(number > 1) for number, name in enumerate(names)}))
    alone = noise_of(manager.reader, [first, second])
    together = noise_of(manager.reader, [clustered(manager, first), clustered(manager, second)])
    assert (together.tests, together.flips) == (alone.tests, alone.flips) == (40, 0.25)
    assert alone.interval is not None
    assert together.interval is not None
    assert together.interval[1] - together.interval[0] > 1.6 * (alone.interval[1] - alone.interval[0])


def test_four_clusters_of_twenty_tests_decide_nothing(manager: DBDataManager, store: Store) -> None:
    names = [f"c{number}" for number in range(4)]
    first, second = store("a", answers(dict.fromkeys(names, 0.0))), store("b", answers(dict.fromkeys(names, 1.0)))
    assert compare(manager.reader, first, second).overall.decision == "better"  # type: ignore[union-attr]
    runs = clustered(manager, first), clustered(manager, second)
    found = compare(manager.reader, *runs)
    assert found.overall is not None
    assert (found.overall.decision, found.overall.too_few, found.overall.mcnemar_p) == (None, True, 0.125)
    assert passes_test_words(found.overall) == "exact permutation of 4 clusters p 0.125"
    said = difference_json(found.overall)
    assert said is not None
    assert (said["units"], said["pass_rate"]["drawn"]) == (4, "clusters")
    assert comparison_json(found)["overall"] == said
    ruling = gate(manager.reader, *runs, 0.03)
    assert ruling.exit_code == 4
    assert ruling.takes.startswith("too few: 4 independent clusters or tests in 20 tests")
