"""A run of another tool in the store: its dataset, its samples, and the logs of a folder."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from modex.core.edge.imports.records import ForeignRun, ForeignSample
from modex.core.edge.imports.storing import ImportedRun, logs_in, store_run
from modex.core.foundation.errors import ConfigurationError
from modex.core.store.manager import DBDataManager


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[DBDataManager]:
    opened = DBDataManager(tmp_path / "modex.db")
    yield opened
    opened.close()


def _run(*samples: ForeignSample, **fields: Any) -> ForeignRun:
    given = {
        "tool": "tool",
        "path": Path("x/log.json"),
        "name": "r/1",
        "task": "org/t",
        "model": "m",
        "scorer": "s",
        **fields,
    }
    return ForeignRun(**given, samples=lambda: iter(samples))


def test_a_run_is_stored_with_its_dataset_and_each_verdict_as_it_stands(manager: DBDataManager) -> None:
    steps: list[int] = []
    stamp = "2026-11-01T10:00:00.000Z"
    found = store_run(
        manager,
        _run(
            ForeignSample("a", "qa", gold="g", domain="d", response="r", score=0.5, why="dull", completed_at=stamp,
                          found={"x": 0, "y": None}, weight=2.0, system_prompt="s", answer="r", reasoning="t",
                          prompt_tokens=1, completion_tokens=2, reasoning_tokens=3, cached_tokens=4, duration_ms=5),
            ForeignSample("a", "qa", gold="g", domain="d", epoch=2, response="r", score=0.7, why="good"),
            ForeignSample("b", "qb", domain="d", level=2, response="r", score=0.69, why="bad"),
            ForeignSample("c", "", gold=0, domain="d", response=None, error="gone", score=1.0),
            ForeignSample("e", "qe", domain="d", response="r"),
            started_at=stamp, duration_ms=7, finished=False, reason="cut",
        ),
        steps.append,
    )  # fmt: skip
    assert (found, steps) == (ImportedRun("r/1", "imported", 5, 2, 2), [5])
    folder = manager.path.with_name(f"{manager.path.name}.imported")
    (dataset,) = folder.rglob("*.jsonl")
    assert dataset.relative_to(folder).as_posix() == "r-1/org-t.jsonl"
    assert [path.stat().st_mode & 0o777 for path in (dataset, dataset.parent)] == [0o600, 0o700]
    assert [json.loads(line) for line in dataset.read_text().splitlines()] == [
        {"id": "a", "question": "qa", "answer": "g", "level": 1, "category": "d"},
        {"id": "c", "question": "-", "answer": 0, "level": 1, "category": "d"},
    ]
    row = manager.reader.run("r/1")
    assert (row.state, row.reason, row.started_at, row.completed_at, row.duration_ms) == (
        "stopped",
        "cut",
        stamp,
        stamp,
        7,
    )
    assert (row.note, row.total_tests, row.config["epochs"]) == ("from tool, judged there by s: log.json", 5, 2)
    samples = {(one.test_id, one.epoch): one for one in manager.reader.samples(row.id)}
    told = [(one.test_id, one.stage, one.status, one.score, one.reason, one.error_message) for one in samples.values()]
    assert sorted(told, key=str) == [
        ("a", "judged", "failed", 0.5, "dull", None),
        ("a", "judged", "passed", 0.7, None, None),
        ("b", "judged", "failed", 0.69, "bad", None),
        ("c", "init", "error", None, None, "gone"),
        ("e", "rollout", "error", None, None, "tool stored no verdict"),
    ]
    first = samples["a", 1]
    assert (first.details, first.completed_at, first.weight) == ({"judged by": "s of tool", "x": 0}, stamp, 2.0)
    assert (first.system_prompt, first.extracted_answer, first.reasoning, first.attempts) == ("s", "r", "t", 1)
    figures = (
        first.prompt_tokens,
        first.completion_tokens,
        first.reasoning_tokens,
        first.cached_tokens,
        first.duration_ms,
    )
    assert figures == (1, 2, 3, 4, 5)


def test_a_run_whose_samples_have_no_gold_and_one_of_no_samples_are_stored_too(manager: DBDataManager) -> None:
    assert (
        store_run(manager, _run(ForeignSample("a", "q", domain="d", response="r", score=1.0), name="a")).without_gold
        == 1
    )
    (sample,) = manager.reader.samples(manager.reader.run("a").id)
    assert (sample.source, sample.prompt, sample.evaluator_id) == ("org-t", "q", "two_pass")
    assert store_run(manager, _run(name="b")) == ImportedRun("b", "imported", 0, 0, 0)


def test_samples_are_stored_in_pieces_that_are_told(manager: DBDataManager, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("modex.core.edge.imports.storing._CHUNK", 2)
    steps: list[int] = []
    samples = [ForeignSample(str(number), "q", domain="d", response="r", score=1.0) for number in range(5)]
    assert store_run(manager, _run(*samples), steps.append).samples == 5
    assert steps == [2, 4, 5]


def test_a_run_that_another_process_imports_just_now_waits(
    manager: DBDataManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DBDataManager, "create_held_run", lambda *_: None)
    with pytest.raises(ConfigurationError, match="another process imports it just now"):
        store_run(manager, _run())


def test_logs_are_the_named_files_and_in_folders_those_that_suit(tmp_path: Path) -> None:
    for name in ("b/2.json", "b/1.json", "b/c/3.json", "b/x.txt", "a.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).touch()
    (tmp_path / "b" / "folder.json").mkdir()
    found = logs_in((tmp_path / "a.txt", tmp_path / "b"), lambda path: path.suffix == ".json")
    assert [path.relative_to(tmp_path).as_posix() for path in found] == ["a.txt", "b/1.json", "b/2.json", "b/c/3.json"]
    for path, fault in (
        (tmp_path / "b" / "folder.json", "no log stands in this folder"),
        (tmp_path / "gone", "no such file"),
    ):
        with pytest.raises(ConfigurationError, match=fault):
            list(logs_in((path,), lambda path: True))
