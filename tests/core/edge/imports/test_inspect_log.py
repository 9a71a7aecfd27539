"""What stands in a log of inspect_ai, field by field."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from modex.core.edge.imports.inspect_log import read_inspect
from modex.core.edge.imports.records import ForeignRun, ForeignSample
from modex.core.foundation.errors import ConfigurationError

_ASKED = {"id": 1, "input": "q"}


def _run(folder: Path, scorer: str | None = None, **head: Any) -> ForeignRun:
    path = folder / "log.json"
    path.write_text(
        json.dumps({"eval": {"model": "m", "task": "t", "eval_id": "0123456789"}, "status": "success", **head})
    )
    (run,) = read_inspect(path, scorer, 1.0)
    return run


def _sample(folder: Path, scorer: str | None = None, **fields: Any) -> ForeignSample:
    (sample,) = _run(folder, scorer, samples=[{**_ASKED, **fields}, "no sample"]).samples()
    return sample


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ({}, {"name": "t-01234567", "task": "t", "model": "m", "scorer": "none", "finished": True, "reason": None}),
        ({"status": "error", "error": {"message": "e" * 501}}, {"finished": False, "reason": "e" * 500}),
        ({"status": "cancelled", "error": "gone"}, {"finished": False, "reason": None}),
        ({"eval": {"model": "m", "task": "org/t", "run_id": "r1"}}, {"name": "org-t-r1", "task": "org/t"}),
        ({"eval": {"model": "m"}}, {"name": "log-log", "task": "log"}),
        ({"stats": {"started_at": "2026-11-01T10:00:00Z", "completed_at": "2026-11-01T10:00:01.5Z"}},
         {"started_at": "2026-11-01T10:00:00.000Z", "completed_at": "2026-11-01T10:00:01.500Z", "duration_ms": 1500}),
        ({"eval": {"model": "m", "created": "2026-11-01T10:00:00Z"}},
         {"started_at": "2026-11-01T10:00:00.000Z", "completed_at": None, "duration_ms": 0}),
        ({"stats": {"completed_at": "2026-11-01T10:00:00Z"}}, {"started_at": None, "duration_ms": 0}),
        ({"results": {"headline": {"scorer": "h"}, "scores": [{"scorer": "s"}]}}, {"scorer": "h"}),
        ({"results": {"headline": {"scorer": 3}, "scores": [5, {}, {"name": "n"}, {"scorer": "s"}]}}, {"scorer": "n"}),
        ({"results": {"headline": "x", "scores": [{"scorer": "s", "name": "n"}]}}, {"scorer": "s"}),
        ({"results": {"scores": None}}, {"scorer": "none"}),
    ],
)  # fmt: skip
def test_a_run_is_told_by_the_head_of_its_log(head: dict[str, Any], told: dict[str, Any], tmp_path: Path) -> None:
    run = _run(tmp_path, **head)
    assert {name: getattr(run, name) for name in told} == told


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, {"test_id": "1", "epoch": 1, "question": "q", "gold": None, "domain": "t", "level": 1, "weight": 1.0,
              "system_prompt": None, "response": None, "reasoning": None, "transcript": [], "duration_ms": 0,
              "finish_reason": None, "cost_usd": None, "score": None, "error": None, "answer": None, "why": None}),
        ({"id": None, "epoch": 3}, {"test_id": "sample", "epoch": 3}),
        ({"metadata": {"test_id": "a", "domain": "d", "level": 4, "weight": 2}},
         {"test_id": "a", "domain": "d", "level": 4, "weight": 2.0}),
        *(({"metadata": {"weight": weight}}, {"weight": 1.0}) for weight in (0, -1, 1e6, True, "2")),
        ({"metadata": {"weight": 999_999}}, {"weight": 999_999.0}),
        *(({"target": target}, {"gold": gold}) for target, gold in (
            ("a", "a"), ("", None), (0, 0), ([], None), (["a"], "a"), (["a", 1], ["a", "1"]))),
        ({"input": [{"role": "system", "content": "s"}, {"role": "user", "content": "a"}, 5,
                    {"role": "user", "content": [{"type": "text", "text": "b"}, {"type": "image"}, {"type": "reasoning"}, 5]}]},
         {"question": "a\n\nb\n[image]"}),
        ({"input": None, "choices": "x"}, {"question": ""}),
        ({"choices": ["x", "y"]}, {"question": "q\n\nA) x\nB) y"}),
        ({"output": {"completion": ""}}, {"response": ""}),
        ({"output": {"completion": "c", "choices": [{"message": {"content": "m"}, "stop_reason": "stop"}]}},
         {"response": "c", "finish_reason": "stop"}),
        ({"output": {"choices": [{"message": {"content": [
            {"type": "text", "text": "m"}, {"type": "reasoning", "reasoning": "r"}, {"type": "reasoning", "summary": "s"},
            {"type": "reasoning"}]}}]}}, {"response": "m", "reasoning": "r\ns\n"}),
        ({"output": {"choices": [5]}}, {"response": None, "finish_reason": None}),
        ({"working_time": 1.25, "total_time": 9}, {"duration_ms": 1250}),
        ({"total_time": 2}, {"duration_ms": 2000}),
        ({"started_at": "2026-11-01T10:00:00Z", "completed_at": "2026-11-01T10:00:01Z"},
         {"started_at": "2026-11-01T10:00:00.000Z", "completed_at": "2026-11-01T10:00:01.000Z"}),
        ({"model_usage": {"a": {"input_tokens": 3, "output_tokens": 4, "reasoning_tokens": 1, "input_tokens_cache_read": 2,
                                "total_cost": 0.5}, "b": {"input_tokens": 5, "total_cost": 0.25}, "c": 7,
                                "d": {"total_cost": "x"}}},
         {"prompt_tokens": 8, "completion_tokens": 4, "reasoning_tokens": 1, "cached_tokens": 2, "cost_usd": 0.75}),
        ({"error": {"message": "boom"}}, {"error": "boom"}),
        ({"error": {}}, {"error": "the sample ended with an error"}),
        ({"error": "boom"}, {"error": None}),
        ({"scores": {"s": {"value": "C", "answer": 0, "explanation": "e" * 2001}, "o": {"value": 2}, "x": 5}},
         {"score": 1.0, "answer": "0", "why": "e" * 2000, "found": {"o says": 2}, "error": None}),
        ({"scores": {"s": {"value": {"a": "I", "b": "C"}}}}, {"score": 0.0}),
        ({"scores": {"s": {"value": {}}}}, {"score": None,
            "error": "s gave None, which is no score from 0 to 1; --max-score says what the most is"}),
        ({"scores": {"s": {"value": 2}}, "error": {"message": "boom"}}, {"score": None, "error": "boom"}),
        ({"scores": [1]}, {"score": None, "error": None, "found": {}}),
    ],
)  # fmt: skip
def test_a_sample_is_read_field_by_field(fields: dict[str, Any], told: dict[str, Any], tmp_path: Path) -> None:
    sample = _sample(tmp_path, **fields)
    assert {name: getattr(sample, name) for name in told} == told


def test_a_scorer_is_chosen_by_name_and_by_a_key_of_its_value(tmp_path: Path) -> None:
    scores = {"s": {"value": "C"}, "o": {"value": {"a": "I", "b": "P"}}}
    found = [_sample(tmp_path, scorer, scores=scores).score for scorer in ("s", "o", "o.a", "o.b", "o.c", "gone")]
    assert found == [1.0, 0.0, 0.0, 0.5, None, None]


@pytest.mark.parametrize(
    ("message", "entry"),
    [
        ({"role": "user", "content": "a"}, {"role": "user", "content": "a"}),
        ({"role": "critic", "content": 5}, {"role": "user", "content": ""}),
        ({"role": "assistant", "content": [{"type": "text", "text": "a"}, {"type": "reasoning", "reasoning": "r"}]},
         {"role": "assistant", "content": "a", "reasoning": "r"}),
        ({"role": "assistant", "content": "", "tool_calls": [
            {"id": "1", "function": "f", "arguments": {"é": 1}}, {"arguments": "raw"}, {"function": "g"}, 5]},
         {"role": "assistant", "content": "", "tool_calls": [
             {"id": "1", "name": "f", "arguments": '{"é": 1}'}, {"id": "", "name": "", "arguments": "raw"},
             {"id": "", "name": "g", "arguments": "{}"}]}),
        ({"role": "tool", "content": "x", "tool_call_id": "1", "function": "f"},
         {"role": "tool", "content": "x", "tool_call_id": "1", "name": "f"}),
        ({"role": "tool", "content": "x", "error": {"type": "e"}},
         {"role": "tool", "content": "x", "tool_call_id": "", "name": "", "is_error": True}),
        ({"role": "user", "content": "x", "error": {"type": "e"}}, {"role": "user", "content": "x"}),
    ],
)  # fmt: skip
def test_a_message_becomes_an_entry_of_the_transcript(
    message: dict[str, Any], entry: dict[str, Any], tmp_path: Path
) -> None:
    sample = _sample(tmp_path, messages=[message, "odd"])
    assert sample.transcript == [{**entry, "phase": "pass1", "iteration": 0}]


def test_what_the_system_says_first_is_the_system_prompt(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "content": "u"},
        {"role": "system", "content": "a"},
        {"role": "system", "content": "b"},
    ]
    assert _sample(tmp_path, messages=messages).system_prompt == "a"


def test_an_archive_cut_off_has_the_head_of_its_journal_and_samples_are_json_below_their_folder(tmp_path: Path) -> None:
    path = tmp_path / "x.eval"
    head = {"eval": {"model": "m", "task": "t"}, "status": "started"}
    members = {"_journal/start.json": head, "samples/1.json": _ASKED, "samples/1.txt": 1, "other/2.json": 2}
    with zipfile.ZipFile(path, "w") as archive:
        for name, member in members.items():
            archive.writestr(name, json.dumps(member))
    (run,) = read_inspect(path, None, 1.0)
    assert (run.finished, [one.test_id for one in run.samples()]) == (False, ["1"])
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("header.json", json.dumps({**head, "status": "success"}))
    (run,) = read_inspect(path, None, 1.0)
    assert run.finished
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("samples/1.json", "{}")
    with pytest.raises(ConfigurationError, match=r"it has no header\.json and no _journal/start\.json"):
        list(read_inspect(path, None, 1.0))
