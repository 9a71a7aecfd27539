from __future__ import annotations

import pytest

from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.foundation.errors import StoreError
from modex.core.pipeline.stat import stat
from modex.core.statistics.moments import Gathered
from modex.core.statistics.weighted import weighted_score
from modex.core.store.reader import Reader
from modex.core.store.sample import SampleStatus
from modex.tui.reading.run import RunFeed
from tests.tui.stores import SKETCH, StoreMaker, cells, sample


@pytest.fixture
def reader(store: StoreMaker) -> Reader:
    return Reader(store.path)


def test_the_first_look_has_the_whole_matrix_in_planning_order(store: StoreMaker, reader: Reader) -> None:
    store.run("r", samples=cells(SKETCH))
    found = RunFeed("r").read(reader)
    assert found is not None
    assert [row.domain for row in found.matrix.rows][:3] == ["conversation", "math", "reasoning"]
    assert found.matrix.levels == (1, 2, 3, 4, 5)
    assert found.matrix.rows[1].marks[2] == "PPFR"
    assert found.matrix.total == 180


def test_scores_are_those_of_the_statistics(store: StoreMaker, reader: Reader) -> None:
    samples = cells(SKETCH)
    store.run("r", samples=samples)
    found = RunFeed("r").read(reader)
    gathered = Gathered()
    for one in samples:
        if one.score is not None:
            gathered.add((one.domain, one.level), one.score, one.weight)
    assert found is not None
    expected = weighted_score({cell: moments.score for cell, moments in gathered.settled()[0].items()})
    assert found.matrix.overall == pytest.approx(expected)


def test_epochs_are_averaged_by_test_before_weights(store: StoreMaker, reader: Reader) -> None:
    samples = [
        sample("math", 1, 1, "passed", epoch=1, weight=3.0),
        sample("math", 1, 1, "failed", epoch=2, weight=3.0),
        sample("math", 1, 2, "passed", epoch=1),
    ]
    run_id = store.run("r", samples=samples)
    store.manager.database.run("UPDATE evaluation_runs SET config = '{\"epochs\": 2}' WHERE id = ?", [run_id])
    found = RunFeed("r").read(reader)
    assert found is not None
    assert found.matrix.overall == pytest.approx((3 * 0.5 + 1 * 1.0) / 4)


def test_a_forming_score_has_the_interval_that_the_finished_one_will_have(store: StoreMaker, reader: Reader) -> None:
    run_id = store.run("r", samples=cells("math ●●● ●●●●●"))
    stat(store.manager, run_id)
    found, run = RunFeed("r").read(reader), reader.run("r")
    assert found is not None
    assert run.ci_low is not None
    assert run.ci_high is not None
    assert run.ci_high - run.ci_low > 0.2
    assert found.matrix.half_width == pytest.approx((run.ci_high - run.ci_low) / 2)


def test_a_look_without_change_finds_nothing(store: StoreMaker, reader: Reader) -> None:
    store.run("r", samples=cells(SKETCH))
    feed = RunFeed("r")
    assert feed.read(reader) is not None
    assert feed.read(reader) is None


def test_a_change_is_seen_with_its_log_line_and_only_once(store: StoreMaker, reader: Reader) -> None:
    run_id = store.run("r", samples=cells(SKETCH))
    feed = RunFeed("r")
    feed.read(reader)
    store.finish(run_id, "math_4_1", "failed", completed_at="2026-03-05T14:29:50.000Z")
    store.event(run_id, "provider answers again")
    found = feed.read(reader)
    assert found is not None
    assert [line.kind for line in found.updates] == ["failed", "info"]
    assert found.matrix.rows[1].marks[3] == "F..."
    assert feed.read(reader) is None


def test_a_look_after_a_long_time_tells_the_newest_and_draws_all(
    store: StoreMaker, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("modex.tui.reading.run.MOST_TOLD", 2)
    run_id = store.run("r", samples=[sample("math", 1, number, "pending") for number in range(4)])
    feed = RunFeed("r")
    feed.read(reader)
    for number in range(4):
        store.finish(run_id, f"math_1_{number}", "passed")
    found = feed.read(reader)
    assert found is not None
    assert [line.head.test_id for line in found.updates if line.head] == ["math_1_2", "math_1_3"]
    assert found.matrix.rows[0].marks == ("PPPP",)


def test_two_who_look_see_the_same(store: StoreMaker, reader: Reader) -> None:
    run_id = store.run("r", samples=cells(SKETCH))
    early = RunFeed("r")
    early.read(reader)
    for number in (1, 2, 3):
        store.finish(run_id, f"coding_2_{number}", "passed")
        early.read(reader)
    late = RunFeed("r").read(reader)
    now = early.read(reader, force=True)
    assert late is not None
    assert now is not None
    assert now.matrix == late.matrix


def test_new_tests_appear_in_their_cells(store: StoreMaker, reader: Reader) -> None:
    run_id = store.run("r", samples=cells("math ●●"))
    feed = RunFeed("r")
    feed.read(reader)
    store.add(run_id, [sample("math", 1, 3, "pending"), sample("sql", 2, 1, "pending")])
    store.manager.recount(run_id)
    found = feed.read(reader)
    assert found is not None
    assert found.matrix.rows[0].marks == ("PP.", None)
    assert [row.domain for row in found.matrix.rows] == ["math", "sql"]


def test_cells_with_many_tests_have_counts_and_no_marks(store: StoreMaker, reader: Reader) -> None:
    store.run("r", samples=[sample("math", 1, number, "passed") for number in range(100)])
    found = RunFeed("r").read(reader)
    assert found is not None
    assert found.matrix.rows[0].marks == (None,)
    assert found.matrix.count("passed") == 100


def test_a_deleted_run_says_so(store: StoreMaker, reader: Reader) -> None:
    run_id = store.run("r", samples=cells("math ●●"))
    feed = RunFeed("r")
    feed.read(reader)
    store.manager.delete_run(run_id)
    with pytest.raises(StoreError, match="deleted"):
        feed.read(reader)


def test_the_tests_of_a_cluster_are_drawn_together_live_and_stored(store: StoreMaker, reader: Reader) -> None:
    def interval(name: str, cluster: str | None) -> float:
        samples = [
            sample("math", 1 + n % 2, n, "passed" if n // 8 % 2 else "failed", cluster=cluster and f"{cluster}{n // 8}")
            for n in range(64)
        ]
        run_id = store.run(name, samples=samples)
        stat(store.manager, run_id)
        run, found = reader.run(name), RunFeed(name).read(reader)
        assert run.ci_low is not None
        assert run.ci_high is not None
        assert found is not None
        assert found.matrix.half_width == pytest.approx((run.ci_high - run.ci_low) / 2)
        return run.ci_high - run.ci_low

    assert interval("clustered", "text") > 2 * interval("alone", None)


def test_with_epochs_a_sign_stands_for_a_test_and_flaky_ones_have_their_own(store: StoreMaker, reader: Reader) -> None:
    drawn = {"steady": "PPP", "flaky": "PFP", "wrong": "FFF", "begun": "P.."}
    statuses: dict[str, SampleStatus] = {"P": "passed", "F": "failed", ".": "pending"}
    samples = [
        sample("math", 1, number, statuses[letter], test_id=name, epoch=epoch)
        for number, (name, letters) in enumerate(drawn.items())
        for epoch, letter in enumerate(letters, 1)
    ]
    store.run("r", samples=samples, config=RunConfig(model=ModelSpec(model="m"), epochs=3))
    found = RunFeed("r").read(reader)
    assert found is not None
    assert found.matrix.rows[0].marks == ("PYF.",)
