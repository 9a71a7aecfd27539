"""The control groups of Linux that bound this process, of the first version and the second.

https://docs.kernel.org/admin-guide/cgroup-v2.html, https://docs.kernel.org/admin-guide/cgroup-v1/memory.html.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

_GROUPS = Path("sys/fs/cgroup")


def control_groups(root: Path, controller: str) -> Iterator[Path]:
    """The folders of this process' group and of those around it, for each hierarchy that may bound it by `controller`.

    `root` is where its `/proc` and `/sys` lie. Within a container the path that the kernel tells may be that of the machine
    outside; what of it is not there, or not readable, bounds nothing that can be seen.
    """
    try:
        lines = (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return
    for line in lines:
        _, names, path = ([*line.split(":", 2), "", ""])[:3]
        if names and controller not in names.split(","):
            continue
        tops = [root / _GROUPS / names, root / _GROUPS / controller] if names else [root / _GROUPS]
        for top in dict.fromkeys(tops):
            own = top / path.lstrip("/")
            yield own
            yield from (folder for folder in own.parents if folder.is_relative_to(top))


def words_in(path: Path) -> list[str]:
    """The words of one of their files; none where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8").split()
    except (OSError, ValueError):
        return []


def most_memory(group: Path) -> int | None:
    """Bytes that the group may take; None without a limit, for which the first version has a number beyond every memory."""
    words = words_in(group / "memory.max") or words_in(group / "memory.limit_in_bytes")
    return int(words[0]) if words and words[0].isdecimal() else None
