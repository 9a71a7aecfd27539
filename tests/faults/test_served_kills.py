"""kill -9 of a run, of the keeper of its model's server, and of the server itself, at random moments: nothing is left or lost.

`make long` kills all of them once, `make nightly` each kind five times; `TEST_KILLS_SEED` draws other moments.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from modex.core.llm.served.status import read_status
from tests.cli import keyword_tests, reading, write_suite
from tests.faults.harness import Modex, wait_until

pytestmark = pytest.mark.process
LITTLE = Path(__file__).parents[1] / "core" / "llm" / "served" / "little.py"
NIGHTLY = bool(os.environ.get("TEST_NIGHTLY"))
KINDS = ("runner", "server", "keeper", "all") if NIGHTLY else ("all",)
TIMES = 5 if NIGHTLY else 1
SEED = int(os.environ.get("TEST_KILLS_SEED", "36"))
TESTS = 150


def _children(pid: int) -> list[int]:
    try:
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _serving(home: Path) -> list[int]:
    """The server of this test and its keeper, as long as they live: their command lines name its folder."""
    found = []
    for one in Path("/proc").iterdir():
        if one.name.isdigit():
            try:
                words = (one / "cmdline").read_bytes()
            except OSError:
                continue
            if str(home / "mark").encode() in words or str(home / "served").encode() in words:
                found.append(int(one.name))
    return found


@pytest.mark.long
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are found in /proc")
@pytest.mark.parametrize(("kind", "time"), [(kind, time) for kind in KINDS for time in range(TIMES)])
def test_a_kill_leaves_no_server_and_loses_no_sample(tmp_path: Path, kind: str, time: int) -> None:
    draw = random.Random(f"{SEED} {kind} {time}")
    suite = write_suite(tmp_path / "suite", keyword_tests(TESTS, word="little"))
    command = f"{sys.executable} {LITTLE} {{port}} plain {tmp_path / 'mark'}"
    (tmp_path / "models.toml").write_text(
        f"[models.own]\nmodel = 'openai/little'\nserve = {{ command = '{command}' }}\n"
    )
    given = {"MODEX_SERVED": str(tmp_path / "served"), "MODEX_MODELS": str(tmp_path / "models.toml")}
    modex = Modex(tmp_path / "home", given)
    modex.home.mkdir()
    words = ("run", "--model", "own", "--suite", str(suite), "--headless", "--exp-id", "e", "--concurrency", "4")
    run = subprocess.Popen(
        [sys.executable, "-m", "modex.tui.cli", *words, "--db", str(modex.db)],
        env=modex.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    def ready() -> bool:
        places = (tmp_path / "served").glob("*/status.json")
        return any(read_status(one.parent).state == "ready" for one in places) or run.poll() is not None

    wait_until(ready, "the server is ready")
    threading.Event().wait(draw.random())
    keeper = next(read_status(one.parent).pid for one in (tmp_path / "served").glob("*/status.json"))
    servers = [below for one in _children(keeper) for below in _children(one)]
    chosen = {"runner": [run.pid], "server": servers, "keeper": [keeper], "all": [run.pid, keeper, *servers]}[kind]
    for pid in chosen:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    run.wait(120)
    wait_until(lambda: not _serving(tmp_path), "no server is left", 10.0)
    done = subprocess.run(
        [sys.executable, "-m", "modex.tui.cli", *words, "--db", str(modex.db)],
        env=modex.environment(),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    with reading(modex.db) as reader:
        samples = list(reader.samples(reader.run("e").id))
    assert [sample.status for sample in samples] == ["passed"] * TESTS
    wait_until(lambda: not _serving(tmp_path), "no server is left", 10.0)
