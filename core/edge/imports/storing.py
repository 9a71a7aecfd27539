"""A run of another tool put into the store: its questions as a dataset beside the database, its answers and verdicts as samples.

The dataset makes the run one like our own: `modex judge` finds golds there, and runs of one task meet test by test.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from modex.core.config.runconfig import DatasetSpec, ModelSpec, RunConfig, Selection
from modex.core.edge.imports.records import ForeignRun, ForeignSample
from modex.core.foundation.errors import ConfigurationError
from modex.core.pipeline.preparation import samples_of
from modex.core.pipeline.stat import stat
from modex.core.safety import redact
from modex.core.store.clock import now
from modex.core.store.database import open_database
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import ELSEWHERE, PASS_SCORE, ROLLOUT_FIELDS, VERDICT_FIELDS, EvaluationSample
from modex.core.store.writer import Spent, Writer
from modex.core.suite.datasets.reader import DatasetReader
from modex.core.suite.definitions import TestCase
from modex.core.verdict import details_of

KIND = "imported"
"""What `kind` says of a run that another tool made."""
_FIELDS = tuple(dict.fromkeys((*ROLLOUT_FIELDS, *VERDICT_FIELDS)))
_CHUNK = 500
_COLUMNS = {"question_field": "question", "answer_field": "answer", "level_field": "level", "category_field": "category",
            "id_field": "id"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ImportedRun:
    """What became of one run of the log."""

    name: str
    what: Literal["imported", "there already"]
    samples: int = 0
    errors: int = 0
    without_gold: int = 0
    """Samples that cannot be judged here: their log has no reference answer."""


def store_run(manager: DBDataManager, run: ForeignRun) -> ImportedRun:
    """Store `run`; one that is there whole is left alone, one that was not finished is stored anew.

    Raises:
        ConfigurationError: the log cannot be read to its end, or another run has its name.
        StoreError: the database cannot be written.
    """
    known = manager.reader.find_run(run.name)
    if known is not None:
        if known.kind != KIND:
            raise ConfigurationError(
                f"{run.name}: a run that was made here is called so; rename it (`modex rename`) first"
            )
        if known.status != "running":
            return ImportedRun(run.name, "there already")
        manager.delete_run(known.id)
    dataset, without_gold, epochs = _write_dataset(manager.path, run)
    spec = DatasetSpec.model_validate({"path": str(dataset), **_COLUMNS})
    config = RunConfig(model=ModelSpec(model=run.model), selection=Selection(datasets=(spec,)), epochs=epochs)
    held = manager.create_held_run(run.name, config, KIND)
    if held is None:
        raise ConfigurationError(f"{run.name}: another process imports it just now; wait until it is done")
    run_id, lock = held
    try:
        manager.update_run(run_id, live={}, note=f"from {run.tool}, judged there by {run.scorer}: {run.path.name}")
        count, errors = _store_samples(manager, run_id, run, spec)
        stat(manager, run_id)
        status = "completed" if run.finished else "stopped"
        manager.update_run(
            run_id,
            status=status,
            reason=redact(run.reason) if run.reason else None,
            started_at=run.started_at or now(),
            completed_at=run.completed_at or run.started_at or now(),
            duration_ms=run.duration_ms,
        )
    finally:
        lock.release()
    return ImportedRun(run.name, "imported", count, errors, without_gold)


def _write_dataset(database: Path, run: ForeignRun) -> tuple[Path, int, int]:
    """The questions of the run as JSONL; how many have no gold, and the highest epoch."""
    folder = database.with_name(f"{database.name}.imported") / run.name.replace("/", "-")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / f"{run.task.replace('/', '-')[:100]}.jsonl"
    part = path.with_suffix(".part")
    seen: set[tuple[str, int, str]] = set()
    without_gold, epochs = 0, 1
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        for sample in _distinct(run):
            epochs = max(epochs, sample.epoch)
            key = (sample.domain, sample.level, sample.test_id)
            if key in seen:
                continue
            seen.add(key)
            if sample.gold is None:
                without_gold += 1
                continue
            row = {"id": sample.test_id, "question": sample.question or "-", "answer": sample.gold, "level": sample.level,
                   "category": sample.domain}  # fmt: skip
            file.write(json.dumps(row, ensure_ascii=True) + "\n")
    part.replace(path)
    return path, without_gold, min(epochs, 1000)


def _store_samples(manager: DBDataManager, run_id: int, run: ForeignRun, spec: DatasetSpec) -> tuple[int, int]:
    tests = _tests(spec)
    source = Path(spec.path).stem
    writer = Writer(open_database(manager.path), run_id)
    count = errors = 0
    found = _distinct(run)
    try:
        while chunk := list(islice(found, _CHUNK)):
            planned = [_planned(sample, tests, source) for sample in chunk]
            stored = manager.plan(run_id, planned)
            for foreign, sample, sample_id in zip(chunk, planned, stored.to_do, strict=True):
                sample.id = sample_id
                _fill(sample, foreign, run)
                errors += sample.status == "error"
                spent = Spent(sample.prompt_tokens, sample.completion_tokens, sample.cost_usd)
                writer.save(sample, _FIELDS, before="pending", spent=spent)
            count += len(chunk)
    finally:
        writer.close()
    return count, errors


def _distinct(run: ForeignRun) -> Iterator[ForeignSample]:
    """The samples; one that was asked before under the same epoch gets the next free one."""
    seen: set[tuple[str, int, str, int]] = set()
    for sample in run.samples():
        while (key := (sample.domain, sample.level, sample.test_id, sample.epoch)) in seen:
            sample.epoch += 1
        seen.add(key)
        yield sample


def _tests(spec: DatasetSpec) -> dict[tuple[str, int, str], TestCase]:
    """The tests of the dataset, as `modex judge` will find them."""
    if Path(spec.path).stat().st_size == 0:
        return {}
    return {(test.domain, test.level, test.test_id): test for test in DatasetReader(spec)}


def _planned(foreign: ForeignSample, tests: dict[tuple[str, int, str], TestCase], source: str) -> EvaluationSample:
    test = tests.get((foreign.domain, foreign.level, foreign.test_id))
    if test is not None:
        (sample,) = samples_of(test, epochs=1, suite_tools=())
    else:
        sample = EvaluationSample(
            source=source, domain=foreign.domain, level=foreign.level, test_id=foreign.test_id, name=foreign.test_id,
            prompt=foreign.question, evaluator_id="two_pass",
        )  # fmt: skip
    sample.epoch, sample.weight = foreign.epoch, foreign.weight
    sample.system_prompt = foreign.system_prompt
    sample.rollout_fingerprint = sample.judge_fingerprint = ELSEWHERE
    return sample


def _fill(sample: EvaluationSample, foreign: ForeignSample, run: ForeignRun) -> None:
    sample.response, sample.reasoning = foreign.response, foreign.reasoning
    sample.transcript = foreign.transcript
    sample.extracted_answer = foreign.answer
    for name in ("prompt_tokens", "completion_tokens", "reasoning_tokens", "cached_tokens", "cost_usd", "duration_ms",
                 "finish_reason", "started_at"):  # fmt: skip
        setattr(sample, name, getattr(foreign, name))
    sample.completed_at = foreign.completed_at or run.completed_at or now()
    sample.attempts = 1
    if foreign.error is not None or foreign.score is None:
        sample.stage, sample.status = ("rollout", "error") if foreign.response is not None else ("init", "error")
        sample.error_type = "imported_error"
        sample.error_message = redact(foreign.error or f"{run.tool} stored no verdict")
        return
    sample.stage, sample.score = "judged", foreign.score
    sample.status = "passed" if foreign.score >= PASS_SCORE else "failed"
    sample.details = details_of((), {"judged by": f"{run.scorer} of {run.tool}", **_known(foreign.found)})
    sample.reason = foreign.why if sample.status == "failed" else None
    sample.judge_fingerprint = ELSEWHERE


def _known(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if value is not None}


def logs_in(paths: tuple[Path, ...], suits: Callable[[Path], bool]) -> Iterator[Path]:
    """The files that are named, and those in named folders that suit by their names, each once, in order.

    Raises:
        ConfigurationError: a path is not there, or a folder holds none.
    """
    for path in paths:
        if path.is_dir():
            inside = sorted(one for one in path.rglob("*") if one.is_file() and suits(one))
            if not inside:
                raise ConfigurationError(
                    f"{path}: no log stands in this folder; name the logs, or the folder that they are in"
                )
            yield from inside
        elif path.is_file():
            yield path
        else:
            raise ConfigurationError(f"{path}: there is no such file; name a log, or a folder of logs")
