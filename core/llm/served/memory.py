"""How much memory this machine can give, and how much a process and all below it take."""

from __future__ import annotations

import contextlib
from pathlib import Path

_PROC = Path("/proc")
_GROUP = Path("/sys/fs/cgroup")


def free_bytes() -> int | None:
    """What can be had without swapping, by the machine and by the limit of this container; None where the system does not say."""
    found: list[int] = []
    with contextlib.suppress(OSError, ValueError, StopIteration):
        lines = (_PROC / "meminfo").read_text().splitlines()
        found.append(int(next(line for line in lines if line.startswith("MemAvailable")).split()[1]) * 1024)
    with contextlib.suppress(OSError, ValueError):
        most = (_GROUP / "memory.max").read_text().strip()
        if most != "max":
            found.append(int(most) - int((_GROUP / "memory.current").read_text()) + _reclaimable())
    return min(found, default=None)


def _reclaimable() -> int:
    """Of the group: what the system keeps of files that were read, which it gives back."""
    with contextlib.suppress(OSError, ValueError, StopIteration):
        lines = (_GROUP / "memory.stat").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("inactive_file ")).split()[1])
    return 0


def used_by(pid: int) -> int:
    """Bytes that the processes below `pid` have in memory together, each page counted where it lies; 0 where unknown."""
    return sum(_resident(child) + used_by(child) for child in _children(pid))


def _children(pid: int) -> list[int]:
    with contextlib.suppress(OSError, ValueError):
        return [int(one) for one in (_PROC / str(pid) / "task" / str(pid) / "children").read_text().split()]
    return []


def _resident(pid: int) -> int:
    with contextlib.suppress(OSError, ValueError, StopIteration):
        lines = (_PROC / str(pid) / "status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) * 1024
    return 0
