"""A run as a record of Every Eval Ever, part by part."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.edge.foreign import every_eval
from modex.core.edge.foreign.every_eval import _arguments, _figures, _in_all, _model, _open, _source
from modex.core.features.story.figures import RunFigure
from modex.core.statistics.distributions import LEVEL
from modex.core.store.bounds import Bounds
from modex.core.store.rows import RunRow
from tests.rows import each_row


@each_row(
    ("model", "config", "told"),
    [
        ("openai/gpt", {}, ("gpt", "externally_managed", "closed_weights", "openai")),
        ("together/llama/8b", {"model": {}}, ("llama/8b", "externally_managed", "unknown", "together")),
        ("openai/mine", {"model": {"api_base": "http://x"}}, ("mine", "self_deployed", "unknown", "openai")),
        ("demo", {"model": "damaged"}, ("demo", "unknown", "unknown", None)),
    ],
)
def test_a_model_is_told_with_who_serves_it(
    model: str, config: dict[str, Any], told: tuple[str, str, str, str | None]
) -> None:
    found = _model(RunRow(1, model=model, config=config))
    details = found["additional_details"]
    assert found["id"] == model
    assert (
        found["name"],
        details["deployment_type"],
        details["model_availability"],
        found.get("inference_platform"),
    ) == told


@each_row(
    ("config", "arguments"),
    [
        ({}, {}),
        ({"model": "damaged"}, {}),
        ({"model": {"temperature": 0.0, "max_tokens": None, "top_p": 1}}, {"temperature": 0.0}),
        ({"model": {"max_tokens": 5, "reasoning_effort": "low"}}, {"max_tokens": 5, "reasoning": True}),
        ({"model": {"reasoning_effort": ""}}, {}),
    ],
)
def test_arguments_are_those_that_were_given(config: dict[str, Any], arguments: dict[str, Any]) -> None:
    assert _arguments(RunRow(1, config=config)) == arguments


@each_row(
    ("selection", "name"),
    [
        (None, "modex bundled suite"),
        ("damaged", "modex bundled suite"),
        ({"suite": "/s"}, "/s"),
        ({"suite": "/s", "datasets": [{"path": "a.csv"}, "odd", {"path": "b.csv"}]}, "a.csv, b.csv"),
    ],
)
def test_a_source_is_its_datasets_else_its_suite(selection: object, name: str) -> None:
    found = _source(RunRow(1, config={"selection": selection}, total_tests=7))
    assert (found["dataset_name"], found["additional_details"]) == (name, {"tests": "7"})


def _run(**fields: Any) -> RunRow:
    return RunRow(1, exp_id="e", overall_score=0.5, passed_tests=3, failed_tests=4, **fields)


@each_row(
    ("ends", "bounds", "uncertainty"),
    [
        ((None, None), None, None),
        ((0.25, None), None, None),
        ((None, 0.75), None, None),
        (
            (0.25, 0.75),
            None,
            {
                "num_samples": 7,
                "confidence_interval": {
                    "lower": 0.25, "upper": 0.75, "confidence_level": LEVEL, "method": "stratified, closed form",
                },
            },
        ),
        ((0.25, 0.75), Bounds(2, 0.25, 1.0), {"num_samples": 7}),
    ],
)  # fmt: skip
def test_the_score_has_its_interval_or_what_it_lies_between(
    ends: tuple[float | None, float | None], bounds: Bounds | None, uncertainty: dict[str, Any] | None
) -> None:
    (found,) = _in_all(_run(ci_low=ends[0], ci_high=ends[1]), bounds)
    assert found["score_details"].get("uncertainty") == uncertainty
    assert found["score_details"]["score"] == 0.5
    details = found["score_details"]["details"]
    assert (details["passed"], details["failed"]) == ("3", "4")
    assert ("without_verdict" in details) == (bounds is not None)
    assert found["evaluation_result_id"] == "e#weighted_score"
    assert list(_in_all(RunRow(1), None)) == []


def test_what_is_open_is_told_as_text() -> None:
    assert _open(None) == {}
    assert _open(Bounds(2, 0.25, 1.0)) == {
        "without_verdict": "2",
        "score_if_all_wrong": "0.25",
        "score_if_all_right": "1.0",
    }


@pytest.mark.parametrize(
    ("figure", "metric"),
    [
        (RunFigure("ttft_ms_median", 12.5, "ms", 3), ("speed", "ms", True, "Infinity")),
        (RunFigure("tokens", 12.5, "tokens/s", 3), ("speed", "tokens/s", False, "Infinity")),
        (RunFigure("rate", 0.5, "proportion", 3), ("pass_rate", "proportion", False, 1)),
        (RunFigure("low", 0.5, "score", 3), ("weighted_mean", "proportion", False, 1)),
    ],
)
def test_a_figure_is_a_metric_of_its_unit(
    monkeypatch: pytest.MonkeyPatch, figure: RunFigure, metric: tuple[str, str, bool, object]
) -> None:
    monkeypatch.setattr(every_eval, "run_figures", lambda *_: [figure])
    reader: Any = None
    (found,) = _figures(reader, _run())
    told = found["metric_config"]
    names = ("metric_kind", "metric_unit", "lower_is_better", "max_score")
    assert tuple(told[name] for name in names) == metric
    assert (told["metric_id"], told["metric_name"], told["min_score"]) == (figure.name, figure.name, 0)
    assert found["score_details"] == {"score": figure.value, "uncertainty": {"num_samples": 3}}
    assert "generation_config" not in found


def test_a_corrected_rate_has_its_interval_and_the_numbers_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    figure = RunFigure("rate", 0.5, "proportion", 3, (0.25, 0.75), {"labels": 4.0})
    monkeypatch.setattr(every_eval, "run_figures", lambda *_: [figure])
    reader: Any = None
    (found,) = _figures(reader, _run(config={"model": {"temperature": 0.5}}))
    assert found["score_details"]["details"] == {"labels": "4.0"}
    assert found["score_details"]["uncertainty"] == {
        "num_samples": 3,
        "confidence_interval": {
            "lower": 0.25, "upper": 0.75, "confidence_level": LEVEL, "method": "prediction-powered, by labels",
        },
    }  # fmt: skip
    assert found["generation_config"] == {"generation_args": {"temperature": 0.5}}
