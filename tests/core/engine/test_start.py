"""Runs as a person handles them, with a runner process of its own."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

import pytest

from modex.core.config.runconfig import ModelSpec, RunConfig, Selection
from modex.core.engine import start
from modex.core.engine.commands import send_command
from modex.core.engine.control import delete_run, rename_run, stop_and_wait
from modex.core.engine.session import Session
from modex.core.engine.start import (
    Start,
    change_configuration,
    checked_start,
    launch_runner,
    named,
    new_exp_id,
    prepare_run,
    rejudge,
    start_runners,
)
from modex.core.foundation.errors import ConfigurationError, RunBusyError, StoreError
from modex.core.pipeline import assembly
from modex.core.pipeline.assembly import CheckedTests
from modex.core.store.location import runner_log
from modex.core.store.lock import RunLock, holder_pid
from modex.core.store.manager import DBDataManager
from modex.core.store.reader import Reader
from tests.cli import keyword_tests, write_suite
from tests.core.engine.conftest import Bench
from tests.rows import each_row
from tests.server import Reply

NOON = datetime(2026, 3, 5, 12, 34)


@each_row(
    ("model", "name"),
    [
        ("openai/gpt-5-mini", "gpt-5-mini-0305-1234"),
        ("demo", "demo-0305-1234"),
        ("a/b/c d:e", "c-d-e-0305-1234"),
        ("///", "run-0305-1234"),
    ],
)
def test_a_run_is_named_after_its_model_and_the_time(model: str, name: str) -> None:
    assert new_exp_id(model, NOON) == name


def test_two_runs_in_one_minute_have_different_names(bench: Bench) -> None:
    config = RunConfig(model=ModelSpec(model="demo"))
    names = {prepare_run(bench.database, config).exp_id for _ in range(3)}
    assert len(names) == 3


@pytest.mark.parametrize("name", ["", " x", "a\nb", "/etc", "x" * 201, "a\\b", "\x1b[31m"])
def test_names_that_no_terminal_or_path_likes_are_refused(bench: Bench, name: str) -> None:
    with pytest.raises(ConfigurationError, match="--exp-id"):
        prepare_run(bench.database, RunConfig(model=ModelSpec(model="demo")), name)


def test_a_name_that_is_taken_for_an_option_is_refused_for_a_new_run_and_kept_by_an_old_one(bench: Bench) -> None:
    first = bench.prepare(1)
    config = RunConfig(model=ModelSpec(model="openai/test-model"))
    with pytest.raises(ConfigurationError, match="for an option"):
        prepare_run(bench.database, config, "-e")
    with pytest.raises(ConfigurationError, match="for an option"):
        rename_run(bench.database, "e", "-e")
    manager = DBDataManager(bench.database)
    manager.update_run(first, exp_id="-e")
    manager.close()
    assert prepare_run(bench.database, config, "-e").run_id == first


@pytest.mark.parametrize("name", ["compare@openai/gpt-5", "Läufe 3", "a.b-c_d", "2026-01-01"])
def test_other_names_are_taken_as_they_are(bench: Bench, name: str) -> None:
    assert prepare_run(bench.database, RunConfig(model=ModelSpec(model="demo")), name).exp_id == name


def test_a_known_name_continues_with_the_new_configuration(bench: Bench) -> None:
    first = bench.prepare(3)
    config = RunConfig(model=ModelSpec(model="openai/test-model"), epochs=2)
    prepared = prepare_run(bench.database, config, "e")
    assert (prepared.run_id, prepared.known) == (first, True)
    assert bench.run().config["epochs"] == 2


def test_a_known_name_with_another_model_is_refused(bench: Bench) -> None:
    bench.prepare(1)
    with pytest.raises(ConfigurationError, match="this run asks openai/test-model, not demo"):
        prepare_run(bench.database, RunConfig(model=ModelSpec(model="demo")), "e")


def test_a_run_in_work_is_neither_continued_nor_judged_nor_launched(bench: Bench) -> None:
    run_id = bench.prepare(1)
    with RunLock(bench.database, run_id, "e"):
        for work in (
            lambda: bench.prepare(1),
            lambda: rejudge(bench.database, "e"),
            lambda: launch_runner(bench.database, "e"),
        ):
            with pytest.raises(RunBusyError, match=f"process {os.getpid()}"):
                work()


def test_a_launched_runner_works_alone_and_obeys(bench: Bench) -> None:
    run_id = bench.prepare(200, concurrency=2)
    bench.server.behave(Reply("ok", latency=0.05))
    pid = launch_runner(bench.database, "e")
    assert pid == holder_pid(bench.database, run_id) != os.getpid()
    assert os.getsid(pid) == pid
    bench.until(lambda reader: reader.run("e").passed_tests > 2, "some finished")
    assert bench.run().state == "running"
    send_command(bench.database, run_id, "pause")
    bench.until(lambda reader: reader.run("e").state == "paused", "paused")
    send_command(bench.database, run_id, "resume")
    bench.until(lambda reader: reader.run("e").state == "running", "going on")
    with pytest.raises(StoreError, match="stop it"):
        delete_run(bench.database, run_id)
    assert stop_and_wait(bench.database, run_id)
    run = bench.run()
    assert (run.state, run.alive) == ("stopped", False)
    assert 2 < run.passed_tests < 200


@pytest.mark.long
def test_a_short_run_may_be_over_before_anybody_looks(bench: Bench) -> None:
    bench.prepare(1)
    bench.server.behave(Reply("ok"))
    launch_runner(bench.database, "e")
    bench.until(lambda reader: reader.run("e").state == "completed", "completed")
    assert bench.run().passed_tests == 1


def _is_completed(name: str, reader: Reader) -> bool:
    return reader.run(name).state == "completed"


@pytest.mark.long
def test_several_models_are_checked_once_and_every_runner_begins_before_one_is_waited_for(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.server.behave(Reply("ok"))
    suite = write_suite(bench.root / "suite", keyword_tests(2))
    reads: list[RunConfig] = []
    begun: list[int] = []
    checked, waited = assembly.checked_tests, holder_pid

    def read(config: RunConfig, tell: Callable[[str], None] | None = None) -> CheckedTests:
        reads.append(config)
        return checked(config, tell)

    def looked(database: Path, run_id: int) -> int | None:
        with contextlib.closing(Reader(database)) as reader:
            begun.append(len(reader.runs()))
        return waited(database, run_id)

    monkeypatch.setattr(assembly, "checked_tests", read)
    monkeypatch.setattr(start, "holder_pid", looked)
    wanted = [
        Start(
            RunConfig(
                model=ModelSpec(model=f"openai/{name}", api_base=bench.server.url),
                selection=Selection(suite=str(suite)),
            ),
            name,
        )
        for name in ("a", "b", "c")
    ]
    assert [one.exp_id for one in start_runners(bench.database, wanted, wait=True)] == ["a", "b", "c"]
    assert len(reads) == 1
    assert begun[0] == 3
    for name in ("a", "b", "c"):
        bench.until(partial(_is_completed, name), f"{name} completed")
        assert bench.run(name).model == f"openai/{name}"
    other = replace(wanted[0], config=wanted[0].config.model_copy(update={"epochs": 2}), exp_id="d")
    keyless = Start(other.config.model_copy(update={"model": ModelSpec(model="anthropic/x")}), "e")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with pytest.raises(ConfigurationError, match="ANTHROPIC_API_KEY"):
        start_runners(bench.database, [other, keyless], wait=True)
    assert len(reads) == 2


@pytest.mark.long
def test_a_runner_that_cannot_be_started_leaves_the_run_as_it_was(bench: Bench) -> None:
    bench.prepare(1)
    bench.server.behave(Reply("ok"))
    session = Session(bench.database, "e")
    session.run()
    session.close()
    before = bench.run()
    assert before.status == "completed"
    runner_log(bench.database).mkdir()
    with pytest.raises(OSError, match="directory"):
        launch_runner(bench.database, "e")
    after = bench.run()
    assert (after.status, after.reason, after.completed_at) == ("completed", None, before.completed_at)
    assert not after.alive


def test_what_a_runner_stored_counts_where_nobody_saw_it_at_work(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.prepare(1)
    bench.server.behave(Reply("ok"))
    monkeypatch.setattr(start, "holder_pid", lambda *_: None)  # as if each look came a moment too late
    assert launch_runner(bench.database, "e") > 0
    assert bench.run().status == "completed"


def test_the_runners_log_is_the_owners_alone(bench: Bench) -> None:
    bench.prepare(1)
    bench.server.behave(Reply("ok"))
    launch_runner(bench.database, "e")
    bench.until(lambda reader: reader.run("e").state == "completed", "completed")
    log = bench.database.with_name("modex.db.runner.log")
    assert log.stat().st_mode & 0o777 == 0o600


def test_commands_for_an_earlier_runner_are_forgotten(bench: Bench) -> None:

    run_id = bench.prepare(3)
    with RunLock(bench.database, run_id, "e"):
        send_command(bench.database, run_id, "stop")
    bench.server.behave(Reply("ok"))
    session = Session(bench.database, "e")
    assert session.run().status == "completed"
    session.close()


def test_other_judges_are_stored_with_the_run(bench: Bench) -> None:
    bench.prepare(1, until="rollout")
    judges = (ModelSpec(model="openai/judge"),)
    rejudge(bench.database, "e", judges, ModelSpec(model="openai/extractor"))
    config = RunConfig.model_validate(bench.run().config)
    assert (config.judges, config.until) == (judges, "stat")
    assert config.extractor == ModelSpec(model="openai/extractor")
    rejudge(bench.database, "e")
    assert RunConfig.model_validate(bench.run().config).judges == judges


def test_single_fields_of_a_configuration_change(bench: Bench) -> None:
    bench.prepare(1)
    change_configuration(bench.database, "e", concurrency=7)
    config = RunConfig.model_validate(bench.run().config)
    assert config.concurrency == 7
    assert config.model.model == "openai/test-model"


@pytest.mark.parametrize(
    ("stored", "wanted", "goes_on"),
    [(True, True, True), (False, True, False), (False, False, False), (True, False, False), (None, True, True)],
)
def test_a_run_that_was_begun_without_a_form_of_answer_goes_on_without_it(
    tmp_path: Path, stored: bool | None, wanted: bool, goes_on: bool
) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(1))
    database = tmp_path / "modex.db"

    def config(form: bool) -> RunConfig:
        return RunConfig(model=ModelSpec(model="demo"), selection=Selection(suite=str(suite), form=form))

    if stored is not None:
        prepare_run(database, config(stored), "r").lock.release()
    said: list[str] = []
    found, _ = checked_start(database, Start(config(wanted), "r"), said.append)
    assert found.config.selection.form is goes_on
    assert not [line for line in said if "form of answer" in line]  # only rows of datasets are asked for one


@each_row(
    ("exp_id", "count", "name"),
    [("e", 1, "e"), (None, 1, None), ("e", 2, "e@openai/x")],
)
def test_of_several_runs_that_are_started_together_each_is_named_by_its_model_too(
    exp_id: str | None, count: int, name: str | None
) -> None:
    assert named(exp_id, "openai/x", count) == name


def test_several_runs_without_a_name_are_a_comparison() -> None:
    assert (named(None, "openai/x", 2) or "").startswith("compare-")
    assert (named(None, "openai/x", 2) or "").endswith("@openai/x")
