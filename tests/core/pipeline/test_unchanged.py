"""A long run that goes on and in which nothing changed: its tests are not read again, and it does what it would have done."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from modex.core.config.runconfig import DatasetSpec, ModelSpec, RunConfig, Selection
from modex.core.engine.session import Session
from modex.core.engine.start import Start, allow_here, allow_stored, checked_start, prepare_run
from modex.core.foundation.errors import SuiteError
from modex.core.pipeline import unchanged
from modex.core.pipeline.assembly import Assembly
from modex.core.store.lock import RunLock
from modex.core.store.manager import DBDataManager, Plan
from modex.core.store.sample import EvaluationSample, stored_values
from tests.cli import reading, write_suite
from tests.server import Reply, ServerHandle, serve

_UNREAD = "nothing has changed since it was planned, so its tests are not read again"


@dataclass(slots=True)
class Place:
    """A suite without tests of its own, a dataset, a model that answers, and a database."""

    root: Path
    server: ServerHandle

    @property
    def rows(self) -> Path:
        return self.root / "questions.jsonl"

    @property
    def suite(self) -> Path:
        return self.root / "suite"

    @property
    def database(self) -> Path:
        return self.root / "modex.db"

    def write(self, golds: list[str]) -> None:
        """The questions, by their answers."""
        lines = (json.dumps({"id": f"q{number}", "question": "?", "answer": gold}) for number, gold in enumerate(golds))
        self.rows.write_text("".join(line + "\n" for line in lines))

    def config(self, **changes: Any) -> RunConfig:
        """A run over the dataset."""
        selection = Selection(suite=str(self.suite), datasets=(DatasetSpec(path=str(self.rows)),))
        known: dict[str, Any] = {
            "model": ModelSpec(model="openai/test-model", api_base=self.server.url),
            "selection": selection,
            "evaluator": "match",
            "concurrency": 1,
        }
        return RunConfig(**{**known, **changes})

    def go_on(self, config: RunConfig | None = None, lock: RunLock | None = None) -> list[str]:
        """Work on the run as `modex resume` does, or with another configuration; what was said."""
        if config is not None:
            if config.selection.allow_plugins:
                allow_stored(config)
            allow_here(config)
            lock = prepare_run(self.database, config, "e").lock
        said: list[str] = []
        session = Session(self.database, "e", narrate=said.append, lock=lock)
        try:
            session.run()
        finally:
            session.close()
        return said

    def samples(self) -> list[EvaluationSample]:
        """The run's samples."""
        with reading(self.database) as reader:
            return list(reader.samples(reader.run("e").id))

    def kept(self) -> dict[str, Any]:
        """What is kept of the run's plan."""
        with reading(self.database) as reader:
            return reader.run("e").plan

    def copy(self, source: Path, target: Path) -> None:
        """Make `target` what `source` is."""
        with closing(sqlite3.connect(source)) as one, closing(sqlite3.connect(target)) as other:
            one.backup(other)

    def change(self, sql: str) -> None:
        """Change the database as a user's script may."""
        with closing(sqlite3.connect(self.database)) as connection, connection:
            connection.execute(sql)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    monkeypatch.setattr(unchanged, "WORTH_KEEPING", 3)
    with serve(Reply("Answer: ok")) as server:
        found = Place(tmp_path, server)
        write_suite(found.suite, [{"id": "own", "prompt": "?", "expected": "ok", "evaluator_id": "match"}])
        found.write(["ok", "ok", "no", "ok"])
        yield found


def test_a_finished_run_reads_no_test_again(place: Place) -> None:
    assert _UNREAD not in place.go_on(place.config())
    before = place.samples()
    said = place.go_on()
    assert _UNREAD in said
    assert "plan: 5 unchanged" in said
    assert place.samples() == before
    assert place.server.hits == 5


def test_the_same_command_again_reads_no_test_either(place: Place) -> None:
    config = place.config()
    place.go_on(config)
    _, checked = checked_start(place.database, Start(config, "e"), lambda _: None)
    assert checked.unchanged
    assert checked.needs.count == 5
    run = prepare_run(place.database, config, "e")
    said: list[str] = []
    session = Session(place.database, "e", narrate=said.append, checked=checked, lock=run.lock)
    session.run()
    session.close()
    assert _UNREAD in said
    assert "plan: 5 unchanged" in said


def test_a_run_begins_in_a_file_that_another_start_is_making(place: Place) -> None:
    place.database.touch()
    _, checked = checked_start(place.database, Start(place.config(), "e"), lambda _: None)
    assert not checked.unchanged


def _started(place: Place, meanwhile: Callable[[], None] = lambda: None) -> list[str]:
    """What the runner of a run said whose tests the starting process checked, and how many tests it read."""
    config = place.config(until="preprocess")
    _, checked = checked_start(place.database, Start(config, "e"), lambda _: None)
    run = prepare_run(place.database, config, "e")
    meanwhile()
    with closing(DBDataManager(place.database)) as manager:
        manager.update_run(run.run_id, plan=unchanged.kept_check(checked, place.database))
    return place.go_on(lock=run.lock)


