"""What stands under a name, loaded when it is first needed: so a folder can use one above it without importing it."""

from __future__ import annotations

import importlib
from typing import Any


def by_name(where: str) -> Any:
    """What `module:name` names.

    Raises:
        ImportError: there is no such module, or it needs something that is not installed.
        AttributeError: the module has no such name.
    """
    module, _, name = where.partition(":")
    return getattr(importlib.import_module(module), name)
