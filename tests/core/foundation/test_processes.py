"""How processes of this program are started, and how one that ended is spoken of."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from modex.core.foundation import processes
from modex.core.foundation.processes import PROGRAM, cores, ending, is_ending, spawned


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (0, "it ended with exit code 0"),
        (3, "it ended with exit code 3"),
        (-1, "it was ended by signal 1 (SIGHUP)"),
        (-9, "it was ended by signal 9 (SIGKILL)"),
        (-250, "it was ended by signal 250"),
    ],
)
def test_a_signal_is_called_by_its_name_and_an_exit_code_by_its_number(code: int, said: str) -> None:
    assert ending(code) == said


def test_the_program_stands_where_its_package_is_found() -> None:
    assert Path(PROGRAM, "modex", "core", "foundation", "processes.py").samefile(processes.__file__)


def test_a_process_looks_for_modules_where_this_one_does() -> None:
    words = spawned("modex.somewhere")
    assert (words[0], words[1], words[-1]) == (sys.executable, "-P", "modex.somewhere")
    assert json.loads(words[-2]) == sys.path


def test_cores_are_those_that_this_process_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 2, 3} if pid == 0 else set(), raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert cores() == 3


@pytest.mark.parametrize(("machine", "said"), [(8, 8), (None, 1)])
def test_where_the_system_does_not_say_it_is_those_of_the_machine_and_at_least_one(
    monkeypatch: pytest.MonkeyPatch, machine: int | None, said: int
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: machine)
    assert cores() == said


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the system does not say")
def test_a_process_that_was_ended_is_ending_until_it_is_gone() -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    assert is_ending(child)
    os.waitpid(child, 0)
    assert not is_ending(child), "it is gone, or was never known here"
    assert not is_ending(os.getpid())
