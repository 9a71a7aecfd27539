"""Logs of other tools become runs: ids, epochs, scores, transcripts and usage as they stand there; judged again like our own."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.edge.imports.archives import Archive
from modex.core.edge.imports.inspect_log import read_inspect
from modex.core.edge.imports.lm_eval import read_lm_eval
from modex.core.edge.imports.promptfoo import read_promptfoo
from modex.core.edge.imports.records import ForeignRun, ForeignSample, label, score_in
from modex.core.edge.imports.spool import Spool
from modex.core.edge.imports.storing import KIND, store_run
from modex.core.features.compare.compare import compare
from modex.core.features.export.export import export
from modex.core.foundation.errors import ConfigurationError
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import EvaluationSample

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / "foreign"
EVAL = FIXTURES / "sums.eval"
"""Written by inspect_ai 0.3.285: two samples, two epochs, a tool call, thinking, two scorers."""


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[DBDataManager]:
    opened = DBDataManager(tmp_path / "modex.db")
    yield opened
    opened.close()


def stored(manager: DBDataManager, name: str) -> list[EvaluationSample]:
    """The samples of a run by its name."""
    return list(manager.reader.samples(manager.reader.run(name).id))


def test_a_log_of_inspect_becomes_a_run_with_its_epochs_scores_and_usage(manager: DBDataManager) -> None:
    (run,) = read_inspect(EVAL, None, 1.0)
    found = store_run(manager, run)
    assert (found.what, found.samples, found.errors) == ("imported", 4, 0)
    row = manager.reader.run(run.name)
    assert (row.state, row.kind, row.model, row.passed_tests, row.failed_tests) == (
        "completed",
        KIND,
        "mockllm/model",
        2,
        2,
    )
    assert row.note == "from inspect_ai, judged there by match: sums.eval"
    samples = {(one.domain, one.level, one.test_id, one.epoch): one for one in stored(manager, run.name)}
    assert {key: one.score for key, one in samples.items()} == {
        ("math", 2, "a", 1): 1.0, ("math", 2, "a", 2): 1.0, ("sums", 1, "b", 1): 0.0, ("sums", 1, "b", 2): 0.0,
    }  # fmt: skip
    first = samples["math", 2, "a", 1]
    assert (first.prompt_tokens, first.completion_tokens, first.reasoning_tokens, first.cached_tokens) == (22, 14, 6, 4)
    assert [entry["role"] for entry in first.transcript] == ["system", "user", "assistant", "tool", "assistant"]
    assert first.transcript[2]["tool_calls"][0]["arguments"] == '{"x": 2, "y": 2}'
    assert first.transcript[4]["reasoning"] == "think The answer is 4"
    assert first.details["includes says"] == "C"


def test_another_scorer_can_be_chosen(manager: DBDataManager) -> None:
    (run,) = read_inspect(EVAL, "includes", 1.0)
    store_run(manager, run)
    assert stored(manager, run.name)[0].details["judged by"] == "includes of inspect_ai"


def test_what_is_there_already_is_left_alone_and_what_was_cut_off_is_read_anew(manager: DBDataManager) -> None:
    (run,) = read_inspect(EVAL, None, 1.0)
    store_run(manager, run)
    assert store_run(manager, run).what == "there already"
    manager.update_run(manager.reader.run(run.name).id, status="running")
    assert store_run(manager, run).what == "imported"
    assert manager.reader.run(run.name).total_tests == 4


def test_an_import_that_is_interrupted_as_it_begins_can_go_on(
    manager: DBDataManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    (run,) = read_inspect(EVAL, None, 1.0)
    with monkeypatch.context() as patched:
        patched.setattr(DBDataManager, "update_run", interrupted)
        with pytest.raises(KeyboardInterrupt):
            store_run(manager, run)
    assert store_run(manager, run).what == "imported"


def test_a_run_of_our_own_with_that_name_is_never_replaced(manager: DBDataManager) -> None:
    (run,) = read_inspect(EVAL, None, 1.0)
    store_run(manager, run)
    manager.update_run(manager.reader.run(run.name).id, kind="evaluation")
    with pytest.raises(ConfigurationError, match="rename it"):
        store_run(manager, run)


def test_two_runs_of_one_task_meet_test_by_test(manager: DBDataManager) -> None:
    (run,) = read_inspect(EVAL, None, 1.0)
    store_run(manager, run)
    run.name = "other"
    store_run(manager, run)
    found = compare(manager.reader, *(manager.reader.run(name) for name in ("other", manager.reader.runs()[1].exp_id)))
    assert found.overall is not None
    assert (found.overall.n, found.only_first, found.only_second) == (2, [], [])


def test_our_own_log_comes_back_as_it_went(manager: DBDataManager, tmp_path: Path) -> None:
    (run,) = read_inspect(EVAL, None, 1.0)
    store_run(manager, run)
    path = tmp_path / "log.json"
    path.write_text("".join(export(manager.reader, manager.reader.run(run.name), "inspect")))
    (again,) = read_inspect(path, None, 1.0)
    again.name = "again"
    store_run(manager, again)
    kept = (
        "domain",
        "level",
        "test_id",
        "epoch",
        "score",
        "status",
        "weight",
        "response",
        "reasoning",
        "prompt_tokens",
    )
    first, second = (
        [[getattr(one, name) for name in kept] for one in stored(manager, name)] for name in (run.name, "again")
    )
    assert first == second
    assert manager.reader.run("again").overall_score == manager.reader.run(run.name).overall_score


@pytest.mark.parametrize("keep", [100, 3000, 9000])
def test_a_damaged_archive_is_a_mistake_in_words(tmp_path: Path, keep: int) -> None:
    damaged = tmp_path / "x.eval"
    damaged.write_bytes(EVAL.read_bytes()[:keep])
    with pytest.raises(ConfigurationError, match=r"x\.eval"):
        list(read_inspect(damaged, None, 1.0))


def test_a_changed_byte_of_a_member_is_found(tmp_path: Path) -> None:
    data = bytearray(EVAL.read_bytes())
    with zipfile.ZipFile(EVAL) as archive:
        member = archive.getinfo("samples/a_epoch_1.json")
    data[member.header_offset + 200] ^= 0xFF
    damaged = tmp_path / "x.eval"
    damaged.write_bytes(data)
    with (
        Archive(damaged) as archive,
        pytest.raises(ConfigurationError, match=r"samples/a_epoch_1\.json cannot be read"),
    ):
        archive.read("samples/a_epoch_1.json")


def test_a_score_out_of_range_is_an_error_unless_the_highest_is_said(tmp_path: Path) -> None:
    log = {
        "eval": {"model": "m", "task": "t", "eval_id": "e"},
        "status": "success",
        "samples": [
            {
                "id": 1,
                "epoch": 1,
                "input": "q",
                "target": "g",
                "output": {"completion": "a"},
                "scores": {"s": {"value": 7}},
            }
        ],
    }
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log))
    (run,), (scaled,) = (list(read_inspect(path, None, highest)) for highest in (1.0, 10.0))
    assert [(one.score, "--max-score" in (one.error or "")) for one in run.samples()] == [(None, True)]
    assert [(one.score, one.error) for one in scaled.samples()] == [(0.7, None)]


def test_prices_choices_and_times_of_a_log_are_read(manager: DBDataManager, tmp_path: Path) -> None:
    usage = {"input_tokens": 11, "output_tokens": 7}
    sample = {"id": 1, "epoch": 1, "input": "Which?", "choices": ["red", "blue"], "target": "B", "scores": {"s": {"value": "C"}},
              "output": {"completion": "B"}, "model_usage": {"m": {**usage, "total_cost": 0.25}, "judge": usage}}  # fmt: skip
    log = {
        "eval": {"model": "m", "task": "t", "eval_id": "e"},
        "status": "success",
        "stats": {"started_at": "2026-11-01T10:00:00+00:00", "completed_at": "2026-11-01T10:01:30+00:00"},
        "samples": [sample, {**sample, "id": 2, "model_usage": {"m": usage}}],
    }
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log))
    (run,) = read_inspect(path, None, 1.0)
    store_run(manager, run)
    first, second = stored(manager, run.name)
    assert (first.prompt, first.cost_usd, second.cost_usd) == ("Which?\n\nA) red\nB) blue", 0.25, None)
    row = manager.reader.run(run.name)
    assert (row.prompt_tokens, row.completion_tokens, row.duration_ms) == (33, 21, 90_000)
    assert (row.cost_usd, row.unpriced_calls) == (0.25, 1)


def lm_eval_file(folder: Path, rows: list[dict[str, Any]]) -> Path:
    """Samples as the harness writes them, beside their summary."""
    path = folder / "samples_sums_2026-11-01T10-00-00.123456.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "results_2026-11-01T10-00-00.123456.json").write_text(json.dumps({"model_name": "org/model-7b"}))
    return path


GENERATED = {
    "doc_id": 3, "doc": {"question": "2+2?"}, "target": "4", "resps": [["It is 4."]], "filter": "strict-match",
    "arguments": {"gen_args_0": {"arg_0": "Q: 2+2?\nA:", "arg_1": {"until": ["\n"]}}}, "filtered_resps": ["4"],
    "metrics": ["exact_match"], "exact_match": 1.0,
}  # fmt: skip
CHOSEN = {
    "doc_id": 0, "doc": {"q": "sky?"}, "target": "1", "filter": "none", "metrics": ["acc", "acc_norm"], "acc": 1.0,
    "acc_norm": 0.0, "arguments": {"gen_args_0": {"arg_0": "The sky is", "arg_1": " red"},
                                   "gen_args_1": {"arg_0": "The sky is", "arg_1": " blue"}},
    "resps": [[["-4.5", "False"]], [["-0.5", "True"]]], "filtered_resps": [["-4.5", "False"], ["-0.5", "True"]],
}  # fmt: skip


def test_generated_answers_of_the_harness_are_counted_once_a_filter(manager: DBDataManager, tmp_path: Path) -> None:
    other = {**GENERATED, "filter": "flexible-extract", "exact_match": 0.0}
    (run,) = read_lm_eval(lm_eval_file(tmp_path, [GENERATED, other, {**other, "doc_id": 4}]), None, 1.0)
    assert run.notes == ["verdicts by the filter 'flexible-extract' (2 rows)"]
    assert (run.model, run.task, store_run(manager, run).samples) == ("org/model-7b", "sums", 1)
    (sample,) = stored(manager, run.name)
    assert (sample.test_id, sample.score, sample.response, sample.extracted_answer) == ("3", 1.0, "It is 4.", "4")
    assert sample.expected == {"type": "numeric", "value": 4}
    (flexible,) = read_lm_eval(tmp_path / run.path.name, "exact_match,flexible-extract", 1.0)
    assert [one.score for one in flexible.samples()] == [0.0, 0.0]


CHAT = [
    {"role": "system", "content": "You add numbers."},
    {"role": "user", "content": "1+1?"},
    {"role": "assistant", "content": "2"},
    {"role": "user", "content": "2+2?"},
]
CHATTED = {
    **GENERATED, "resps": [["5", "4", "4"]], "filtered_resps": ["4"],
    "arguments": {"gen_args_0": {"arg_0": [json.dumps(CHAT)], "arg_1": {"until": ["\n\n"]}}},
}  # fmt: skip
"""As lm_eval 0.4.13 writes it with `--apply_chat_template --fewshot_as_multiturn`, a system instruction and `repeats: 3`."""


def test_messages_of_the_harness_are_turns_and_all_repeats_are_kept(manager: DBDataManager, tmp_path: Path) -> None:
    (run,) = read_lm_eval(lm_eval_file(tmp_path, [CHATTED]), None, 1.0)
    (sample,) = run.samples()
    assert sample.system_prompt == "You add numbers."
    assert sample.question == "1+1?\n\n2\n\n2+2?"
    assert [(turn["role"], turn["content"]) for turn in sample.transcript[:4]] == [
        (turn["role"], turn["content"]) for turn in CHAT
    ]
    assert sample.found["all answers"] == ["5", "4", "4"]
    assert any("repeats as epochs (1 rows" in note for note in run.notes)
    assert store_run(manager, run).samples == 1


def test_the_summary_of_a_named_output_names_the_model(tmp_path: Path) -> None:
    path = lm_eval_file(tmp_path, [GENERATED])
    beside = tmp_path / "results_2026-11-01T10-00-00.123456.json"
    beside.rename(tmp_path / "named_2026-11-01T10-00-00.123456.json")
    (tmp_path / "results_2025-01-01T10-00-00.json").write_text(json.dumps({"model_name": "another"}))
    (run,) = read_lm_eval(path, None, 1.0)
    assert run.model == "org/model-7b"


def test_the_summary_says_when_the_harness_began_and_how_long_it_took(tmp_path: Path) -> None:
    path = lm_eval_file(tmp_path, [GENERATED])
    beside = tmp_path / "results_2026-11-01T10-00-00.123456.json"
    beside.write_text(json.dumps({"date": 1793527200.5, "total_evaluation_time_seconds": "6.25"}))
    (run,) = read_lm_eval(path, None, 1.0)
    assert (run.started_at, run.completed_at) == ("2026-11-01T10:00:00.500Z", "2026-11-01T10:00:06.750Z")
    assert run.duration_ms == 6250
    beside.write_text(json.dumps({"date": "Infinity", "total_evaluation_time_seconds": None}))
    (run,) = read_lm_eval(path, None, 1.0)
    assert (run.started_at, run.duration_ms) == (None, 0)


def test_choices_of_the_harness_show_which_one_was_likeliest(tmp_path: Path) -> None:
    (run,) = read_lm_eval(lm_eval_file(tmp_path, [CHOSEN]), None, 1.0)
    (sample,) = run.samples()
    assert (sample.question, sample.gold, sample.response, sample.score) == ("The sky is", "blue", "blue", 1.0)
    assert sample.found["log likelihoods"] == {"red": -4.5, "blue": -0.5}
    with pytest.raises(ConfigurationError, match="there are acc, acc_norm"):
        list(read_lm_eval(run.path, "f1", 1.0))


def test_a_log_is_read_once(manager: DBDataManager, tmp_path: Path) -> None:
    (run,) = read_lm_eval(lm_eval_file(tmp_path, [GENERATED]), None, 1.0)
    run.path.unlink()
    assert store_run(manager, run).samples == 1
    log = tmp_path / "sums.eval"
    log.write_bytes(EVAL.read_bytes())
    (run,) = read_inspect(log, None, 1.0)
    first = list(run.samples())
    log.unlink()
    first[0].epoch = 99
    assert [sample.epoch for sample in run.samples()] != [sample.epoch for sample in first], (
        "what is kept is as it was read"
    )
    assert len(list(run.samples())) == len(first)
    assert store_run(manager, run).samples == len(first)


def test_a_spool_larger_than_memory_gives_all_samples_again() -> None:
    spool = Spool(in_memory=1000)
    for number in range(50):
        spool.put(ForeignSample(str(number), "x" * 100))
    assert [sample.test_id for sample in spool] == [sample.test_id for sample in spool] == [str(n) for n in range(50)]


def test_a_line_that_is_no_json_is_named(tmp_path: Path) -> None:
    path = lm_eval_file(tmp_path, [GENERATED])
    with path.open("a") as file:
        file.write("{")
    with pytest.raises(ConfigurationError, match=r"jsonl:2: this is no JSON"):
        list(read_lm_eval(path, None, 1.0))


def promptfoo_row(number: int, **fields: Any) -> dict[str, Any]:
    """A row of promptfoo's results."""
    return {
        "testIdx": number, "promptIdx": 0, "provider": {"id": "openai:gpt-x", "label": ""}, "prompt": {"raw": "2+2?"},
        "vars": {}, "success": True, "score": 1, "latencyMs": 40, "cost": 0.001, "namedScores": {"tone": 0.5},
        "testCase": {"description": "sum", "assert": [{"type": "equals", "value": "4"}], "metadata": {"level": 3}},
        "response": {"output": "4", "finishReason": "stop", "tokenUsage": {
            "total": 9, "prompt": 5, "completion": 4, "completionDetails": {"reasoning": 2}}},
        "gradingResult": {"pass": True, "score": 1, "reason": "All assertions passed",
                          "componentResults": [{"pass": True, "assertion": {"type": "equals"}}]},
        **fields,
    }  # fmt: skip


