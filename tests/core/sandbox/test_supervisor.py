"""A program of somebody else's leaves no process behind, also one that forks twice and begins a session of its own."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from modex.core.sandbox import supervisor
from tests.pace import eventually

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="subreapers are Linux's")

LEAVES_ONE = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.setsid()
        with open(sys.argv[1] + ".part", "w") as file:
            file.write(str(os.getpid()))
        os.rename(sys.argv[1] + ".part", sys.argv[1])
        time.sleep(600)
    os._exit(0)
os.wait()
while not os.path.exists(sys.argv[1]):
    time.sleep(0.01)
if sys.argv[2] == "answers":
    print("done")
else:
    time.sleep(600)
"""
STARTS = """
import sys, time
from modex.core.sandbox.supervisor import supervised
import subprocess
subprocess.Popen(supervised([sys.executable, "-c", *sys.argv[1:]]), start_new_session=True)
time.sleep(600)
"""


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def started(*words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        supervisor.supervised(words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )


def test_what_a_program_leaves_behind_ends_with_it(tmp_path: Path) -> None:
    left = tmp_path / "pid"
    out, err = started(sys.executable, "-c", LEAVES_ONE, str(left), "answers").communicate(timeout=60)
    assert (out, err) == (b"done\n", b"")
    assert not alive(int(left.read_text()))


def test_ending_a_program_ends_what_has_a_session_of_its_own(tmp_path: Path) -> None:
    left = tmp_path / "pid"
    with started(sys.executable, "-c", LEAVES_ONE, str(left), "hangs") as process:
        assert eventually(left.exists)
        supervisor.end(process)
    assert process.returncode == -signal.SIGKILL
    assert not alive(int(left.read_text()))


def test_a_killed_starter_leaves_nothing_behind(tmp_path: Path) -> None:
    left = tmp_path / "pid"
    with subprocess.Popen([sys.executable, "-c", STARTS, LEAVES_ONE, str(left), "hangs"]) as starter:
        assert eventually(left.exists)
        starter.kill()
    assert eventually(lambda: not alive(int(left.read_text())))


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("", 0),
        ("import sys; sys.exit(7)", 7),
        ("import os; os.kill(os.getpid(), 15)", -15),
        ("import os; os.abort()", -6),
    ],
)
def test_it_ends_as_the_program_ends(body: str, code: int) -> None:
    process = started(sys.executable, "-c", body)
    process.communicate(timeout=60)
    assert process.returncode == code


def test_a_program_that_is_not_there_is_said() -> None:
    process = started("/no/such/program")
    _, err = process.communicate(timeout=60)
    assert process.returncode == 127
    assert err == b"cannot be started: /no/such/program: No such file or directory\n"


class System:
    """The processes below a supervisor, as it asks the system for them."""

    def __init__(self) -> None:
        self.done: list[Any] = []
        self.reaped: list[tuple[int, int]] = []
        self.signals: list[signal.Signals] = []
        self.forked = 7
        self.parent = 1

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def left(code: int) -> None:
            self.done.append(("exit", code))
            raise SystemExit(code)

        def executed(name: str, words: list[str]) -> None:
            self.done.append(("exec", name, words))
            raise FileNotFoundError(2, "No such file")

        def waited(pid: int, options: int) -> tuple[int, int]:
            self.done.append(("wait", pid, options))
            if not self.reaped:
                raise ChildProcessError
            return self.reaped.pop(0)

        fakes: dict[str, Any] = {
            "getppid": lambda: self.parent, "getpid": lambda: 3, "fork": lambda: self.forked, "execvp": executed, "_exit": left,
            "waitpid": waited, "kill": lambda pid, number: self.done.append(("kill", pid, number)),
            "write": lambda descriptor, data: self.done.append(("write", descriptor, data)), "open": lambda *_: 9,
            "dup2": lambda one, other: self.done.append(("dup2", one, other)),
        }  # fmt: skip
        signals: dict[str, Any] = {
            "pthread_sigmask": lambda how, which: self.done.append(("mask", how, frozenset(which))),
            "sigwait": lambda which: self.signals.pop(0),
            "signal": lambda number, handler: self.done.append(("default", number, handler)),
        }
        monkeypatch.setattr(supervisor, "os", SimpleNamespace(**{**vars(os), **fakes}))
        monkeypatch.setattr(supervisor, "signal", SimpleNamespace(**{**vars(signal), **signals}))
        monkeypatch.setattr(supervisor, "_control", lambda *told: self.done.append(("control", *told)))
        monkeypatch.setattr(resource, "setrlimit", lambda which, values: self.done.append(("limit", which, values)))

    def did(self, what: str) -> list[Any]:
        return [one[1:] for one in self.done if one[0] == what]


