"""What stands in results of promptfoo, field by field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modex.core.edge.imports.promptfoo import read_promptfoo
from modex.core.edge.imports.records import ForeignRun, ForeignSample
from modex.core.foundation.errors import ConfigurationError

_ROW = {"provider": "p", "success": True, "prompt": {"raw": "q"}, "response": {"output": "a"}, "testIdx": 0}


def _runs(folder: Path, rows: list[Any], metric: str | None = None, **document: Any) -> list[ForeignRun]:
    path = folder / "out.json"
    path.write_text(json.dumps({"results": {"results": rows, **document.pop("results", {})}, **document}))
    return list(read_promptfoo(path, metric, 10.0))


def _sample(folder: Path, metric: str | None = None, **fields: Any) -> ForeignSample:
    (run,) = _runs(folder, [{**_ROW, **fields}], metric)
    (sample,) = run.samples()
    return sample


def test_a_run_is_a_provider_and_a_prompt(tmp_path: Path) -> None:
    (alone,) = _runs(tmp_path, [{**_ROW, "promptIdx": 3}, "odd", None])
    assert (alone.name, alone.task, alone.model, alone.scorer) == ("out-p", "out", "p", "assertions")
    assert (alone.started_at, alone.duration_ms, len(list(alone.samples()))) == (None, 0, 1)
    rows = [_ROW, {**_ROW, "promptIdx": 1}, {**_ROW, "provider": {"id": "a:b:c"}}, {**_ROW, "provider": {}}]
    runs = _runs(
        tmp_path, rows, "score", evalId="e/1", config={"description": "sums"},
        results={"timestamp": "2026-11-01T10:00:00Z", "stats": {"durationMs": 5}},
    )  # fmt: skip
    assert [(run.name, run.model) for run in runs] == [
        ("e-1-p-prompt0", "p"), ("e-1-p-prompt1", "p"), ("e-1-a-b:c-prompt0", "a/b:c"), ("e-1-unknown-prompt0", "unknown"),
    ]  # fmt: skip
    assert {(run.task, run.scorer, run.duration_ms, run.started_at) for run in runs} == {
        ("sums", "score", 5, "2026-11-01T10:00:00.000Z")
    }
    assert _runs(tmp_path, []) == []
    with pytest.raises(ConfigurationError, match=r"out\.json: these are no results of promptfoo"):
        _runs(tmp_path, [], results={"results": {}})


def test_the_same_test_has_one_number_whatever_number_its_repeats_have(tmp_path: Path) -> None:
    cases = [
        {"vars": {"a": 1, "b": 2}},
        {"vars": {"b": 2, "a": 1}},
        {"vars": {"a": 2}},
        {"description": "d"},
        {"assert": [1]},
        None,
    ]
    (run,) = _runs(tmp_path, [{**_ROW, "testIdx": number, "testCase": case} for number, case in enumerate(cases)])
    assert [sample.test_id for sample in run.samples()] == ["0", "0", "2", "3 d", "4", "5"]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, {"test_id": "0", "question": "q", "gold": None, "domain": "out", "level": 1, "response": "a", "answer": "a",
              "score": 1.0, "why": None, "cost_usd": None, "duration_ms": 0, "finish_reason": None, "found": {}, "error": None}),
        ({"testCase": {"description": "/", "metadata": {"domain": "d", "level": 2}}},
         {"test_id": "0 /", "domain": "d", "level": 2}),
        ({"testCase": {"description": "../.."}}, {"test_id": "0"}),
        ({"prompt": "plain"}, {"question": "plain"}),
        ({"prompt": None}, {"question": ""}),
        ({"response": {"output": {"é": 1}}}, {"response": '{"é": 1}'}),
        ({"response": {"output": ""}, "error": "e"}, {"response": "", "score": 1.0, "error": None}),
        ({"response": {}}, {"response": None, "score": 1.0, "error": None}),
        ({"response": {}, "error": "e" * 2001}, {"score": None, "error": "e" * 2000}),
        ({"response": {"error": "inner"}}, {"score": None, "error": "inner"}),
        ({"response": {"error": "inner"}, "error": "outer"}, {"error": "outer"}),
        ({"success": False}, {"score": 0.0, "error": None}),
        ({"success": 1}, {"score": None, "error": "score is no score from 0 to 10"}),
        ({"gradingResult": {"reason": "r" * 2001}}, {"why": "r" * 2000}),
        ({"latencyMs": 5, "cost": 1}, {"duration_ms": 5, "cost_usd": 1}),
        ({"cost": "x"}, {"cost_usd": None}),
        ({"response": {"output": "a", "finishReason": "stop", "tokenUsage": {
            "prompt": 1, "completion": 2, "cached": 3, "completionDetails": {"reasoning": 4}}}},
         {"prompt_tokens": 1, "completion_tokens": 2, "cached_tokens": 3, "reasoning_tokens": 4, "finish_reason": "stop"}),
        *(({"testCase": {"assert": asserted}}, {"gold": gold}) for asserted, gold in (
            ([{"type": "equals", "value": "4"}], "4"),
            ([5, {"type": "equals", "value": ["4"]}, {"type": "llm-rubric", "value": "x"}, {"type": "icontains", "value": 0},
              {"type": "contains", "value": "later"}], 0),
            ([{"type": "llm-rubric", "value": "x"}], None),
            ({"type": "equals", "value": "4"}, None))),
        ({"gradingResult": {"componentResults": [
            {"pass": True, "assertion": {"type": "equals"}}, 5, {"pass": False, "reason": "r" * 301}]}},
         {"found": {"1. equals": "passed", "3. assertion": f"failed: {'r' * 300}"}}),
        ({"gradingResult": {"componentResults": [{}]}}, {"found": {"1. assertion": "failed: "}}),
    ],
)  # fmt: skip
def test_a_row_is_read_field_by_field(fields: dict[str, Any], told: dict[str, Any], tmp_path: Path) -> None:
    sample = _sample(tmp_path, **fields)
    assert {name: getattr(sample, name) for name in told} == told


def test_the_question_and_the_answer_are_the_two_turns(tmp_path: Path) -> None:
    for output, said in (("a", "a"), (None, "")):
        sample = _sample(tmp_path, response={"output": output})
        assert sample.transcript == [
            {"role": "user", "content": "q", "phase": "pass1", "iteration": 0},
            {"role": "assistant", "content": said, "phase": "pass1", "iteration": 0},
        ]


def test_a_metric_is_the_score_or_one_of_the_named_scores(tmp_path: Path) -> None:
    fields = {"score": 5, "namedScores": {"tone": 2.5, "score": 1}}
    found = [_sample(tmp_path, metric, **fields) for metric in ("score", "tone", "gone")]
    assert [one.score for one in found] == [0.5, 0.25, None]
    assert found[2].error == "gone is no score from 0 to 10"