def test_a_runner_trusts_the_check_of_who_started_it(place: Place) -> None:
    said = _started(place)
    assert _UNREAD not in said
    assert "plan: 5 to ask" in said
    assert place.kept()["samples"] == 5


def test_a_dataset_that_changed_after_the_check_is_checked_by_the_runner_too(place: Place) -> None:
    def spoil() -> None:
        place.rows.write_text(place.rows.read_text() + '{"id": "q9", "answer": "ok"}\n')

    with pytest.raises(SuiteError, match="question"):
        _started(place, spoil)


def test_how_fast_and_at_what_cost_changes_no_plan(place: Place) -> None:
    place.go_on(place.config())
    assert _UNREAD in place.go_on(place.config(concurrency=2, timeout_s=9, max_cost_usd=3, stream=False))


def _row(place: Place) -> None:
    place.rows.write_text(place.rows.read_text().replace('"no"', '"on"'))


def _test_of_the_suite(place: Place) -> None:
    path = next(place.suite.rglob("tests.jsonl"))
    path.write_text(path.read_text().replace('"?"', '"!"'))


def _prompt_of_the_suite(place: Place) -> None:
    _write(place.suite / "prompts" / "d" / "domain.md", "Be brief.")


def _evaluator(place: Place) -> None:
    document = {"id": "mine", "type": "regex", "extraction_regex": "(.*)"}
    _write(place.suite / "test_definitions" / "evaluators" / "mine.json", json.dumps(document))


def _test_behind_a_link(place: Place) -> None:
    """A domain that lies in a hidden folder of the suite; a link leads round in a circle."""
    hidden, domain = place.suite / ".shared", place.suite / "test_definitions" / "d"
    if not hidden.exists():
        hidden.mkdir()
        domain.rename(hidden / "d")
        domain.symlink_to("../.shared/d")
        (place.suite / "round").symlink_to(".")
        return
    path = hidden / "d" / "level_1" / "tests.jsonl"
    path.write_text(path.read_text().replace('"?"', '"!"'))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.long
@pytest.mark.parametrize("change", [_row, _test_of_the_suite, _prompt_of_the_suite, _evaluator])
def test_a_file_that_changed_is_read_again(place: Place, change: Callable[[Place], None]) -> None:
    place.go_on(place.config())
    change(place)
    assert _UNREAD not in place.go_on()


def test_a_test_that_changed_behind_a_link_is_read_again(place: Place) -> None:
    _test_behind_a_link(place)
    place.go_on(place.config())
    assert _UNREAD in place.go_on()
    _test_behind_a_link(place)
    assert "plan: 1 changed, to ask again, 4 unchanged" in place.go_on()


def test_a_row_that_changed_is_judged_again(place: Place) -> None:
    place.go_on(place.config())
    _row(place)
    assert "plan: 1 to judge again, 4 unchanged" in place.go_on()


@pytest.mark.long
@pytest.mark.parametrize(
    "changes",
    [
        {"model": {"temperature": 0.5}},
        {"epochs": 2},
        {"rollout": "reasoning"},
        {"until": "judge"},
        {"selection": {"limit": 4}},
        {"selection": {"filters": ("id!=q0",)}},
    ],
    ids=str,
)
def test_another_configuration_is_planned_anew(place: Place, changes: dict[str, Any]) -> None:
    config = place.config()
    place.go_on(config)
    for name, value in changes.items():
        of = getattr(config, name)
        changed = of.model_copy(update=value) if isinstance(value, dict) else value
        config = config.model_copy(update={name: changed})
    assert _UNREAD not in place.go_on(config)


def test_a_judge_that_came_between_is_not_taken_for_the_one_before(place: Place) -> None:
    first, other = (ModelSpec(model=f"openai/{name}", api_base=place.server.url) for name in ("test-model", "other"))
    place.go_on(place.config(evaluator="two_pass", extractor=first))
    place.go_on(place.config(evaluator="two_pass", extractor=other))
    said = place.go_on(place.config(evaluator="two_pass", extractor=first))
    assert "plan: 4 to judge again, 1 unchanged" in said


def test_verdicts_that_are_out_of_date_are_never_taken_for_finished(place: Place) -> None:
    config = place.config(until="preprocess")
    place.go_on(place.config())
    _row(place)
    assert "plan: 1 to judge again, 4 unchanged" in place.go_on(config)
    assert "plan: 1 to judge again, 4 unchanged" in place.go_on(config)


def _interrupted(place: Place) -> None:
    """Leave the run as a killed one may be: some finished, some with errors, some skipped by hand, one waiting."""
    place.go_on(place.config())
    place.change("UPDATE individual_test_results SET status = 'error', error_type = 'timeout' WHERE test_id = 'q0'")
    place.change(
        "UPDATE individual_test_results SET stage = 'init', status = 'error', error_type = 'timeout' WHERE test_id = 'q1'"
    )
    place.change("UPDATE individual_test_results SET stage = 'init', status = 'skipped' WHERE test_id = 'q2'")
    place.change("UPDATE individual_test_results SET stage = 'init', status = 'pending' WHERE test_id = 'q3'")
    place.change("UPDATE individual_test_results SET status = 'running' WHERE test_id = 'own'")


