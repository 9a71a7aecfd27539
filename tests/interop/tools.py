"""The other tools, installed once: a virtual environment or a folder of packages for each, below a cache folder.

`INTEROP_CACHE` names the folder (default: `~/.cache/modex-interop`). They come from where pip and npm of this machine look.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

ENVIRONMENT = dict(os.environ)
"""As it was before the tests got an empty home: the settings of pip and npm stand in the real one."""
CACHE = Path(os.environ.get("INTEROP_CACHE") or Path.home() / ".cache" / "modex-interop")
INSPECT = "inspect_ai==0.3.285"
LM_EVAL = "lm_eval[api]==0.4.13"
PROMPTFOO = "promptfoo@0.121"
EVERY_EVAL_EVER = "every-eval-ever==0.3.0"
_INSTALL_S = 900


def inspect_python() -> Path:
    """An interpreter that has inspect_ai, and the client that its models of OpenAI need."""
    return _environment("inspect", INSPECT, "openai") / "bin" / "python"


def lm_eval() -> Path:
    """The harness's command."""
    return _environment("lm-eval", LM_EVAL) / "bin" / "lm-eval"


def promptfoo() -> Path:
    """promptfoo's command."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")

    def install(folder: Path) -> None:
        _run("npm", "install", "--prefix", folder, "--no-audit", "--no-fund", PROMPTFOO)

    return _once("promptfoo", PROMPTFOO, install) / "node_modules" / ".bin" / "promptfoo"


def eee_schema() -> Path:
    """The schema of Every Eval Ever, out of its package; the package itself asks for a newer Python than ours may be."""

    def fetch(folder: Path) -> None:
        wheels = folder / "wheels"
        _run(
            sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
            "--python-version", "3.13", "--dest", wheels, EVERY_EVAL_EVER,
        )  # fmt: skip
        (wheel,) = wheels.glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)

    return _once("every-eval-ever", EVERY_EVAL_EVER, fetch) / "every_eval_ever" / "schemas" / "eval.schema.json"


def run_tool(*command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command of a tool, run to its end in `cwd`, which is its home too: its caches and settings stay there."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MODEX_", "PYTEST_"))}
    return subprocess.run(
        [str(word) for word in command],
        cwd=cwd, env={**kept, "HOME": str(cwd), **environment}, capture_output=True, text=True, check=False, timeout=200,
    )  # fmt: skip


def _environment(name: str, *packages: str) -> Path:
    def install(folder: Path) -> None:
        _run(sys.executable, "-m", "venv", "--clear", folder)
        _run(folder / "bin" / "python", "-m", "pip", "install", "--quiet", *packages)

    return _once(name, " ".join([*packages, sys.version]), install)


def _once(name: str, what: str, make: Callable[[Path], None]) -> Path:
    """The folder `name` as `make` fills it: anew where `what` changed, or where it did not come to its end."""
    CACHE.mkdir(parents=True, exist_ok=True)
    folder, done = CACHE / name, CACHE / f"{name}.installed"
    with (CACHE / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists() or done.read_text() != what:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            done.write_text(what)
    return folder


def _run(*command: str | Path) -> None:
    ended = subprocess.run(
        [str(word) for word in command],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
        timeout=_INSTALL_S,
    )
    if ended.returncode != 0:
        pytest.skip(f"{command[0]} cannot install it here: {(ended.stdout + ended.stderr)[-500:]}")
