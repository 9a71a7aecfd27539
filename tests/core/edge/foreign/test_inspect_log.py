"""What inspect_ai's log says of a sample and a run, field by field."""

from __future__ import annotations

from typing import Any

from modex.core.edge.foreign import inspect_log
from modex.core.store.bounds import Bounds
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from tests.rows import each_row


@each_row(
    ("config", "dataset", "epochs", "generation"),
    [
        ({}, "suite", 1, {}),
        ({"selection": {}}, "bundled suite", 1, {}),
        ({"selection": {"suite": "s", "datasets": []}, "epochs": 3}, "s", 3, {}),
        (
            {"selection": {"suite": "s", "datasets": [{"path": "a"}, "odd", {"path": "b"}]}, "epochs": "x"},
            "a, b",
            1,
            {},
        ),
        (
            {"model": {"model": "m", "temperature": 0, "max_tokens": None, "seed": 3}},
            "suite",
            1,
            {"temperature": 0, "seed": 3},
        ),
        ({"model": "m"}, "suite", 1, {}),
    ],
)
def test_what_was_asked_and_how(config: dict[str, Any], dataset: str, epochs: int, generation: dict[str, Any]) -> None:
    run = RunRow(1, config=config)
    assert inspect_log._dataset(run) == dataset
    assert inspect_log._epochs(run) == epochs
    assert inspect_log._generation(run) == generation


@each_row(
    ("entry", "message"),
    [
        ({"role": "note", "content": "x"}, None),
        ({}, None),
        ({"role": "user"}, {"role": "user", "content": ""}),
        ({"role": "assistant", "content": "a", "reasoning": "r"},
         {"role": "assistant", "content": [{"type": "reasoning", "reasoning": "r"}, {"type": "text", "text": "a"}]}),
        ({"role": "assistant", "content": "a", "tool_calls": [
            {"id": "1", "name": "f", "arguments": '{"a": 1}'}, {"arguments": "["}, {"arguments": {"b": 2}}, "odd",
            {"arguments": "[1]"}]},
         {"role": "assistant", "content": "a", "tool_calls": [
             {"id": "1", "function": "f", "type": "function", "arguments": {"a": 1}},
             {"id": "", "function": "", "type": "function", "arguments": {}, "parse_error": "not an object: ["},
             {"id": "", "function": "", "type": "function", "arguments": {"b": 2}},
             {"id": "", "function": "", "type": "function", "arguments": {}, "parse_error": "not an object: [1]"}]}),
        ({"role": "user", "content": "a", "tool_calls": [{"id": "1"}], "is_error": True}, {"role": "user", "content": "a"}),
        ({"role": "tool", "content": "a", "tool_call_id": "1", "name": "f"},
         {"role": "tool", "content": "a", "tool_call_id": "1", "function": "f"}),
        ({"role": "tool", "content": "a", "is_error": True},
         {"role": "tool", "content": "a", "tool_call_id": None, "function": None, "error": {"type": "unknown", "message": "a"}}),
    ],
)  # fmt: skip
def test_an_entry_of_a_transcript_is_a_message(entry: dict[str, Any], message: dict[str, Any] | None) -> None:
    assert inspect_log._message(entry) == message


@each_row(
    ("expected", "target"), [(None, ""), ("a", "a"), (0, "0"), (["a", 1], ["a", "1"]), ([], []), ({"a": 1}, '{"a": 1}')]
)
def test_a_gold_is_a_target(expected: Any, target: Any) -> None:
    assert inspect_log._target(expected) == target


_USAGE = {"input_tokens": 2, "output_tokens": 3, "total_tokens": 5}


@each_row(
    ("sample", "told"),
    [
        (EvaluationSample(response=None), {"model_usage": {}, "output": {"model": "m", "choices": []}, "total_time": 0.0}),
        (EvaluationSample(response="a", prompt_tokens=2, completion_tokens=3, duration_ms=1500),
         {"model_usage": {"m": _USAGE}, "total_time": 1.5, "output": {
             "model": "m", "choices": [{"message": {"role": "assistant", "content": "a"}, "stop_reason": "unknown"}],
             "completion": "a", "usage": _USAGE}}),
        (EvaluationSample(response=None, prompt_tokens=2, completion_tokens=3, reasoning_tokens=1, cached_tokens=1),
         {"model_usage": {"m": {**_USAGE, "reasoning_tokens": 1, "input_tokens_cache_read": 1}}}),
        (EvaluationSample(response=None, reasoning_tokens=1, cached_tokens=1), {"model_usage": {}}),
        (EvaluationSample(status="error", error_type=None, error_message=None),
         {"error": {"message": "error: ", "traceback": "", "traceback_ansi": ""}}),
        (EvaluationSample(score=0.0, status="failed", extracted_answer="x"),
         {"scores": {inspect_log.SCORER: {"value": 0.0, "answer": "x", "explanation": None}}}),
        (EvaluationSample(started_at="s", completed_at=None), {"started_at": "s"}),
    ],
)  # fmt: skip
def test_a_sample_is_told_with_what_it_has(sample: EvaluationSample, told: dict[str, Any]) -> None:
    written = inspect_log._sample(sample, "m")
    assert {name: written.get(name) for name in told} == told
    for name, there in (("error", sample.status == "error"), ("scores", sample.score is not None),
                        ("completed_at", False)):  # fmt: skip
        assert (name in written) is there


def test_the_last_thing_that_the_model_said_is_the_output() -> None:
    said = [
        {"role": "assistant", "content": "first"},
        {"role": "assistant", "content": "last"},
        {"role": "user", "content": "?"},
    ]
    sample = EvaluationSample(response="r", finish_reason="stop", transcript=said)
    (choice,) = inspect_log._sample(sample, "m")["output"]["choices"]
    assert (choice["message"], choice["stop_reason"]) == ({"role": "assistant", "content": "last"}, "stop")


def test_scores_of_a_run_have_their_bounds_where_something_lacks_a_verdict() -> None:
    run = RunRow(1, overall_score=0.5, passed_tests=3)
    assert inspect_log._metrics(run, 4, None) == {
        "weighted_score": {"name": "weighted_score", "value": 0.5}, "accuracy": {"name": "accuracy", "value": 0.75},
    }  # fmt: skip
    assert inspect_log._metrics(RunRow(1), 0, None) == {}
    found = inspect_log._metrics(run, 4, Bounds(number=2, low=0.25, high=0.75, cut_off=0))
    assert found["weighted_score"]["metadata"] == {"without_verdict": 2, "if_all_wrong": 0.25, "if_all_right": 0.75}
    assert found["accuracy"]["metadata"] == {"without_verdict": 2, "if_all_wrong": 0.5, "if_all_right": 5 / 6}
