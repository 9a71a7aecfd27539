"""Whether code failed for what its sandbox does not have, and not for what it says."""

from __future__ import annotations

import ast
import builtins
import importlib
import re
import sys

from modex.core.sandbox.python import Ran

_NO_MODULE = re.compile(r"No module named '([\w.]{1,200})'")
_NO_NAME = re.compile(r"cannot import name '(\w{1,200})' from '([\w.]{1,200})'")
_NO_ATTRIBUTE = re.compile(r"'?([\w.]{1,200})'? (?:object )?has no attribute '(\w{1,200})'")
_NOT_DEFINED = re.compile(r"name '(\w{1,200})' is not defined")
_LOOKED_INTO = frozenset(
    [
        "math",
        "re",
        "json",
        "itertools",
        "functools",
        "collections",
        "bisect",
        "datetime",
        "typing",
        "string",
        "operator",
        "heapq",
    ]
)
"""Modules whose names are compared: importing them has no effect that anyone could see."""


def lacking(ran: Ran, code: str, *, partial: bool) -> str | None:
    """What the sandbox lacks, by name, where that is why `code` failed; else None. `partial` says that it is no CPython."""
    last = ran.error.strip().splitlines()[-1] if ran.error and ran.error.strip() else ""
    if ran.error_type in ("ModuleNotFoundError", "ImportError") and (found := _NO_MODULE.search(last)):
        return f"module {found[1]}"
    if not partial:
        return None
    if (
        ran.error_type == "NotImplementedError"
        and "NotImplementedError(" not in code
        and "raise NotImplementedError" not in code
    ):
        return last.partition(": ")[2] or "a part of Python"
    if ran.error_type == "SyntaxError" and _parses(code):
        return last.partition(": ")[2] or "a part of Python's syntax"
    return _name_of_library(ran.error_type, last)


def _parses(code: str) -> bool:
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _name_of_library(kind: str | None, last: str) -> str | None:
    """A name of Python's own that CPython knows."""
    if kind == "ImportError" and (found := _NO_NAME.search(last)):
        return f"{found[2]}.{found[1]}" if _has(found[2], found[1]) else None
    if kind == "NameError" and (found := _NOT_DEFINED.search(last)):
        return found[1] if hasattr(builtins, found[1]) else None
    if kind == "AttributeError" and (found := _NO_ATTRIBUTE.search(last)):
        owner = found[1].removeprefix("module ").strip("'")
        known = getattr(builtins, owner, None)
        if isinstance(known, type):
            return f"{owner}.{found[2]}" if hasattr(known, found[2]) else None
        return f"{owner}.{found[2]}" if _has(owner, found[2]) else None
    return None


def _has(module: str, name: str) -> bool:
    if module not in _LOOKED_INTO or module not in sys.stdlib_module_names:
        return False
    return hasattr(importlib.import_module(module), name)
