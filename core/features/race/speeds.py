"""The models of a race beside each other: score, speed, first token, memory, and how each was served."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from modex.core.reports.pace import pace_cells
from modex.core.safety import clean_line
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.core.store.speeds import Pace, pace_of

_TITLES = ("model", "score", "tokens/s", "first token", "memory", "served")
_NAME_WIDTH = 24


def models_json(reader: Reader, runs: Sequence[RunRow], scores: Mapping[str, float]) -> list[dict[str, Any]]:
    """Of each run of a race: its score as the last look that had it found it (0 to 1), its pace, and the most memory in bytes
    that its server took; None where it is not known.

    Raises:
        StoreError: the store cannot be read.
    """
    found = []
    for run in runs:
        pace = pace_of(reader, run.id)
        served = next((one for one in run.served if isinstance(one, dict)), {})
        found.append(
            {
                "run": run.exp_id,
                "score": scores.get(run.exp_id),
                "pace": pace.as_dict() if pace is not None else None,
                "peak_bytes": served.get("peak_bytes"),
                "served": {name: served[name] for name in _HOW if served.get(name) is not None},
            }
        )
    return found


_HOW = ("quantization", "slots", "context", "threads", "server", "build", "file", "file_digest")
"""What is said of a server that modex started."""


def model_lines(models: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> list[str]:
    """A table of the models by what they are called, a line each below its head; empty where nothing was measured.

    A column of which nothing is known is left out.
    """
    rows = [_row(one, names) for one in models]
    if not any(row[column] for row in rows for column in (2, 3, 4)):
        return []
    kept = [column for column in range(len(_TITLES)) if column < 2 or any(row[column] for row in rows)]
    table = [tuple(line[column] for column in kept) for line in (_TITLES, *rows)]
    widths = [max(len(line[place]) for line in table) for place in range(len(kept))]
    left = {0, _TITLES.index("served")}
    return [
        "  ".join(
            (cell or "–").ljust(width) if column in left else (cell or "–").rjust(width)
            for cell, width, column in zip(line, widths, kept, strict=True)
        ).rstrip()
        for line in table
    ]


def _row(one: Mapping[str, Any], names: Mapping[str, str]) -> tuple[str, ...]:
    pace = Pace.of(one["pace"]) if isinstance(one.get("pace"), dict) else None
    first, speed, _ = pace_cells(pace)
    score, peak = one.get("score"), one.get("peak_bytes")
    run = str(one.get("run"))
    return (
        clean_line(names.get(run, run), _NAME_WIDTH),
        f"{100 * score:.1f}" if isinstance(score, float) else "",
        speed,
        first,
        f"{peak / 1e6:,.0f} MB" if isinstance(peak, int) else "",
        _served(one.get("served") or {}),
    )


def _served(how: Mapping[str, Any]) -> str:
    parts = [str(how["quantization"])] if "quantization" in how else []
    slots, context = how.get("slots"), how.get("context")
    if isinstance(slots, int) and isinstance(context, int):
        parts.append(f"{slots} × {context:,} tokens")
    return clean_line(", ".join(parts), 40)
