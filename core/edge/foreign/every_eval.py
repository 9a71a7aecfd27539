"""A run as a record of Every Eval Ever, schema 0.3.0: its scores by domain and in all, without the answers.

Source of the form: `eval.schema.json` of the project's package, version 0.3.0.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from modex.core.edge.foreign.plain import strict, text
from modex.core.features.story.figures import run_figures
from modex.core.foundation.version import version
from modex.core.reports.reading import reading_of
from modex.core.statistics.distributions import LEVEL
from modex.core.store.bounds import Bounds, open_bounds
from modex.core.store.clock import now, parse
from modex.core.store.reader import Reader, SampleQuery
from modex.core.store.rows import RunRow

SCHEMA = "0.3.0"
_HOSTED = frozenset({"anthropic", "openai", "gemini", "vertex_ai", "bedrock", "azure", "mistral", "cohere", "xai"})
"""Providers that serve models of their own, whose weights nobody else runs."""


def every_eval_record(reader: Reader, run: RunRow, query: SampleQuery) -> Iterator[str]:
    """The run as one JSON document. The record holds scores of whole runs, so `query` chooses nothing here."""
    del query
    yield json.dumps(strict(_record(reader, run)), ensure_ascii=True, indent=1) + "\n"


def _record(reader: Reader, run: RunRow) -> dict[str, Any]:
    every = open_bounds(reader, run)
    at = _epoch_seconds(run.completed_at or run.started_at or now())
    return {
        "schema_version": SCHEMA,
        "evaluation_id": f"{run.exp_id}/{run.model.replace('/', '_')}/{at}",
        "retrieved_timestamp": _epoch_seconds(now()),
        "evaluation_timestamp": at,
        "source_metadata": {
            "source_name": "Model Explorer",
            "source_type": "evaluation_run",
            "source_organization_name": "unknown",
            "evaluator_relationship": "other",
        },
        "eval_library": {"name": "modex", "version": version()},
        "model_info": _model(run),
        "evaluation_results": [
            *_in_all(run, every.whole),
            *_by_domain(reader, run, every.domains),
            *_figures(reader, run),
        ],
    }


def _epoch_seconds(at: str) -> str:
    return str(int(parse(at).timestamp()))


def _model(run: RunRow) -> dict[str, Any]:
    provider, _, name = run.model.partition("/")
    model = run.config.get("model")
    own_server = bool(isinstance(model, dict) and model.get("api_base"))
    deployed = "self_deployed" if own_server else "externally_managed" if name else "unknown"
    return {
        "name": name or run.model,
        "id": run.model,
        "additional_details": {
            "deployment_type": deployed,
            "model_availability": "closed_weights" if not own_server and provider in _HOSTED else "unknown",
        },
    } | ({"inference_platform": provider} if name else {})


def _in_all(run: RunRow, open_: Bounds | None) -> Iterator[dict[str, Any]]:
    if run.overall_score is None:
        return
    details: dict[str, Any] = {"score": run.overall_score, "details": {**_counts(run), **_open(open_)}}
    if run.ci_low is not None and run.ci_high is not None:
        details["uncertainty"] = {"num_samples": run.passed_tests + run.failed_tests}
    if run.ci_low is not None and run.ci_high is not None and open_ is None:
        details["uncertainty"]["confidence_interval"] = {
            "lower": run.ci_low,
            "upper": run.ci_high,
            "confidence_level": LEVEL,
            "method": "stratified, closed form",
        }
    yield _result(
        run,
        "weighted_score",
        {
            "evaluation_description": "Mean of the cells' average scores, each weighed by its level's number",
            "metric_name": "Weighted Score",
            "metric_kind": "weighted_mean",
        },
        details,
    )


def _open(open_: Bounds | None) -> dict[str, str]:
    """The scores that samples without a verdict leave a score between, as the form takes details; empty where there are none."""
    if open_ is None:
        return {}
    found = {"without_verdict": open_.number, "score_if_all_wrong": open_.low, "score_if_all_right": open_.high}
    return {name: text(value) for name, value in found.items()}


def _by_domain(reader: Reader, run: RunRow, open_: Mapping[str, Bounds]) -> Iterator[dict[str, Any]]:
    for domain, score in reader.domain_scores([run.id]).get(run.id, []):
        if score is not None:
            metric = {"metric_name": "Weighted Score", "metric_kind": "weighted_mean"}
            told = {"details": found} if (found := _open(open_.get(domain))) else {}
            yield _result(run, f"weighted_score/{domain}", metric, {"score": score, **told})


_KINDS = {"proportion": "pass_rate", "score": "weighted_mean"}
"""What kind of metric a figure is, by its unit; else a speed."""


def _figures(reader: Reader, run: RunRow) -> Iterator[dict[str, Any]]:
    for figure in run_figures(reader, run):
        details: dict[str, Any] = {"score": figure.value, "uncertainty": {"num_samples": figure.n}}
        if figure.more:
            details["details"] = {name: text(value) for name, value in figure.more.items()}
        metric = {
            "metric_name": figure.name,
            "metric_kind": _KINDS.get(figure.unit, "speed"),
            "metric_unit": "proportion" if figure.unit in _KINDS else figure.unit,
            "lower_is_better": figure.unit == "ms",
            "max_score": 1 if figure.unit in _KINDS else "Infinity",
        }
        if figure.interval is not None:
            low, high = figure.interval
            details["uncertainty"]["confidence_interval"] = {
                "lower": low,
                "upper": high,
                "confidence_level": LEVEL,
                "method": "prediction-powered, by labels",
            }
        yield _result(run, figure.name, metric, details)


def _result(run: RunRow, name: str, metric: dict[str, Any], details: dict[str, Any]) -> dict[str, Any]:
    shared = {"lower_is_better": False, "score_type": "continuous", "min_score": 0, "max_score": 1}
    result: dict[str, Any] = {
        "evaluation_result_id": f"{run.exp_id}#{name}",
        "evaluation_name": name,
        "source_data": _source(run),
        "metric_config": {"metric_id": name, "metric_unit": "proportion", **shared, **metric},
        "score_details": details,
    }
    if arguments := _arguments(run):
        result["generation_config"] = {"generation_args": arguments}
    return result


def _source(run: RunRow) -> dict[str, Any]:
    chosen = run.config.get("selection")
    selection = chosen if isinstance(chosen, dict) else {}
    datasets = [str(one.get("path")) for one in selection.get("datasets") or () if isinstance(one, dict)]
    name = ", ".join(datasets) or str(selection.get("suite") or "modex bundled suite")
    return {"dataset_name": name, "source_type": "other", "additional_details": {"tests": str(run.total_tests)}}


def _arguments(run: RunRow) -> dict[str, Any]:
    model = run.config.get("model")
    asked = model if isinstance(model, dict) else {}
    found = {name: asked[name] for name in ("temperature", "max_tokens") if asked.get(name) is not None}
    return found | ({"reasoning": True} if asked.get("reasoning_effort") else {})


def _counts(run: RunRow) -> dict[str, str]:
    """Counts, as the text that the schema asks for."""
    counted = {
        "passed": run.passed_tests,
        "failed": run.failed_tests,
        "errors": run.error_tests,
        "skipped": run.skipped_tests,
        "state": run.state,
        "cost_usd": run.cost_usd,
        "failed_containing_gold": reading_of(run).gold_in_answer,
    }
    return {name: text(value) for name, value in counted.items()}