TOLD = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP})


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> System:
    found = System()
    found.install(monkeypatch)
    return found


@pytest.mark.parametrize(
    ("status", "itself", "killed", "exits"),
    [
        (0, True, [], 0),
        (3 << 8, True, [], 3),
        (signal.SIGTERM, True, [(3, signal.SIGTERM)], 15),
        (signal.SIGKILL, False, [(3, signal.SIGKILL)], 9),
    ],
)
def test_a_supervisor_ends_as_its_program_ended(
    monkeypatch: pytest.MonkeyPatch,
    system: System,
    tmp_path: Path,
    status: int,
    itself: bool,
    killed: list[Any],
    exits: int,
) -> None:
    monkeypatch.setattr(supervisor, "_wait", lambda child, told: (status if (child, told) == (7, TOLD) else -1, itself))
    left = tmp_path / "status"
    monkeypatch.setattr(supervisor, "_kill_all", lambda: system.done.append(("all killed",)))
    with pytest.raises(SystemExit):
        supervisor._main(1, str(left), "", ["program", "word"])
    assert (left.read_text("ascii") if left.exists() else None) == (
        str(-exits if killed else exits) if itself else None
    )
    assert system.did("control") == [(36, 1), (1, signal.SIGTERM)]
    assert system.did("mask")[0] == (signal.SIG_BLOCK, TOLD | {signal.SIGCHLD})
    assert system.did("dup2") == [(9, 0), (9, 1), (9, 2)]
    assert system.did("all killed") == [()]
    assert system.did("kill") == killed
    assert system.did("exit") == [(-exits if killed else exits,)]
    if killed:
        assert system.did("limit") == [(resource.RLIMIT_CORE, (0, 0))]
        assert system.did("mask")[1:] == [(signal.SIG_UNBLOCK, TOLD)]
        assert system.did("default") == ([] if exits == signal.SIGKILL else [(exits, signal.SIG_DFL)])


def test_a_supervisor_whose_parent_is_gone_starts_nothing(system: System) -> None:
    system.parent = 2
    with pytest.raises(SystemExit):
        supervisor._main(1, "", "", ["program"])
    assert (system.did("exit"), system.did("exec")) == ([(1,)], [])


def test_a_program_that_cannot_be_started_says_so(system: System) -> None:
    system.forked = 0
    with pytest.raises(SystemExit):
        supervisor._main(1, "", "", ["program", "word"])
    assert system.did("exec") == [("program", ["program", "word"])]
    assert system.did("mask")[1:] == [(signal.SIG_UNBLOCK, TOLD | {signal.SIGCHLD})]
    assert system.did("write") == [(2, b"cannot be started: program: No such file\n")]
    assert system.did("exit") == [(127,)]


def test_others_that_end_meanwhile_are_reaped_until_the_program_ends(system: System) -> None:
    system.signals = [signal.SIGCHLD, signal.SIGCHLD]
    system.reaped = [(5, 0), (6, 0), (0, 0), (8, 0), (7, 256)]
    assert supervisor._wait(7, set(TOLD)) == (256, True)
    assert system.did("wait") == [(-1, os.WNOHANG)] * 5
    assert system.did("kill") == []


def test_a_supervisor_that_is_told_to_end_kills_its_program(system: System) -> None:
    system.signals, system.reaped = [signal.SIGHUP], [(7, 9)]
    assert supervisor._wait(7, set(TOLD)) == (9, False)
    assert (system.did("kill"), system.did("wait")) == ([(7, signal.SIGKILL)], [(7, 0)])


def test_every_child_is_killed_until_there_is_none(monkeypatch: pytest.MonkeyPatch, system: System) -> None:
    lists = ["7 8", "9"]

    class Listed:
        def __init__(self, path: str) -> None:
            assert path == "/proc/self/task/3/children"

        def read_text(self) -> str:
            return lists.pop(0)

    monkeypatch.setattr(supervisor, "Path", Listed)
    system.reaped = [(7, 9)]
    supervisor._kill_all()
    assert system.did("kill") == [(pid, signal.SIGKILL) for pid in (7, 8, 9)]
    assert system.did("wait") == [(-1, 0), (-1, 0)]
