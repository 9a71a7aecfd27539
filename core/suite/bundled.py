"""Where the bundled suite lives: inside the installed package, or at the root of a checkout."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


@cache
def bundled_root() -> Path:
    """The folder that holds the bundled `test_definitions/`, `prompts/` and `tool_mocks/`."""
    installed = _PACKAGE / "bundled"
    return installed if (installed / "test_definitions").is_dir() else _PACKAGE.parent
