"""How much memory this machine can give, and how much a process and all below it take."""

from __future__ import annotations

import contextlib
from pathlib import Path

from modex.core.foundation.control_groups import control_groups, most_memory, words_in

_ROOT = Path("/")
_FILES_READ = ("total_inactive_file", "inactive_file")
"""In the first version of control groups only the first counts the groups below; the second has the other, which does."""


def free_bytes() -> int | None:
    """What can be had without swapping, by the machine and this container's limits; None where the system does not say."""
    found: list[int] = []
    with contextlib.suppress(OSError, ValueError, StopIteration):
        lines = (_ROOT / "proc/meminfo").read_text().splitlines()
        found.append(int(next(line for line in lines if line.startswith("MemAvailable")).split()[1]) * 1024)
    for group in control_groups(_ROOT, "memory"):
        most = most_memory(group)
        taken = words_in(group / "memory.current") or words_in(group / "memory.usage_in_bytes")
        if most is not None and taken:
            found.append(most - int(taken[0]) + _reclaimable(group))
    return min(found, default=None)


def _reclaimable(group: Path) -> int:
    """Of a group: what the system keeps of files that were read, which it gives back."""
    words = words_in(group / "memory.stat")
    told = dict(zip(words[::2], words[1::2], strict=False))
    return next((int(told[name]) for name in _FILES_READ if name in told), 0)


def used_by(pid: int) -> int:
    """Bytes that the processes below `pid` have in memory together, each page counted where it lies; 0 where unknown."""
    return sum(_resident(child) + used_by(child) for child in _children(pid))


def _children(pid: int) -> list[int]:
    with contextlib.suppress(OSError, ValueError):
        return [int(one) for one in (_ROOT / "proc" / str(pid) / "task" / str(pid) / "children").read_text().split()]
    return []


def _resident(pid: int) -> int:
    with contextlib.suppress(OSError, ValueError, StopIteration):
        lines = (_ROOT / "proc" / str(pid) / "status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) * 1024
    return 0
