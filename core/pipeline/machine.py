"""What bounds this process on its machine: cores by affinity and by the container's quota, memory by the container's limit.

The files are those of Linux' control groups, the first version and the second; elsewhere nothing but the cores is known.

https://docs.kernel.org/admin-guide/cgroup-v2.html#cpu-interface-files.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from modex.core.foundation.control_groups import control_groups, most_memory, words_in
from modex.core.foundation.processes import cores


@cache
def host_limits() -> str | None:
    """What this process may take of its machine, as `1.5 of 16 cores, 2.0 GB`; None where it may take all."""
    return limits_of(Path("/"), cores(), os.cpu_count() or 1, _memory())


def limits_of(root: Path, allowed: int, there: int, memory: int) -> str | None:
    """The limits of a process that may run on `allowed` of the `there` cores of a machine with `memory` bytes.

    `root` is where its `/proc` and `/sys` lie.
    """
    shares = (_share(group) for group in control_groups(root, "cpu"))
    quota = min((share for share in shares if share is not None), default=float(there))
    limits = (most_memory(group) for group in control_groups(root, "memory"))
    bytes_ = min((most for most in limits if most is not None), default=memory)
    lines = []
    if (bound := min(quota, float(allowed))) < there:
        lines.append(f"{round(bound, 2):g} of {there} cores")
    if bytes_ < memory:
        lines.append(f"{bytes_ / 2**30:.1f} GB")
    return ", ".join(lines) or None


def _share(group: Path) -> float | None:
    """Cores that the group's quota is worth; None without one."""
    words = words_in(group / "cpu.max")  # of the second version: quota and period, in microseconds
    if not words:
        words = words_in(group / "cpu.cfs_quota_us") + words_in(group / "cpu.cfs_period_us")
    numbers = [int(word) for word in words if word.isdecimal()]
    return numbers[0] / numbers[1] if len(words) == len(numbers) == 2 and numbers[1] else None


def _memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return 0
