"""What bounds this process on its machine: cores by affinity and by the container's quota, memory by the container's limit.

The files are those of Linux' control groups, the first version and the second; elsewhere nothing but the cores is known.

https://docs.kernel.org/admin-guide/cgroup-v2.html#cpu-interface-files.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from modex.core.foundation.processes import cores

_GROUPS = Path("sys/fs/cgroup")


@cache
def host_limits() -> str | None:
    """What this process may take of its machine, as `1.5 of 16 cores, 2.0 GB`; None where it may take all."""
    return limits_of(Path("/"), cores(), os.cpu_count() or 1, _memory())


def limits_of(root: Path, allowed: int, there: int, memory: int) -> str | None:
    """The limits of a process that may run on `allowed` of the `there` cores of a machine with `memory` bytes.

    `root` is where its `/proc` and `/sys` lie.
    """
    quota = min((share for group in _groups(root, "cpu") if (share := _share(group)) is not None), default=float(there))
    bytes_ = min((most for group in _groups(root, "memory") if (most := _most(group)) is not None), default=memory)
    lines = []
    if (bound := min(quota, float(allowed))) < there:
        lines.append(f"{round(bound, 2):g} of {there} cores")
    if bytes_ < memory:
        lines.append(f"{bytes_ / 2**30:.1f} GB")
    return ", ".join(lines) or None


def _groups(root: Path, controller: str) -> Iterator[Path]:
    """The folders of this process' group and of those around it, for each hierarchy that may bound it by `controller`.

    Within a container the path that the kernel tells may be that of the machine outside; what of it is not there, or not
    readable, bounds nothing that can be seen.
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


def _share(group: Path) -> float | None:
    """Cores that the group's quota is worth; None without one."""
    words = _words(group / "cpu.max")  # of the second version: quota and period, in microseconds
    if not words:
        words = _words(group / "cpu.cfs_quota_us") + _words(group / "cpu.cfs_period_us")
    numbers = [int(word) for word in words if word.isdecimal()]
    return numbers[0] / numbers[1] if len(words) == len(numbers) == 2 and numbers[1] else None


def _most(group: Path) -> int | None:
    """Bytes that the group may take; None without a limit, for which the first version has a number beyond every memory."""
    words = _words(group / "memory.max") or _words(group / "memory.limit_in_bytes")
    return int(words[0]) if words and words[0].isdecimal() else None


def _words(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").split()
    except (OSError, ValueError):
        return []


def _memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return 0
