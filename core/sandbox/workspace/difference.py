"""What was changed in a folder, as a unified diff that a person and a judge can read.

Made of bytes that were taken out of the sandbox: no program of the folder, no attribute and no setting of its git takes part.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from modex.core.sandbox.workspace.tree import TreeEntry

MAX_DIFF = 1024 * 1024
"""Bytes of a diff that are kept."""
_MAX_LINES, _MAX_TEXT = 6000, 512 * 1024
"""A longer file is only named: to find what differs in it takes time that grows with the square."""
_LEFT_OUT = ("__pycache__", ".git", ".pytest_cache", ".mypy_cache", ".ruff_cache")


@dataclass(frozen=True, slots=True)
class FolderDifference:
    """A diff, and what it does not hold."""

    text: str = ""
    files: int = 0
    """How many differ."""
    left_out: str = ""
    """What is not in the text, in words; empty where all is."""


def difference(before: Mapping[str, TreeEntry], after: Mapping[str, TreeEntry]) -> FolderDifference:
    """What of `before` became what of `after`; caches and git's own folder are left out."""
    parts: list[str] = []
    size, unsaid, files = 0, 0, 0
    for path in sorted({*before, *after}):
        one, two = before.get(path), after.get(path)
        if _hidden(path) or (one is not None and two is not None and one.same == two.same):
            continue
        if all(entry is None or entry.kind == "folder" for entry in (one, two)):
            continue
        files += 1
        part = "".join(_part(path, one, two))
        if size + (more := len(part.encode("utf-8", "surrogatepass"))) > MAX_DIFF:
            unsaid += 1
        else:
            parts.append(part)
            size += more
    words = f"{unsaid} of {files} files are not shown: the diff is larger than {MAX_DIFF // 1024} kB" if unsaid else ""
    return FolderDifference("".join(parts), files, words)


def named(path: str) -> str:
    """A path on one line: with escapes where it holds what is no plain text."""
    if path.isprintable() and not path.startswith('"'):
        return path
    return json.dumps(path)


def _hidden(path: str) -> bool:
    steps = path.split("/")
    return any(step in _LEFT_OUT for step in steps) or steps[-1].endswith(".pyc")


def _part(path: str, one: TreeEntry | None, two: TreeEntry | None) -> Iterator[str]:
    name = named(path)
    yield f"diff {name}\n"
    if one is None or two is None:
        entry = two or one
        assert entry is not None
        kind = "executable file" if entry.kind == "file" and entry.mode & 0o111 else entry.kind
        yield f"{'new' if one is None else 'deleted'} {kind}\n"
    elif one.kind != two.kind:
        yield f"{one.kind} became {two.kind}\n"
    elif one.kind == "file" and one.mode != two.mode:
        yield f"mode {one.mode:o} became {two.mode:o}\n"
    old, new = _lines(one), _lines(two)
    if old is None or new is None:
        yield f"contents are not shown: {_size(one)} became {_size(two)}\n"
        return
    lines = difflib.unified_diff(
        old, new, "/dev/null" if one is None else f"a/{name}", "/dev/null" if two is None else f"b/{name}"
    )
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(entry: TreeEntry | None) -> list[str] | None:
    """The lines of what stands there; None where they are not to be shown."""
    if entry is None or entry.kind == "folder":
        return []
    if entry.kind == "link":
        return [f"link to {named(entry.data.decode('utf-8', 'backslashreplace'))}\n"]
    if len(entry.data) > _MAX_TEXT or b"\0" in entry.data:
        return None
    try:
        text = entry.data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    lines = text.split("\n")
    found = [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    return found if len(found) <= _MAX_LINES else None


def _size(entry: TreeEntry | None) -> str:
    if entry is None:
        return "nothing"
    return f"{len(entry.data):,} bytes" if entry.kind == "file" else entry.kind
