"""`modex import`: logs of other tools from the command line; what is read is in tests/core/imports."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
from pathlib import Path

import pytest

from modex.core.foundation.exit_codes import ExitCode
from tests.cli import call
from tests.core.edge.imports.test_imports import EVAL, GENERATED, lm_eval_file, promptfoo_file, promptfoo_row
from tests.forked import command
from tests.tui.commands.conftest import Shell


def test_a_folder_of_logs_is_imported_and_a_second_time_left_alone(shell: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "logs" / "deep"
    folder.mkdir(parents=True)
    shutil.copy(EVAL, folder)
    (folder / "broken.json").write_text("{")
    called = shell("import", "inspect", folder.parent)
    assert called.code == 1
    assert "1 runs imported, 0 were there already, 1 logs could not be read" in called.err
    assert "broken.json: this is no JSON" in called.err
    assert "not carried over: events" in called.err
    again = shell("import", "inspect", folder / EVAL.name)
    assert (again.code, "0 runs imported, 1 were there already" in again.err) == (0, True)
    (run,) = shell("runs", "--json").data
    assert (run["total_tests"], run["passed_tests"]) == (4, 2)


@pytest.mark.long
@pytest.mark.process
def test_an_import_that_is_interrupted_says_so_and_goes_on(shell: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    number_of_logs = 200  # what is said of them is more than twice what the pipe holds
    for number in range(number_of_logs):
        log = {"eval": {"model": "m", "task": "t", "eval_id": f"{number:08d}"}, "status": "success", "samples": []}
        (folder / f"{number:03d}.json").write_text(json.dumps(log))
    with command("import", "inspect", folder, "--db", shell.database) as importing:
        assert importing.stderr is not None
        # What nobody reads fills the pipe, so that the import waits in its midst.
        fcntl.fcntl(importing.stderr, fcntl.F_SETPIPE_SZ, 4096)
        first = os.read(importing.stderr.fileno(), 1).decode()
        importing.send_signal(signal.SIGINT)
        said = first + importing.stderr.read()
        assert importing.wait() == ExitCode.INTERRUPTED
    assert "logs left: the same command goes on" in said
    assert "Traceback" not in said
    there = len([run for run in shell("runs", "--json", "--limit", "200").data if run["status"] == "completed"])
    assert 0 < there < number_of_logs
    called = shell("import", "inspect", folder)
    assert f"{number_of_logs - there} runs imported, {there} were there already" in called.err
    assert [run["status"] for run in shell("runs", "--json", "--limit", "999").data] == ["completed"] * number_of_logs


def test_the_harness_and_promptfoo_are_read_too(shell: Shell, tmp_path: Path) -> None:
    assert shell("import", "lm-eval", lm_eval_file(tmp_path, [GENERATED])).code == 0
    assert shell("import", "promptfoo", promptfoo_file(tmp_path, [promptfoo_row(0)])).code == 0
    assert {run["model"] for run in shell("runs", "--json").data} == {"org/model-7b", "openai/gpt-x"}


def test_imported_answers_are_judged_by_our_rules_and_the_other_verdict_stays(shell: Shell, tmp_path: Path) -> None:
    wrong = {**GENERATED, "exact_match": 0.0}
    shell("import", "lm-eval", lm_eval_file(tmp_path, [wrong]))
    (run,) = shell("runs", "--json").data
    assert run["failed_tests"] == 1
    called = shell("judge", run["exp_id"], "--extractor-model", "demo")
    assert called.code == 0, called.err
    assert shell("runs", "--json").data[0]["passed_tests"] == 1
    (sample,) = json.loads(shell("export", run["exp_id"]).out)["samples"]
    assert (sample["response"], sample["score"]) == ("It is 4.", 1.0)


def test_the_database_may_be_named_before_the_command(tmp_path: Path) -> None:
    database = tmp_path / "named.db"
    assert call("--db", database, "import", "inspect", EVAL).code == 0
    assert database.exists()


def test_a_path_that_is_not_there_is_named(shell: Shell, tmp_path: Path) -> None:
    called = shell("import", "inspect", tmp_path / "nothing")
    assert (called.code, "there is no such file" in called.err) == (2, True)