def promptfoo_file(folder: Path, rows: list[dict[str, Any]]) -> Path:
    path = folder / "results.json"
    results = {"version": 3, "timestamp": "2026-11-01T10:00:00.000Z", "prompts": [], "results": rows,
               "stats": {"durationMs": 276}}  # fmt: skip
    path.write_text(json.dumps({"evalId": "eval-abc", "results": results, "config": {"description": "sums"}}))
    return path


def test_results_of_promptfoo_become_a_run_for_each_provider(manager: DBDataManager, tmp_path: Path) -> None:
    failed = promptfoo_row(1, provider="anthropic:claude", error="429", response={}, success=False, score=0)
    runs = list(read_promptfoo(promptfoo_file(tmp_path, [promptfoo_row(0), failed]), None, 1.0))
    assert [(run.name, run.model) for run in runs] == [
        ("eval-abc-openai-gpt-x", "openai/gpt-x"), ("eval-abc-anthropic-claude", "anthropic/claude"),
    ]  # fmt: skip
    for run in runs:
        store_run(manager, run)
    (sample,), (error,) = (stored(manager, run.name) for run in runs)
    assert (sample.level, sample.score, sample.cost_usd, sample.duration_ms) == (3, 1.0, 0.001, 40)
    assert sample.details["1. equals"] == "passed"
    assert (sample.reasoning_tokens, sample.finish_reason) == (2, "stop")
    assert (error.status, error.error_message, error.score) == ("error", "429", None)
    assert [manager.reader.run(run.name).duration_ms for run in runs] == [276, 276]


