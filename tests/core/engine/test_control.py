"""What is done to stored runs."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from modex.core.engine import control
from modex.core.engine.commands import send_command
from modex.core.engine.control import delete_run, stop_and_wait
from modex.core.foundation.errors import StoreError
from tests.cli import reading
from tests.core.engine.conftest import Bench


def test_a_command_for_a_run_that_nobody_works_on_says_what_to_do(bench: Bench) -> None:
    run_id = bench.prepare(1)
    with pytest.raises(StoreError, match="`modex resume` continues it"):
        send_command(bench.database, run_id, "pause")
    with pytest.raises(StoreError, match="`modex resume` continues it"):
        stop_and_wait(bench.database, run_id)


def test_a_deleted_run_is_gone(bench: Bench) -> None:
    run_id = bench.prepare(1)
    delete_run(bench.database, run_id)
    with reading(bench.database) as reader:
        assert reader.runs() == []


@pytest.mark.parametrize(
    ("looks", "stopped", "waited", "ended"), [(0, True, 0, []), (3, True, 3, []), (300, False, 300, [77])]
)
def test_a_run_is_waited_for_until_its_runner_let_it_go_and_the_runner_is_told_at_last(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, looks: int, stopped: bool, waited: int, ended: list[int]
) -> None:
    said: list[object] = []
    killed: list[int] = []
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    monkeypatch.setattr(control, "send_command", lambda *given: said.append(given))
    monkeypatch.setattr(control, "is_held", lambda *_: round(now[0] / 0.05) < looks)
    monkeypatch.setattr(control, "holder_pid", lambda *_: 77)
    monkeypatch.setattr(control, "_is_suspended", lambda pid: False)
    monkeypatch.setattr(control, "time", SimpleNamespace(monotonic=lambda: now[0], sleep=sleep))
    monkeypatch.setattr(control, "os", SimpleNamespace(kill=lambda pid, _: killed.append(pid)))
    assert stop_and_wait(tmp_path, 5) is stopped
    assert said == [(tmp_path, 5, "stop")]
    assert abs(round(now[0] / 0.05) - waited) <= 1
    assert killed == ended


def test_a_suspended_runner_is_named_and_not_waited_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(control, "send_command", lambda *_: None)
    monkeypatch.setattr(control, "is_held", lambda *_: True)
    monkeypatch.setattr(control, "holder_pid", lambda *_: 77)
    monkeypatch.setattr(control, "_is_suspended", lambda pid: pid == 77)
    with pytest.raises(StoreError, match="process 77, which works on this run, is suspended"):
        stop_and_wait(tmp_path, 5)


def test_this_process_is_at_work_and_one_that_is_not_there_is_not_suspended() -> None:
    assert not control._is_suspended(os.getpid())
    assert not control._is_suspended(2**22 + 1)
