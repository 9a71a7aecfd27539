"""Several files of one benchmark as one JSONL file, each row with the part that it is of."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from modex.core.foundation.atomic_write import write_whole
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.datasets.rows import Row, iter_rows

JOINED = "rows.jsonl"


def join(root: Path, files: Sequence[str], column: str) -> str:
    """Write the rows of `files` (paths below `root`) into one file there and return its path; a row's own column stays.

    Raises:
        ConfigurationError: a file cannot be read, or a row of one.
        OSError: it cannot be written.
    """
    write_whole(root / JOINED, _lines(root, files, column))
    return JOINED


def _lines(root: Path, files: Sequence[str], column: str) -> Iterator[str]:
    for file in files:
        for row in iter_rows(root / file):
            if not isinstance(row, Row):
                raise ConfigurationError(f"{root / file}:{row.line}: {row.message}; report it to the dataset's page")
            data = row.data if not column or column in row.data else {**row.data, column: part_of(file)}
            yield json.dumps(data, ensure_ascii=False, default=str) + "\n"


def part_of(file: str) -> str:
    """Which part of a benchmark a file holds: its first folder, else its name without the ending."""
    path = Path(file)
    return path.parts[0] if len(path.parts) > 1 else path.stem
