"""Samples of a log kept aside while it is read, so that it is read once: in memory, beyond a size in a file without a name."""

from __future__ import annotations

import pickle
import tempfile
import weakref
from collections.abc import Callable, Iterator

from modex.core.edge.imports.records import ForeignSample

_IN_MEMORY = 64 * 1024 * 1024
"""Bytes that are kept in memory."""


class Spool:
    """Samples in the order they were put; each reading gives fresh ones."""

    def __init__(self, in_memory: int = _IN_MEMORY) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=in_memory)  # noqa: SIM115 - it lives as long as the spool
        self._count = 0
        weakref.finalize(self, self._file.close)

    def put(self, sample: ForeignSample) -> None:
        """Add a sample, as it is now."""
        pickle.dump(sample, self._file, protocol=pickle.HIGHEST_PROTOCOL)
        self._count += 1

    def __iter__(self) -> Iterator[ForeignSample]:
        """The samples; one reading at a time, and none is put while it goes on."""
        self._file.seek(0)
        for _ in range(self._count):
            yield pickle.load(self._file)  # this process wrote it


def read_once(read: Callable[[], Iterator[ForeignSample]]) -> Callable[[], Iterator[ForeignSample]]:
    """`read`, whose first whole reading is kept for the later ones."""
    kept: Spool | None = None

    def samples() -> Iterator[ForeignSample]:
        nonlocal kept
        if kept is not None:
            yield from kept
            return
        spool = Spool()
        for sample in read():
            spool.put(sample)
            yield sample
        kept = spool

    return samples
