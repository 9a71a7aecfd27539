"""What `stat` stores: levels, domains, the whole run, and each source's metrics."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import modex.core.pipeline.stat as module
from modex.core.pipeline.agreement import agreement, by_judge
from modex.core.pipeline.processers import PROCESSER_FACTORY, BaseMatchProcesser
from modex.core.pipeline.stat import stat
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import EvaluationSample
from modex.core.store.writer import Writer
from modex.core.verdict import Vote, Votes, details_of
from tests.core.store.stores import CONFIG, FINISHED, finished, sample, with_writer


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[DBDataManager]:
    opened = DBDataManager(tmp_path / "modex.db")
    yield opened
    opened.close()


def store(manager: DBDataManager, samples: list[EvaluationSample], exp_id: str = "e") -> int:
    """A run whose samples are stored as given."""
    run_id = manager.create_run(exp_id, CONFIG)
    planned = [sample(s.test_id, source=s.source, domain=s.domain, level=s.level, epoch=s.epoch, weight=s.weight,
                      evaluator_id=s.evaluator_id) for s in samples]  # fmt: skip
    manager.plan(run_id, planned)
    stored = list(manager.reader.samples(run_id))

    def work(writer: Writer) -> None:
        for known, wanted in zip(stored, samples, strict=True):
            wanted.id = known.id
            writer.save(wanted, FINISHED, before="pending")

    with_writer(manager, run_id, work)
    return run_id


def scored(test_id: str, score: float, **fields: Any) -> EvaluationSample:
    return finished(sample(test_id, **fields), score=score)


def failed(test_id: str, **fields: Any) -> EvaluationSample:
    return finished(sample(test_id, **fields), status="error", stage="rollout", score=0.0, error_type="timeout")


def test_the_example_of_the_documents(manager: DBDataManager) -> None:
    run_id = store(
        manager,
        [
            scored("a", 1.0, domain="x", level=1),
            scored("b", 0.5, domain="x", level=2, weight=3.0),
            scored("c", 0.0, domain="x", level=2, weight=1.0),
            scored("d", 1.0, domain="y", level=5),
        ],
    )
    assert stat(manager, run_id) == pytest.approx((1 * 1 + 0.375 * 2 + 1 * 5) / 8)
    assert dict(manager.reader.domain_scores([run_id])[run_id]) == pytest.approx({"x": (1 + 0.75) / 3, "y": 1.0})
    levels = {(row["domain"], row["level"]): row for row in manager.reader.level_scores(run_id)}
    assert levels["x", 2]["average_score"] == pytest.approx(0.375)
    assert (levels["x", 2]["total_tests"], levels["x", 2]["passed_tests"], levels["x", 2]["weight"]) == (2, 0, 2.0)


def test_errors_stand_beside_the_score_and_never_in_it(manager: DBDataManager) -> None:
    run_id = store(manager, [scored("a", 1.0), failed("b"), failed("c", level=4)])
    assert stat(manager, run_id) == 1.0
    rows = manager.database.rows(
        "SELECT level, score, status, error_tests FROM test_results WHERE run_id = ? ORDER BY level", [run_id]
    )
    assert rows == [(None, 1.0, "passed", 2), (1, 1.0, "passed", 1), (4, None, "error", 1)]


def test_how_fast_answers_came_is_kept_with_the_run(manager: DBDataManager) -> None:
    run_id = store(
        manager, [scored(f"t{n}", 1.0, ttft_ms=100.0 * n, output_tokens_per_s=50.0 - n) for n in range(1, 21)]
    )
    stat(manager, run_id)
    pace = manager.reader.run_by_id(run_id).pace
    assert pace["first_ms"] == {"n": 20, "median": 1050.0, "p95": 1900.0}
    assert pace["tokens_per_s"] == {"n": 20, "median": 39.5, "p95": 31.0}
    assert pace["thinking_ms"] is None
    whole = manager.create_run("whole", CONFIG)
    stat(manager, whole)
    assert manager.reader.run_by_id(whole).pace == {}


def test_a_run_without_any_score_has_none(manager: DBDataManager) -> None:
    run_id = store(manager, [failed("a")])
    assert stat(manager, run_id) is None
    run = manager.reader.run_by_id(run_id)
    assert (run.overall_score, run.ci_low, run.ci_high) == (None, None, None)


def test_an_empty_run_is_summed_up_to_nothing(manager: DBDataManager) -> None:
    assert stat(manager, manager.create_run("e", CONFIG)) is None


def test_epochs_are_averaged_before_levels(manager: DBDataManager) -> None:
    run_id = store(
        manager,
        [scored("a", 1.0, epoch=1), scored("a", 0.0, epoch=2), scored("a", 0.5, epoch=3), scored("b", 1.0, epoch=1)],
    )
    assert stat(manager, run_id) == pytest.approx(0.75)


def test_doing_it_twice_changes_nothing(manager: DBDataManager) -> None:
    draw = random.Random(1)
    run_id = store(manager, [scored(str(n), draw.random(), level=1 + n % 5) for n in range(20)])
    first = stat(manager, run_id), manager.reader.level_scores(run_id), manager.reader.run_by_id(run_id).metrics
    assert (
        stat(manager, run_id),
        manager.reader.level_scores(run_id),
        manager.reader.run_by_id(run_id).metrics,
    ) == first


def test_summing_up_that_is_ended_leaves_the_scores_that_stood(
    manager: DBDataManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_TOLD_EVERY", 2)
    run_id = store(manager, [scored("a", 1.0), scored("b", 0.0)])
    stat(manager, run_id)
    before = manager.reader.level_scores(run_id)
    manager.database.run("UPDATE individual_test_results SET score = 1.0, status = 'passed'")

    def told(count: int) -> None:
        raise KeyboardInterrupt(count)

    with pytest.raises(KeyboardInterrupt, match="2"):
        stat(manager, run_id, told)
    assert manager.reader.level_scores(run_id) == before


def test_the_interval_holds_the_score(manager: DBDataManager) -> None:
    draw = random.Random(2)
    run_id = store(manager, [scored(str(n), draw.random(), level=1 + n % 5) for n in range(30)])
    score = stat(manager, run_id)
    run = manager.reader.run_by_id(run_id)
    assert run.ci_low is not None
    assert run.ci_high is not None
    assert score is not None
    assert run.ci_low <= score <= run.ci_high


def test_the_cost_of_a_cell_is_unknown_where_one_price_is(manager: DBDataManager) -> None:
    free = scored("a", 1.0, level=1)
    free.cost_usd, free.judge_cost_usd = 0.25, 0.5
    unpriced = scored("b", 1.0, level=2)
    unpriced.cost_usd = None
    run_id = store(manager, [free, unpriced])
    stat(manager, run_id)
    rows = manager.database.rows("SELECT level, cost_usd FROM test_results WHERE run_id = ? ORDER BY level", [run_id])
    assert rows == [(None, None), (1, 0.75), (2, None)]


@pytest.fixture
def sources() -> Iterator[None]:
    """Two third-party processers, forgotten again."""

    class Counting(BaseMatchProcesser):
        source = "counting"

        def calculate_metrics(self, samples: Iterable[EvaluationSample]) -> dict[str, Any]:
            return {"responses": [item.response for item in samples]}

    class Broken(BaseMatchProcesser):
        source = "broken"

        def calculate_metrics(self, samples: Iterable[EvaluationSample]) -> dict[str, Any]:
            raise ZeroDivisionError("no samples")

    for each in (Counting, Broken):
        PROCESSER_FACTORY.register(each)
    yield
    for each in (Counting, Broken):
        PROCESSER_FACTORY._classes.pop(each.source)
        PROCESSER_FACTORY._instances.pop(each.source, None)


def test_each_source_has_its_processers_metrics(manager: DBDataManager, sources: None) -> None:
    run_id = store(
        manager,
        [
            scored("a", 1.0, source="suite"),
            scored("b", 0.0, source="counting", evaluator_id="match"),
            scored("c", 1.0, source="gsm8k", evaluator_id="match"),
        ],
    )
    stat(manager, run_id)
    metrics = manager.reader.run_by_id(run_id).metrics
    assert metrics["counting"] == {"responses": ["4"], "processer": "Counting"}
    assert metrics["suite"]["processer"] == "SuiteProcesser"
    assert metrics["gsm8k"]["processer"] == "BaseMatchProcesser"
    assert metrics["gsm8k"]["accuracy"]["rate"] == 1.0


def test_a_processer_that_raises_is_named_and_the_scores_stand(manager: DBDataManager, sources: None) -> None:
    run_id = store(manager, [scored("a", 1.0, source="broken")])
    assert stat(manager, run_id) == 1.0
    metrics = manager.reader.run_by_id(run_id).metrics["broken"]
    assert metrics["problem"] == "Broken.calculate_metrics: ZeroDivisionError: no samples"


def test_a_processers_own_metrics_say_how_many_samples_they_have_no_bounds_for(
    manager: DBDataManager, sources: None
) -> None:
    def kept(kinds: Sequence[str], source: str) -> dict[str, Any]:
        lost = [sample(f"e{n}", source=source, evaluator_id="match") for n in range(len(kinds))]
        for one, kind in zip(lost, kinds, strict=True):
            one.status, one.stage, one.error_type = "error", "rollout", kind
        right = scored("a", 1.0, source=source, evaluator_id="match")
        run_id = store(manager, [right, *lost], f"{source} {len(kinds)}{kinds[0]}")
        stat(manager, run_id)
        found: dict[str, Any] = manager.reader.run_by_id(run_id).metrics[source]
        return found

    assert kept(["judge_error", "judge_error", "connection"], "counting")["not_bounded_by"] == 2
    assert "not_bounded_by" not in kept(["connection"], "counting")
    assert "not_bounded_by" not in kept(["judge_error"], "gsm8k")
    assert set(kept(["judge_error"], "broken")) == {"problem", "processer"}


def test_light_metrics_equal_those_of_whole_samples(manager: DBDataManager) -> None:
    draw = random.Random(5)
    samples = [scored(str(n), draw.random(), level=1 + n % 3, domain="xy"[n % 2]) for n in range(25)]
    for item in samples:
        item.prompt_tokens, item.duration_ms, item.flags = draw.randrange(50), draw.randrange(900), ["empty_answer"]
    run_id = store(manager, samples)
    stat(manager, run_id)
    metrics = manager.reader.run_by_id(run_id).metrics["suite"]
    whole = PROCESSER_FACTORY.get("suite").calculate_metrics(manager.reader.samples(run_id))
    assert {name: value for name, value in metrics.items() if name != "processer"} == whole


def votes(*scores: float) -> dict[str, object]:
    return details_of([Votes(tuple(Vote(f"j{n}", score) for n, score in enumerate(scores)))], {})


def test_several_judges_agreement_is_reported_with_kappa(manager: DBDataManager) -> None:
    samples = [scored(str(n), one) for n, one in enumerate([1.0, 1.0, 0.0, 0.0])]
    for item, given in zip(samples, [(1, 1), (1, 0), (0, 0), (0, 0)], strict=True):
        item.details = votes(*given)
    run_id = store(manager, samples)
    stat(manager, run_id)
    agreement = manager.reader.run_by_id(run_id).metrics["suite"]["judge_agreement"]
    assert (agreement["judges"], agreement["n"], agreement["unanimous"]) == (2, 4, 0.75)
    assert agreement["kappa"] == pytest.approx(0.5)
    assert agreement["statistic"] == "Cohen's κ"


def test_agreement_is_between_judges_whatever_the_order_and_the_gaps_of_their_votes() -> None:
    ratings = [{"a": 1.0, "b": 0.0}, {"b": 0.0, "a": 1.0}, {"b": 1.0}, {"b": 1.0, "a": 0.0}, {"a": 0.0, "b": 1.0}]
    found = agreement(ratings)
    assert found is not None
    assert (found["panel"], found["n"], found["unanimous"]) == (["a", "b"], 4, 0.0)
    assert found["kappa"] == pytest.approx(-1.0)


def test_a_judge_without_a_verdict_does_not_lend_its_place_to_the_next() -> None:
    given = Votes((Vote("a", None), Vote("b", 0.0), Vote("c", 1.0), Vote("c", 0.0)))
    assert by_judge(given) == {"b": 0.0, "c": 1.0, "c #2": 0.0}


def test_one_judge_agrees_with_nobody(manager: DBDataManager) -> None:
    run_id = store(manager, [scored("a", 1.0)])
    stat(manager, run_id)
    assert "judge_agreement" not in manager.reader.run_by_id(run_id).metrics["suite"]


def test_domains_stand_in_the_order_in_which_their_tests_were_planned(manager: DBDataManager) -> None:
    run_id = store(
        manager,
        [
            scored("z", 1.0, domain="late"),
            scored("b", 1.0, domain="early"),
            scored("a", 1.0, domain="late"),
            scored("a", 0.0, domain="middle"),
        ],
    )
    stat(manager, run_id)
    assert [domain for domain, _ in manager.reader.domain_scores([run_id])[run_id]] == ["late", "early", "middle"]


@pytest.mark.parametrize(
    ("statuses", "status"),
    [
        (["running", "passed"], "pending"),
        (["pending", "passed"], "pending"),
        (["passed", "error"], "passed"),
        (["failed", "error"], "failed"),
        (["error", "skipped"], "error"),
        (["skipped"], "skipped"),
    ],
)
def test_a_cell_is_unfinished_while_a_sample_waits_or_is_asked_and_then_what_its_score_says(
    manager: DBDataManager, statuses: list[str], status: str
) -> None:
    run_id = store(manager, [scored(str(number), 1.0) for number in range(len(statuses))])
    for number, one in enumerate(statuses):
        score = {"passed": 1.0, "failed": 0.0}.get(one)
        manager.database.run(
            "UPDATE individual_test_results SET status = ?, score = ? WHERE test_id = ?", [one, score, str(number)]
        )
    stat(manager, run_id)
    rows = manager.database.rows("SELECT level, status FROM test_results ORDER BY level")
    assert rows == [(None, status), (1, status)]


@pytest.mark.parametrize(("score", "status"), [(0.7, "passed"), (0.69, "failed")])
def test_a_cell_passes_from_the_score_from_which_a_sample_does(
    manager: DBDataManager, score: float, status: str
) -> None:
    stat(manager, store(manager, [scored("a", score)]))
    assert set(manager.database.rows("SELECT status FROM test_results")) == {(status,)}