def test_what_is_left_of_an_interrupted_run_is_done_as_a_whole_plan_would_have_it(place: Place) -> None:
    _interrupted(place)
    place.copy(place.database, place.root / "before.db")
    assert place.kept()
    said = place.go_on()
    assert _UNREAD in said
    short, calls = place.samples(), place.server.hits
    place.copy(place.root / "before.db", place.database)
    place.change("UPDATE evaluation_runs SET plan = '{}'")
    whole = place.go_on()
    assert _UNREAD not in whole
    assert [line for line in said if line.startswith("plan:")] == [line for line in whole if line.startswith("plan:")]
    assert [_without_times(sample) for sample in short] == [_without_times(sample) for sample in place.samples()]
    assert place.server.hits - calls == calls - 5


def _without_times(sample: EvaluationSample) -> dict[str, Any]:
    timed = (
        "seq", "started_at", "completed_at", "duration_ms", "judge_duration_ms", "ttft_ms", "output_tokens_per_s",
        "thinking_ms", "transcript",
    )  # fmt: skip
    return {name: value for name, value in stored_values(sample).items() if name not in timed}


def test_a_stored_sample_that_cannot_be_read_is_planned_anew_and_mended(place: Place) -> None:
    place.go_on(place.config())
    place.change(
        "UPDATE individual_test_results SET stage = 'init', status = 'pending', definition = '[' WHERE test_id = 'q1'"
    )
    place.change(
        "UPDATE individual_test_results SET stage = 'rollout', status = 'error', definition = '[' WHERE test_id = 'q2'"
    )
    place.go_on()
    assert [sample.status for sample in place.samples()] == ["passed", "passed", "passed", "failed", "passed"]


def test_samples_that_somebody_removed_are_planned_again(place: Place) -> None:
    place.go_on(place.config())
    place.change("DELETE FROM individual_test_results WHERE test_id = 'q1'")
    assert "plan: 1 to ask, 4 unchanged" in place.go_on()


def test_a_plan_that_was_not_finished_is_not_gone_by(place: Place) -> None:
    place.go_on(place.config())
    _row(place)

    session = Session(place.database, "e")
    session.stop(0.0)
    session.run()
    session.close()
    assert place.kept() == {}
    assert "plan: 1 to judge again, 4 unchanged" in place.go_on()


def test_what_depends_on_more_than_the_files_is_always_planned_anew(place: Place, tmp_path: Path) -> None:
    agent = place.config(agent="cat", agent_folder=str(tmp_path))
    place.go_on(agent)
    assert place.kept() == {}
    place.go_on(place.config(rollout="agentic"))
    assert place.kept() == {}
    place.go_on(place.config(rollout="direct"))
    assert place.kept() != {}
    path = next(place.suite.rglob("tests.jsonl"))
    path.write_text(path.read_text().replace('"id": "own"', '"id": "own", "rollout": "agentic"'))
    place.go_on(place.config())
    assert place.kept() == {}


def test_a_plugin_is_always_asked_again(place: Place) -> None:
    judge = (
        "from modex import BaseEvaluator, EvaluationResult, register_evaluator\n"
        "@register_evaluator\nclass Own(BaseEvaluator):\n    id = 'own'\n"
        "    def evaluate(self, sample, context):\n        return EvaluationResult(1.0)\n"
    )
    _write(place.suite / "plugins" / "own.py", judge)
    selection = place.config().selection.model_copy(update={"allow_plugins": True})
    place.go_on(place.config(evaluator="own", selection=selection))
    assert place.kept() == {}


def test_a_short_plan_is_not_kept(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unchanged, "WORTH_KEEPING", 6)
    place.go_on(place.config())
    assert place.kept() == {}


@pytest.mark.parametrize(
    ("plan", "kept"),
    [
        (Plan(new=3), True),
        (Plan(new=2), False),
        (Plan(new=1, unchanged=1, retry=1), True),
        (Plan(new=3, judge_again=1), False),
        (Plan(new=3, skipped=1), False),
        (Plan(new=3, not_selected=1), False),
    ],
)
def test_a_plan_is_kept_only_where_every_sample_is_planned_and_none_waits_for_another_judge(
    monkeypatch: pytest.MonkeyPatch, plan: Plan, kept: bool
) -> None:
    monkeypatch.setattr(unchanged, "WORTH_KEEPING", 3)
    monkeypatch.setattr(unchanged, "_can_be_kept", lambda _: True)
    monkeypatch.setattr(unchanged, "_digest_of_inputs", lambda *_: "same")
    monkeypatch.setattr(unchanged, "_kept", lambda checked, before, planned: {"inputs": before, "samples": planned})
    assembly = SimpleNamespace(
        checked=SimpleNamespace(config=None, selected=None),
        database=None,
        benchmark=SimpleNamespace(context=None, found=lambda: ()),
    )
    assert unchanged.KeptPlan(cast("Assembly", assembly)).after(plan) == (
        {"inputs": "same", "samples": plan.planned} if kept else {}
    )
