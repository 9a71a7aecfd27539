"""The sandboxes by name."""

from __future__ import annotations

from typing import Literal

SandboxName = Literal["auto", "bubblewrap", "monty"]
"""What runs the code of answers: CPython within namespaces, or an interpreter of a part of Python; `auto` takes what works."""
