"""Each known benchmark is read in the columns of its published files: every row, its gold, a right and a wrong answer to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modex.core.config.runconfig import DatasetSpec
from modex.core.store.selecting import TOLD
from modex.core.suite.datasets.homes import ELSEWHERE, HOMES
from modex.core.suite.datasets.presets import PRESETS
from modex.core.suite.datasets.reader import DatasetReader
from tests.cli import call
from tests.core.suite.datasets.published import COUNT, PUBLISHED, Published


def written(folder: Path, made: Published) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / f"rows{made.suffix}"
    path.write_text(made.text, encoding="utf-8")
    return path


def test_every_home_and_every_other_preset_has_its_rows() -> None:
    beside = {name for name, preset in PRESETS.items() if preset.databases}  # theirs are in test_databases.py
    assert set(PUBLISHED) == {*HOMES, *ELSEWHERE} - beside
    assert {PUBLISHED[name]().preset for name in PUBLISHED} == set(PRESETS) - beside


@pytest.mark.parametrize("name", PUBLISHED)
def test_every_row_is_read_with_its_gold(name: str, tmp_path: Path) -> None:
    made = PUBLISHED[name]()
    assert made.preset == (HOMES[name].preset if name in HOMES else name)
    reader = DatasetReader(DatasetSpec(path=str(written(tmp_path, made)), preset=made.preset))
    tests = list(reader)
    assert reader.problems == []
    assert len(tests) == COUNT == len({test.test_id for test in tests})
    assert {test.evaluator_id for test in tests} == {PRESETS[made.preset].evaluator}
    assert {test.source for test in tests} == {made.preset}
    if any(gold is not None for gold in made.golds):
        assert [test.expected for test in tests] == list(made.golds)
    assert all("None" not in str(test.prompt) for test in tests)


@pytest.mark.long
@pytest.mark.parametrize("name", sorted({made: name for name, made in PUBLISHED.items()}.values()))
def test_the_demo_model_runs_it_and_right_answers_pass_and_wrong_ones_fail(name: str, tmp_path: Path) -> None:
    made = PUBLISHED[name]()
    path, db = written(tmp_path, made), tmp_path / "m.db"
    dataset = ("--dataset", path, "--preset", made.preset, "--db", db)
    ran = call("run", "--model", "demo", *dataset, "--headless", "--exp-id", "demo")
    assert ran.code == 0, ran.err
    assert {one["status"] for one in samples("demo", db)} <= {"passed", "failed"}
    ids = [one["test_id"] for one in samples("demo", db)]
    assert len(ids) == COUNT
    rows = [
        {"id": test.test_id, "response": said, "epoch": epoch}
        for epoch, answers in enumerate((made.right, made.wrong), 1)
        for test, said in zip(DatasetReader(DatasetSpec(path=str(path), preset=made.preset)), answers, strict=True)
    ]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    judged = ("--judge-model", "demo") if PRESETS[made.preset].evaluator not in BY_RULE else ()
    brought = call("import", "answers", tmp_path / "answers.jsonl", *dataset, "--epochs", "2", "--exp-id", "e", *judged)
    assert brought.code == 0, brought.err
    verdicts = sorted((one["epoch"], one["status"], one["test_id"], one["response"]) for one in samples("e", db))
    assert [one for one in verdicts if one[1] != {1: "passed", 2: "failed"}[one[0]]] == []
    assert len(verdicts) == 2 * COUNT


BY_RULE = {"match", "gaia", "code_tests", "instructions", "spans"}


def samples(exp: str, db: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = call("export", exp, "--format", "json", "--db", db).data["samples"]
    return found


def test_a_presets_category_is_filtered_stratified_and_compared_by_under_its_own_name(tmp_path: Path) -> None:
    path, db = written(tmp_path, PUBLISHED["mmlu"]()), tmp_path / "m.db"
    asked = ("run", "--model", "demo", "--dataset", path, "--preset", "mmlu", "--headless", "--db", db)
    for exp, more in (
        ("law", ["--filter", "subject=professional_law"]),
        ("shares", ["--limit", "6", "--stratify", "subject"]),
    ):
        ran = call(*asked, "--exp-id", exp, *more)
        assert ran.code == 0, ran.err
    assert {one["domain"] for one in samples("law", db)} == {"professional_law"}
    assert sorted(one["domain"] for one in samples("shares", db)) == [
        "abstract_algebra", "abstract_algebra", "anatomy", "anatomy", "professional_law", "professional_law",
    ]  # fmt: skip
    shown = call("show", "shares", "--filter", "subject=anatomy", "--db", db)
    assert [line.split()[1].split("/")[0] for line in shown.out.splitlines() if "/" in line] == ["anatomy", "anatomy"]
    both = call("compare", "shares", "law", "--filter", "subject=professional_law", "--json", "--db", db)
    assert both.code == 0, both.err
    assert call("show", "shares", "--filter", "metadata.subject=anatomy", "--db", db).out == shown.out


def test_every_presets_category_is_a_name_that_samples_are_filtered_by() -> None:
    names = {name for preset in PRESETS.values() for name in preset.category}
    assert {name for name in names if name.isidentifier() and name.islower()} - {"domain"} == set(TOLD)
