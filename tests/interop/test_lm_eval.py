"""lm-evaluation-harness: the samples that it wrote, from its dummy model and from our server, are stored row by row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.interop.conftest import Modex
from tests.interop.tools import lm_eval, run_tool
from tests.server import ServerHandle

FILTERS = [
    {"name": "strict", "filter": [{"function": "regex", "regex_pattern": "^(-?[0-9]+)$"}, {"function": "take_first"}]},
    {"name": "loose", "filter": [{"function": "regex", "regex_pattern": "(-?[0-9]+)"}, {"function": "take_first"}]},
]
SHARED = {"dataset_path": "json", "test_split": "test", "metadata": {"version": 1.0}}
GENERATING = {
    **SHARED, "task": "modex_sums", "output_type": "generate_until", "doc_to_text": "Q: {{question}}\nA:",
    "doc_to_target": "{{answer}}", "generation_kwargs": {"until": ["\n"], "max_gen_toks": 16}, "filter_list": FILTERS,
    "metric_list": [{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
}  # fmt: skip
CHOOSING = {
    **SHARED, "task": "modex_choice", "output_type": "multiple_choice", "doc_to_text": "{{question}}\nAnswer:",
    "doc_to_choice": "{{choices}}", "doc_to_target": "{{label}}", "metric_list": [{"metric": "acc"}, {"metric": "acc_norm"}],
}  # fmt: skip
SUMS = [{"question": f"{number}+{number}?", "answer": str(2 * number + (number == 3))} for number in range(6)]
"""The fourth gold is wrong."""
CHOICES = [
    {"question": f"pick {number}", "choices": ["red", "blue", "green"], "label": number % 3} for number in range(6)
]


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    """A folder of tasks, with their rows; YAML's readers take JSON."""
    folder = tmp_path / "tasks"
    folder.mkdir()
    for task, rows in (
        (GENERATING, SUMS),
        (CHOOSING, CHOICES),
        ({**GENERATING, "task": "modex_again", "repeats": 3}, SUMS),
    ):
        data = folder / f"{task['task']}.jsonl"
        data.write_text("".join(json.dumps(row) + "\n" for row in rows))
        (folder / f"{task['task']}.yaml").write_text(
            json.dumps({**task, "dataset_kwargs": {"data_files": {"test": str(data)}}})
        )
    return folder


def evaluate(tasks: Path, *words: str) -> Path:
    """The folder of results that the harness wrote."""
    out = tasks.parent / "out"
    ended = run_tool(
        lm_eval(), "run", "--include_path", tasks, "--log_samples", "--output_path", out, *words,
        cwd=tasks.parent, HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1", OPENAI_API_KEY="none",
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr[-3000:]
    return out


def chat(server: ServerHandle, task: str, *more: str) -> tuple[str, ...]:
    settings = f"model=test-model,base_url={server.url}/chat/completions,num_concurrent=1,max_retries=1,tokenized_requests=False"
    return (
        "--model",
        "local-chat-completions",
        "--model_args",
        settings,
        "--tasks",
        task,
        "--apply_chat_template",
        *more,
    )


def written(out: Path, task: str) -> list[dict[str, Any]]:
    (path,) = out.rglob(f"samples_{task}_*.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines()]


def summary(out: Path) -> dict[str, Any]:
    (path,) = out.rglob("results_*.json")
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def test_its_dummy_model_over_two_tasks_becomes_two_runs(modex: Modex, tasks: Path) -> None:
    out = evaluate(tasks, "--model", "dummy", "--tasks", "modex_sums,modex_choice")
    modex("import", "lm-eval", out)
    runs = {run.exp_id.partition("-")[0]: run for run in modex.runs()}
    assert set(runs) == {"modex_sums", "modex_choice"}
    for task, metric, filtered in (("modex_sums", "exact_match", "strict"), ("modex_choice", "acc", "none")):
        rows = [row for row in written(out, task) if row["filter"] == filtered]
        told = {str(row["doc_id"]): float(row[metric]) for row in rows}
        assert {one.test_id: one.score for one in modex.samples(runs[task])} == told
        assert runs[task].overall_score == pytest.approx(summary(out)["results"][task][f"{metric},{filtered}"])
        assert runs[task].duration_ms == round(1000 * float(summary(out)["total_evaluation_time_seconds"]))


def test_likelihoods_show_the_choice_that_was_taken(modex: Modex, tasks: Path) -> None:
    out = evaluate(tasks, "--model", "dummy", "--tasks", "modex_choice")
    modex("import", "lm-eval", out)
    samples = {one.test_id: one for one in modex.samples()}
    for row in written(out, "modex_choice"):
        choices, likelihoods = row["doc"]["choices"], [float(pair[0][0]) for pair in row["resps"]]
        sample = samples[str(row["doc_id"])]
        assert sample.response == choices[likelihoods.index(max(likelihoods))]
        assert sample.expected == {"type": "exact_match", "value": choices[row["doc"]["label"]]}
        assert sample.details["log likelihoods"] == pytest.approx(dict(zip(choices, likelihoods, strict=True)))


@pytest.mark.process
def test_a_model_on_a_server_is_counted_by_the_filter_that_is_chosen(
    modex: Modex, tasks: Path, server: ServerHandle, tmp_path: Path
) -> None:
    out = evaluate(tasks, *chat(server, "modex_sums"))
    modex("import", "lm-eval", out)
    (run,) = modex.runs()
    assert run.model == "test-model"
    assert [(one.test_id, one.score, one.response) for one in modex.samples()] == [
        (str(number), float(number != 3), str(2 * number)) for number in range(6)
    ]
    assert run.overall_score == pytest.approx(summary(out)["results"]["modex_sums"]["exact_match,strict"])
    other = Modex(tmp_path / "other.db")
    other("import", "lm-eval", out, "--score", "exact_match,loose")
    told = [float(row["exact_match"]) for row in written(out, "modex_sums") if row["filter"] == "loose"]
    assert [one.score for one in other.samples()] == told


def test_examples_as_turns_and_an_instruction_are_the_transcript(
    modex: Modex, tasks: Path, server: ServerHandle
) -> None:
    config = json.loads((tasks / "modex_sums.yaml").read_text())
    (tasks / "modex_sums.yaml").write_text(json.dumps({**config, "fewshot_split": "test", "num_fewshot": 1}))
    words = ("--fewshot_as_multiturn", "true", "--system_instruction", "You add numbers.")
    out = evaluate(tasks, *chat(server, "modex_sums", *words))
    modex("import", "lm-eval", out)
    for sample in modex.samples():
        assert [turn["role"] for turn in sample.transcript] == ["system", "user", "assistant", "user", "assistant"]
        assert sample.system_prompt == "You add numbers."
    asked = {json.dumps(request.messages) for request in server.requests}
    told = {
        json.dumps([{"role": turn["role"], "content": turn["content"]} for turn in one.transcript[:-1]])
        for one in modex.samples()
    }
    assert len(told) == 6
    assert {tuple(turn["content"] for turn in json.loads(one)) for one in told} == {
        tuple(turn["content"] for turn in json.loads(one)) for one in asked
    }


def test_repeats_keep_every_answer(modex: Modex, tasks: Path, server: ServerHandle) -> None:
    out = evaluate(tasks, *chat(server, "modex_again"))
    called = modex("import", "lm-eval", out)
    assert "repeats as epochs (6 rows" in called.err
    assert [one.details["all answers"] for one in modex.samples()] == [[str(2 * number)] * 3 for number in range(6)]
