"""What stands in samples of lm-evaluation-harness, field by field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modex.core.edge.imports.lm_eval import read_lm_eval
from modex.core.edge.imports.records import ForeignRun, ForeignSample
from modex.core.foundation.errors import ConfigurationError

_ROW = {
    "doc_id": 0,
    "doc": {"a": "é"},
    "target": "4",
    "resps": [["r"]],
    "filtered_resps": ["f"],
    "metrics": ["acc"],
    "acc": 1,
}


def _run(
    folder: Path, rows: list[dict[str, Any]], metric: str | None = None, name: str = "samples.jsonl"
) -> ForeignRun:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n\n" for row in rows))
    (run,) = read_lm_eval(path, metric, 2.0)
    return run


def _sample(folder: Path, **fields: Any) -> ForeignSample:
    (sample,) = _run(folder, [{**_ROW, **fields}]).samples()
    return sample


def _asked(*arguments: Any) -> dict[str, Any]:
    return {
        f"gen_args_{number}": {f"arg_{at}": one for at, one in enumerate(given)}
        for number, given in enumerate(arguments)
    }


_CHOICES: dict[str, Any] = {
    "arguments": _asked(["q", " a"], ["q", " b"], ["q", " c"]), "resps": [[["-3", "x"]], [["-1", "x"]], [["-2", "x"]]],
}  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, {"test_id": "0", "question": '{"a": "é"}', "gold": "4", "domain": "samples", "system_prompt": None,
              "response": "r", "answer": "f", "score": 0.5, "error": None, "found": {}}),
        ({"doc_id": None, "target": ""}, {"test_id": "row", "gold": None}),
        ({"target": 0}, {"gold": 0}),
        ({"acc": "x"}, {"score": None, "error": "acc is 'x', which is no score from 0 to 2"}),
        ({"metrics": ["acc", "bypass", "f1"], "f1": 3, "bypass": 4}, {"found": {"f1": 3}}),
        ({"resps": [], "filtered_resps": [[], []]}, {"response": None, "answer": None}),
        ({"resps": [[["deep"]]], "filtered_resps": 5}, {"response": "deep", "answer": "5"}),
        ({"resps": [["a", "b"]]}, {"found": {"all answers": ["a", "b"]}}),
        *(({"resps": resps}, {"found": {}}) for resps in ([["a"]], [["a", 1]], [["a"], ["b"]], [{"a": 1}], {"a": ["b", "c"]})),
        ({"arguments": _asked(["q", {"until": []}])}, {"question": "q"}),
        ({"arguments": [["q", "x"], "odd"]}, {"question": "q"}),
        ({"arguments": [[]]}, {"question": '{"a": "é"}'}),
        ({"arguments": "q"}, {"question": '{"a": "é"}'}),
        (_CHOICES, {"response": "b", "answer": "b", "gold": "4",
                    "found": {"log likelihoods": {"a": -3.0, "b": -1.0, "c": -2.0}}}),
        ({**_CHOICES, "target": "2"}, {"gold": "c"}),
        ({**_CHOICES, "target": 0}, {"gold": "a"}),
        ({**_CHOICES, "target": "3"}, {"gold": "3"}),
        ({**_CHOICES, "target": -1}, {"gold": -1}),
        ({**_CHOICES, "target": [1]}, {"gold": [1]}),
        ({**_CHOICES, "resps": [["-3", "x"], ["-4", "x"], ["-5", "x"]]}, {"answer": "a"}),
        *(({**_CHOICES, "resps": resps}, {"answer": "f", "found": {}}) for resps in (
            [[["-3", "x"]], [["-1", "x"]]], [["-3", "x"], ["y", "x"], ["-1", "x"]], [["-3", "x"], ["-1", "x"], ["-1"]],
            [["-3", "x"], ["-1", "x"], [None, "x"]], ["12", "34", "56"])),
        ({**_CHOICES, "arguments": _asked(["q", " a"], ["q"], ["q", 5])}, {"answer": "f"}),
    ],
)  # fmt: skip
def test_a_row_is_read_field_by_field(fields: dict[str, Any], told: dict[str, Any], tmp_path: Path) -> None:
    sample = _sample(tmp_path, **fields)
    assert {name: getattr(sample, name) for name in told} == told


def _turn(role: str, content: Any) -> dict[str, Any]:
    return {"role": role, "content": content}


@pytest.mark.parametrize(
    ("asked", "turns"),
    [
        ("q", [("user", "q")]),
        (["q"], [("user", "q")]),
        (["[1]"], [("user", "[1]")]),
        (["[]"], [("user", "[]")]),
        ([json.dumps([{"content": "no role"}])], [("user", '[{"content": "no role"}]')]),
        ([json.dumps([_turn("system", "s"), _turn("critic", "c"), _turn("tool", None)])],
         [("system", "s"), ("user", "c"), ("tool", "")]),
        ([_turn("user", "a"), _turn("assistant", "b")], [("user", "a"), ("assistant", "b")]),
        ([_turn("user", [{"type": "text", "text": "a"}, {"type": "text"}, {"type": "image"}, 5])], [("user", "a\n\n[image]")]),
    ],
)  # fmt: skip
def test_a_request_is_text_or_messages_alone_or_as_json_in_a_list(
    asked: Any, turns: list[tuple[str, str]], tmp_path: Path
) -> None:
    sample = _sample(tmp_path, arguments=_asked([asked, {}]))
    assert sample.transcript == [
        *({"role": role, "content": text, "phase": "pass1", "iteration": 0} for role, text in turns),
        {"role": "assistant", "content": "r", "phase": "pass1", "iteration": 0},
    ]
    assert sample.question == "\n\n".join(text for role, text in turns if role != "system")
    assert sample.system_prompt == next((text for role, text in turns if role == "system"), None)


def test_the_metric_and_the_filter_are_chosen_or_the_first(tmp_path: Path) -> None:
    rows = [
        {**_ROW, "metrics": ["bypass", "acc", "f1"], "f1": 0.5},
        {**_ROW, "metrics": ["bypass", "acc", "f1"], "f1": 1.5, "filter": "strict"},
    ]
    assert [(run := _run(tmp_path, rows, metric)).scorer for metric in (None, ",strict", "f1")] == [
        "acc (none)", "acc (strict)", "f1 (none)",
    ]  # fmt: skip
    assert ([one.score for one in run.samples()], run.notes) == ([0.25], ["verdicts by the filter 'strict' (1 rows)"])
    for metric, fault in (
        ("acc,loose", "no filter 'loose'; there are none, strict"),
        ("bypass", "no metric 'bypass'; there are acc, f1"),
    ):
        with pytest.raises(ConfigurationError, match=fault):
            _run(tmp_path, rows, metric)
    with pytest.raises(ConfigurationError, match="there are none"):
        _run(tmp_path, [{**_ROW, "metrics": None}])
    for lacking in ("doc_id", "resps"):
        with pytest.raises(ConfigurationError, match="these are no samples"):
            _run(tmp_path, [{name: value for name, value in _ROW.items() if name != lacking}])


def test_repeats_are_counted_by_rows(tmp_path: Path) -> None:
    (note,) = _run(tmp_path, [{**_ROW, "resps": [["a", "b"]]}, _ROW, {**_ROW, "resps": [["a", "b"]]}]).notes
    assert note.startswith("repeats as epochs (2 rows")


_NAMED = "samples_sums_2026-11-01T10-00-00.5.jsonl"


@pytest.mark.parametrize(
    ("name", "beside", "told"),
    [
        ("samples.jsonl", {}, ("samples-samples-unknown", "samples", "unknown")),
        (_NAMED, {}, ("sums-2026-11-01-10-00-00-unknown", "sums", "unknown")),
        (_NAMED, {"results_2026-11-01T10-00-00.5.json": '{"model_name": "o/m"}', "a_2026-11-01T10-00-00.5.json": "{}"},
         ("sums-2026-11-01-10-00-00-m", "sums", "o/m")),
        (_NAMED, {"results_2026-11-01T10-00-00.5.json": "{", "a_2026-11-01T10-00-00.5.json": '{"model_name": "a"}'},
         ("sums-2026-11-01-10-00-00-a", "sums", "a")),
        (_NAMED, {"a_2026-11-01T10-00-00.5.json": "[1]", "results_x.json": '{"model_name": "x"}'},
         ("sums-2026-11-01-10-00-00-x", "sums", "x")),
        ("samples.jsonl", {"a_.json": '{"model_name": "a"}', "results_b.json": '{"model_name": "b"}'},
         ("samples-samples-b", "samples", "b")),
    ],
)  # fmt: skip
def test_a_run_is_named_by_task_date_and_model_of_its_summary(
    name: str, beside: dict[str, str], told: tuple[str, str, str], tmp_path: Path
) -> None:
    for file, text in beside.items():
        (tmp_path / file).write_text(text)
    run = _run(tmp_path, [_ROW], name=name)
    assert (run.name, run.task, run.model) == told


@pytest.mark.parametrize(
    ("date", "seconds", "told"),
    [
        (1.0, "2", ("1970-01-01T00:00:01.000Z", "1970-01-01T00:00:03.000Z", 2000)),
        ("1", None, ("1970-01-01T00:00:01.000Z", "1970-01-01T00:00:01.000Z", 0)),
        (0, 2, (None, None, 2000)),
        (-1, -2, (None, None, 0)),
        ("soon", "inf", (None, None, 0)),
    ],
)
def test_its_times_are_those_of_the_summary(date: Any, seconds: Any, told: tuple[Any, ...], tmp_path: Path) -> None:
    summary = {"date": date, "total_evaluation_time_seconds": seconds}
    (tmp_path / "results_x.json").write_text(json.dumps(summary))
    run = _run(tmp_path, [_ROW])
    assert (run.started_at, run.completed_at, run.duration_ms) == told


def test_a_line_beyond_the_limit_and_a_file_that_is_not_there_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = max(len(json.dumps(_ROW)), len(json.dumps({**_ROW, "doc_id": 10}))) + 1
    monkeypatch.setattr("modex.core.edge.imports.lm_eval.MAX_LINE_BYTES", long)
    assert len(list(_run(tmp_path, [_ROW, {**_ROW, "doc_id": 10}]).samples())) == 2
    with pytest.raises(ConfigurationError, match=r"samples\.jsonl: line 3 is longer than"):
        _run(tmp_path, [_ROW, {**_ROW, "doc_id": 100}])
    with pytest.raises(ConfigurationError, match=r"gone\.jsonl"):
        list(read_lm_eval(tmp_path / "gone.jsonl", None, 1.0))
    with pytest.raises(ConfigurationError, match=r"samples\.jsonl:3: this is no JSON object"):
        _run(tmp_path, [_ROW, []])  # type: ignore[list-item]
