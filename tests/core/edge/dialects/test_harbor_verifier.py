"""What stands beside a task's tests: which packages they name, what they fetch, stand-ins, and how the outcome is read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from modex.core.edge.dialects.harbor_verifier import STAND_INS, VERDICT, fetched, packages_of


@pytest.mark.parametrize(
    ("script", "packages"),
    [
        (
            "uvx \\\n  -p 3.13 \\\n  -w pytest==8.4.1 \\\n  -w pytest-json-ctrf==0.3.5 \\\n  pytest /tests/x.py",
            ["pytest==8.4.1", "pytest-json-ctrf==0.3.5"],
        ),
        ("uvx --with numpy==2.3 --with=pandas pytest /tests", ["numpy==2.3", "pandas", "pytest"]),
        ("uv init\nuv add pytest==8.4.1 requests\nuv run pytest $TEST_DIR/x.py -rA", ["pytest==8.4.1", "requests"]),
        ("uv pip install -q 'pytest==8' && pip3 install pytest-timeout", ["pytest==8", "pytest-timeout"]),
        ("pytest /tests", ["pytest"]),
        ("bash /tests/x.sh", []),
        ("pip install -r /tests/requirements.txt", []),
    ],
)
def test_packages_are_read_from_what_installs_them(script: str, packages: list[str]) -> None:
    assert packages_of([script]) == packages


def test_what_is_fetched_beside_uv_is_named() -> None:
    assert fetched(["curl -LsSf https://astral.sh/uv/0.9.5/install.sh | sh\nbash x"]) is None
    assert fetched(["true", "wget -q https://example.com/data.zip"]) == "https://example.com/data.zip"


@pytest.mark.process
@pytest.mark.parametrize(
    ("program", "words", "out"),
    [
        ("uvx", ["-p", "3.13", "-w", "x", "--with=y", "echo", "-n", "hi"], "hi"),
        ("uv", ["run", "--with", "x", "python", "-c", "print(1)"], "1\n"),
        ("uv", ["pip", "install", "x"], ""),
        ("uv", ["--version"], ""),
        ("uvx", ["--version"], ""),
    ],
)
def test_stand_ins_run_what_is_there(tmp_path: Path, program: str, words: list[str], out: str) -> None:
    place = tmp_path / program
    place.write_text(STAND_INS[program])
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        [sys.executable, place, *words], capture_output=True, text=True, check=True, env={"PATH": path}
    )
    assert done.stdout == out


@pytest.mark.process
def test_a_venv_can_be_activated(tmp_path: Path) -> None:
    (tmp_path / "uv").write_text(STAND_INS["uv"])
    subprocess.run([sys.executable, "uv", "venv", "--clear", "inner"], cwd=tmp_path, check=True)
    assert (tmp_path / "inner" / "bin" / "activate").read_text() == ""


SUMMED = "=== short test summary info ===\n"


@pytest.mark.process
@pytest.mark.parametrize(
    ("reward", "said", "code", "out"),
    [
        ("1\n", "", 1, "solved"),
        ("1.0", "", 0, "solved"),
        ("0.5", "", 0, "not solved (0.5)"),
        ("none", "", 0, "not solved (0)"),
        ('{"reward": 1}', "", 0, "solved"),
        ('{"speed": 1, "right": 0}', "", 0, "not solved (0)"),
        (None, "", 0, "solved"),
        (None, "", 2, "not solved (0)"),
        (None, f"{SUMMED}PASSED a\nPASSED b\n", 1, "solved"),
        (None, f"PASSED a\n{SUMMED}PASSED a\nFAILED b\n", 0, "not solved (0)"),
        (None, f"{SUMMED}ERROR a\n", 0, "not solved (0)"),
    ],
)
def test_the_outcome_is_the_reward_else_the_summary_else_the_exit_code(
    tmp_path: Path, reward: str | None, said: str, code: int, out: str
) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "said").write_text(said)
    if reward is not None:
        name = "reward.json" if reward.startswith("{") else "reward.txt"
        (tmp_path / "logs" / name).write_text(reward)
    program = tmp_path / "verdict.py"
    program.write_text(VERDICT.replace("/logs/verifier", str(tmp_path / "logs")))
    done = subprocess.run(
        [sys.executable, program, str(code)], capture_output=True, text=True, check=True, env={"HOME": str(tmp_path)}
    )
    assert done.stdout.strip() == out
