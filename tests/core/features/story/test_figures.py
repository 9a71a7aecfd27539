"""A run's figures beside its score."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from modex.core.features.story import figures
from modex.core.features.story.figures import RunFigure, domain_rows, level_rows, run_figures
from modex.core.store.bounds import open_bounds
from modex.core.store.manager import DBDataManager
from tests.core.features.compare.test_compare import failing, scored
from tests.core.reports.conftest import Store


def test_a_run_that_lacks_verdicts_has_the_scores_it_lies_between(manager: DBDataManager, store: Store) -> None:
    lacking = [failing(name) for name in ("2", "3")]
    lacking[0].error_type = "truncated_output"
    run = store("e", [scored("1", 1.0), *lacking, failing("4")])
    more = {"without_verdict": 3.0, "cut_off": 1.0}
    assert run_figures(manager.reader, run) == [
        RunFigure("weighted_score_if_all_wrong", 0.25, "score", 3, more=more),
        RunFigure("weighted_score_if_all_right", 1.0, "score", 3, more=more),
    ]
    assert run_figures(manager.reader, store("sure", [scored("1", 1.0)])) == []
    outside = failing("2")
    outside.error_type = "connection"
    assert run_figures(manager.reader, store("outside", [scored("1", 1.0), outside])) == []


def test_speeds_are_medians_with_their_slow_ends(manager: DBDataManager, store: Store) -> None:
    timed = [scored(str(n), 1.0, ttft_ms=100.0 * n, output_tokens_per_s=10.0 * n) for n in (1, 2, 3)]
    assert run_figures(manager.reader, store("e", timed)) == [
        RunFigure("ttft_ms_median", 200.0, "ms", 3),
        RunFigure("ttft_ms_95", 300.0, "ms", 3),
        RunFigure("output_tokens_per_s_median", 20.0, "tokens/s", 3, more={"estimated": 0}),
        RunFigure("output_tokens_per_s_95", 10.0, "tokens/s", 3, more={"estimated": 0}),
    ]


def test_rows_of_cells_and_domains_hold_what_leaves_them_open(manager: DBDataManager, store: Store) -> None:
    lacking = failing("2", domain="b")
    lacking.error_type = "bad_request"
    run = store("e", [scored("1", 1.0, domain="a"), scored("1", 1.0, domain="b"), lacking])
    every = open_bounds(manager.reader, run)
    assert [
        (row["domain"], row["level"], row["average_score"], row["bounds"])
        for row in level_rows(manager.reader, run, every)
    ] == [
        ("a", 1, 1.0, None),
        ("b", 1, 1.0, (0.5, 1.0)),
    ]
    assert domain_rows(manager.reader, run, every) == [
        {"domain": "a", "score": 1.0, "bounds": None},
        {"domain": "b", "score": 1.0, "bounds": (0.5, 1.0)},
    ]


@pytest.mark.parametrize(
    ("ends", "more"),
    [
        (None, {"as_judged": 0.5, "labels": 30}),
        ((0.4, 0.7), {"as_judged": 0.5, "labels": 30, "without_verdict": 4, "if_all_wrong": 0.4, "if_all_right": 0.7}),
    ],
)
def test_a_judge_with_labels_has_its_corrected_rate(
    monkeypatch: pytest.MonkeyPatch, manager: DBDataManager, store: Store, ends: Any, more: dict[str, float]
) -> None:
    fixed = SimpleNamespace(judged=0.5, labels=30, rate=0.6, answers=90, interval=(0.5, 0.7))
    found = [
        SimpleNamespace(evaluator_id="bare", corrected=None, ends=None, open=0),
        SimpleNamespace(evaluator_id="llm_judge", corrected=fixed, ends=ends, open=4),
    ]
    monkeypatch.setattr(figures, "judged", lambda *_: found)
    assert run_figures(manager.reader, store("e", [scored("1", 1.0)])) == [
        RunFigure("pass_rate_corrected/llm_judge", 0.6, "proportion", 90, (0.5, 0.7), more)
    ]
