"""The sandboxes by name, what a test may ask of one, and how it names packages."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Literal

SandboxName = Literal["auto", "bubblewrap", "monty"]
"""What runs the code of answers: CPython within namespaces, or an interpreter of a part of Python; `auto` takes what works."""
LIMITS: Mapping[str, float] = {"seconds": 60, "memory_mb": 8192}
"""The most that a test may give its answers' code: seconds of processor time and memory, for each case."""
_VERSION = r"(?:[=<>!~]=|[<>])\s?[A-Za-z0-9.*+!_-]{1,40}"
_PACKAGE = re.compile(
    r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,80}[A-Za-z0-9])?(?:\[[A-Za-z0-9,._-]{1,80}\])?"
    rf"(?:\s?{_VERSION}(?:\s?,\s?{_VERSION}){{0,4}})?"
)


def package_fault(name: object) -> str | None:
    """What is wrong with the name of a package and its versions, or None: `numpy`, `numpy==2.3`, `pandas>=2,<3`."""
    if isinstance(name, str) and _PACKAGE.fullmatch(name.strip()):
        return None
    return f"must name packages as {json.dumps('numpy==2.3')} does, by name and version, not {str(name)[:60]!r}"
