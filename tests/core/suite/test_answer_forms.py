"""Dataset rows ask for a form by default, by answer type; what has a form or a system prompt of its own is left alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modex.core.config.runconfig import DatasetSpec, Selection
from modex.core.suite.answer_forms import FORMS, PLACE, kind_of, with_form
from modex.core.suite.definitions import Location, PromptLayer, TestCase
from modex.core.suite.loading import load_suite
from modex.core.suite.plan import SelectedTests
from tests.cli import call, write_suite
from tests.rows import each_row


def row(expected: Any, prompt: Any = "How many?", **fields: Any) -> TestCase:
    return TestCase(
        source="rows", domain="d", level=1, test_id="t", prompt=prompt, expected=expected,
        **{"evaluator_id": "two_pass", "location": Location("rows.jsonl", 1), **fields},
    )  # fmt: skip


@each_row(
    ("expected", "kind"),
    [
        ({"type": "numeric", "value": 4}, "numeric"),
        ("1,200", "numeric"),
        ("She has 4.\n#### 4", "numeric"),
        ({"type": "choice", "value": "B", "options": {"A": "x", "B": "y"}}, "choice"),
        ("C", "choice"),
        (True, "boolean"),
        ("no", "boolean"),
        (r"\frac{1}{2}", "math"),
        ({"type": "date", "value": "2020-01-02"}, "date"),
        ("Paris", "exact_match"),
        (["Paris", "Lutetia"], "exact_match"),
        ([1, 2], "numeric"),
        ({"value": ["red", "blue"], "gold": "parts"}, "list"),
    ],
)
def test_each_answer_type_has_its_line(expected: Any, kind: str) -> None:
    assert kind_of(expected) == kind
    (layer,) = with_form(row(expected)).layers
    assert (layer.text, layer.mode, str(layer.location)) == (FORMS[kind], "append", str(Location(PLACE)))


@each_row(
    "test",
    [
        row(4, layers=(PromptLayer("domain", "Be brief.", "overwrite", Location("domain.json")),)),
        row(4, evaluator_id="llm_judge"),
        row({"type": "text", "value": "a long text"}),
        row(None),
        row(4, "How many?\nFinal answer:"),
        row(4, "How many? Put it into \\boxed{}."),
        row("B", "Which? Answer with the letter only."),
        row(4, ({"role": "system", "content": "Be brief."}, {"role": "user", "content": "How many?"})),
    ],
)
def test_what_has_a_prompt_or_a_form_of_its_own_is_asked_as_it_is(test: TestCase) -> None:
    assert with_form(test) is test


def test_only_rows_of_datasets_are_asked_for_a_form_and_only_where_the_selection_says_so(tmp_path: Path) -> None:
    suite = load_suite(write_suite(tmp_path / "suite", [{"id": "own", "prompt": "2+2?", "expected": 4}],
                                   evaluator_id="two_pass"))  # fmt: skip
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps({"question": "2+2?", "answer": "4"}) + "\n")
    for form, asked in ((True, {"own": 0, "0": 1}), (False, {"own": 0, "0": 0})):
        selection = Selection(suite=str(suite.root), datasets=(DatasetSpec(path=str(file)),), form=form)
        selected = SelectedTests(suite, selection)
        assert {test.test_id: len(test.layers) for test in selected} == asked
        assert any("--no-form" in said for said in selected.guesses) is form


@pytest.mark.parametrize(
    ("given", "prompt", "form"),
    [
        ({}, "", "each row is told: " + FORMS["numeric"]),
        ({"evaluator_id": "match"}, "", "each row is asked for its final answer as `Answer: …`"),
        ({"evaluator_id": "match"}, "Be brief.", "nothing is added, since the dataset has a system prompt of its own"),
        ({"evaluator_id": "llm_judge"}, "", "nothing is added, since llm_judge needs no answer on a line of its own"),
        ({"preset": "gsm8k"}, "", "that of the preset gsm8k"),
    ],
)
def test_the_form_is_said_of_each_dataset_or_why_there_is_none(
    tmp_path: Path, given: dict[str, str], prompt: str, form: str
) -> None:
    folder = tmp_path / "test_definitions" / "quiz"
    folder.mkdir(parents=True)
    (folder / "dataset.json").write_text(
        json.dumps({"id": "quiz", "file": "q.jsonl", "system_prompt": prompt, **given})
    )
    (folder / "q.jsonl").write_text('{"question": "2+2?", "answer": "4"}\n')
    selected = SelectedTests(load_suite(tmp_path), Selection(suite=str(tmp_path), form=True))
    (said,) = [one for one in selected.guesses if ": form: " in one]
    assert said.startswith(f"q.jsonl: form: {form}")
    (test,) = selected
    assert (PLACE in str(test.layers)) is ("--no-form" in said)


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps({"question": f"What is {n} + 2?", "answer": n + 2}) + "\n" for n in range(3)))
    return file


def asked(db: Path, exp_id: str) -> set[tuple[str, str]]:
    """The system prompts of a run's samples, with the fingerprints of what was asked."""
    samples = call("export", exp_id, "--format", "json", "--db", db).data["samples"]
    return {(one["system_prompt"] or "", one["started_at"]) for one in samples}


def test_a_run_asks_for_the_form_says_so_and_keeps_to_what_it_was_begun_with(tmp_path: Path, rows: Path) -> None:
    db = tmp_path / "modex.db"
    run = ("run", "--model", "demo", "--headless", "--dataset", rows, "--db", db, "--exp-id")
    begun = call(*run, "with")
    assert begun.code == 0, begun.err
    assert "--no-form" in begun.err
    assert {prompt for prompt, _ in asked(db, "with")} == {FORMS["numeric"]}
    assert "(form of the answer)" in call("show", "with", "--test", "0", "--db", db).out
    assert call(*run, "without", "--no-form").code == 0
    before = asked(db, "without")
    assert {prompt for prompt, _ in before} == {""}
    again = call(*run, "without")
    assert again.code == 0
    assert "goes on without it" in again.err
    assert asked(db, "without") == before