def test_a_repeated_test_is_one_with_several_epochs(manager: DBDataManager, tmp_path: Path) -> None:
    rows = [promptfoo_row(0), promptfoo_row(1, success=False), promptfoo_row(2, testCase={"vars": {"a": 2}})]
    (run,) = read_promptfoo(promptfoo_file(tmp_path, rows), None, 1.0)
    store_run(manager, run)
    found = [(one.test_id, one.epoch, one.score) for one in stored(manager, run.name)]
    assert found == [("0 sum", 1, 1.0), ("0 sum", 2, 0.0), ("2", 1, 1.0)]


def test_a_named_score_of_promptfoo_can_be_what_counts(tmp_path: Path) -> None:
    (run,) = read_promptfoo(promptfoo_file(tmp_path, [promptfoo_row(0)]), "tone", 1.0)
    assert [one.score for one in run.samples()] == [0.5]


@pytest.mark.parametrize(
    "content", ["", "[]", "{", '{"eval": 1}', '{"results": {"results": 5}}', '{"eval": {"model": 5}}']
)
def test_a_file_of_another_kind_is_a_mistake_in_words(tmp_path: Path, content: str) -> None:
    path = tmp_path / "log.json"
    path.write_text(content)
    for read in (read_inspect, read_promptfoo, read_lm_eval):
        with pytest.raises(ConfigurationError, match=r"log\.json"):
            list(read(path, None, 1.0))


def test_a_test_that_is_there_twice_under_one_epoch_gets_the_next(manager: DBDataManager, tmp_path: Path) -> None:
    twice = [ForeignSample("a", "q", gold="x", domain="d", response="x", score=1.0) for _ in range(3)]
    run = ForeignRun("tool", tmp_path / "log", "r", "t", "m", "s", lambda: iter(twice))
    store_run(manager, run)
    assert [one.epoch for one in stored(manager, "r")] == [1, 2, 3]


@given(st.text() | st.integers() | st.floats() | st.none() | st.booleans() | st.lists(st.text()))
def test_any_value_is_a_name_and_a_score_or_none(value: Any) -> None:
    name = label(value, "otherwise")
    assert name.isprintable()
    assert name
    assert len(name) <= 200
    assert not name.startswith("/")
    assert ".." not in name.split("/")
    score = score_in(value, 5.0)
    assert score is None or 0 <= score <= 1
