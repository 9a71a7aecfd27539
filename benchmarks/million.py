"""A million samples: planning, resuming, reading commands. Asked alone, because it takes a quarter of an hour by itself.

python -m benchmarks million [--quick]      (--quick: 200,000)
"""

from __future__ import annotations

from benchmarks.store import reading
from benchmarks.suite import planning
from benchmarks.tables import Table


def measure(*, quick: bool) -> list[Table]:
    """Planning and reading at the largest size."""
    size = 200_000 if quick else 1_000_000
    return [planning([size // 10, size]), reading([size // 10, size])]
