"""Exceptions with other arguments than one text, which the sandbox's Python cannot make: their arguments become their text."""

from __future__ import annotations

import ast
import builtins
import re

_EXCEPTIONS = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
)
_CALLED = re.compile(r"\b(?:[A-Z]\w{0,40}(?:Error|Exception|Exit|Interrupt|Iteration))\s?\(")


def with_texts(code: str) -> str:
    """`code` in which `ValueError(3)` reads `ValueError(str(3))`, and `ValueError(1, 2)` `ValueError(str((1, 2)))`.

    What an exception is, and what it says, stays the same, and so does every line; its `args` are that one text. Code that
    does not parse, and exceptions that it defines itself, stay as they are.
    """
    if not _CALLED.search(code):
        return code
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return code
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    added: list[tuple[int, int, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _EXCEPTIONS - own:
            added += _around(node)
    if not added:
        return code
    lines = [line.encode() for line in code.splitlines(keepends=True)]
    for row, column, text in sorted(added, key=lambda one: one[:2], reverse=True):
        line = lines[row - 1]
        lines[row - 1] = line[:column] + text.encode() + line[column:]
    return b"".join(lines).decode()


def _around(call: ast.Call) -> list[tuple[int, int, str]]:
    """What is put where around the arguments: row from 1, column in bytes, text."""
    given = call.args
    if not given or call.keywords or any(isinstance(one, ast.Starred | ast.GeneratorExp) for one in given):
        return []
    if len(given) == 1 and (isinstance(given[0], ast.JoinedStr) or _is_text(given[0])):
        return []
    first, last = given[0], given[-1]
    if last.end_lineno is None or last.end_col_offset is None:
        return []
    opened, closed = ("str(", ")") if len(given) == 1 else ("str((", "))")
    return [(first.lineno, first.col_offset, opened), (last.end_lineno, last.end_col_offset, closed)]


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
