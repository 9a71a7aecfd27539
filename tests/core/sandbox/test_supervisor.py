"""A program of somebody else's leaves no process behind, also one that forks twice and begins a session of its own."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core.sandbox import supervisor
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
from core.sandbox.supervisor import supervised
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
