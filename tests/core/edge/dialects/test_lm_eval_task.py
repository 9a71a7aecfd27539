"""A task of lm-evaluation-harness as tests of ours: templates, worked examples, filters; what is not known is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modex.core.edge.dialects.lm_eval_task import LmEvalTask, read_tasks
from modex.core.foundation.errors import ConfigurationError
from tests.cli import call
from tests.rows import each_row

ROWS = [{"q": f"What is {n}?", "a": str(n), "opts": ["one", "two"], "gold": n % 2} for n in range(5)]
BASE = """task: mine
dataset_path: json
dataset_kwargs: {data_files: {train: train.jsonl, test: test.jsonl}}
test_split: test
doc_to_text: "Q: {{q}}\\nA:"
doc_to_target: a
"""


def folder(tmp_path: Path) -> Path:
    for name, rows in (("test", ROWS), ("train", [{**row, "q": f"Which {row['a']}?"} for row in ROWS])):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return tmp_path


def brought(tmp_path: Path, text: str) -> LmEvalTask:
    path = folder(tmp_path) / "mine.yaml"
    path.write_text(text)
    (found,) = read_tasks(path, {})
    return found


def test_rows_are_filled_into_the_templates(tmp_path: Path) -> None:
    found = brought(tmp_path, BASE)
    assert found.tests[3] == {"id": "3", "prompt": "Q: What is 3?\nA:", "expected": "3"}
    assert found.evaluator is not None
    assert found.evaluator["config"] == {"base": "lm_eval", "until": ["\n\n"], "exact_match": {}}
    assert "--temperature 0" in found.notes[0]


def test_worked_examples_stand_before_the_question(tmp_path: Path) -> None:
    more = "num_fewshot: 2\nfewshot_split: train\nfewshot_config: {sampler: first_n}\ndescription: 'Do it. '\n"
    found = brought(tmp_path, BASE + more)
    assert found.tests[4]["prompt"] == "Do it. Q: Which 0?\nA: 0\n\nQ: Which 1?\nA: 1\n\nQ: What is 4?\nA:"
    own = brought(tmp_path, BASE + more.replace("train", "test") + "target_delimiter: '='\nfewshot_delimiter: ';'\n")
    assert own.tests[0]["prompt"] == "Do it. Q: What is 1?\nA:=1;Q: What is 2?\nA:=2;Q: What is 0?\nA:"


def test_drawn_examples_are_those_of_lm_evals_seed(tmp_path: Path) -> None:
    found = brought(tmp_path, BASE + "num_fewshot: 2\nfewshot_split: train\n")
    # As lm_eval 0.4.13 draws them: random.Random(1234), question by question.
    assert [test["prompt"].split("\n")[0] for test in found.tests][:3] == ["Q: Which 3?", "Q: Which 0?", "Q: Which 4?"]


def test_multiple_choice_is_compared_by_likelihood(tmp_path: Path) -> None:
    text = (
        BASE.replace("doc_to_target: a", "doc_to_target: '{{gold}}'")
        + "output_type: multiple_choice\ndoc_to_choice: opts\n"
    )
    found = brought(tmp_path, text + "metric_list: [{metric: acc}, {metric: acc_norm}]\n")
    assert found.evaluator is None
    form = {"context": "Q: What is 1?\nA:", "options": ["one", "two"], "delimiter": " "}
    assert found.tests[1] == {"id": "1", "prompt": form["context"], "expected": "B", "likelihood": form}


def test_keys_come_from_the_file_that_is_included(tmp_path: Path) -> None:
    (tmp_path / "base").write_text(BASE)
    assert brought(tmp_path, "include: base\ntask: other\ndoc_to_text: q\n").tests[0]["prompt"] == "What is 0?"


@each_row(
    "row",
    [
        ("process_docs: !function utils.go", "process_docs is code (`!function utils.go`), which is not executed"),
        (
            "filter_list: [{name: a, filter: [{function: !function utils.F}]}]",
            "filter_list is code (`!function utils.F`)",
        ),
        ("filter_list: [{name: a, filter: [{function: majority_vote}]}]", "the filter 'majority_vote' is unknown"),
        ("metric_list: [{metric: bleu}]", "the metric 'bleu' is not known here"),
        ("metric_list: [{metric: exact_match, weight: 2}]", "exact_match's 'weight' is not known here"),
        ("gen_prefix: So", "'gen_prefix' is not known here"),
        ("repeats: 4", "repeats is not known here"),
        ("output_type: loglikelihood_rolling", "output_type loglikelihood_rolling is not known here"),
        ("generation_kwargs: {num_beams: 4}", "generation_kwargs' 'num_beams' is not known here"),
        ("fewshot_config: {sampler: balanced}", "the sampler 'balanced' is not known here"),
    ],
)
def test_what_is_not_known_is_named_with_its_line(row: tuple[str, str], tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as caught:
        brought(tmp_path, f"{BASE}{row[0]}\n")
    assert f"mine.yaml:7: {row[1]}" in str(caught.value)


def test_rows_that_lie_elsewhere_are_brought_as_a_file(tmp_path: Path) -> None:
    path = folder(tmp_path) / "mine.yaml"
    path.write_text(
        BASE.replace("dataset_path: json", "dataset_path: owner/name").replace("dataset_kwargs", "metadata")
    )
    with pytest.raises(
        ConfigurationError, match=r"mine.yaml:2: the rows of 'test' of owner/name are not here.*--data test=FILE"
    ):
        read_tasks(path, {})
    assert len(read_tasks(path, {"test": tmp_path / "test.jsonl"})[0].tests) == 5


@each_row("text", ["task: [", "- a", "!!python/object:os.system {}"])
def test_a_file_that_is_no_task_is_said(text: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError):
        brought(tmp_path, text)


def test_a_template_cannot_reach_python(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="doc_to_text cannot be filled in: SecurityError"):
        brought(tmp_path, BASE.replace("{{q}}", "{{q.__class__.__mro__}}"))
    with pytest.raises(ConfigurationError, match=r"mine.yaml:5: doc_to_text cannot be filled in: UndefinedError"):
        brought(tmp_path, BASE.replace("{{q}}", "{{nothing}}"))


def test_a_group_is_its_tasks(tmp_path: Path) -> None:
    folder(tmp_path)
    (tmp_path / "a.yaml").write_text(BASE)
    (tmp_path / "g.yaml").write_text("group: g\ntask: [mine]\n")
    assert [one.name for one in read_tasks(tmp_path / "g.yaml", {})] == ["mine"]
    (tmp_path / "g.yaml").write_text("group: g\ntask: [mine, away]\n")
    with pytest.raises(ConfigurationError, match=r"g.yaml:2: the group's task 'away' is in no .yaml file here"):
        read_tasks(tmp_path / "g.yaml", {})


def test_the_command_writes_a_suite_without_a_mistake_that_runs(tmp_path: Path) -> None:
    path, out = folder(tmp_path) / "mine.yaml", tmp_path / "out"
    path.write_text(BASE + "metric_list: [{metric: exact_match, ignore_case: true}]\n")
    told = call("import", "lm-eval-task", path, out)
    assert told.code == 0, told.err
    assert "run it with --temperature 0" in told.err
    assert call("check", out).code == 0
    ran = call(
        "run", "--headless", "--model", "demo/perfect", "--suite", out, "--db", tmp_path / "m.db", "--exp-id", "e"
    )
    assert ran.code == 0, ran.err
    found: list[dict[str, Any]] = json.loads(call("export", "e", "--format", "json", "--db", tmp_path / "m.db").out)[
        "samples"
    ]
    assert {one["evaluator_id"] for one in found} == {"mine_filters"}
    assert call("import", "lm-eval-task", path, out).code == 2
    assert call("import", "lm-eval-task", path, tmp_path / "o2", "--data", "test").code == 2
