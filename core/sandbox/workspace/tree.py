"""What stands in a folder, as data: each file, folder and link by its path; and how two states differ."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

EntryKind = Literal["file", "folder", "link"]
BEGINNING_NS = 946_684_800 * 10**9
"""When everything that a test gives was written: the year 2000, so that what a model writes is newer."""
_MB = 1024 * 1024
MAX_PACKED = 16 * 1024 * 1024
"""Characters of a packed difference: more is not kept."""


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One thing in a folder."""

    kind: EntryKind
    data: bytes = b""
    """A file's content; where a link leads."""
    mode: int = 0o644
    """Permission bits."""
    mtime_ns: int = BEGINNING_NS

    @property
    def same(self) -> tuple[str, bytes, int]:
        """What makes it another one for a person: a new time alone does not."""
        return (self.kind, self.data, self.mode if self.kind == "file" else 0)


Tree = dict[str, TreeEntry]
"""By path relative to the folder, as `os.fsdecode` writes it."""


def file_of(text: str, *, executable: bool | None = None) -> TreeEntry:
    """A file that a test gives by its text; a script that begins with `#!` can be executed."""
    runs = text.startswith("#!") if executable is None else executable
    return TreeEntry("file", text.encode("utf-8", "surrogatepass"), 0o755 if runs else 0o644)


def tree_of(files: Mapping[str, str]) -> Tree:
    """The files of a test, by their texts."""
    return {path: file_of(text) for path, text in files.items()}


def with_folders(tree: Mapping[str, TreeEntry]) -> Tree:
    """With every folder that a path needs."""
    found: Tree = {}
    for path, entry in tree.items():
        steps = path.split("/")
        for count in range(1, len(steps)):
            above = "/".join(steps[:count])
            if above not in tree:
                found.setdefault(above, TreeEntry("folder", mode=0o755))
        found[path] = entry
    return found


def changes(before: Mapping[str, TreeEntry], after: Mapping[str, TreeEntry]) -> dict[str, TreeEntry | None]:
    """What makes `after` of `before`: each path with what stands there, None where nothing does any more."""
    found: dict[str, TreeEntry | None] = {path: None for path in before if path not in after}
    found.update({path: entry for path, entry in after.items() if before.get(path) != entry})
    return found


def changed(before: Mapping[str, TreeEntry], difference: Mapping[str, TreeEntry | None]) -> Tree:
    """Undo `changes`."""
    after = {path: entry for path, entry in before.items() if path not in difference}
    after.update({path: entry for path, entry in difference.items() if entry is not None})
    return after


def packed(difference: Mapping[str, TreeEntry | None]) -> str:
    """A difference as text that a column of the store can hold.

    Raises:
        ValueError: it is larger than `MAX_PACKED`.
    """
    rows: list[list[Any]] = []
    for path, entry in sorted(difference.items()):
        if entry is None:
            rows.append([path])
        else:
            rows.append([path, entry.kind, entry.mode, entry.mtime_ns, base64.b64encode(entry.data).decode()])
    text = base64.b64encode(zlib.compress(json.dumps(rows, separators=(",", ":")).encode("ascii"), 6)).decode()
    if len(text) > MAX_PACKED:
        size = sum(len(entry.data) for entry in difference.values() if entry is not None)
        # Four characters of base64 are three bytes.
        taken, most = len(text) * 3 / 4 / _MB, MAX_PACKED * 3 // 4 // _MB
        raise ValueError(
            f"{size / _MB:.1f} MB of changed files, {taken:.1f} MB compressed, where {most} MB can be kept"
        )
    return text


def unpacked(text: str) -> dict[str, TreeEntry | None]:
    """Undo `packed`.

    Raises:
        ValueError: it is none.
    """
    try:
        rows = json.loads(zlib.decompress(base64.b64decode(text, validate=True)))
        return {
            row[0]: None if len(row) == 1 else TreeEntry(row[1], base64.b64decode(row[4]), row[2], row[3])
            for row in rows
        }
    except (ValueError, zlib.error, TypeError, LookupError, RecursionError) as error:
        raise ValueError(f"no kept workspace: {error}") from None
