"""Which tree a process runs: this one, or another version beside it."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def python_path(root: Path = ROOT) -> str:
    """What `PYTHONPATH` must be for the program of the tree at `root`, and its tests and benchmarks.

    In trees up to 0.2.0 the program stood at the root itself.
    """
    return os.pathsep.join((str(root / ".src"), str(root)))
