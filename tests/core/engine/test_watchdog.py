"""A process whose interpreter is held ends after a signal all the same; one that ends by itself is left alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from modex.core.engine import watchdog
from tests.rows import each_row

pytestmark = pytest.mark.process

_HELD = """
import re, signal, sys
from modex.core.engine.watchdog import watched
signal.signal(signal.SIGTERM, lambda *_: None)
with watched({int(signal.SIGTERM): float(sys.argv[1])}):
    print("begun", flush=True)
    re.match("(a|a)*b", "a" * 64)
"""
_ENDS = """
import signal, sys
from modex.core.engine.watchdog import watched
signal.signal(signal.SIGTERM, lambda *_: None)
with watched({int(signal.SIGTERM): 600.0}):
    signal.raise_signal(signal.SIGTERM)
print(signal.set_wakeup_fd(-1), flush=True)
"""


@pytest.mark.long
@pytest.mark.parametrize(("patience", "signals"), [("0.1", 1), ("600", 2)])
def test_a_signal_ends_a_process_whose_interpreter_is_held(patience: str, signals: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _HELD, patience], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        for _ in range(signals):
            process.send_signal(signal.SIGTERM)
            if signals > 1:
                _heard(process.pid)
        _, said = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert "modex resume" in said


def _heard(pid: int) -> None:
    """Wait until the kernel has handed the signal over: two at once are one."""
    while True:
        with Path(f"/proc/{pid}/status").open(encoding="ascii") as status:
            pending = [line for line in status if line.startswith(("SigPnd", "ShdPnd"))]
        if all(int(line.split()[1], 16) == 0 for line in pending):
            return


def test_a_process_that_ends_is_not_killed_and_gets_its_wake_up_file_back() -> None:
    ran = subprocess.run([sys.executable, "-c", _ENDS], capture_output=True, text=True, check=False, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "-1\n", "")


@each_row(
    ("threads", "wants", "seconds"),
    [
        ([], False, 0.0),
        (["1 (a b) S 1 " + "0 " * 9 + "30 20 0"], False, 0.5),
        (["1 (a) R) R 1 " + "0 " * 9 + "100 0 0", "2 (x) S 1 " + "0 " * 9 + "0 50 0"], True, 1.5),
        (["1 (a) D", "nothing"], False, 0.0),
    ],
)
def test_what_a_process_wants_and_had_of_the_processor_is_the_sum_of_its_threads(
    threads: list[str], wants: bool, seconds: float
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for number, line in enumerate(threads):
            task = Path(folder) / "task" / str(number)
            task.mkdir(parents=True)
            (task / "stat").write_text(line, encoding="utf-8")
        wanted, had = watchdog._processor(Path(folder))
    assert wanted is wants
    assert had == pytest.approx(seconds * 100 / os.sysconf("SC_CLK_TCK"))


@each_row(
    ("wants", "used", "passed", "waits"),
    [(True, 0.4, 2.0, True), (True, 1.0, 2.0, False), (True, 2.0, 2.0, False), (False, 0.0, 2.0, False)],
)
def test_a_process_that_gets_less_than_half_of_the_processor_it_wants_only_waits(
    wants: bool, used: float, passed: float, waits: bool
) -> None:
    assert watchdog._only_waits(wants, used, passed) is waits
