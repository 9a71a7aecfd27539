"""What a peer is: how it is installed, and the command with which it does the work."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Work:
    """N questions with their answers, for a model at an address."""

    folder: Path
    """An empty folder of the run's own."""
    rows: Path
    """JSONL with `id`, `question`, `answer`."""
    base: str
    """`http://…/v1`."""
    concurrency: int


@dataclass(frozen=True, slots=True)
class Command:
    arguments: Sequence[str | Path]
    env: Mapping[str, str] = field(default_factory=dict)


class Peer(Protocol):
    name: str
    version: str

    def install(self, cache: Path) -> None:
        """Install into `cache`, unless it is there."""
        ...

    def command(self, cache: Path, work: Work) -> Command:
        """The command that does `work`."""
        ...

    def help_command(self, cache: Path) -> Command:
        """Its `--help`."""
        ...


def cache_folder() -> Path:
    """Where peers are installed: `MODEX_BENCH_CACHE`, else the user's cache."""
    given = os.environ.get("MODEX_BENCH_CACHE")
    return Path(given) if given else Path.home() / ".cache" / "modex-benchmarks"


def install_python(cache: Path, folder: str, *requirements: str) -> Path:
    """A virtual environment with `requirements`; its `bin`. Where it is complete already nothing is done."""
    home = cache / folder
    done = home / "complete"
    if not done.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", home], check=True)
        subprocess.run(
            [home / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements],
            check=True,
            capture_output=True,
        )
        done.touch()
    return home / "bin"
